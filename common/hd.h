// What differs between a CUDA thread and the CPU, and nothing else. The one idea: the rules core is written once, as
// plain functions marked HECATOMB_HD; bit operations go through this file, and only this file asks for CUDA macros.
//
// Everything in common/ lives in the inline namespace HECATOMB_TARGET, which is `base` unless a file is compiled for a
// certain instruction set (host/cpu/level.cpp). So the AVX2 copy of an inline function can never be linked into code
// that must run on a machine without AVX2. Such files include nothing but <cstdint> and this folder.
#pragma once
#include <cstdint>

#if !defined(HECATOMB_TARGET)
#define HECATOMB_TARGET base
#endif

#if defined(__CUDACC__)
#define HECATOMB_HD __host__ __device__ __forceinline__
#define HECATOMB_HD_NOINLINE __host__ __device__
#define HECATOMB_UNROLL _Pragma("unroll")
#define HECATOMB_NO_UNROLL _Pragma("unroll 1")
#else
#if defined(HECATOMB_SANITIZED)  // compiled for its checks, not for speed: minutes less a file
#define HECATOMB_HD inline
#else
#define HECATOMB_HD inline __attribute__((always_inline))
#endif
#define HECATOMB_HD_NOINLINE inline
#if defined(__clang__)
#define HECATOMB_UNROLL _Pragma("clang loop unroll(full)")
#define HECATOMB_NO_UNROLL _Pragma("clang loop unroll(disable)")
#else
#define HECATOMB_UNROLL _Pragma("GCC unroll 32")
#define HECATOMB_NO_UNROLL _Pragma("GCC unroll 1")
#endif
#endif

namespace hecatomb::inline HECATOMB_TARGET {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Number of set bits.
HECATOMB_HD int popcount(u64 x) {
#if defined(__CUDA_ARCH__)
  return __popcll(x);
#else
  return __builtin_popcountll(x);
#endif
}

/// Index of the lowest set bit; x must not be 0.
HECATOMB_HD int ctz(u64 x) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(x)) - 1;
#else
  return __builtin_ctzll(x);
#endif
}

/// Number of zero bits above the highest set bit; x must not be 0.
HECATOMB_HD int clz(u64 x) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(x));
#else
  return __builtin_clzll(x);
#endif
}

/// High half of the 128-bit product.
HECATOMB_HD u64 mulhi(u64 a, u64 b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  __extension__ using wide = unsigned __int128;
  return static_cast<u64>((static_cast<wide>(a) * b) >> 64);
#endif
}

/// The same bytes in reverse order (a board seen from the other side).
HECATOMB_HD u64 byte_swap(u64 x) {
#if defined(__CUDA_ARCH__)
  return (static_cast<u64>(__byte_perm(static_cast<u32>(x), 0, 0x0123)) << 32) |
         __byte_perm(static_cast<u32>(x >> 32), 0, 0x0123);
#else
  return __builtin_bswap64(x);
#endif
}

}  // namespace hecatomb::inline HECATOMB_TARGET
