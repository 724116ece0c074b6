// All moves of several positions at once, and one drawn in each: in which set of targets it is, and which square of it.
//
// The one idea: the sets of reach.h stay in memory as they are. First they are counted, four at a time, and only the
// sums before each of ten entries (four sets of pawns, six fours of pieces' sets) are kept. The entry that holds a
// move, and the set within, are then found for all lanes by comparing and choosing, without a branch.
#pragma once
#include <new>

#include "host/cpu/lane_words.h"
#include "host/cpu/set_moves.h"

namespace hecatomb::inline HECATOMB_TARGET {

inline constexpr int kPawnSets = 4, kFirstKing = 20;
inline constexpr int kFours = 6;  ///< knights two, diagonal, orthogonal, kings two

/// The sets of all lanes of a group, and what comes before each entry.
struct alignas(64) MoveTable {
  Reach<Batch> reach;
  u64 pawns[kPawnSets][kBatch];            ///< as for_each_set has them: legal ones only
  u64 before[kPawnSets + kFours][kBatch];  ///< the number of moves before an entry
  u64 before_castling[kBatch];

  /// The i-th set of for_each_set that is neither pawns' nor castling, with more than the legal moves in it.
  HECATOMB_HD static const Batch& piece_set(const Reach<Batch>& r, int i) {
    return i < 12 ? r.knight[i - 4] : i < kFirstKing ? r.line[i - 12] : r.king[i - kFirstKing];
  }
  /// One lane's set.
  template <class V, Color us>
  HECATOMB_HD u64 set_of(int i, int which) const {
    if (i < kPawnSets) return pawns[i][which];
    if (i >= kFirstCastle) return lane(i == kFirstCastle ? reach.castle_king : reach.castle_queen, which);
    return lane(piece_set(reach, i), which) & lane(i < kFirstKing ? reach.targets : reach.king_targets, which);
  }

  /// Fills the table; says how many legal moves there are.
  template <class V, Color us>
  HECATOMB_HD Batch fill(const Board<Batch>& board) {
    ::new (&reach) Reach<Batch>(reach_of<V, us>(board));  // made here: assigning would copy three kilobytes
    // There are more sets than registers. From here on each is read from memory once, instead of being kept, spilled
    // and read again.
    __asm__ volatile("" : : "r"(this) : "memory");
    Batch sum = splat(0);
    const Batch targets = reach.targets;
    const Batch own_pawns[kPawnSets] = {(reach.pawn_west & targets) | reach.ep_west,
                                        (reach.pawn_east & targets) | reach.ep_east, reach.push & targets,
                                        reach.double_step & targets};
    const Batch last = splat(rank_mask(us == kWhite ? 7 : 0));
    const bool promoting = any((own_pawns[0] | own_pawns[1] | own_pawns[2]) & last);
    HECATOMB_UNROLL
    for (int i = 0; i < kPawnSets; i++) {
      store_word(pawns[i], own_pawns[i]);
      if (i != 0) store_word(before[i], sum);
      sum = sum + population(own_pawns[i]);
      if (promoting && i != 3) {
        const Batch promotions = population(own_pawns[i] & last);
        sum = sum + (promotions << 1) + (V::king_promotion ? promotions << 1 : promotions);
      }
    }
    HECATOMB_UNROLL
    for (int q = 0; q < kFours; q++) {
      store_word(before[kPawnSets + q], sum);
      const Batch legal = q < 4 ? targets : reach.king_targets;
      PlaneSum<Batch> n;
      HECATOMB_UNROLL
      for (int j = 0; j < 4; j++) n.template add<1>(piece_set(reach, 4 + 4 * q + j) & legal);
      sum = sum + n.total();
    }
    if constexpr (kMayCastle<V, us>) {
      store_word(before_castling, sum);
      const Batch castles = reach.castle_king | reach.castle_queen;
      if (!kSkipRare<Batch> || any(castles)) sum = sum + population(castles);
    }
    return sum;
  }

  /// A move as the set that holds it.
  struct Choice {
    Batch set;
    Batch k;      ///< its number in the set, promotions counted
    Batch index;  ///< of the set
    Mask pawns;   ///< the set is one of the pawns'
  };

  /// The move of each number; nothing of use in lanes without moves.
  template <class V, Color us>
  HECATOMB_HD Choice choose(Batch number) const {
    const Batch zero = splat(0);
    Batch some[4] = {load_word(pawns[0]), zero, zero, zero};
    Batch base = zero, index = zero, legal = ~zero;
    HECATOMB_UNROLL
    for (int i = 1; i < kPawnSets; i++) {
      const Batch here = load_word(before[i]);
      const Mask m = at_most(here, number);
      some[0] = pick(m, load_word(pawns[i]), some[0]);
      base = pick(m, here, base);
      index = pick(m, splat(static_cast<u64>(i)), index);
    }
    Mask pieces{};
    HECATOMB_UNROLL
    for (int q = 0; q < kFours; q++) {
      const Batch here = load_word(before[kPawnSets + q]);
      const Mask m = at_most(here, number);
      HECATOMB_UNROLL
      for (int j = 0; j < 4; j++) some[j] = pick(m, piece_set(reach, 4 + 4 * q + j), some[j]);
      base = pick(m, here, base);
      index = pick(m, splat(4 + 4 * static_cast<u64>(q)), index);
      if (q == 0) {
        pieces = m;
        legal = pick(m, reach.targets, legal);
      }
      if (q == 4 && V::royal[us]) legal = pick(m, reach.king_targets, legal);
    }
    HECATOMB_UNROLL
    for (int j = 0; j < 4; j++) some[j] = some[j] & legal;
    Batch set = some[0], next = base;
    HECATOMB_UNROLL
    for (int j = 1; j < 4; j++) {
      next = next + population(some[j - 1]);
      const Mask m = at_most(next, number) & pieces;
      set = pick(m, some[j], set);
      base = pick(m, next, base);
      index = add_where(m, index, splat(1));
    }
    if constexpr (kMayCastle<V, us>) {
      if (!kSkipRare<Batch> || any(reach.castle_king | reach.castle_queen)) {
        const Batch king_side = load_word(before_castling), queen_side = king_side + population(reach.castle_king);
        const Mask castles = at_most(king_side, number), far = at_most(queen_side, number);
        set = pick(castles, pick(far, reach.castle_queen, reach.castle_king), set);
        base = pick(castles, pick(far, queen_side, king_side), base);
        index = pick(castles, pick(far, splat(kFirstCastle + 1), splat(kFirstCastle)), index);
      }
    }
    return {set, number - base, index, ~pieces};
  }
};

/// How far a rotation to the left takes a target back to its origin, or by one step of a slider: by index of the set.
struct alignas(64) StepsBack {
  u32 by[32]{};
  HECATOMB_HD Batch of(Batch index) const {
#if defined(HECATOMB_SIMD_AVX512)
    const __m512i low = _mm512_load_si512(by), high = _mm512_load_si512(by + 16);
    return lanes(_mm512_maskz_permutex2var_epi32(0x5555, low, raw(index), high));
#else
    alignas(64) u64 at[kBatch];
    store_word(at, index);
    for (int i = 0; i < kBatch; i++) at[i] = by[at[i]];
    return load_word(at);
#endif
  }
};

template <Color us>
inline constexpr StepsBack kStepsBack = [] {
  StepsBack steps;
  for (int i = 0; i < kSets; i++) steps.by[i] = static_cast<u32>(-kSetTraits<us>.step[i] & 63);
  return steps;
}();

/// The men that reach the targets `to` (one a lane, or none) by `back`, a rotation: the first man in that direction.
/// Of all but sliders he stands one step away.
HECATOMB_HD Batch origins_of(Batch to, Batch back, Batch occupied) {
  Batch reached = to, through = ~occupied;
  const Batch back2 = back + back, back4 = back2 + back2;
  reached = or_and(reached, through, rotate(reached, back));
  through = through & rotate(through, back);
  reached = or_and(reached, through, rotate(reached, back2));
  through = through & rotate(through, back2);
  reached = or_and(reached, through, rotate(reached, back4));
  return rotate(reached, back) & occupied;
}

}  // namespace hecatomb::inline HECATOMB_TARGET
