// The keys of the last positions of several games, and whether one of them may have come again often enough.
//
// The one idea: what is compared in every ply is one word a game, all lanes at once, and only where the last capture or
// pawn move is so many plies ago that the position can have occurred often enough (four plies for each time). Keys that
// agree say "perhaps": the caller asks the game itself, by playing it again (lockstep.h).
//
// Invariant: never too few. All positions since the last capture or pawn move are in the ring.
#pragma once
#include <cstddef>

#include "host/cpu/lane_words.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// A hash of where men of which kind stand. Positions that differ in pawns alone, en passant or castling are not told
/// apart: between two captures or pawn moves that is nothing, or rare.
HECATOMB_HD Batch key_of(const Board<Batch>& b) {
  const Batch x = exclusive_or(b.men[0], rotate(b.diagonal, splat(21)), rotate(b.kings, splat(43)));
  const Batch y = exclusive_or(b.men[1], rotate(b.orthogonal, splat(17)), rotate(b.knights, splat(47)));
  // Each half times the other, offsets (digits of pi) added.
  const Batch a = x + splat(0x243f6a8885a308d3), c = y + splat(0x13198a2e03707344);
  return multiply_low_halves(a, a >> 32) + (multiply_low_halves(c, c >> 32) << 1);
}

class KeyRing {
 public:
  /// Rows a side for games with `positions` between two captures or pawn moves: a power of two.
  static std::size_t rows(std::size_t positions) {
    std::size_t n = 8;
    while (n < positions / 2 + kUnrolled + 1) n *= 2;
    return n;
  }
  /// A multiple of 64.
  static std::size_t bytes(std::size_t positions) { return (2 * rows(positions) * kBatch * sizeof(u64) + 63) & ~std::size_t{63}; }
  /// Memory of bytes(positions), aligned to 64.
  void use(void* memory, std::size_t positions) {
    keys_ = static_cast<u64*>(memory);
    mask_ = rows(positions) - 1;
    for (std::size_t i = 0; i < bytes(positions) / sizeof(u64); i++) keys_[i] = 0;
  }

  /// The keys at a time, a number of plies; each time follows the last or is the last again.
  HECATOMB_HD void put(u64 time, Batch key) { store_word(row(time), key); }

  /// Lanes whose position at this time, the last that was put, may have occurred `occurrences` times. `reversible`: the
  /// number of plies since the last capture or pawn move.
  HECATOMB_HD Mask may_have_occurred(u64 time, Batch key, Batch reversible, u32 occurrences) const {
    const Mask long_enough = at_most(splat(4 * u64{occurrences - 1}), reversible);
    if (!any(long_enough)) return long_enough;
    return long_enough & at_most(splat(occurrences - 1), times_before(time, key, reversible));
  }

 private:
  static constexpr u64 kUnrolled = 4;
  HECATOMB_HD u64* row(u64 time) const { return keys_ + ((time % 2) * (mask_ + 1) + (time / 2 & mask_)) * kBatch; }

  HECATOMB_HD Batch times_before(u64 time, Batch key, Batch reversible) const {
    Batch times = splat(0);
    for (u64 back = 2; any(at_most(splat(2 * back), reversible)); back += kUnrolled) {
      HECATOMB_UNROLL
      for (u64 i = 0; i < kUnrolled; i++) {
        times = add_where(equal(load_word(row(time - 2 * (back + i))), key), times, splat(1));
      }
    }
    return times;
  }

  u64* keys_ = nullptr;
  std::size_t mask_ = 0;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
