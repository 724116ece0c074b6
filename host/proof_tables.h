// Endgame tables as leaves of proofs: what the search asks, what a proof file says of them, what the checker asks.
//
// The one idea: a directory of tables becomes two functions, KnownEndings of the search and TableAccess of the checker,
// and neither knows more of tables. A class whose small table (win, draw, loss) is there, with those below it, is asked
// there, any other in its distances; and a proof is checked with the files that it names.
//
// A proof names the file of each class that a leaf belongs to, with the checksum of all its bytes.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "host/reference/proof_check.h"
#include "host/solver/problem.h"
#include "host/tables/solver_start.h"
#include "host/tables/table_file.h"

namespace hecatomb {

class ProofTables {
 public:
  /// The tables of a directory. `named` ("NAME:HASH,…") is what a proof names: distances that are named go before small
  /// tables. EnvironmentError if there are none. Files are read, and refused, when they are needed.
  ProofTables(const std::string& directory, const TableRules& rules, const std::string& named = {});
  ~ProofTables();
  ProofTables(const ProofTables&) = delete;
  ProofTables& operator=(const ProofTables&) = delete;

  int most_men() const;
  /// For the side to move: 1 won, 0 drawn, -1 lost; nothing where no table covers the position. Any thread. Throws
  /// FileRefusedError for a damaged or foreign file.
  std::optional<int> value(const Position& p) const;

  /// For the search. `this` must outlive it.
  KnownEndings endings() const;
  /// For the checker. `this` must outlive it.
  reference::TableAccess access() const;
  /// "NAME:HASH,…" for a proof file, of the files named.
  std::string with_hashes(const std::set<std::string>& names) const;

 private:
  struct Values;
  /// XXH3-64 of a file of the directory in hexadecimal; empty if it is not there.
  std::string hash_of_file(const std::string& name) const;

  std::string directory_;
  TableRules rules_;
  std::unique_ptr<Values> values_;
};

}  // namespace hecatomb
