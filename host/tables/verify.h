// Verifies a set of tables by the reference's rules.
//
// The one idea: a table is right if every finished game has its result, every other entry is the best of its
// successors' entries, and every distance is that of a line that ends (values one ply apart see to that, as a win or
// loss cannot follow itself). The moves are those of host/reference, which shares nothing with what made the tables.
#pragma once
#include <functional>
#include <string>

#include "host/tables/table_store.h"
#include "host/work.h"

namespace hecatomb {

struct VerifyTablesRequest {
  std::vector<Material> materials;
  std::uint64_t sample = 0;  ///< entries of each table, chosen at random; 0: all
  std::uint64_t seed = 1;
};

struct VerifyTablesReport {
  u64 tables = 0, entries = 0, differences = 0;
  bool complete = true;
};

/// `on_difference` gets a FEN and what is wrong; `on_table` a table's name and the entries looked at, when it is done.
/// Both are called one at a time. Throws FileRefusedError, EnvironmentError.
VerifyTablesReport verify_tables(
    const VerifyTablesRequest& request, TableStore& store, WorkPool& pool,
    const std::function<void(const std::string& fen, const std::string& what)>& on_difference,
    const std::function<void(const Material&, u64 entries)>& on_table);

}  // namespace hecatomb
