// The value of a position in an endgame table: who wins, and in how many plies.
//
// The one idea: values are ordered as the side to move would order them (a quick win is the greatest, a slow loss beats
// a quick one), so the best move is a maximum, and one function takes a value one ply back.
#pragma once
#include <cstdint>
#include <cstdlib>

namespace hecatomb {

using TableValue = std::int16_t;

inline constexpr TableValue kDraw = 0;
inline constexpr TableValue kNoValue = -32768;  ///< no position, or nothing known
inline constexpr int kMostPlies = 30000;
inline constexpr int kWonNow = 32000;

/// Won, lost in `plies` (to the end of the game), 0 … kMostPlies.
constexpr TableValue win_in(int plies) { return static_cast<TableValue>(kWonNow - plies); }
constexpr TableValue loss_in(int plies) { return static_cast<TableValue>(plies - kWonNow); }

/// 1, 0, -1 for the side to move.
constexpr int outcome_of_value(TableValue v) { return v > 0 ? 1 : (v < 0 ? -1 : 0); }
/// Plies to the end; only of a win or a loss.
constexpr int plies_of(TableValue v) { return kWonNow - (v < 0 ? -v : v); }

/// Only who wins.
constexpr TableValue without_distance(TableValue v) {
  if (v == kNoValue || v == kDraw) return v;
  return v > 0 ? win_in(0) : loss_in(0);
}

/// What a move is worth for the side that makes it, from the value of the position after it.
constexpr TableValue before_move(TableValue v) { return static_cast<TableValue>(v > 0 ? 1 - v : (v < 0 ? -1 - v : 0)); }

static_assert(before_move(win_in(0)) == loss_in(1) && before_move(loss_in(1)) == win_in(2) && before_move(0) == 0);

}  // namespace hecatomb
