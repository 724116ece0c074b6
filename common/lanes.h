// Lanes: the SIMD word. The rest of the core does not know instruction sets; this file knows them all, and nothing
// else.
//
// AVX-512 (with VPOPCNTDQ) has 8 lanes, AVX2 4, SSE2 2. HECATOMB_HALF_LANES uses AVX-512's instructions on 4 lanes, for
// work that comes in fours (needs VL). HECATOMB_LANES=8 gives 8 lanes without any intrinsic: machines
// without AVX-512 test with it all that is written for eight lanes.
#pragma once
#include "common/word.h"
#if defined(HECATOMB_SIMD) && !defined(HECATOMB_LANES)
#include <immintrin.h>
#endif

#if defined(HECATOMB_SIMD)  // nothing here is for device code
namespace hecatomb::inline HECATOMB_TARGET {

#if defined(HECATOMB_LANES)
#define HECATOMB_SIMD_PLAIN
inline constexpr int kLanes = HECATOMB_LANES;
#elif defined(HECATOMB_HALF_LANES)
#define HECATOMB_SIMD_AVX512VL
inline constexpr int kLanes = 4;
#elif defined(__AVX512VPOPCNTDQ__)
#define HECATOMB_SIMD_AVX512
inline constexpr int kLanes = 8;
#elif defined(__AVX2__)
#define HECATOMB_SIMD_AVX2
inline constexpr int kLanes = 4;
#else
#define HECATOMB_SIMD_SSE2
inline constexpr int kLanes = 2;
#endif
using RawLanes = u64 __attribute__((vector_size(8 * kLanes)));
using RawBytes = unsigned char __attribute__((vector_size(8 * kLanes)));

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
  HECATOMB_HD friend Lanes splat(Type<Lanes>, u64 x) { return {x - RawLanes{}}; }
  HECATOMB_HD friend Lanes decrement(Lanes a) { return {a.v - 1}; }
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

// ---- what differs between instruction sets

#if defined(HECATOMB_SIMD_AVX512)
HECATOMB_HD __m512i raw(Lanes a) { return reinterpret_cast<__m512i>(a.v); }
HECATOMB_HD Lanes lanes(__m512i a) { return {reinterpret_cast<RawLanes>(a)}; }
HECATOMB_HD Lanes select(Lanes c, Lanes a, Lanes b) {
  return lanes(_mm512_mask_blend_epi64(_mm512_test_epi64_mask(raw(c), raw(c)), raw(b), raw(a)));
}
HECATOMB_HD bool any(Lanes a) { return _mm512_test_epi64_mask(raw(a), raw(a)) != 0; }
// (The unmasked intrinsic of GCC 12 warns of an uninitialised operand.)
HECATOMB_HD Lanes multiply(Lanes a, Lanes b) { return lanes(_mm512_maskz_mul_epu32(0xff, raw(a), raw(b))); }
// The immediate is the truth table: bit 4a + 2b + c.
HECATOMB_HD Lanes or_and(Lanes a, Lanes b, Lanes c) {
  return lanes(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xf8));
}
HECATOMB_HD Lanes exclusive_or(Lanes a, Lanes b, Lanes c) {
  return lanes(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0x96));
}
HECATOMB_HD Lanes majority(Lanes a, Lanes b, Lanes c) {
  return lanes(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xe8));
}
#elif defined(HECATOMB_SIMD_AVX512VL)
HECATOMB_HD __m256i raw(Lanes a) { return reinterpret_cast<__m256i>(a.v); }
HECATOMB_HD Lanes lanes(__m256i a) { return {reinterpret_cast<RawLanes>(a)}; }
HECATOMB_HD Lanes select(Lanes c, Lanes a, Lanes b) {
  return lanes(_mm256_mask_blend_epi64(_mm256_test_epi64_mask(raw(c), raw(c)), raw(b), raw(a)));
}
HECATOMB_HD bool any(Lanes a) { return !_mm256_testz_si256(raw(a), raw(a)); }
HECATOMB_HD Lanes multiply(Lanes a, Lanes b) { return lanes(_mm256_mul_epu32(raw(a), raw(b))); }
HECATOMB_HD Lanes or_and(Lanes a, Lanes b, Lanes c) {
  return lanes(_mm256_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xf8));
}
HECATOMB_HD Lanes exclusive_or(Lanes a, Lanes b, Lanes c) {
  return lanes(_mm256_ternarylogic_epi64(raw(a), raw(b), raw(c), 0x96));
}
HECATOMB_HD Lanes majority(Lanes a, Lanes b, Lanes c) {
  return lanes(_mm256_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xe8));
}
#elif defined(HECATOMB_SIMD_AVX2)
HECATOMB_HD __m256i raw(Lanes a) { return reinterpret_cast<__m256i>(a.v); }
HECATOMB_HD Lanes lanes(__m256i a) { return {reinterpret_cast<RawLanes>(a)}; }
HECATOMB_HD Lanes select(Lanes c, Lanes a, Lanes b) { return {c.v != 0 ? a.v : b.v}; }
HECATOMB_HD bool any(Lanes a) { return !_mm256_testz_si256(raw(a), raw(a)); }
HECATOMB_HD Lanes multiply(Lanes a, Lanes b) { return lanes(_mm256_mul_epu32(raw(a), raw(b))); }
#elif defined(HECATOMB_SIMD_SSE2)
HECATOMB_HD __m128i raw(Lanes a) { return reinterpret_cast<__m128i>(a.v); }
HECATOMB_HD Lanes lanes(__m128i a) { return {reinterpret_cast<RawLanes>(a)}; }
HECATOMB_HD Lanes select(Lanes c, Lanes a, Lanes b) { return {c.v != 0 ? a.v : b.v}; }
HECATOMB_HD bool any(Lanes a) { return _mm_movemask_epi8(_mm_cmpeq_epi8(raw(a), _mm_setzero_si128())) != 0xffff; }
HECATOMB_HD Lanes multiply(Lanes a, Lanes b) { return lanes(_mm_mul_epu32(raw(a), raw(b))); }
#else
HECATOMB_HD Lanes select(Lanes c, Lanes a, Lanes b) { return {c.v != 0 ? a.v : b.v}; }
HECATOMB_HD bool any(Lanes a) {
  u64 all = 0;
  for (int i = 0; i < kLanes; i++) all |= a.v[i];
  return all != 0;
}
HECATOMB_HD Lanes multiply(Lanes a, Lanes b) { return {a.v * b.v}; }
#endif

// ---- populations

#if defined(HECATOMB_SIMD_AVX512) || defined(HECATOMB_SIMD_AVX512VL)
#if defined(HECATOMB_SIMD_AVX512)
HECATOMB_HD Lanes popcount(Lanes a) { return lanes(_mm512_popcnt_epi64(raw(a))); }
#else
HECATOMB_HD Lanes popcount(Lanes a) { return lanes(_mm256_popcnt_epi64(raw(a))); }
#endif
template <>
struct PlaneSum<Lanes> {
  template <int weight>
  HECATOMB_HD void add(Lanes plane) {
    sum = sum + (popcount(plane) << __builtin_ctz(weight));
  }
  HECATOMB_HD Lanes total() const { return sum; }
  Lanes sum{};
};

template <>
struct PairCounter<Lanes> {
  template <int log2_weight>
  HECATOMB_HD void add(Lanes plane) {
    sum = sum + (popcount(plane) << log2_weight);
  }
  HECATOMB_HD Lanes total() const { return sum; }
  Lanes sum{};
};
#else
/// The population of each byte, times a power of two up to 16.
template <int weight>
HECATOMB_HD RawBytes byte_counts(RawLanes x) {
#if defined(HECATOMB_SIMD_AVX2)
  constexpr char w = weight, w2 = 2 * weight, w3 = 3 * weight, w4 = 4 * weight;
  const __m256i table =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, w, w, w2, w, w2, w2, w3, w, w2, w2, w3, w2, w3, w3, w4));
  const auto low = reinterpret_cast<__m256i>(x & 0x0f0f0f0f0f0f0f0full);
  const auto high = reinterpret_cast<__m256i>((x >> 4) & 0x0f0f0f0f0f0f0f0full);
  return reinterpret_cast<RawBytes>(_mm256_shuffle_epi8(table, low)) +
         reinterpret_cast<RawBytes>(_mm256_shuffle_epi8(table, high));
#else
  RawLanes n = x - ((x >> 1) & 0x5555555555555555ull);
  n = (n & 0x3333333333333333ull) + ((n >> 2) & 0x3333333333333333ull);
  n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return reinterpret_cast<RawBytes>(n << __builtin_ctz(weight));
#endif
}

/// The sum of the bytes of each lane.
HECATOMB_HD RawLanes sum_bytes(RawBytes x) {
#if defined(HECATOMB_SIMD_AVX2)
  return reinterpret_cast<RawLanes>(_mm256_sad_epu8(reinterpret_cast<__m256i>(x), _mm256_setzero_si256()));
#elif defined(HECATOMB_SIMD_SSE2)
  return reinterpret_cast<RawLanes>(_mm_sad_epu8(reinterpret_cast<__m128i>(x), _mm_setzero_si128()));
#else
  auto n = reinterpret_cast<RawLanes>(x);
  n = (n & 0x00ff00ff00ff00ffull) + ((n >> 8) & 0x00ff00ff00ff00ffull);
  n = (n & 0x0000ffff0000ffffull) + ((n >> 16) & 0x0000ffff0000ffffull);
  return (n & 0xffffffffull) + (n >> 32);
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
#endif

}  // namespace hecatomb::inline HECATOMB_TARGET
#endif  // HECATOMB_SIMD
