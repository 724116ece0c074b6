// The keys of the last positions of several games, and whether one of them may have come again often enough.
//
// The one idea: three questions, each asked only where the one before says "perhaps". In every ply, all lanes at once:
// how many positions had the same six bits of a hash? The counts stand in planes of bits, 64 counts a word. Then: how
// many had the same key, of those since the last capture or pawn move? Then the caller asks the game itself, by playing
// it again (lockstep.h).
//
// Invariant: none says too few.
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
  static std::size_t bytes(std::size_t positions) {
    return (2 * rows(positions) * kBatch * sizeof(u64) + 63) & ~std::size_t{63};
  }
  /// Memory of bytes(positions), aligned to 64.
  void use(void* memory, std::size_t positions) {
    keys_ = static_cast<u64*>(memory);
    mask_ = rows(positions) - 1;
    for (std::size_t i = 0; i < bytes(positions) / sizeof(u64); i++) keys_[i] = 0;
  }

  /// Adds the positions at a time, a number of plies. `reversible`: the number of plies since the last capture or pawn
  /// move. Says in which lanes the position may have occurred `occurrences` >= 3 times, itself included.
  HECATOMB_HD Mask add(u64 time, Batch key, Batch reversible, u32 occurrences) {
    store_word(row(time), key);
    u64(&counts)[3][kBatch] = counts_[time % 2];
    const Mask goes_on = at_most(splat(2), reversible);  // else it is the first with this side to move
    const Batch once = only(goes_on, load_word(counts[0])), twice = only(goes_on, load_word(counts[1]));
    const Batch often = only(goes_on, load_word(counts[2]));
    const Batch bit = rotate(splat(1), key >> 32), carry = once & bit;
    store_word(counts[0], once ^ bit);
    store_word(counts[1], twice ^ carry);
    store_word(counts[2], or_and(often, twice, carry));
    const Batch before = occurrences < 5 ? twice | often : often;  // had two positions at least, or four
    const Mask perhaps = common(before, bit) & at_most(splat(4 * u64{occurrences - 1}), reversible);
    if (!any(perhaps)) return perhaps;
    return perhaps & at_most(splat(occurrences - 1), times_before(time, key, reversible));
  }
  /// The same where the lanes' last positions are replaced by the first of games that begin.
  HECATOMB_HD void begin(u64 time, Batch key, Mask lanes) {
    store_word(row(time), pick(lanes, key, load_word(row(time))));
    const Batch bit = rotate(splat(1), key >> 32);
    u64(&counts)[3][kBatch] = counts_[time % 2];
    store_word(counts[0], pick(lanes, bit, load_word(counts[0])));
    for (int i = 1; i < 3; i++) store_word(counts[i], only(~lanes, load_word(counts[i])));
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

  /// By side and bits of the hash, the number of positions: its bits 1 and 2, and whether it ever was 4.
  alignas(64) u64 counts_[2][3][kBatch] = {};
  u64* keys_ = nullptr;
  std::size_t mask_ = 0;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
