// hecatomb table generate: solves classes and writes their tables.
#include <chrono>
#include <iostream>
#include <memory>

#include "host/cli/output.h"
#include "host/cli/table.h"
#include "host/notation/variant_name.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/tables/reference_tables.h"

namespace hecatomb {

namespace {

struct GenerateOptions {
  TableSelection selection;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::string metric = "dtw";
  bool wdl = false;
};

Json json_of(const GeneratedClass& done) {
  return {{"material", done.material.name()},
          {"men", done.material.men},
          {"positions", std::to_string(done.positions)},
          {"bytes", done.file_bytes},
          {"wdl_bytes", done.wdl_bytes},
          {"longest", done.longest_plies},
          {"seconds", done.seconds},
          {"was_there", done.was_there},
          {"compared", done.compared},
          {"damage", done.damage}};
}

std::string text_of(const GeneratedClass& done) {
  std::string text = done.material.name() + ": " + format_count(done.positions) + " positions, longest " +
                     std::to_string(done.longest_plies) + " plies, " + format_size(done.file_bytes);
  if (done.was_there) return text + (done.compared ? ", was there, compared" : ", was there");
  return text + ", " + format_si(static_cast<double>(done.positions) / std::max(done.seconds, 1e-9)) + " positions/s";
}

std::function<void(const std::string&, const std::string&)> difference_printer(u64& differences) {
  return [&differences](const std::string& fen, const std::string& what) {
    differences++;
    print_error("difference: " + fen + ": " + what);
  };
}

/// The backends that can solve tables, by the names after --backend.
TableSolver solver_of(const CommandContext& context, const TableRules& rules, u64& differences) {
  if (context.backend == "auto" || context.backend == "cpu") return solve_by_sets;
  if (context.backend == "reference") return reference_solver(rules);
  return checking_solver(solve_by_sets, reference_solver(rules), difference_printer(differences));
}

int generate(const GenerateOptions& options, const CommandContext& context) {
  u64 differences = 0;
  GenerateRequest request{.directory = options.selection.directory,
                          .rules = table_rules(context),
                          .materials = {},
                          .memory_bytes = options.memory_bytes,
                          .threads = context.threads};
  request.with_wdl = options.wdl;
  request.solver = solver_of(context, request.rules, differences);
  if (context.backend.starts_with("check:")) request.on_stored_difference = difference_printer(differences);
  if ((options.selection.men != 0) == !options.selection.materials.empty())
    throw UsageError("which tables? Give --men N (all classes of up to N men), or --material RvK,…");
  request.materials = options.selection.men != 0 ? materials_up_to(options.selection.men)
                                                 : with_all_below(materials_named(options.selection));
  for (const Material& material : request.materials) {
    if (context.backend.find("reference") != std::string::npos && material.men > kMostReferenceMen)
      throw UsageError("--backend " + context.backend + ": the reference solves up to " +
                       std::to_string(kMostReferenceMen) + " men, and " + material.name() + " has " +
                       std::to_string(material.men));
  }
  const GeneratePlan plan = plan_generation(request);
  if (!context.json) {
    std::cout << variant_name(request.rules.variant) << ": " << counted(request.materials.size(), "table") << ", about "
              << format_count(plan.positions) << " positions; " << plan.threads << " at once, at most "
              << format_size(plan.memory_bytes) << " of memory\n";
    flush_output();
  }
  Progress progress({"table", "positions", plan.positions, 0}, ProgressOutput::standard_error(context.quiet));
  Json classes = Json::array();
  u64 positions = 0, bytes = 0;
  double solving = 0;
  const auto begin = std::chrono::steady_clock::now();
  const bool complete = generate_tables(request, plan, [&](const GeneratedClass& done) {
    progress.advance(2 * Layout::cells_of(done.material));
    if (!done.damage.empty()) progress.message("hecatomb: warning: " + done.damage + "; the table was made again");
    positions += done.positions;
    bytes += done.file_bytes;
    solving += done.seconds;
    if (context.json) {
      classes.push_back(json_of(done));
    } else {
      std::cout << text_of(done) << '\n';
    }
  });
  progress.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (context.json) {
    const std::size_t finished = classes.size();
    print_json({{"variant", variant_name(request.rules.variant)},
                {"directory", request.directory},
                {"classes", std::move(classes)},
                {"positions", std::to_string(positions)},
                {"bytes", bytes},
                {"memory_bytes", plan.memory_bytes},
                {"seconds", seconds},
                {"core_seconds", solving},
                {"stopped", !complete},
                {"finished", finished}});
  } else {
    std::cout << format_count(positions) << " positions in " << format_size(bytes) << ", " << format_duration(seconds)
              << (complete ? "" : ", stopped") << '\n';
  }
  if (!complete) print_warning("stopped; the same command goes on with the tables that are missing");
  return differences != 0 ? kExitRefused : kExitDone;
}

}  // namespace

void add_table_generate(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App& command = add_command(app, context, "generate", "solve classes and write their tables",
                                  [options](const CommandContext& c) { return generate(*options, c); });
  add_selection(command, options->selection, "these classes (RvK,…) and everything below them");
  add_size(command, "--memory", options->memory_bytes, "limit (default 4G)");
  add_choice(command, "--metric", options->metric, {"dtw"}, "what is stored: dtw, plies to the end of the game");
  command.add_flag("--wdl", options->wdl, "also a small set that says win, draw or loss alone");
}

}  // namespace hecatomb
