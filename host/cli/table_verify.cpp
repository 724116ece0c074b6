// hecatomb table verify: checksums, then entries against their successors by the reference's rules.
#include <chrono>
#include <iostream>
#include <memory>

#include "host/cli/output.h"
#include "host/cli/table.h"
#include "host/notation/variant_name.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/tables/verify.h"

namespace hecatomb {

namespace {

struct VerifyOptions {
  TableSelection selection;
  VerifyTablesRequest request;
};

constexpr u64 kPrintedDifferences = 10;

int verify_table_set(const VerifyOptions& options, const CommandContext& context) {
  const TableRules rules = table_rules(context);
  context.require_cpu_backend("tables are verified by the reference's rules, whoever made them");
  VerifyTablesRequest request = options.request;
  const SelectedTables selected = selected_tables(options.selection, rules);
  request.materials = selected.materials;
  TableStore store(options.selection.directory, rules, kTableRoomBytes);
  WorkPool pool(context.threads);
  Progress progress({"verify", "entries", entries_to_verify(request), 0},
                    ProgressOutput::standard_error(context.quiet));
  Json examples = Json::array(), refused = Json::array();
  u64 seen = 0;
  const auto begin = std::chrono::steady_clock::now();
  const VerifyTablesReport report = verify_tables(
      request, store, pool,
      {.on_difference =
           [&](const std::string& fen, const std::string& what) {
             if (seen++ >= kPrintedDifferences) return;
             if (context.json) {
               examples.push_back({{"fen", fen}, {"what", what}});
             } else {
               std::cout << fen << ": " << what << '\n';
             }
           },
       .on_refused =
           [&](const Material& material, const EnvironmentError& error) {
             refused.push_back({{"material", material.name()}, {"message", error.what()}});
             progress.message("hecatomb: error: " + material.name() + " is not verified: " + error.what());
           },
       .on_entries = [&](u64 entries) { progress.advance(entries); }});
  progress.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (context.json) {
    print_json({{"variant", variant_name(rules.variant)},
                {"tables", report.tables},
                {"tables_before", report.tables_before},
                {"entries", std::to_string(report.entries)},
                {"differences", std::to_string(report.differences)},
                {"examples", std::move(examples)},
                {"refused", std::move(refused)},
                {"seconds", seconds},
                {"stopped", !report.complete}});
  } else {
    std::cout << variant_name(rules.variant) << ": " << counted(report.tables, "table")
              << (report.tables_before != 0 ? " (" + std::to_string(report.tables_before) + " before)" : "") << ", "
              << counted(report.entries, "position") << " verified: " << counted(report.differences, "difference")
              << (report.refused != 0 ? ", " + counted(report.refused, "table") + " not verified" : "") << " in "
              << format_duration(seconds) << (report.complete ? "" : ", stopped") << '\n';
  }
  const bool all_right = report.differences + report.refused == 0 && selected.are_all_there;
  return all_right ? kExitDone : kExitRefused;
}

}  // namespace

void add_table_verify(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command = add_command(app, context, "verify", "checksums, then entries by the reference's rules",
                                  [options](const CommandContext& c) { return verify_table_set(*options, c); });
  add_selection(command, options->selection, "these classes (default: all that are there)");
  add_number(command, "--sample", options->request.sample, 1, ~std::uint64_t{0} >> 8,
             "so many random entries of each table (default: all)");
  command
      .add_option("--checkpoint", options->request.checkpoint,
                  "file that keeps which tables are right; goes on from it")
      ->type_name("FILE");
  add_number(command, "--seed", options->request.seed, 0, ~std::uint64_t{0}, "of the sample (default 1)");
}

}  // namespace hecatomb
