// The number of legal moves, counted from sets without making or listing a move: perft's last ply.
//
// Over u64 every set is counted by itself. Over SIMD lanes counting a set costs more than adding two, so the sets go
// through a tree of carry-save adders first: up to 27 sets become five bit planes (at most 16 men other than pawns and
// 3 pawns' steps meet on a square), and five populations are counted. Source of the trick: Harley and Seal's population
// count; of its use here, measured 15-20 % on the CPU.
#pragma once
#include "common/reach.h"

namespace hecatomb::inline HECATOMB_TARGET {

template <class W>
struct Planes {
  W high, low;
};
template <class W>
HECATOMB_HD Planes<W> add3(W a, W b, W c) {
  return {majority(a, b, c), exclusive_or(a, b, c)};
}

/// One digit of sum_sets: n sets of weight 2^digit become one, and n / 2 of twice the weight.
template <int digit, int n, class W>
HECATOMB_HD void sum_digit(const W* sets, W (&plane)[5]) {
  W sum = sets[0], carry[static_cast<unsigned>(n / 2 + 1)];
  HECATOMB_UNROLL
  for (int i = 0; i < (n - 1) / 2; i++) {
    const auto added = add3(sum, sets[2 * i + 1], sets[2 * i + 2]);
    sum = added.low;
    carry[i] = added.high;
  }
  if constexpr (n % 2 == 0) {
    carry[n / 2 - 1] = sum & sets[n - 1];
    sum = sum ^ sets[n - 1];
  }
  plane[digit] = sum;
  if constexpr (n / 2 > 0) {
    sum_digit<digit + 1, n / 2>(carry, plane);
  } else {
    HECATOMB_UNROLL
    for (int i = digit + 1; i < 5; i++) plane[i] = splat(Type<W>{}, 0);
  }
}

/// Bit planes of how many of n sets hold each square: bit i of the number is in plane[i]. At most 31 may.
template <int n, class W>
HECATOMB_HD void sum_sets(const W* sets, W (&plane)[5]) {
  static_assert(n < 32);
  sum_digit<0, n>(sets, plane);
}

/// Adds the populations of `sets[i] & mask` to n, for `count` sets of which at most 31 hold any square.
template <int count, class W>
HECATOMB_HD void add_sets(PlaneSum<W>& n, const W* sets, W mask) {
  if constexpr (kCarrySave<W>) {
    W plane[5];
    sum_sets<count>(sets, plane);
    n.template add<1>(plane[0] & mask);
    n.template add<2>(plane[1] & mask);
    n.template add<4>(plane[2] & mask);
    n.template add<8>(plane[3] & mask);
    if (!kSkipRare<W> || any(plane[4])) n.template add<16>(plane[4] & mask);
  } else {
    HECATOMB_UNROLL
    for (int i = 0; i < count; i++) n.template add<1>(sets[i] & mask);
  }
}

/// What the sets do not say: en passant, the choice of a promotion, castling.
template <class V, Color us, class W>
HECATOMB_HD void add_special_moves(PlaneSum<W>& n, const Reach<W>& r) {
  if (!kSkipRare<W> || any(r.ep_west | r.ep_east)) {
    n.template add<1>(r.ep_west);
    n.template add<1>(r.ep_east);
  }
  const W last = r.targets & splat(Type<W>{}, rank_mask(us == kWhite ? 7 : 0));
  if (!kSkipRare<W> || any((r.pawn_west | r.pawn_east | r.push) & last)) {
    // Each is counted once already: three more pieces to choose from, or four with the king.
    const W promoting[3] = {r.pawn_west & last, r.pawn_east & last, r.push & last};
    HECATOMB_UNROLL
    for (int i = 0; i < 3; i++) {
      if constexpr (V::king_promotion) {
        n.template add<4>(promoting[i]);
      } else {
        n.template add<1>(promoting[i]);
        n.template add<2>(promoting[i]);
      }
    }
  }
  if constexpr ((V::castling & (us == kWhite ? 3 : 12)) != 0) {
    if (!kSkipRare<W> || any(r.castle_king | r.castle_queen)) {
      n.template add<1>(r.castle_king | r.castle_queen);
    }
  }
}

/// Number of legal moves of the side `us` in each board. `r` is its reach_of.
template <class V, Color us, class W>
HECATOMB_HD W count_moves(const Board<W>& b, const Reach<W>& r) {
  constexpr bool royal = V::royal[us];
  PlaneSum<W> n;
  // A push and a double step never end on the same square: one set.
  W sets[27];
  sets[0] = r.pawn_west;
  sets[1] = r.pawn_east;
  sets[2] = r.push | r.double_step;
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    sets[3 + i] = r.knight[i];
    sets[11 + i] = r.line[i];
  }
  if constexpr (royal) {
    add_sets<19>(n, sets, r.targets);
    n.template add<1>(r.king_all & r.king_targets);
  } else if (const W kings = b.kings & b.men[us]; kSkipRare<W> && !any(kings & decrement(kings))) {
    sets[19] = r.king_all;  // no board has two kings: their steps are one set (7 % of the whole on AVX2)
    add_sets<20>(n, sets, r.targets);
  } else {
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) sets[19 + i] = r.king[i];
    add_sets<27>(n, sets, r.targets);
  }
  add_special_moves<V, us>(n, r);
  return n.total();
}

template <class V, Color us, class W>
HECATOMB_HD W count_moves(const Board<W>& b) {
  return count_moves<V, us>(b, reach_of<V, us>(b));
}

/// Number of legal moves of the side to move.
template <class V>
HECATOMB_HD int count_moves(const Position& p) {
  return static_cast<int>(p.side == kWhite ? count_moves<V, kWhite>(board_of(p)) : count_moves<V, kBlack>(board_of(p)));
}

}  // namespace hecatomb::inline HECATOMB_TARGET
