// Reading moves out of the sets of reach.h: every one of them (`for_each_move`, `list_moves`) or the n-th
// (`nth_move`), always in the order of rules.md: class, direction, target square, promotion; castling last.
#pragma once
#include "common/make.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// The i-th piece a pawn may become: queen, rook, bishop, knight, king.
HECATOMB_HD constexpr Kind promotion_choice(int i) {
  return i == 4 ? Kind::king : static_cast<Kind>(static_cast<int>(Kind::queen) - i);
}

/// What the targets of one set have in common. A diagonal slider is a bishop or a queen, an orthogonal one a rook or a
/// queen; `pawn` are captures and single steps.
enum class SetKind : u8 { pawn, pawn_double, knight, diagonal, orthogonal, king, castle_king, castle_queen };

/// Calls f.template take<kind, step>(targets) for every set of legal moves in order, until one returns true. `step` is
/// the distance from origin to target (of sliders: of one of its steps). Two sets only may hold an en passant target.
template <Color us, class W, class F>
HECATOMB_HD constexpr void for_each_set(const Reach<W>& r, F& f) {
  const W t = r.targets, k = r.king_targets;
  if (f.template take<SetKind::pawn, kStep<us, -1, 1>>((r.pawn_west & t) | r.ep_west)) return;
  if (f.template take<SetKind::pawn, kStep<us, 1, 1>>((r.pawn_east & t) | r.ep_east)) return;
  if (f.template take<SetKind::pawn, kStep<us, 0, 1>>(r.push & t)) return;
  if (f.template take<SetKind::pawn_double, kStep<us, 0, 2>>(r.double_step & t)) return;
  if (f.template take<SetKind::knight, kStep<us, 1, 2>>(r.knight[0] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, 2, 1>>(r.knight[1] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, 2, -1>>(r.knight[2] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, 1, -2>>(r.knight[3] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, -1, -2>>(r.knight[4] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, -2, -1>>(r.knight[5] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, -2, 1>>(r.knight[6] & t)) return;
  if (f.template take<SetKind::knight, kStep<us, -1, 2>>(r.knight[7] & t)) return;
  if (f.template take<SetKind::diagonal, kStep<us, 1, 1>>(r.line[0] & t)) return;
  if (f.template take<SetKind::diagonal, kStep<us, 1, -1>>(r.line[1] & t)) return;
  if (f.template take<SetKind::diagonal, kStep<us, -1, -1>>(r.line[2] & t)) return;
  if (f.template take<SetKind::diagonal, kStep<us, -1, 1>>(r.line[3] & t)) return;
  if (f.template take<SetKind::orthogonal, kStep<us, 0, 1>>(r.line[4] & t)) return;
  if (f.template take<SetKind::orthogonal, kStep<us, 1, 0>>(r.line[5] & t)) return;
  if (f.template take<SetKind::orthogonal, kStep<us, 0, -1>>(r.line[6] & t)) return;
  if (f.template take<SetKind::orthogonal, kStep<us, -1, 0>>(r.line[7] & t)) return;
  if (f.template take<SetKind::king, kStep<us, 0, 1>>(r.king[0] & k)) return;
  if (f.template take<SetKind::king, kStep<us, 1, 1>>(r.king[1] & k)) return;
  if (f.template take<SetKind::king, kStep<us, 1, 0>>(r.king[2] & k)) return;
  if (f.template take<SetKind::king, kStep<us, 1, -1>>(r.king[3] & k)) return;
  if (f.template take<SetKind::king, kStep<us, 0, -1>>(r.king[4] & k)) return;
  if (f.template take<SetKind::king, kStep<us, -1, -1>>(r.king[5] & k)) return;
  if (f.template take<SetKind::king, kStep<us, -1, 0>>(r.king[6] & k)) return;
  if (f.template take<SetKind::king, kStep<us, -1, 1>>(r.king[7] & k)) return;
  if (f.template take<SetKind::castle_king, 2>(r.castle_king)) return;
  f.template take<SetKind::castle_queen, -2>(r.castle_queen);
}

/// The nearest man behind `to`, seen in the direction of `step`: where a slider came from.
template <int step>
HECATOMB_HD Square slider_origin(Square to, u64 occupied) {
  constexpr int df = ((step + 20) & 7) - 4;  // -1, 0 or 1: step is one of ±1, ±7, ±8, ±9
  constexpr int dr = (step - df) / 8;
  const u64 behind = line_from(to, -df, -dr) & occupied;
  return step > 0 ? 63 - clz(behind) : ctz(behind);
}

/// Where the man of a set that reaches `to` stands.
template <SetKind kind, int step>
HECATOMB_HD Square origin(Square to, u64 occupied) {
  if constexpr (kind == SetKind::diagonal || kind == SetKind::orthogonal) {
    return slider_origin<step>(to, occupied);
  } else {
    return to - step;
  }
}

/// What is special about the move of a set from `from` to `to`; `ep` are the targets of en passant captures.
HECATOMB_HD constexpr MoveKind kind_of_move(SetKind kind, Square from, Square to, u64 ep) {
  if (kind == SetKind::pawn && (bit(to) & ep)) return MoveKind::en_passant;
  // From rank 1 (horde) a double step is not of the kind that gives en passant.
  if (kind == SetKind::pawn_double && from >= 8) return MoveKind::double_step;
  if (kind == SetKind::castle_king) return MoveKind::castle_king;
  if (kind == SetKind::castle_queen) return MoveKind::castle_queen;
  return MoveKind::normal;
}

/// The move of a set that ends on `to`, promotion apart.
template <SetKind kind, int step>
HECATOMB_HD Move move_to(Square to, u64 occupied, u64 ep) {
  const Square from = origin<kind, step>(to, occupied);
  return {static_cast<u8>(from), static_cast<u8>(to), Kind::none, kind_of_move(kind, from, to, ep)};
}

inline constexpr u64 kLastRanks = rank_mask(0) | rank_mask(7);
template <class V>
inline constexpr int kPromotionChoices = V::king_promotion ? 5 : 4;

/// A sink for for_each_set that calls emit(Move) for every move.
template <class V, class Emit>
struct EachMove {
  u64 occupied, ep;
  Emit& emit;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    while (targets != 0) {
      const Square to = ctz(targets);
      targets &= targets - 1;
      Move m = move_to<kind, step>(to, occupied, ep);
      if (kind == SetKind::pawn && (bit(to) & kLastRanks)) {
        for (int i = 0; i < kPromotionChoices<V>; i++) {
          m.promotion = promotion_choice(i);
          emit(m);
        }
      } else {
        emit(m);
      }
    }
    return false;
  }
};

/// Calls emit(Move) for every legal move of the side `us`, to move, in order.
template <class V, Color us, class Emit>
HECATOMB_HD void for_each_move(const Position& p, Emit&& emit) {
  const Reach<u64> r = reach_of<V, us>(board_of(p));
  EachMove<V, Emit> sink{p.occupied(), r.ep_west | r.ep_east, emit};
  for_each_set<us>(r, sink);
}

/// All legal moves in order.
template <class V, Color us>
HECATOMB_HD_NOINLINE void list_moves(const Position& p, MoveList& list) {
  list.size = 0;
  for_each_move<V, us>(p, [&list](Move m) { list.add(m); });
}
template <class V>
HECATOMB_HD_NOINLINE void list_moves(const Position& p, MoveList& list) {
  if (p.side == kWhite) {
    list_moves<V, kWhite>(p, list);
  } else {
    list_moves<V, kBlack>(p, list);
  }
}

/// A sink for for_each_set that stops at the n-th move.
template <class V>
struct NthMove {
  u64 occupied, ep;
  int n;
  Move found{};
  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    constexpr int extra = kPromotionChoices<V> - 1;
    const u64 promoting = kind == SetKind::pawn ? targets & kLastRanks : 0;
    const int moves = popcount(targets) + extra * popcount(promoting);
    if (n >= moves) {
      n -= moves;
      return false;
    }
    for (;; targets &= targets - 1) {
      const Square to = ctz(targets);
      const int here = promoting & bit(to) ? extra + 1 : 1;
      if (n >= here) {
        n -= here;
        continue;
      }
      found = move_to<kind, step>(to, occupied, ep);
      if (here > 1) found.promotion = promotion_choice(n);
      return true;
    }
  }
};

/// A sink for for_each_set: how many moves the sets hold.
template <class V>
struct SizeOfSets {
  int moves = 0;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    moves += popcount(targets);
    if (kind == SetKind::pawn) moves += (kPromotionChoices<V> - 1) * popcount(targets & kLastRanks);
    return false;
  }
};

/// The legal move numbered n in the order of rules.md, 0 <= n < number of moves, without listing them.
template <class V, Color us>
HECATOMB_HD Move nth_move(const Position& p, int n) {
  const Reach<u64> r = reach_of<V, us>(board_of(p));
  NthMove<V> sink{p.occupied(), r.ep_west | r.ep_east, n};
  for_each_set<us>(r, sink);
  return sink.found;
}

template <class V>
HECATOMB_HD_NOINLINE Move nth_move(const Position& p, int n) {
  return p.side == kWhite ? nth_move<V, kWhite>(p, n) : nth_move<V, kBlack>(p, n);
}

template <class V, Color us>
HECATOMB_HD bool in_check(const Position& p) {
  if constexpr (V::royal[us]) {
    return is_attacked<us>(p, p.kings & p.men[us], p.occupied(), p.men[other(us)]);
  } else {
    return false;
  }
}
/// Whether the side to move has a royal king and it is attacked.
template <class V>
HECATOMB_HD_NOINLINE bool in_check(const Position& p) {
  return p.side == kWhite ? in_check<V, kWhite>(p) : in_check<V, kBlack>(p);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
