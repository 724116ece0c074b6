// The moves of a position out of its sets, one at a time and without a branch on what they are.
//
// The one idea: a set of for_each_set holds targets; which man goes there follows from the set's index: from a target
// one looks back along the set's line (or one step) for the first man. A plain move is one mask over the position.
// Whatever is more (promotions, en passant, castling) is left to the general functions.
#pragma once
#include "common/make.h"
#include "common/movegen.h"
#include "host/cpu/batch.h"

namespace hecatomb::inline HECATOMB_TARGET {

inline constexpr int kSets = 30;  ///< of for_each_set
inline constexpr int kFirstCastle = 28;
/// Whether a side may castle at all; castling comes last.
template <class V, Color us>
inline constexpr bool kMayCastle = (V::castling & (us == kWhite ? 3 : 12)) != 0;

/// What the sets of for_each_set are, in its order.
struct SetTraits {
  int step[kSets]{};  ///< from origin to target; of sliders one step
  u8 line[kSets]{};   ///< of sliders: the row of LinesBehind; else kNoLine
  SetKind kind[kSets]{};
  int size = 0;
  template <SetKind of_set, int distance>
  HECATOMB_HD constexpr bool take(u64) {
    constexpr bool slides = of_set == SetKind::diagonal || of_set == SetKind::orthogonal;
    kind[size] = of_set;
    step[size] = distance;
    line[size] = slides ? static_cast<u8>(line_of(distance)) : kNoLine;
    size++;
    return false;
  }
  static constexpr u8 kNoLine = 8;
  /// 1, 7, 8, 9 and their opposites as 0 … 7.
  static constexpr int line_of(int distance) {
    const int size_of_step = distance < 0 ? -distance : distance;
    return (size_of_step == 1 ? 0 : size_of_step - 6) + (distance < 0 ? 4 : 0);
  }
};
template <Color us>
inline constexpr SetTraits kSetTraits = [] {
  SetTraits traits;
  for_each_set<us>(Reach<u64>{}, traits);
  return traits;
}();

/// Behind each square, seen in each direction: all squares to the edge. The row of no line has all squares.
struct LinesBehind {
  u64 squares[9][64]{};
};
alignas(64) inline constexpr LinesBehind kLinesBehind = [] {
  LinesBehind lines;
  constexpr int steps[8] = {1, 7, 8, 9, -1, -7, -8, -9};
  constexpr int files[8] = {1, -1, 0, 1, -1, 1, 0, -1}, ranks[8] = {0, 1, 1, 1, 0, -1, -1, -1};
  static_assert(SetTraits::line_of(9) == 3 && SetTraits::line_of(-1) == 4);
  for (int i = 0; i < 8; i++) {
    for (Square s = 0; s < 64; s++) lines.squares[SetTraits::line_of(steps[i])][s] = line_from(s, -files[i], -ranks[i]);
  }
  for (u64& squares : lines.squares[SetTraits::kNoLine]) squares = ~u64{0};
  return lines;
}();

/// a where the mask is all ones, b where it is 0: without a branch, which would often be taken wrongly.
HECATOMB_HD u32 merge(u64 mask, u32 a, u32 b) { return b ^ ((a ^ b) & static_cast<u32>(mask)); }
HECATOMB_HD u64 all_if(bool condition) { return u64{0} - u64{condition}; }

/// Where the man of the set `index` that reaches `to` stands. No branch depends on which it is.
template <Color us>
HECATOMB_HD Square origin_in_set(u64 index, Square to, u64 occupied) {
  const SetTraits& traits = kSetTraits<us>;
  const int step = traits.step[index];
  const u64 behind = kLinesBehind.squares[traits.line[index]][to] & occupied;
  const auto below = static_cast<u32>(63 - clz(behind)), above = static_cast<u32>(ctz(behind));
  const u32 nearest = merge(all_if(step > 0), below, above), stepped = static_cast<u32>(to - step);
  return static_cast<Square>(merge(all_if(traits.line[index] == SetTraits::kNoLine), stepped, nearest));
}

/// Whether a move of the set `index` does no more than move one man and perhaps take another. (Not asked of promotions,
/// en passant.)
template <class V, Color us>
HECATOMB_HD bool is_plain_in_set(const Position& p, u64 index, Square from, Square to) {
  const u64 t = bit(to), beside = ((t & ~kFileA) >> 1 | (t & ~kFileH) << 1) & p.pawns & p.men[other(us)];
  u64 special = beside & all_if(index == 3);
  if constexpr (V::castling != 0) {
    special |= (bit(from) | t) & kCastlingHomes & all_if(p.castling != 0);
    special |= all_if(index >= kFirstCastle);
  }
  return special == 0;
}

#if defined(HECATOMB_SIMD)
HECATOMB_HD RawLanes all_if_any(RawLanes x) { return reinterpret_cast<RawLanes>(x != 0); }
HECATOMB_HD void set_last(RawLanes& chunk, u64 word) { chunk[kLanes - 1] = word; }
#endif
HECATOMB_HD u64 all_if_any(u64 x) { return all_if(x != 0); }
HECATOMB_HD void set_last(u64& chunk, u64 word) { chunk = word; }

/// Makes a plain move; `state` is the last word of the position after it. `after` may be `before`.
HECATOMB_HD void make_plain(const Position& before, Square from, Square to, u64 state, Position* after) {
  const Chunk from_bit = splat_chunk(bit(from)), to_bit = splat_chunk(bit(to)), both = from_bit | to_bit;
  HECATOMB_UNROLL
  for (int w = 0; w < 8; w += kChunkWords) {
    const Chunk words = load_chunk(words_of(before) + w);
    Chunk made = (words & ~both) | (all_if_any(words & from_bit) & to_bit);
    if (w + kChunkWords == 8) set_last(made, state);
    __builtin_memcpy(reinterpret_cast<u64*>(after) + w, &made, sizeof made);
  }
}

}  // namespace hecatomb::inline HECATOMB_TARGET
