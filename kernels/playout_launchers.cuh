// What random games do on the device, for one variant: playout.cu calls it, playout_kernels.cuh defines it.
#pragma once
#include "common/playout.h"
#include "kernels/runtime.cuh"

namespace hecatomb::cuda {

/// Games of one opening, as the device knows them.
struct PlayoutOpening {
  Position position;
  u32 number, first_game;  ///< GameId
  u64 games_before;        ///< of the openings before it in the slice
};

/// The sums of one lane, since it began with the opening it plays.
struct LaneSums {
  u32 legal_moves = 0, forced = 0, forced_captures = 0, promotions = 0;
};
inline constexpr int kLaneSums = 4;

/// What a lane has in hand between two launches.
/// All of it is 0 before the first.
struct PlayoutLane {
  PlayoutState game;
  LaneSums sums;
  u32 opening = 0;  ///< index of what it plays
  bool playing = false;
  // With repetition, and only there:
  u32 held = 0;           ///< keys of positions since the last capture or pawn move
  u32 confirm_plies = 0;  ///< the ply up to which the game is played once more, comparing positions; 0: it is not
  u32 seen = 0;           ///< how often `target` has come up in that
  Position target{};      ///< the position that may have occurred often enough
};

/// The counters of a slice: `openings` blocks of counters_of(…) each. A block holds games by reason and result, the
/// sums of LaneSums, games by the number of the first move and result, games by length, legal moves by ply.
struct PlayoutCounters {
  Counter* data;
  u32 max_plies;
  bool by_ply;
  HECATOMB_HD static u64 size(u32 max_plies, bool by_ply) {
    return kLengths + u64{max_plies} + 1 + (by_ply ? max_plies : 0);
  }
  HECATOMB_HD Counter* block(u32 opening) const { return data + opening * size(max_plies, by_ply); }
  static constexpr u64 kSums = kReasons * 4, kFirstMoves = kSums + kLaneSums, kLengths = kFirstMoves + kMaxMoves * 4;
};

/// One launch: every lane goes on with its game, takes the next when it is over, and stops after some plies.
struct PlayoutTask {
  const PlayoutOpening* openings;
  u32 opening_count;
  u64 games;        ///< of all openings
  Counter* next;    ///< the game to be taken next
  Counter* active;  ///< lanes that have not finished are added
  PlayoutLane* lanes;
  u32 lane_count;
  u64* keys;     ///< with repetition: key k of lane i at [k * lane_count + i]
  u64 key_mask;  ///< bits of them that are used
  PlayoutCounters counters;
  PlayoutRules rules;
  u64 seed;
  u32 turns;  ///< plies of either side
};

/// Queues one launch.
using PlayoutLauncher = void (*)(const Stream&, const PlayoutTask&);
template <class V>
PlayoutLauncher playout_launcher();

}  // namespace hecatomb::cuda
