// What the subcommands of `hecatomb table` share.
#pragma once
#include <string>
#include <vector>

#include "host/cli/command.h"
#include "host/tables/counts.h"
#include "host/tables/solver_start.h"

namespace hecatomb {

/// Which tables a command is about.
struct TableSelection {
  std::string directory;
  int men = 0;                         ///< up to so many; 0: not said
  std::vector<std::string> materials;  ///< names, as written
};

/// --dir, --men, --material.
void add_selection(CLI::App& command, TableSelection& selection, const std::string& materials_help);

/// UsageError for a variant that has no tables.
void require_table_variant(VariantId variant);

/// Game and options of a set of tables; UsageError for a variant that has none.
TableRules table_rules(const CommandContext& context);

/// The classes named; UsageError for a name that is none.
std::vector<Material> materials_named(const TableSelection& selection);

/// The classes that a command is about.
struct SelectedTables {
  std::vector<Material> materials;
  bool are_all_there = true;  ///< false: some of those asked for have no file; a warning has named them
};

/// The classes named (whether or not there are files of them), or those up to so many men that there is a file of, or
/// all that there is a file of. UsageError, or EnvironmentError where there is none.
SelectedTables selected_tables(const TableSelection& selection, const TableRules& rules);

/// --unit: what the figures count.
void add_count_unit(CLI::App& command, std::string& unit);
CountUnit count_unit_named(const std::string& name);

/// Memory for tables that are kept while probing and verifying.
inline constexpr std::uint64_t kTableRoomBytes = std::uint64_t{1} << 30;

void add_table(CLI::App& app, CommandContext& context);
void add_table_generate(CLI::App& app, CommandContext& context);
void add_table_probe(CLI::App& app, CommandContext& context);
void add_table_report(CLI::App& app, CommandContext& context);
void add_table_stats(CLI::App& app, CommandContext& context);
void add_table_verify(CLI::App& app, CommandContext& context);

}  // namespace hecatomb
