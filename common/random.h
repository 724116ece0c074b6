// The random numbers of rules.md: a number is a function of (seed, opening, game, ply), so that a game is the same on
// every backend, thread and batch. Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
// 1, 2, 3", 2011), here over plain words so that it compiles on both sides; Random123 checks it in the tests.
#pragma once
#include "common/types.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct PhiloxBlock {
  u32 word[4];
};

HECATOMB_HD PhiloxBlock philox4x32_10(PhiloxBlock counter, u32 key0, u32 key1) {
  for (int round = 0; round < 10; round++) {
    const u64 a = static_cast<u64>(counter.word[0]) * 0xd2511f53u, b = static_cast<u64>(counter.word[2]) * 0xcd9e8d57u;
    counter = {{static_cast<u32>(b >> 32) ^ counter.word[1] ^ key0, static_cast<u32>(b),
                static_cast<u32>(a >> 32) ^ counter.word[3] ^ key1, static_cast<u32>(a)}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return counter;
}

/// Where a random game is: which of the book's openings, which game, which ply from the opening's position.
struct GameId {
  u64 seed;
  u32 opening, game;
};

/// The four random numbers of plies 4 * quarter … 4 * quarter + 3 of a game.
HECATOMB_HD PhiloxBlock random_block(const GameId& id, u32 quarter, u32 attempt) {
  return philox4x32_10({{quarter, id.game, id.opening, attempt}}, static_cast<u32>(id.seed),
                       static_cast<u32>(id.seed >> 32));
}

/// One of a block's words, without an index into memory.
HECATOMB_HD u32 word_of(const PhiloxBlock& block, u32 i) {
  const u32 low = (i & 1) != 0 ? block.word[1] : block.word[0], high = (i & 1) != 0 ? block.word[3] : block.word[2];
  return (i & 2) != 0 ? high : low;
}

/// The number of the move to play among `moves` > 0 legal ones at `ply`: uniform without bias, by multiplying high and
/// rejecting the few products that some numbers have more of.
HECATOMB_HD u32 draw_move(const GameId& id, u32 ply, u32 moves) {
  for (u32 attempt = 0;; attempt++) {
    const u64 product = static_cast<u64>(word_of(random_block(id, ply / 4, attempt), ply % 4)) * moves;
    const auto low = static_cast<u32>(product);
    // Rejected below 2^32 mod moves, which is below moves: hardly ever must it be known.
    if (low >= moves || low >= (u32{0} - moves) % moves) return static_cast<u32>(product >> 32);
  }
}

}  // namespace hecatomb::inline HECATOMB_TARGET
