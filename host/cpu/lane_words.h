// What random games ask of words that stand in memory one a lane.
#pragma once
#include "host/cpu/batch.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// All ones where a < b (both below 2^63), else 0.
HECATOMB_HD u64 less(u64 a, u64 b) { return u64{0} - u64{a < b}; }
/// Several words in memory, one a lane.
HECATOMB_HD u64 load_word(Type<u64>, const u64* from) { return *from; }
HECATOMB_HD void store_word(u64* to, u64 w) { *to = w; }
#if defined(HECATOMB_SIMD)
using SignedLanes = long long __attribute__((vector_size(8 * kLanes)));
HECATOMB_HD Lanes less(Lanes a, Lanes b) {
  return {reinterpret_cast<RawLanes>(reinterpret_cast<SignedLanes>(a.v) < reinterpret_cast<SignedLanes>(b.v))};
}
HECATOMB_HD Lanes load_word(Type<Lanes>, const u64* from) { return {load(from)}; }
HECATOMB_HD void store_word(u64* to, Lanes w) { __builtin_memcpy(to, &w.v, sizeof w.v); }
#endif

}  // namespace hecatomb::inline HECATOMB_TARGET
