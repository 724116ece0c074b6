// What a table holds, counted: wins, draws, losses, how long they are, and an example of the longest.
//
// The one idea: counts are made once, when a table is solved, and stored with it; so `table stats` reads no positions,
// and `table verify` can compare.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host/tables/table.h"

namespace hecatomb {

/// What is counted as one.
enum class CountUnit : u8 {
  orbits,      ///< boards with all men told apart, up to symmetry: the unit of published figures
  placements,  ///< boards, like men not told apart, no symmetry
  merged,      ///< entries of the table: boards up to symmetry, like men not told apart
};
inline constexpr int kCountUnits = 3;
inline constexpr std::string_view kCountUnitNames[] = {"orbits", "placements", "merged"};

/// A number in each unit.
using UnitCounts = std::array<u64, kCountUnits>;

/// One side to move.
struct SideCounts {
  UnitCounts capture_positions{};  ///< the mover must capture
  std::map<TableValue, UnitCounts> by_value;
  /// The longest win and loss: the first of their cells.
  std::optional<u64> longest_win_cell, longest_loss_cell;
  friend bool operator==(const SideCounts&, const SideCounts&) = default;

  u64 positions(CountUnit unit) const;
  /// Of one outcome: 1 wins, 0 draws, -1 losses.
  u64 total(CountUnit unit, int outcome) const;
};
using TableCounts = std::array<SideCounts, 2>;

/// Counts a table; `captures` by side and row.
TableCounts count_table(const Table& table, const std::array<const std::vector<u64>*, 2>& captures);

/// The line that stands above rows of counts.
std::string_view counts_heading();
/// One row of tab-separated figures, without line end: material, men, stm, positions, capture_positions, wins, draws,
/// losses, max_win, max_loss, win_hist, loss_hist, longest_win_fen, longest_loss_fen. With colours changed it says the
/// same of RvK that it says of KvR.
std::string counts_row(const Layout& layout, Color side, const SideCounts& counts, CountUnit unit,
                       bool colors_changed = false);

/// "a win in 12".
std::string text_of_value(TableValue v);

/// A position as FEN.
std::string fen_of_cell(const Layout& layout, Color side, u64 cell, bool colors_changed = false);
/// A position of a table.
Position position_of_cell(const Layout& layout, Color side, u64 cell);

}  // namespace hecatomb
