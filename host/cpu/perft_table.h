// The transposition table of perft: what lies below a position at a depth, shared by all threads without locks.
//
// An entry is four words: the count (low, and high with the depth in its top byte) and the 128-bit key, stored xored
// with mixtures of the count. A reader that meets a half-written entry computes a key that does not match, whichever
// words are new: no lock, no torn count. (Idea: Hyatt and Mann, "A lockless transposition-table implementation",
// 2002; here over 128 bits.) A false match needs two positions with the same 128-bit key.
// A bucket is a cache line of two entries: the first keeps the deeper, the second the newer.
#pragma once
#include "common/hash.h"
#include "host/cpu/level.h"

namespace hecatomb::inline HECATOMB_TARGET {

__extension__ using u128 = unsigned __int128;

inline constexpr int kEntryWords = 4, kBucketWords = 8;

HECATOMB_HD u64 rotate(u64 x, int k) { return x << k | x >> (64 - k); }

HECATOMB_HD u64 load_relaxed(const u64* p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
HECATOMB_HD void store_relaxed(u64* p, u64 x) { __atomic_store_n(p, x, __ATOMIC_RELAXED); }

/// A key for a position at a depth under a variant and its options.
HECATOMB_HD Key table_key(const Position& p, int depth_plies, u64 salt) {
  Key key = hash_of(p);
  const u64 x = (salt << 8 | static_cast<u64>(depth_plies)) * 0x9fb21c651e98df25;
  key.low ^= x;
  key.high ^= rotate(x, 32);
  return key;
}

HECATOMB_HD u64* bucket_of(const PerftTable& t, Key key) {
  return t.words + kBucketWords * (key.low & (t.buckets - 1));
}

/// Whether the table knows the count below `key`; then it is put into `count`.
HECATOMB_HD bool table_probe(const PerftTable& t, Key key, u128& count) {
  const u64* bucket = bucket_of(t, key);
  for (const u64* e = bucket; e < bucket + kBucketWords; e += kEntryWords) {
    const u64 low = load_relaxed(e), high = load_relaxed(e + 1);
    if ((load_relaxed(e + 2) ^ low ^ rotate(high, 17)) != key.low ||
        (load_relaxed(e + 3) ^ high ^ rotate(low, 29)) != key.high)
      continue;
    count = static_cast<u128>(high & 0x00ff'ffff'ffff'ffff) << 64 | low;
    return true;
  }
  return false;
}

/// Remembers a count below 2^120.
HECATOMB_HD void table_store(const PerftTable& t, Key key, int depth_plies, u128 count) {
  u64* bucket = bucket_of(t, key);
  const u64 depth = static_cast<u64>(depth_plies < 255 ? depth_plies : 255);
  u64* e = depth >= load_relaxed(bucket + 1) >> 56 ? bucket : bucket + kEntryWords;
  const u64 low = static_cast<u64>(count), high = static_cast<u64>(count >> 64) | depth << 56;
  store_relaxed(e, low);
  store_relaxed(e + 1, high);
  store_relaxed(e + 2, key.low ^ low ^ rotate(high, 17));
  store_relaxed(e + 3, key.high ^ high ^ rotate(low, 29));
}

}  // namespace hecatomb::inline HECATOMB_TARGET
