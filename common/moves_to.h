// Which men may legally go to a square: all that reading and writing of moves (SAN, UCI) asks for.
//
// The one idea: look from the target. The steps and lines of a man, taken backwards, give all men of its kind that
// reach the square as one set; mostly it is one man. Only for these is it asked whether the move is legal: a quiet move
// must not stand against a compulsory capture, and a royal king, looked at as the board is after the move, must be
// safe.
//
// Invariant: the same moves as movegen.h lists (compared on random positions by moves_to_test). Reading and judging a
// ply of a PGN took 148 ns in chess and 185 in losers where the moves to the target were listed, and takes 100 and 116
// so.
#pragma once
#include "common/movegen.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// The pawns of the side `us` that reach the square `to`, on which no own man stands: by a capture, en passant
/// included, or by a step.
template <class V, Color us>
HECATOMB_HD u64 pawns_reaching(const Position& p, u64 to) {
  constexpr int ep_shift = us == kWhite ? 40 : 16;
  const u64 from_east = leap<us, 1, -1>(to), from_west = leap<us, -1, -1>(to);
  const u64 pawns = p.pawns & p.men[us];
  if (p.men[other(us)] & to) return (from_east | from_west) & pawns;
  const u64 one_back = leap<us, 0, -1>(to);
  u64 from = one_back | (leap<us, 0, -1>(one_back & ~p.occupied()) & V::double_step_from[us]);
  if (to & u64{p.ep_west} << ep_shift) from |= from_east;
  if (to & u64{p.ep_east} << ep_shift) from |= from_west;
  return from & pawns;
}

/// The men of a kind of the side `us` that reach the square `to`, whatever the rules say of the move.
template <class V, Color us>
HECATOMB_HD u64 men_reaching(const Position& p, Kind man, u64 to) {
  const u64 empty = ~p.occupied();
  const auto diagonals = [&] {
    return slide<us, 1, 1>(to, empty) | slide<us, 1, -1>(to, empty) | slide<us, -1, -1>(to, empty) |
           slide<us, -1, 1>(to, empty);
  };
  const auto files_and_ranks = [&] {
    return slide<us, 0, 1>(to, empty) | slide<us, 1, 0>(to, empty) | slide<us, 0, -1>(to, empty) |
           slide<us, -1, 0>(to, empty);
  };
  switch (man) {
    case Kind::pawn:
      return pawns_reaching<V, us>(p, to);
    case Kind::knight:
      return knight_attacks(to) & p.knights & p.men[us];
    case Kind::bishop:
      return diagonals() & p.diagonal & ~p.orthogonal & p.men[us];
    case Kind::rook:
      return files_and_ranks() & p.orthogonal & ~p.diagonal & p.men[us];
    case Kind::queen:
      return (diagonals() | files_and_ranks()) & p.diagonal & p.orthogonal & p.men[us];
    case Kind::king:
      return king_attacks(to) & p.kings & p.men[us];
    case Kind::none:
      break;
  }
  return 0;
}

/// Whether the royal king of `us` is safe after the move of one man, en passant apart: there it has been asked when the
/// possibility arose.
template <Color us>
HECATOMB_HD bool leaves_king_safe(const Position& p, u64 from, u64 to) {
  const u64 king = p.kings & p.men[us];
  return !is_attacked<us>(p, king == from ? to : king, (p.occupied() ^ from) | to, p.men[other(us)] & ~to);
}

/// The same variant, whose kings may be left attacked.
template <class V>
struct Unguarded : V {
  static constexpr bool royal[2] = {false, false};
};

/// Whether the side `us`, to move, has a legal capture. What is legal is possible where kings may be left attacked,
/// too: mostly that is nothing, and pins and checks need not be looked at.
template <class V, Color us>
HECATOMB_HD bool has_legal_capture(const Position& p) {
  const Board<u64> b = board_of(p);
  if (V::royal[us] && reach_of<Unguarded<V>, us>(b).captures == 0) return false;
  return reach_of<V, us>(b).captures != 0;
}

/// The men of a kind among `from` that can legally go to the square `target`, castling apart.
template <class V, Color us>
HECATOMB_HD_NOINLINE u64 origins_of(const Position& p, Kind man, Square target, u64 from) {
  const u64 to = bit(target), enemy = p.men[other(us)];
  if ((p.men[us] & to) != 0 || alive_by_men<V, us>(board_of(p)) == 0) return 0;
  from &= men_reaching<V, us>(p, man, to);
  if (from == 0) return 0;
  if (man == Kind::pawn && (en_passant_targets<us>(p) & to) != 0) return from;
  if constexpr (V::compulsory_capture) {
    if ((enemy & to) == 0 && has_legal_capture<V, us>(p)) return 0;
  }
  if constexpr (V::royal[us]) {
    for (u64 rest = from; rest != 0; rest &= rest - 1) {
      const u64 one = rest & (u64{0} - rest);
      if (!leaves_king_safe<us>(p, one, to)) from ^= one;
    }
  }
  return from;
}

/// The squares on which legal castling ends.
template <class V, Color us>
HECATOMB_HD_NOINLINE u64 castling_targets(const Position& p) {
  if ((p.castling & (us == kWhite ? 3 : 12)) == 0) return 0;
  const Reach<u64> r = reach_of<V, us>(board_of(p));
  return r.castle_king | r.castle_queen;
}

/// The move of a man that goes there legally, castling apart; `promotion` as it is.
template <Color us>
HECATOMB_HD Move ordinary_move(const Position& p, Square from, Square to, Kind promotion) {
  MoveKind kind = MoveKind::normal;
  if (p.pawns & bit(from)) {
    const int ranks = rank_of(to) - rank_of(from);
    // From rank 1 (horde) a double step is not of the kind that gives en passant.
    if ((ranks == 2 && from >= 8) || ranks == -2) kind = MoveKind::double_step;
    if (file_of(from) != file_of(to) && (p.men[other(us)] & bit(to)) == 0) kind = MoveKind::en_passant;
  }
  return {static_cast<u8>(from), static_cast<u8>(to), promotion, kind};
}

/// Whether a man that goes to `to` becomes what the promotion says: a pawn on the last rank must, nothing else may.
template <class V>
HECATOMB_HD bool is_promotion_right(Kind man, Square to, Kind promotion) {
  const bool promotes = man == Kind::pawn && (bit(to) & kLastRanks) != 0;
  if (!promotes) return promotion == Kind::none;
  return promotion != Kind::none && promotion != Kind::pawn && (V::king_promotion || promotion != Kind::king);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
