// hecatomb table: endgame tables. What its subcommands share.
#include "host/cli/table.h"

#include <algorithm>

#include "host/cli/output.h"
#include "host/error.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"
#include "host/report/si.h"
#include "host/tables/generate.h"

namespace hecatomb {

void add_selection(CLI::App& command, TableSelection& selection, const std::string& materials_help) {
  command.add_option("--dir", selection.directory, "the directory of the set")->type_name("DIR")->required();
  add_number(command, "--men", selection.men, 2, kMostTableMen, "all classes of up to so many men");
  command.add_option_function<std::vector<std::string>>(
      "--material",
      [&selection](const std::vector<std::string>& lists) {
        for (const std::string& list : lists) {  // an empty name stays one, and is refused as such
          for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = list.find(',', begin);
            selection.materials.push_back(list.substr(begin, end - begin));
          }
        }
      },
      materials_help);
}

void require_table_variant(VariantId variant) {
  if (variant != VariantId::antichess && variant != VariantId::suicide)
    throw UsageError("-v " + std::string(variant_name(variant)) + " has no tables; antichess and suicide have");
}

TableRules table_rules(const CommandContext& context) {
  const VariantId variant = context.required_variant();
  require_table_variant(variant);
  return {variant, context.rules_for(variant)};
}

std::vector<Material> materials_named(const TableSelection& selection) {
  std::vector<Material> materials;
  for (const std::string& name : selection.materials) {
    const auto material = read_material(name);
    if (!material)
      throw UsageError("--material " + hecatomb::quoted(name) + " is no class of 2 to " +
                       std::to_string(kMostTableMen) + " men; write the men of both sides as in RPvK");
    materials.push_back(*material);
  }
  return materials;
}

SelectedTables selected_tables(const TableSelection& selection, const TableRules& rules) {
  if (!selection.materials.empty()) return {.materials = materials_named(selection)};
  const TableStore store(selection.directory, rules, 0);
  std::vector<Material> there, missing;
  for (const Material& material : materials_up_to(selection.men != 0 ? selection.men : kMostTableMen))
    (store.has_file(material) ? there : missing).push_back(material);
  if (there.empty()) throw NoTablesError(selection.directory, rules, "tables", Metric::dtw);
  const bool are_all_there = selection.men == 0 || missing.empty();
  if (!are_all_there) {
    constexpr std::size_t most_named = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(missing.size(), most_named); i++)
      names.append(i == 0 ? "" : ", ").append(missing[i].name());
    print_warning(counted(missing.size(), "table") + " of up to " + std::to_string(selection.men) +
                  " men not there: " + names + (missing.size() > most_named ? ", \u2026" : ""));
  }
  return {.materials = there, .are_all_there = are_all_there};
}

void add_count_unit(CLI::App& command, std::string& unit) {
  add_choice(command, "--unit", unit, {"orbits", "placements", "merged"},
             "what counts as one: orbits (default) are boards with all men told apart, up to symmetry");
}

CountUnit count_unit_named(const std::string& name) {
  const auto* const found = std::find(std::begin(kCountUnitNames), std::end(kCountUnitNames), name);
  return static_cast<CountUnit>(found - std::begin(kCountUnitNames));  // add_choice lets nothing else through
}

void add_table(CLI::App& app, CommandContext& context) {
  CLI::App* table = app.add_subcommand("table", "endgame tables: make, probe, count, report, verify");
  table->set_help_flag("-h,--help", "this help");
  table->require_subcommand(1);
  add_table_generate(*table, context);
  add_table_probe(*table, context);
  add_table_stats(*table, context);
  add_table_report(*table, context);
  add_table_verify(*table, context);
}

}  // namespace hecatomb
