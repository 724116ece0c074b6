// Win, draw or loss of any position of few men, from memory: what a search asks.
//
// The one idea: a class is unpacked when it is first asked for, every value of it two bits wide, so a probe is an index
// and one look-up. Tables of the small set (metric wdl) are read, nothing else.
//
// Any number of threads may probe at once.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "host/tables/table_store.h"

namespace hecatomb {

class WdlSet {
 public:
  /// The tables of a directory of at most `most_men` men for which all smaller ones are there as well; EnvironmentError
  /// if there are none. Files are read, and refused, when they are needed.
  WdlSet(const std::string& directory, const TableRules& rules, int most_men = kMostTableMen);
  ~WdlSet();
  WdlSet(const WdlSet&) = delete;
  WdlSet& operator=(const WdlSet&) = delete;

  /// For the side to move: 1 won, 0 drawn, -1 lost, without 50-move rule, repetition and dead draws; nothing where the
  /// set does not cover the position. Throws FileRefusedError for a damaged or foreign file.
  std::optional<int> probe(const Position& p) const;

  /// Whether the set has the table of a class.
  bool has(MaterialKey key) const;
  /// The most men of a position that may be covered.
  int most_men() const;
  /// Memory of what is unpacked so far.
  std::uint64_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hecatomb
