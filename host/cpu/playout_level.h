// The random games of a level of the CPU backend (playout_level.cpp): as level.h, a table of functions over plain
// memory.
#pragma once
#include <cstddef>
#include <cstdint>

#include "host/cpu/level.h"

namespace hecatomb {

/// What random games add up to. Arrays are the caller's; everything is added to what is there.
struct PlayoutSums {
  std::uint64_t results[4];                                        ///< games by Result; ongoing: unfinished
  std::uint64_t ends[15];                                          ///< games by Reason
  std::uint64_t legal_moves, forced, forced_captures, promotions;  ///< over all plies, as in PlayoutRecord
  std::uint64_t* lengths;                                          ///< games by plies: max_plies + 1 of them
  std::uint64_t (*first_moves)[4];  ///< by the number of the first move and Result; a game without moves is not there
  std::uint64_t* moves_by_ply;      ///< legal moves by ply, max_plies of them; may be null
};

/// Random games from one opening.
struct PlayoutUnit {
  const void* opening;                  ///< a Position, aligned to 64 bytes
  std::uint8_t variant;                 ///< VariantId
  bool restricted_ep, stalemated_wins;  ///< RuleOptions
  int clock_plies, repetitions;         ///< DrawRules
  bool dead;
  std::uint32_t max_plies;  ///< at most kMostPlayoutPlies
  std::uint64_t seed;
  std::uint32_t opening_number, first_game, games;  ///< GameId
  PlayoutSums* sums;
  void* memory;      ///< PlayoutKernel::memory_bytes, aligned to 64 bytes
  const bool* stop;  ///< polled; may be null
};

struct PlayoutKernel {
  /// Plays the games of a unit; false if it was stopped (the sums are then of no use).
  bool (*play)(const PlayoutUnit& unit);
  /// The memory a unit needs, in bytes: the positions that can be repeated.
  std::size_t (*memory_bytes)(const PlayoutUnit& unit);
};

/// The random games of a level that usable_levels or level_named gave.
const PlayoutKernel& playouts_of(const LevelKernel& level);

}  // namespace hecatomb
