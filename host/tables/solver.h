// Solves one material class: win, draw or loss and the distance to it for every position, with sets.
//
// The one idea: what leads out of the class, and sacrifices, is known beforehand (solver_start.h); the other quiet
// moves are taken back level by level (retrograde analysis; Thompson, ICCA Journal 1986, on sets instead of single
// positions): who can move to a loss in d - 1 wins in d; who can only move to wins in less than d loses in d. A row is
// a set of 64 positions, so a move of one of its men is worked out for 64 positions at once.
//
// Losses are found in two ways, whichever is less work at a level: by taking back the moves to what was won last, or by
// looking at every row that may still hold one. The second is quick where much is won at once, as a few moves rule out
// most cells.
//
// Invariants after level d: `open` holds the cells that are not settled, `won_` those known to be won in at most d;
// the code of a settled cell is final; cells that are the same position are in equal state.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/tables/solver_start.h"

namespace hecatomb {

/// A class, solved: its table, and by side and row the cells that a file may leave out.
struct SolvedTable {
  std::shared_ptr<const Table> table;
  std::array<std::vector<u64>, 2> captures;    ///< the mover must capture
  std::array<std::vector<u64>, 2> sacrifices;  ///< won as soon as they are by a sacrifice
  std::array<std::vector<u64>, 2> given;       ///< won by a sacrifice, be it not the quickest way
};

/// Nothing if stop_requested() came first. `tables` gives the smaller classes.
std::optional<SolvedTable> solve_by_sets(const Material& material, const TableRules& rules, const TableSource& tables);
/// The same with codes of two bytes from the start: what solve_by_sets() does where one is too short.
std::optional<SolvedTable> solve_with_long_codes(const Material& material, const TableRules& rules,
                                                 const TableSource& tables);

/// Memory that solving a class takes, besides the tables it asks for; where distances need codes of two bytes, twice
/// that.
std::uint64_t solver_memory_bytes(const Material& material);

}  // namespace hecatomb
