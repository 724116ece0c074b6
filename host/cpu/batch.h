// Several positions in one word, and one position in vectors: the two ways in which a level looks at memory.
#pragma once
#include "common/reach.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// A position as its eight words (its layout is asserted in position.h), to be copied from, as load() and load_chunk()
/// do: read through this pointer itself, its smaller fields may be found as they were before they were written.
HECATOMB_HD const u64* words_of(const Position& p) { return reinterpret_cast<const u64*>(&p); }

#if defined(HECATOMB_SIMD)
using Chunk = RawLanes;
inline constexpr int kChunkWords = kLanes;
HECATOMB_HD Chunk load_chunk(const u64* p) { return load(p); }
HECATOMB_HD Chunk splat_chunk(u64 x) { return x - Chunk{}; }
#else
using Chunk = u64;
inline constexpr int kChunkWords = 1;
HECATOMB_HD Chunk load_chunk(const u64* p) {
  Chunk x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}
HECATOMB_HD Chunk splat_chunk(u64 x) { return x; }
#endif

#if defined(HECATOMB_SIMD)
using Batch = Lanes;
inline constexpr int kBatch = kLanes;
HECATOMB_HD u64 lane(Lanes w, int i) { return w.v[i]; }
#else
using Batch = u64;
inline constexpr int kBatch = 1;
HECATOMB_HD u64 lane(u64 w, int) { return w; }
#endif
HECATOMB_HD u64 sum_of_lanes(Batch w) {
  u64 sum = 0;
  for (int i = 0; i < kBatch; i++) sum += lane(w, i);
  return sum;
}

/// kBatch positions, transposed: word i of all of them in one Batch. `position(i)` is the i-th.
template <class At>
HECATOMB_HD Board<Batch> load_boards_at(At&& position) {
#if defined(HECATOMB_SIMD)
#define HECATOMB_SHUFFLE __builtin_shufflevector
  const auto row = [&position](int i) __attribute__((always_inline)) { return words_of(position(i)); };
  RawLanes r[8];
#if defined(HECATOMB_SIMD_AVX512) || defined(HECATOMB_SIMD_PLAIN)
  static_assert(kLanes == 8);
  RawLanes a[8];
  for (int i = 0; i < 8; i++) a[i] = load(row(i));
  RawLanes pairs[8];  // words 2k of two positions in turn, then words 2k + 1
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = HECATOMB_SHUFFLE(a[i], a[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[i + 1] = HECATOMB_SHUFFLE(a[i], a[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int odd = 0; odd < 2; odd++) {
    const RawLanes p01 = pairs[odd], p23 = pairs[2 + odd], p45 = pairs[4 + odd], p67 = pairs[6 + odd];
    const RawLanes low = HECATOMB_SHUFFLE(p01, p23, 0, 1, 8, 9, 2, 3, 10, 11);
    const RawLanes high = HECATOMB_SHUFFLE(p01, p23, 4, 5, 12, 13, 6, 7, 14, 15);
    const RawLanes low2 = HECATOMB_SHUFFLE(p45, p67, 0, 1, 8, 9, 2, 3, 10, 11);
    const RawLanes high2 = HECATOMB_SHUFFLE(p45, p67, 4, 5, 12, 13, 6, 7, 14, 15);
    r[odd] = HECATOMB_SHUFFLE(low, low2, 0, 1, 2, 3, 8, 9, 10, 11);
    r[2 + odd] = HECATOMB_SHUFFLE(low, low2, 4, 5, 6, 7, 12, 13, 14, 15);
    r[4 + odd] = HECATOMB_SHUFFLE(high, high2, 0, 1, 2, 3, 8, 9, 10, 11);
    r[6 + odd] = HECATOMB_SHUFFLE(high, high2, 4, 5, 6, 7, 12, 13, 14, 15);
  }
#elif defined(HECATOMB_SIMD_AVX2) || defined(HECATOMB_SIMD_AVX512VL)
  for (int h = 0; h < 8; h += 4) {
    const RawLanes a0 = load(row(0) + h), a1 = load(row(1) + h), a2 = load(row(2) + h), a3 = load(row(3) + h);
    const RawLanes b0 = HECATOMB_SHUFFLE(a0, a1, 0, 4, 2, 6), b1 = HECATOMB_SHUFFLE(a0, a1, 1, 5, 3, 7);
    const RawLanes b2 = HECATOMB_SHUFFLE(a2, a3, 0, 4, 2, 6), b3 = HECATOMB_SHUFFLE(a2, a3, 1, 5, 3, 7);
    r[h] = HECATOMB_SHUFFLE(b0, b2, 0, 1, 4, 5);
    r[h + 1] = HECATOMB_SHUFFLE(b1, b3, 0, 1, 4, 5);
    r[h + 2] = HECATOMB_SHUFFLE(b0, b2, 2, 3, 6, 7);
    r[h + 3] = HECATOMB_SHUFFLE(b1, b3, 2, 3, 6, 7);
  }
#else
  for (int i = 0; i < 8; i += 2) {
    const RawLanes x = load(row(0) + i), y = load(row(1) + i);
    r[i] = HECATOMB_SHUFFLE(x, y, 0, 2);
    r[i + 1] = HECATOMB_SHUFFLE(x, y, 1, 3);
  }
#endif
  return {{{r[0]}, {r[1]}}, {r[2]}, {r[3]}, {r[4]}, {r[5]}, {r[6]}, {r[7]}};
#else
  return board_of(position(0));
#endif
}

/// kBatch consecutive positions.
HECATOMB_HD Board<Batch> load_boards(const Position* p) {
  return load_boards_at([p](int i) __attribute__((always_inline))->const Position& { return p[i]; });
}

}  // namespace hecatomb::inline HECATOMB_TARGET
