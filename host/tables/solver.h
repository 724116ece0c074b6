// Solves one material class: win, draw or loss and the distance to it for every position, with sets.
//
// The one idea: what leads out of the class is known beforehand (solver_start.h); the quiet moves inside it are taken
// back level by level (retrograde analysis; Thompson, ICCA Journal 1986, on sets instead of single positions): who can
// move to a loss in d - 1 wins in d; who can only move to wins in less than d loses in d. A row is a set of 64
// positions, so a move of one of its men is worked out for 64 positions at once.
//
// Invariants after level d: `open` holds the cells that are not settled, `won_` those known to be won in at most d;
// the value of a settled cell is final; cells that are the same position are in equal state.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/tables/solver_start.h"

namespace hecatomb {

class Solver {
 public:
  Solver(const Material& material, const TableRules& rules, const TableSource& tables);

  /// The whole solution. Nothing if stop_requested() came first.
  std::optional<Table> run();
  /// By side and row, after run(): the cells in which the mover must capture.
  const std::vector<u64>& captures(Color side) const { return sides_[side].captures; }
  /// The same: cells won as soon as they are by a quiet move into a position where the opponent must capture.
  const std::vector<u64>& sacrifices(Color side) const { return sacrifices_[side]; }

  /// Memory that a solver of this class needs, besides the tables it asks for.
  static std::uint64_t memory_bytes(const Material& material);

 private:
  /// Sets by row, and the rows where they are not empty.
  struct Front {
    std::vector<u64> sets;
    std::vector<u32> rows;
    void add(u32 row, u64 set) {
      if (set == 0) return;
      if (sets[row] == 0) rows.push_back(row);
      sets[row] |= set;
    }
    void clear() {
      for (const u32 row : rows) sets[row] = 0;
      rows.clear();
    }
  };
  using Fronts = std::array<Front, 2>;
  /// Cells of a row with values of one depth that are known beforehand.
  struct Known {
    u32 row;
    Color side;
    u64 won, lost;
  };

  void sort_by_depth();
  bool run_levels();
  void take_known(int depth);
  void find_losses(int depth);
  void find_wins(int depth);
  void settle(Color side, u32 row, u64 set, TableValue value);
  void push(Color parent, u32 row, u64 set);
  u64 lost_for_sure(Color side, u32 row, u64 cells, int depth) const;
  u64 known_losses(Color side, u32 row, u64 cells, int depth) const;

  Layout layout_;
  SolverStart start_;
  const RowReader& reader_;
  std::array<SolverSide, 2> sides_;
  std::array<std::vector<u64>, 2> won_, sacrifices_;
  Fronts wins_, losses_;            // of the level before
  Fronts next_wins_, next_losses_;  // of this level
  Fronts marks_;                    // cells with a move to what was found
  std::vector<std::vector<Known>> by_depth_;
};

}  // namespace hecatomb
