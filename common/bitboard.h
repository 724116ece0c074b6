// Sets of squares, one bit a square, and how sets move. Everything is written over a word W: std::uint64_t, or a SIMD
// word of several boards (word.h). Shifting off the side of the board is the caller's care: mask files before.
#pragma once
#include "common/types.h"
#include "common/word.h"

namespace hecatomb::inline HECATOMB_TARGET {

inline constexpr u64 kFileA = 0x0101010101010101, kFileH = kFileA << 7;
HECATOMB_HD constexpr u64 rank_mask(int rank) { return u64{0xff} << (8 * rank); }  ///< rank 0 … 7
inline constexpr u64 kDarkSquares = 0xaa55aa55aa55aa55;                            ///< the colour of a1

/// Squares `s` up (s > 0) or down, as a shift by a constant.
template <int s, class W>
HECATOMB_HD constexpr W shift(W x) {
  if constexpr (s > 0) {
    return x << s;
  } else {
    return x >> -s;
  }
}

/// All squares that men on `from` reach in steps of `s` through the squares `through`, the first one beyond included
/// (Kogge-Stone). Files must be masked in `through` before and in the result after, for s that changes the file.
template <int s, class W>
HECATOMB_HD W ray(W from, W through) {
  from = or_and(from, through, shift<s>(from));
  through = through & shift<s>(through);
  from = or_and(from, through, shift<2 * s>(from));
  through = through & shift<2 * s>(through);
  from = or_and(from, through, shift<4 * s>(from));
  return shift<s>(from);
}

/// All squares beyond `s` in direction (df, dr) up to the edge, without a table. df, dr: -1, 0 or 1, not both 0.
HECATOMB_HD constexpr u64 line_from(Square s, int df, int dr) {
  u64 line = 0;
  if (df == 0) {
    line = kFileA << file_of(s);
  } else if (dr == 0) {
    line = rank_mask(rank_of(s));
  } else {
    const int d = df == dr ? rank_of(s) - file_of(s) : rank_of(s) + file_of(s) - 7;  // < 0: below the long diagonal
    line = df == dr ? 0x8040201008040201u : 0x0102040810204080u;
    line = d >= 0 ? line << (8 * d) : line >> (-8 * d);
  }
  const bool up = dr > 0 || (dr == 0 && df > 0);
  const u64 below = bit(s) - 1;
  return line & (up ? ~below & ~bit(s) : below);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
