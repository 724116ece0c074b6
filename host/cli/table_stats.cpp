// hecatomb table stats: what tables hold, in figures.
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "host/cli/output.h"
#include "host/cli/table.h"
#include "host/tables/table_store.h"

namespace hecatomb {

namespace {

struct StatsOptions {
  TableSelection selection;
  std::string unit = "orbits";
};

/// The row as an object: numbers as they are, histograms and FENs as text.
Json json_of_row(const std::string& heading, const std::string& row) {
  std::istringstream names(heading.substr(1)), fields(row);
  Json json;
  std::string name, field;
  while (std::getline(names, name, '\t')) {
    std::getline(fields, field, '\t');
    const bool is_number =
        !field.empty() && field.find_first_not_of("-0123456789") == std::string::npos && field != "-";
    const bool is_small = name == "men" || name.starts_with("max_");
    if (is_number && is_small) {
      json[name] = std::stoi(field);
    } else {
      json[name] = field;  // counts can pass 2^53: decimal strings
    }
  }
  return json;
}

int stats(const StatsOptions& options, const CommandContext& context) {
  const TableRules rules = table_rules(context);
  context.require_cpu_backend("stats reads what is stored");
  const TableStore store(options.selection.directory, rules, 0);
  const CountUnit unit = count_unit_named(options.unit);
  Json rows = Json::array(), refused = Json::array();
  const auto [materials, are_all_there] = selected_tables(options.selection, rules);
  bool all = are_all_there;
  const auto refuse = [&](const Material& material, const EnvironmentError& error) {
    all = false;
    refused.push_back({{"material", material.name()}, {"message", error.what()}});
    print_error(error.what());
  };
  if (!context.json) std::cout << counts_heading() << '\n';
  for (std::size_t i = 0; i < materials.size(); i++) {
    std::unique_ptr<const TableFile> file;
    try {
      auto opened = store.open(materials[i]);
      opened->check_all();
      file = std::move(opened);
    } catch (const FileRefusedError& error) {
      if (error.refusal() != Refusal::kDamaged) throw;
      refuse(materials[i], error);
    } catch (const MissingTableError& error) {
      refuse(materials[i], error);
    }
    if (!file) continue;
    // Asked for RvK we answer for RvK, not for KvR.
    const bool changed = !options.selection.materials.empty() && !is_oriented_name(options.selection.materials[i]);
    for (const Color asked : {kWhite, kBlack}) {
      const Color side = changed ? other(asked) : asked;
      const std::string row = counts_row(file->layout(), side, file->counts()[side], unit, changed);
      if (context.json) {
        rows.push_back(json_of_row(std::string(counts_heading()), row));
      } else {
        std::cout << row << '\n';
      }
    }
    flush_output();
  }
  if (context.json) print_json({{"unit", options.unit}, {"rows", std::move(rows)}, {"refused", std::move(refused)}});
  return all ? kExitDone : kExitRefused;
}

}  // namespace

void add_table_stats(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<StatsOptions>();
  CLI::App& command = add_command(app, context, "stats", "wins, draws, losses and their lengths, as TSV",
                                  [options](const CommandContext& c) { return stats(*options, c); });
  add_selection(command, options->selection, "these classes (default: all that are there)");
  add_count_unit(command, options->unit);
}

}  // namespace hecatomb
