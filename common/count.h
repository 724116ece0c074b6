// The number of legal moves, counted from sets without making or listing a move: perft's last ply.
//
// Over u64 every set is counted by itself. Over SIMD lanes counting a set costs more than adding two, so the sets go
// through a tree of carry-save adders first: 27 sets become five bit planes (at most 16 men other than pawns and 3
// pawns' steps meet on a square), and five populations are counted. Source of the trick: Harley and Seal's population
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

/// Bit planes of how many of 27 sets hold each square: bit i of the number is in plane[i]. At most 31 may.
template <class W>
HECATOMB_HD void sum_sets(const W (&sets)[27], W (&plane)[5]) {
  Planes<W> a[9];
  HECATOMB_UNROLL
  for (int i = 0; i < 9; i++) a[i] = add3(sets[3 * i], sets[3 * i + 1], sets[3 * i + 2]);
  const auto b0 = add3(a[0].low, a[1].low, a[2].low), b1 = add3(a[3].low, a[4].low, a[5].low);
  const auto b2 = add3(a[6].low, a[7].low, a[8].low), ones = add3(b0.low, b1.low, b2.low);
  const auto c0 = add3(a[0].high, a[1].high, a[2].high), c1 = add3(a[3].high, a[4].high, a[5].high);
  const auto c2 = add3(a[6].high, a[7].high, a[8].high), c3 = add3(b0.high, b1.high, b2.high);
  const auto d0 = add3(c0.low, c1.low, c2.low), twos = add3(d0.low, c3.low, ones.high);
  const auto e0 = add3(c0.high, c1.high, c2.high), e1 = add3(c3.high, d0.high, twos.high);
  const auto eights = add3(e0.high, e1.high, e0.low & e1.low);
  plane[0] = ones.low;
  plane[1] = twos.low;
  plane[2] = e0.low ^ e1.low;
  plane[3] = eights.low;
  plane[4] = eights.high;
}

/// Adds the populations of `sets[i] & mask` to n, for 27 sets of which at most 31 hold any square.
template <class W>
HECATOMB_HD void add_sets(PlaneSum<W>& n, const W (&sets)[27], W mask) {
  if constexpr (kCarrySave<W>) {
    W plane[5];
    sum_sets(sets, plane);
    n.template add<1>(plane[0] & mask);
    n.template add<2>(plane[1] & mask);
    n.template add<4>(plane[2] & mask);
    n.template add<8>(plane[3] & mask);
    if (!kSkipRare<W> || any(plane[4])) n.template add<16>(plane[4] & mask);
  } else {
    HECATOMB_UNROLL
    for (int i = 0; i < 27; i++) n.template add<1>(sets[i] & mask);
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
  W sets[27] = {r.pawn_west, r.pawn_east, r.push | r.double_step};
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    sets[3 + i] = r.knight[i];
    sets[11 + i] = r.line[i];
  }
  if constexpr (royal) {
    add_sets(n, sets, r.targets);
    n.template add<1>(r.king_all & r.king_targets);
  } else if (const W kings = b.kings & b.men[us]; kSkipRare<W> && !any(kings & decrement(kings))) {
    sets[19] = r.king_all;  // no board has two kings: their steps are one set (7 % of the whole on AVX2)
    add_sets(n, sets, r.targets);
  } else {
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) sets[19 + i] = r.king[i];
    add_sets(n, sets, r.targets);
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
