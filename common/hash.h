// One 128-bit key for a position: men, side, castling, en passant possibilities; counters apart. For tables, merging,
// the solver and proofs. The same on every machine, so it may be written to files.
//
// Each word is folded before it is multiplied (a plain sum of word times odd constant loses the squares of the high
// end: their products reach no low bits), and the two halves use different constants.
#pragma once
#include "common/position.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct Key {
  u64 low, high;
  friend constexpr bool operator==(const Key&, const Key&) = default;
};

/// Mixes one word into a running half key: a 64 x 64 -> 128 multiplication, both halves kept.
HECATOMB_HD u64 mix_word(u64 h, u64 word, u64 factor) {
  const u64 x = (h ^ word) + factor;
  const u64 y = x ^ (x >> 32);
  return (y * factor) ^ mulhi(y, factor) ^ (h << 1 | h >> 63);
}

HECATOMB_HD Key hash_of(const Position& p) {
  const u64 state = static_cast<u64>(p.ep_west) | static_cast<u64>(p.ep_east) << 8 |
                    static_cast<u64>(p.castling) << 16 | static_cast<u64>(p.side) << 24;
  const u64 words[8] = {p.men[0], p.men[1], p.pawns, p.knights, p.diagonal, p.orthogonal, p.kings, state};
  u64 low = 0x243f6a8885a308d3, high = 0x13198a2e03707344;  // digits of pi
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    low = mix_word(low, words[i], 0x9e3779b97f4a7c15);
    high = mix_word(high, words[i], 0xd6e8feb86659fd93);
  }
  low = (low ^ (low >> 29)) * 0xbf58476d1ce4e5b9;
  high = (high ^ (high >> 31)) * 0x94d049bb133111eb;
  return {low ^ (low >> 32), high ^ (high >> 32)};
}

}  // namespace hecatomb::inline HECATOMB_TARGET
