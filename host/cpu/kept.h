// The positions of a random game that can come again, and how often the last one has.
//
// The one idea: whole positions are compared, but hardly ever: 16 bits of a hash of each stand side by side, so that a
// vector of these is looked through at once and only positions with the same bits are read.
#pragma once
#include <cstddef>

#include "host/cpu/lane_words.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// The positions of a lane's game since the last capture or pawn move, and 16 bits of a hash of each: a vector of these
/// finds candidates, whole positions are compared.
class Kept {
 public:
  using Tags = u16 __attribute__((vector_size(8 * kBatch)));
  static constexpr int kTagsAtOnce = 4 * kBatch;

  /// Bytes for `capacity` positions; a multiple of 64.
  static std::size_t bytes(std::size_t capacity) { return (capacity + 2 * tag_room(capacity) / 32) * sizeof(Position); }
  void use(void* memory, std::size_t capacity) {
    positions_ = static_cast<Position*>(memory);
    tags_[0] = reinterpret_cast<u16*>(positions_ + capacity);
    tags_[1] = tags_[0] + tag_room(capacity);
  }
  void clear() { size_ = 0; }

  /// Adds the position reached; `forget`, all ones or 0: it was reached by a capture or pawn move. Says whether it has
  /// occurred `occurrences` times, itself included.
  HECATOMB_HD bool add(const Position& p, u64 forget, u32 occurrences) {
    size_ &= ~static_cast<u32>(forget);
    const u32 index = size_++, before = index / 2;
    for (int i = 0; i < 8; i += kChunkWords) {
      const Chunk chunk = load_chunk(words_of(p) + i);
      __builtin_memcpy(reinterpret_cast<u64*>(positions_ + index) + i, &chunk, sizeof chunk);
    }
    u16* const tags = tags_[index % 2];
    const u64 hash = (p.men[0] * 0x9e3779b97f4a7c15u) ^ (p.men[1] * 0xd6e8feb86659fd93u);
    const auto tag = static_cast<u16>(hash >> 48);
    tags[before] = tag;
    // Each return takes four plies at least.
    return index >= 4 * (occurrences - 1) && count(index, tags, tag, before) + 1 >= occurrences;
  }

 private:
  /// A multiple of 64 bytes for the tags of every second position, and a vector more.
  static std::size_t tag_room(std::size_t capacity) { return (capacity / 2 + 2 * kTagsAtOnce + 63) / 32 * 32; }

  /// How many of the first `n` positions with the same side to move are the one at `index`.
  HECATOMB_HD u32 count(u32 index, const u16* tags, u16 tag, u32 n) const {
    const Tags wanted = tag - Tags{};
    u32 found = 0;
    for (u32 i = 0; i < n; i += kTagsAtOnce) {
      Tags some;
      __builtin_memcpy(&some, tags + i, sizeof some);
      const auto equal = some == wanted;
      u64 words[kBatch];
      __builtin_memcpy(words, &equal, sizeof words);
      if (!any(load_word(Type<Batch>{}, words))) continue;
      for (u32 k = i; k < n && k < i + kTagsAtOnce; k++) {
        found += tags[k] == tag && same_position(positions_[2 * k + index % 2], positions_[index]);
      }
    }
    return found;
  }

  Position* positions_ = nullptr;
  u16* tags_[2] = {nullptr, nullptr};
  u32 size_ = 0;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
