// Verifies a set of tables by the reference's rules, and the small set (win, draw, loss) beside it against it.
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
  /// A journal of the tables that were found right: these are not verified again while their files stay what they are.
  /// Empty: none. (What a smaller table holds need not be looked at: there is only one right table, and a file that is
  /// not the one that was found right is verified itself.)
  std::string checkpoint = {};
};

struct VerifyTablesReport {
  u64 tables = 0, entries = 0, differences = 0;
  u64 tables_before = 0;  ///< of the tables those that the checkpoint had
  u64 refused = 0;        ///< tables that were not verified, as they or smaller ones they need are damaged or missing
  bool complete = true;
};

/// What a run tells while it works; all are called one at a time.
struct VerifyTablesEvents {
  std::function<void(const std::string& fen, const std::string& what)> on_difference;
  std::function<void(const Material&, const EnvironmentError&)> on_refused;
  std::function<void(u64 entries)> on_entries = [](u64) {};  ///< so many more of entries_to_verify() are done
};

/// About how many entries a run will look at: with those that stand for no position.
u64 entries_to_verify(const VerifyTablesRequest& request);

/// Goes on with the next table after one that is damaged or missing. Throws FileRefusedError for a file of another set,
/// EnvironmentError.
VerifyTablesReport verify_tables(const VerifyTablesRequest& request, TableStore& store, WorkPool& pool,
                                 const VerifyTablesEvents& events);

}  // namespace hecatomb
