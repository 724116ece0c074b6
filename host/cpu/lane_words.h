// Words that stand in memory one a lane, and truth values one a lane: comparing, choosing, rotating. (What else is done
// with several boards at once is in common/lanes.h.)
#pragma once
#include "host/cpu/batch.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// Several words in memory, one a lane.
HECATOMB_HD u64 load_word(Type<u64>, const u64* from) { return *from; }
HECATOMB_HD void store_word(u64* to, u64 w) { *to = w; }
#if defined(HECATOMB_SIMD)
HECATOMB_HD Lanes load_word(Type<Lanes>, const u64* from) { return {load(from)}; }
HECATOMB_HD void store_word(u64* to, Lanes w) { __builtin_memcpy(to, &w.v, sizeof w.v); }
#endif
HECATOMB_HD Batch load_word(const u64* from) { return load_word(Type<Batch>{}, from); }
HECATOMB_HD Batch splat(u64 x) { return splat(Type<Batch>{}, x); }

/// 1, 2, 4, … by lane.
HECATOMB_HD Batch lane_bits() {
  alignas(64) constexpr u64 bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  return load_word(bits);
}

// ---- a truth value a lane. Words are compared as signed.

#if defined(HECATOMB_SIMD_AVX512)
struct Mask {
  __mmask8 m;
  HECATOMB_HD friend Mask operator&(Mask a, Mask b) { return {static_cast<__mmask8>(a.m & b.m)}; }
  HECATOMB_HD friend Mask operator|(Mask a, Mask b) { return {static_cast<__mmask8>(a.m | b.m)}; }
  HECATOMB_HD friend Mask operator~(Mask a) { return {static_cast<__mmask8>(~a.m)}; }
};
HECATOMB_HD Mask below(Lanes a, Lanes b) { return {_mm512_cmplt_epi64_mask(raw(a), raw(b))}; }
HECATOMB_HD Mask at_most(Lanes a, Lanes b) { return {_mm512_cmple_epi64_mask(raw(a), raw(b))}; }
HECATOMB_HD Mask equal(Lanes a, Lanes b) { return {_mm512_cmpeq_epi64_mask(raw(a), raw(b))}; }
/// Where a and b share a bit.
HECATOMB_HD Mask common(Lanes a, Lanes b) { return {_mm512_test_epi64_mask(raw(a), raw(b))}; }
HECATOMB_HD Lanes pick(Mask m, Lanes a, Lanes b) { return lanes(_mm512_mask_blend_epi64(m.m, raw(b), raw(a))); }
/// a, or nothing.
HECATOMB_HD Lanes only(Mask m, Lanes a) { return lanes(_mm512_maskz_mov_epi64(m.m, raw(a))); }
HECATOMB_HD Lanes add_where(Mask m, Lanes a, Lanes b) {
  return lanes(_mm512_mask_add_epi64(raw(a), m.m, raw(a), raw(b)));
}
HECATOMB_HD Lanes or_where(Mask m, Lanes a, Lanes b) {
  return lanes(_mm512_mask_or_epi64(raw(a), m.m, raw(a), raw(b)));
}
HECATOMB_HD u32 bits_of(Mask m) { return m.m; }
HECATOMB_HD Mask mask_of(u32 bits) { return {static_cast<__mmask8>(bits)}; }
/// Each word rotated to the left by its own number of bits, taken modulo 64.
HECATOMB_HD Lanes rotate(Lanes x, Lanes by) { return lanes(_mm512_maskz_rolv_epi64(0xff, raw(x), raw(by))); }
HECATOMB_HD Lanes multiply_low_halves(Lanes a, Lanes b) { return multiply(a, b); }
#else
struct Mask {
  Batch v;  ///< all ones or 0
  HECATOMB_HD friend Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
  HECATOMB_HD friend Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
  HECATOMB_HD friend Mask operator~(Mask a) { return {~a.v}; }
};
#if defined(HECATOMB_SIMD)
using SignedLanes = long long __attribute__((vector_size(8 * kLanes)));
HECATOMB_HD Mask below(Lanes a, Lanes b) {
  return {{reinterpret_cast<RawLanes>(reinterpret_cast<SignedLanes>(a.v) < reinterpret_cast<SignedLanes>(b.v))}};
}
HECATOMB_HD Mask equal(Lanes a, Lanes b) { return {{reinterpret_cast<RawLanes>(a.v == b.v)}}; }
HECATOMB_HD u32 bits_of(Mask m) {
#if defined(HECATOMB_SIMD_AVX2) || defined(HECATOMB_SIMD_AVX512VL)
  return static_cast<u32>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m.v.v)));
#else
  u32 bits = 0;
  for (int i = 0; i < kLanes; i++) bits |= static_cast<u32>(m.v.v[i] & 1) << i;
  return bits;
#endif
}
HECATOMB_HD Lanes rotate(Lanes x, Lanes by) {
  const RawLanes left = by.v & 63;
  return {x.v << left | x.v >> ((64 - left) & 63)};
}
#if defined(HECATOMB_SIMD_PLAIN)
HECATOMB_HD Lanes multiply_low_halves(Lanes a, Lanes b) { return {(a.v & 0xffffffff) * (b.v & 0xffffffff)}; }
#else
HECATOMB_HD Lanes multiply_low_halves(Lanes a, Lanes b) { return multiply(a, b); }
#endif
#else
HECATOMB_HD Mask below(u64 a, u64 b) { return {u64{0} - u64{a < b}}; }
HECATOMB_HD Mask equal(u64 a, u64 b) { return {u64{0} - u64{a == b}}; }
HECATOMB_HD u32 bits_of(Mask m) { return static_cast<u32>(m.v & 1); }
HECATOMB_HD u64 rotate(u64 x, u64 by) { return x << (by & 63) | x >> ((u64{0} - by) & 63); }
HECATOMB_HD u64 multiply_low_halves(u64 a, u64 b) { return (a & 0xffffffff) * (b & 0xffffffff); }
#endif
HECATOMB_HD Mask at_most(Batch a, Batch b) { return ~below(b, a); }
HECATOMB_HD Mask common(Batch a, Batch b) { return ~equal(a & b, splat(0)); }
HECATOMB_HD Batch pick(Mask m, Batch a, Batch b) { return b ^ ((a ^ b) & m.v); }
HECATOMB_HD Batch only(Mask m, Batch a) { return a & m.v; }
HECATOMB_HD Batch add_where(Mask m, Batch a, Batch b) { return a + (b & m.v); }
HECATOMB_HD Batch or_where(Mask m, Batch a, Batch b) { return a | (b & m.v); }
HECATOMB_HD Mask mask_of(u32 bits) { return common(splat(bits), lane_bits()); }
#endif
HECATOMB_HD bool any(Mask m) { return bits_of(m) != 0; }

/// The population of each word.
HECATOMB_HD Batch population(Batch x) {
  PlaneSum<Batch> n;
  n.template add<1>(x);
  return n.total();
}

/// The k-th square of a set, from 0, as a set; nothing if there is none. k < 64.
HECATOMB_HD u64 select_bit(u64 set, u64 k) {
#if defined(__BMI2__)
  return __builtin_ia32_pdep_di(u64{1} << k, set);
#else
  for (; k != 0; k--) set &= set - 1;
  return set & (u64{0} - set);
#endif
}

}  // namespace hecatomb::inline HECATOMB_TARGET
