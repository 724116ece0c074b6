// The symmetries of the board, on squares and on sets of squares: what endgame tables are folded by.
//
// The one idea: a symmetry is three bits (transpose, then mirror the files, then flip the ranks), so all eight of a
// board without pawns are numbers 0 … 7, and the two of a board with pawns are 0 and 1.
#pragma once
#include "common/types.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// Bit 2: swap files and ranks (a1-h8 stays); then bit 0: a-file to h-file; then bit 1: rank 1 to rank 8.
using Symmetry = u8;
inline constexpr int kSymmetries = 8;      ///< without pawns
inline constexpr int kPawnSymmetries = 2;  ///< identity and mirrored files

HECATOMB_HD constexpr Square symmetric(Symmetry t, Square s) {
  const Square turned = (t & 4) != 0 ? ((s & 7) << 3 | s >> 3) : s;
  return turned ^ ((t & 1) != 0 ? 7 : 0) ^ ((t & 2) != 0 ? 56 : 0);
}

/// The symmetry that takes `t` back.
HECATOMB_HD constexpr Symmetry inverse(Symmetry t) {
  return (t & 4) != 0 ? static_cast<Symmetry>(4 | (t & 1) << 1 | (t & 2) >> 1) : t;
}

/// The squares of `x` in rows and columns swapped (three delta swaps; Warren, Hacker's Delight, 7-3).
HECATOMB_HD constexpr u64 transposed(u64 x) {
  u64 t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aa;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000cccc0000cccc;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0;
  return x ^ t ^ (t << 28);
}

/// a-file to h-file and so on.
HECATOMB_HD constexpr u64 mirrored(u64 x) {
  x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
  x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
  return ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
}

/// The image of a set: bit symmetric(t, s) of the result is bit s of `x`.
HECATOMB_HD u64 symmetric_set(Symmetry t, u64 x) {
  if (t == 0) return x;
  if ((t & 4) != 0) x = transposed(x);
  if ((t & 1) != 0) x = mirrored(x);
  return (t & 2) != 0 ? byte_swap(x) : x;
}

}  // namespace hecatomb::inline HECATOMB_TARGET
