// The words that set-wise code is written over: u64 anywhere (a CUDA thread included), and Lanes, a SIMD word of
// several 64-bit lanes, in files compiled with HECATOMB_SIMD for one instruction set. All functions act lane by lane.
#pragma once
#include "common/bitboard.h"
#if defined(HECATOMB_SIMD)
#include <immintrin.h>
#endif

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

#if defined(HECATOMB_SIMD)
#if defined(__AVX512F__)
inline constexpr int kLanes = 8;
#elif defined(__AVX2__)
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 2;
#endif
using RawLanes = u64 __attribute__((vector_size(8 * kLanes)));

// A struct rather than the bare vector: argument-dependent lookup finds its functions, no attribute is lost in a
// template argument, and it cannot be confused with the vectors of another target.
struct Lanes {
  RawLanes v;
  HECATOMB_HD friend Lanes operator&(Lanes a, Lanes b) { return {a.v & b.v}; }
  HECATOMB_HD friend Lanes operator|(Lanes a, Lanes b) { return {a.v | b.v}; }
  HECATOMB_HD friend Lanes operator^(Lanes a, Lanes b) { return {a.v ^ b.v}; }
  HECATOMB_HD friend Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
  HECATOMB_HD friend Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
  HECATOMB_HD friend Lanes operator~(Lanes a) { return {~a.v}; }
  HECATOMB_HD friend Lanes operator<<(Lanes a, int k) { return {a.v << k}; }
  HECATOMB_HD friend Lanes operator>>(Lanes a, int k) { return {a.v >> k}; }
  HECATOMB_HD friend Lanes select(Lanes c, Lanes a, Lanes b) { return {c.v != 0 ? a.v : b.v}; }
  HECATOMB_HD friend Lanes splat(Type<Lanes>, u64 x) { return {x - RawLanes{}}; }
  HECATOMB_HD friend Lanes decrement(Lanes a) { return {a.v - 1}; }
  HECATOMB_HD friend Lanes multiply(Lanes a, Lanes b) {
#if defined(__AVX512F__)
    return {reinterpret_cast<RawLanes>(_mm512_mul_epu32(reinterpret_cast<__m512i>(a.v), reinterpret_cast<__m512i>(b.v)))};
#elif defined(__AVX2__)
    return {reinterpret_cast<RawLanes>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a.v), reinterpret_cast<__m256i>(b.v)))};
#else
    return {reinterpret_cast<RawLanes>(_mm_mul_epu32(reinterpret_cast<__m128i>(a.v), reinterpret_cast<__m128i>(b.v)))};
#endif
  }
  HECATOMB_HD friend bool any(Lanes a) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(a.v), reinterpret_cast<__m512i>(a.v)) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256(reinterpret_cast<__m256i>(a.v), reinterpret_cast<__m256i>(a.v));
#else
    return _mm_movemask_epi8(_mm_cmpeq_epi8(reinterpret_cast<__m128i>(a.v), _mm_setzero_si128())) != 0xffff;
#endif
  }
};

// A local vector, not a struct or an array element, as the target of memcpy: GCC 12 copies the others 16 bytes at a
// time, and the next wide load waits for all the stores.
HECATOMB_HD RawLanes load(const u64* p) {
  RawLanes v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

template <>
inline constexpr bool kSkipRare<Lanes> = true;
template <>
inline constexpr bool kCarrySave<Lanes> = true;

/// Bytes of a word, for counts that are added up once at the end.
using RawBytes = unsigned char __attribute__((vector_size(8 * kLanes)));

/// The population of each byte, times a weight of at most 32.
template <int weight>
HECATOMB_HD RawBytes byte_counts(RawLanes x) {
#if defined(__AVX2__)
  constexpr char w = weight, w2 = 2 * weight, w3 = 3 * weight, w4 = 4 * weight;
  const __m256i table =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, w, w, w2, w, w2, w2, w3, w, w2, w2, w3, w2, w3, w3, w4));
  const __m256i low = reinterpret_cast<__m256i>(x & 0x0f0f0f0f0f0f0f0full),
                high = reinterpret_cast<__m256i>((x >> 4) & 0x0f0f0f0f0f0f0f0full);
  return reinterpret_cast<RawBytes>(_mm256_shuffle_epi8(table, low)) +
         reinterpret_cast<RawBytes>(_mm256_shuffle_epi8(table, high));
#else
  RawLanes n = x - ((x >> 1) & 0x5555555555555555ull);
  n = (n & 0x3333333333333333ull) + ((n >> 2) & 0x3333333333333333ull);
  n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return reinterpret_cast<RawBytes>(n << __builtin_ctz(weight));
#endif
}
HECATOMB_HD RawLanes sum_bytes(RawBytes x) {
#if defined(__AVX2__)
  return reinterpret_cast<RawLanes>(_mm256_sad_epu8(reinterpret_cast<__m256i>(x), _mm256_setzero_si256()));
#else
  return reinterpret_cast<RawLanes>(_mm_sad_epu8(reinterpret_cast<__m128i>(x), _mm_setzero_si128()));
#endif
}

// No byte passes 255: a byte's eight squares are reached by at most 16 men each, and each of up to 3 pawn sets adds 4
// promotions more on one rank.
template <>
struct PlaneSum<Lanes> {
  template <int weight>
  HECATOMB_HD void add(Lanes plane) {
    sum += byte_counts<weight>(plane.v);
  }
  HECATOMB_HD Lanes total() const { return {sum_bytes(sum)}; }
  RawBytes sum{};
};

template <>
struct PairCounter<Lanes> {
  template <int log2_weight>
  HECATOMB_HD void add(Lanes plane) {
    if constexpr (log2_weight < 4) {
      sum[log2_weight] += byte_counts<1>(plane.v);
    } else {
      rest += sum_bytes(byte_counts<1>(plane.v)) << log2_weight;
    }
  }
  HECATOMB_HD Lanes total() const {
    return {sum_bytes(sum[0]) + (sum_bytes(sum[1]) << 1) + (sum_bytes(sum[2]) << 2) + (sum_bytes(sum[3]) << 3) + rest};
  }
  RawBytes sum[4]{};
  RawLanes rest{};
};
#endif  // HECATOMB_SIMD

}  // namespace hecatomb::inline HECATOMB_TARGET
