// The n-th legal move, for threads that run side by side: the same as nth_move, without branches that depend on which
// move it is.
//
// The one idea: in a warp nearly every set holds some thread's move, so leaving at the set found saves nothing, and
// what is done with it would be done once a set. Here the walk over the sets only remembers which one it was; square,
// origin and kind follow once, from numbers instead of template arguments.
#pragma once
#include "common/movegen.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// The k-th square of a set, from 0; the set has more than k. Halves, quarters, … of the set by their population.
HECATOMB_HD Square nth_square(u64 set, u32 k) {
  Square base = 0;
  HECATOMB_UNROLL
  for (int width = 32; width > 0; width /= 2) {
    const u32 below = static_cast<u32>(popcount(set & ((u64{1} << width) - 1)));
    const bool above = k >= below;
    k -= above ? below : 0;
    set = above ? set >> width : set;
    base += above ? width : 0;
  }
  return base;
}

/// A sink for for_each_set that remembers the set which holds the move numbered n.
template <class V>
struct PickedSet {
  u32 n;      ///< the number of the move, counted from the next set; past all numbers once it is found
  u32 k = 0;  ///< its number in the set
  u64 set = 0;
  int step = 0;
  SetKind kind = SetKind::pawn;
  template <SetKind kind_, int step_>
  HECATOMB_HD bool take(u64 targets) {
    constexpr u32 extra = kPromotionChoices<V> - 1;
    u32 moves = static_cast<u32>(popcount(targets));
    if (kind_ == SetKind::pawn) moves += extra * static_cast<u32>(popcount(targets & kLastRanks));
    const bool here = n < moves;
    set = here ? targets : set;
    step = here ? step_ : step;
    kind = here ? kind_ : kind;
    k = here ? n : k;
    n -= moves;  // wraps when the move is found, and never comes back: there are fewer than kMaxMoves
    return false;
  }
};

/// The legal move numbered n < their number of the side `us`, whose sets `reach` are.
template <class V, Color us>
HECATOMB_HD Move pick_move(const Position& p, const Reach<u64>& reach, u32 n) {
  PickedSet<V> picked{n};
  for_each_set<us>(reach, picked);
  Move move;
  u64 set = picked.set;
  u32 k = picked.k;
  const u64 promoting = picked.kind == SetKind::pawn ? set & kLastRanks : 0;
  if (promoting != 0) {  // White promotes on the highest squares of a set, Black on the lowest
    constexpr u32 choices = kPromotionChoices<V>;
    const u64 others = set ^ promoting;
    const u32 before = us == kWhite ? static_cast<u32>(popcount(others)) : 0;
    const u32 promotions = choices * static_cast<u32>(popcount(promoting));
    set = others;
    if (k - before < promotions) {  // wraps below `before`
      move.promotion = promotion_choice(static_cast<int>((k - before) % choices));
      k = (k - before) / choices;
      set = promoting;
    } else if (us == kBlack) {
      k -= promotions;
    }
  }
  const Square to = nth_square(set, k);
  const u64 occupied = p.occupied();
  // The first man behind `to`: of all but sliders he stands one step away.
  Square from = to - picked.step;
  while ((occupied >> from & 1) == 0) from -= picked.step;
  move.from = static_cast<u8>(from);
  move.to = static_cast<u8>(to);
  move.kind = MoveKind::normal;
  const u64 ep = reach.ep_west | reach.ep_east;
  if (picked.kind == SetKind::pawn && (ep >> to & 1) != 0) move.kind = MoveKind::en_passant;
  // From rank 1 (horde) a double step is not of the kind that gives en passant.
  if (picked.kind == SetKind::pawn_double && from >= 8) move.kind = MoveKind::double_step;
  if (picked.kind == SetKind::castle_king) move.kind = MoveKind::castle_king;
  if (picked.kind == SetKind::castle_queen) move.kind = MoveKind::castle_queen;
  return move;
}

}  // namespace hecatomb::inline HECATOMB_TARGET
