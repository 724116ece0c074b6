// The words that set-wise code is written over: u64 anywhere (a CUDA thread included), and Lanes, a SIMD word of
// several 64-bit lanes (lanes.h), in files compiled with HECATOMB_SIMD for one instruction set. All functions act lane
// by lane.
#pragma once
#include "common/hd.h"

namespace hecatomb::inline HECATOMB_TARGET {

template <class W>
struct Type {};

// ---- u64. Argument-dependent lookup does not reach a built-in type, so these come before every template that asks.
/// condition != 0 ? a : b
HECATOMB_HD u64 select(u64 condition, u64 a, u64 b) { return condition ? a : b; }
HECATOMB_HD bool any(u64 x) { return x != 0; }
HECATOMB_HD u64 splat(Type<u64>, u64 x) { return x; }
/// x - 1: with x & decrement(x), the set without its lowest square.
HECATOMB_HD u64 decrement(u64 x) { return x - 1; }

// What AVX-512 and GPUs do in one instruction.
template <class W>
HECATOMB_HD W or_and(W a, W b, W c) {
  return a | (b & c);
}
template <class W>
HECATOMB_HD W exclusive_or(W a, W b, W c) {
  return a ^ b ^ c;
}
/// Bits that are set in at least two.
template <class W>
HECATOMB_HD W majority(W a, W b, W c) {
  return (a & b) | (c & (a ^ b));
}

/// Sum of the populations of bit planes, each with a weight that is a power of two.
template <class W>
struct PlaneSum;
template <>
struct PlaneSum<u64> {
  template <int weight>
  HECATOMB_HD void add(u64 plane) {
    sum += weight * popcount(plane);
  }
  HECATOMB_HD u64 total() const { return static_cast<u64>(sum); }
  int sum = 0;
};

/// a * b for a, b < 2^32.
HECATOMB_HD u64 multiply(u64 a, u64 b) { return a * b; }

/// The same for many planes and weights 2^0 … 2^8: at most 31 planes a weight below 2^4.
template <class W>
struct PairCounter;
template <>
struct PairCounter<u64> {
  template <int log2_weight>
  HECATOMB_HD void add(u64 plane) {
    sum += popcount(plane) << log2_weight;
  }
  HECATOMB_HD u64 total() const { return static_cast<u64>(sum); }
  int sum = 0;
};

/// Whether to skip rare terms when no lane has them: pays for SIMD, not for one board.
template <class W>
inline constexpr bool kSkipRare = false;
/// Whether sets are added up by carry-save adders before their population is counted: pays where counting is dear.
template <class W>
inline constexpr bool kCarrySave = false;

}  // namespace hecatomb::inline HECATOMB_TARGET

#if defined(HECATOMB_SIMD)
#include "common/lanes.h"
#endif
