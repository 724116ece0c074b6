// hecatomb table: endgame tables. What its subcommands share.
#include "host/cli/table.h"

#include "host/error.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"
#include "host/tables/generate.h"

namespace hecatomb {

void add_selection(CLI::App& command, TableSelection& selection, const std::string& materials_help) {
  command.add_option("--dir", selection.directory, "the directory of the set")->required();
  add_number(command, "--men", selection.men, 2, kMostTableMen, "all classes of up to so many men");
  command.add_option("--material", selection.materials, materials_help)->delimiter(',');
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

std::vector<Material> materials_there(const TableSelection& selection, const TableRules& rules) {
  if (!selection.materials.empty()) return materials_named(selection);
  const TableStore store(selection.directory, rules, 0);
  std::vector<Material> there;
  for (const Material& material : materials_up_to(selection.men != 0 ? selection.men : kMostTableMen)) {
    if (store.has_file(material)) there.push_back(material);
  }
  if (there.empty()) {
    throw EnvironmentError(selection.directory, "find tables", "it holds none",
                           "Make some: hecatomb table generate -v " + std::string(variant_name(rules.variant)) +
                               " --men 3 --dir " + selection.directory);
  }
  return there;
}

void add_table(CLI::App& app, CommandContext& context) {
  CLI::App* table = app.add_subcommand("table", "endgame tables: make, probe, count, verify");
  table->set_help_flag("-h,--help", "this help");
  table->require_subcommand(1);
  add_table_generate(*table, context);
  add_table_probe(*table, context);
  add_table_stats(*table, context);
  add_table_verify(*table, context);
}

}  // namespace hecatomb
