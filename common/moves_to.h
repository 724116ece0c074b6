// The legal moves that end on a given square: all that reading and writing SAN ask for.
//
// The one idea: the sets of reach.h are cut to the target, and those that cannot hold the man in question are left out
// at compile time, with all that leads to them alone.
#pragma once
#include "common/movegen.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// Whether a man of the kind (none: any) can be in a set.
HECATOMB_HD constexpr bool holds(SetKind set, Kind man) {
  switch (set) {
    case SetKind::pawn:
    case SetKind::pawn_double:
      return man == Kind::pawn || man == Kind::none;
    case SetKind::knight:
      return man == Kind::knight || man == Kind::none;
    case SetKind::diagonal:
      return man == Kind::bishop || man == Kind::queen || man == Kind::none;
    case SetKind::orthogonal:
      return man == Kind::rook || man == Kind::queen || man == Kind::none;
    case SetKind::king:
    case SetKind::castle_king:
    case SetKind::castle_queen:
      return man == Kind::king || man == Kind::none;
  }
  return false;
}

/// A sink for for_each_set that calls emit(Move) for the moves to one of the squares `to`, and looks only at the sets
/// that can hold a man of the kind: the compiler then leaves out the others with all that leads to them.
template <class V, Kind man, class Emit>
struct EachMoveTo {
  EachMove<V, Emit> each;
  u64 to;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    if constexpr (holds(kind, man)) return each.template take<kind, step>(targets & to);
    return false;
  }
};

/// Calls emit(Move) for the legal moves of the side `us`, to move, that end on one of the squares `to`, in order; at
/// least for those of men of the kind, all of them for Kind::none.
template <class V, Color us, Kind man, class Emit>
HECATOMB_HD void for_each_move_to(const Position& p, u64 to, Emit&& emit) {
  const Reach<u64> r = reach_of<V, us>(board_of(p));
  EachMoveTo<V, man, Emit> sink{{p.occupied(), r.ep_west | r.ep_east, emit}, to};
  for_each_set<us>(r, sink);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
