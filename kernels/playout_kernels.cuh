// The kernel of random games, a template on the variant; playout_VARIANT.cu instantiates it, a file a variant so that
// they compile side by side.
//
// The one idea: a lane plays game after game. When one is over, the lane takes the next at once, so that no lane waits
// for the longest game; it stops after a number of plies, wherever it is, and the next launch goes on from there. So a
// launch is short however long games are, and nothing is played twice when it ends.
//
// White's and Black's code differ, so all lanes that have White to move play first, then all that have Black; a lane
// whose game begins with the other side waits half a turn.
//
// Counting: a lane keeps its sums while it plays games of one opening; at the end of a launch those of a block meet in
// shared memory. What is counted by length, first move and reason goes to memory, one addition each a game. Nothing
// else leaves the registers, unless repetition is asked for.
//
// Repetition: each lane has a bounded list of 64-bit keys of the positions since the last capture or pawn move, which
// starts anew with those. Equal positions have equal keys, so nothing is missed; a key that has come up often enough is
// no proof. The lane then plays its game once more from the start (it is a function of its number) and compares whole
// positions with the one in question, an ordinary game as seen by the warp; where it arrives it knows the number.
#pragma once
#include "common/hash.h"
#include "kernels/playout_launchers.cuh"

namespace hecatomb::cuda {

__device__ inline void add_to(Counter& counter, u64 n) {
  if (n != 0) atomicAdd(&counter, static_cast<Counter>(n));
}

/// The opening that game number `game` of the slice belongs to: the last one that begins at it or before.
__device__ inline u32 opening_of(u64 game, const PlayoutOpening* openings, u32 count) {
  u32 low = 0, high = count;
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    if (openings[middle].games_before <= game) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__device__ inline void flush_sums(LaneSums& sums, Counter* to) {
  add_to(to[0], sums.legal_moves);
  add_to(to[1], sums.forced);
  add_to(to[2], sums.forced_captures);
  add_to(to[3], sums.promotions);
  sums = {};
}

/// Takes the next game, if there is one.
__device__ inline void next_game(const PlayoutTask& task, PlayoutLane& lane) {
  lane.playing = false;
  const u64 game = atomicAdd(task.next, Counter{1});
  if (game >= task.games) return;
  const u32 number = opening_of(game, task.openings, task.opening_count);
  const PlayoutOpening& opening = task.openings[number];
  if (number != lane.opening) {
    flush_sums(lane.sums, task.counters.block(lane.opening) + PlayoutCounters::kSums);
    lane.opening = number;
  }
  const GameId id{task.seed, opening.number, opening.first_game + static_cast<u32>(game - opening.games_before)};
  lane.game = PlayoutState{opening.position, id, {}};
  lane.playing = true;
  lane.held = lane.confirm_plies = 0;
}

__device__ inline void count_game(const PlayoutTask& task, PlayoutLane& lane) {
  const PlayoutRecord& record = lane.game.record;
  Counter* const counters = task.counters.block(lane.opening);
  const auto result = static_cast<u32>(record.outcome.result);
  add_to(counters[static_cast<u32>(record.outcome.reason) * 4 + result], 1);
  add_to(counters[PlayoutCounters::kLengths + record.plies], 1);
  if (record.plies != 0) add_to(counters[PlayoutCounters::kFirstMoves + record.first_move * 4 + result], 1);
  lane.sums.legal_moves += static_cast<u32>(record.legal_moves);
  lane.sums.forced += record.forced;
  lane.sums.forced_captures += record.forced_captures;
  lane.sums.promotions += record.promotions;
  // The largest of them; no game adds more than kMostPlayoutPlies * kMaxMoves.
  constexpr u32 most = 1u << 31;
  static_assert(u64{kMostPlayoutPlies} * kMaxMoves < most);
  if (lane.sums.legal_moves >= most) flush_sums(lane.sums, counters + PlayoutCounters::kSums);
}

/// With repetition: how often the position has occurred, itself included, as far as the rules ask. False if the game is
/// played once more to find out.
__device__ inline bool know_occurrences(const PlayoutTask& task, PlayoutLane& lane, u32 i, int& occurrences) {
  const auto wanted = static_cast<u32>(task.rules.draws.repetitions);
  PlayoutState& game = lane.game;
  if (lane.confirm_plies != 0) {
    lane.seen += same_position(game.position, lane.target) ? 1u : 0u;
    if (game.record.plies < lane.confirm_plies) return true;  // it occurred less often: so it was the first time
    lane.confirm_plies = 0;
    occurrences = static_cast<int>(lane.seen);
    return true;
  }
  if (game.position.halfmove == 0) lane.held = 0;
  const u64 key = hash_of(game.position).low & task.key_mask;
  u64* const keys = task.keys + i;
  const u64 stride = task.lane_count;
  u32 equal = 1;
  // Each return takes four plies at least.
  if (lane.held >= 4 * (wanted - 1)) {
    for (u32 k = lane.held; k >= 2; k -= 2) equal += keys[(k - 2) * stride] == key ? 1u : 0u;
  }
  keys[lane.held * stride] = key;
  lane.held++;
  if (equal < wanted) return true;
  lane.target = game.position;
  lane.confirm_plies = game.record.plies;
  lane.seen = 0;
  game = PlayoutState{task.openings[lane.opening].position, game.id, {}};
  return false;
}

/// One ply of a lane that has `us` to move.
template <class V, Color us, bool repeats>
__device__ inline void play_lane(const PlayoutTask& task, PlayoutLane& lane, u32 i) {
  if (!lane.playing || lane.game.position.side != us) return;
  int occurrences = 1;
  if (repeats && !know_occurrences(task, lane, i, occurrences)) return;
  const PlayoutRecord& record = lane.game.record;
  const u64 moves_before = record.legal_moves;
  Move move;
  if (play_ply<V, us>(lane.game, task.rules, occurrences, move)) {
    if (task.counters.by_ply && !(repeats && lane.confirm_plies != 0)) {
      Counter* const by_ply = task.counters.block(lane.opening) + PlayoutCounters::kLengths + task.rules.max_plies + 1;
      add_to(by_ply[record.plies - 1], record.legal_moves - moves_before);
    }
  } else {
    count_game(task, lane);
    next_game(task, lane);
  }
}

template <class V, bool repeats>
__global__ void __launch_bounds__(kBlockThreads) playout_kernel(PlayoutTask task) {
  HECATOMB_SHARED(Counter[kLaneSums], sums);
  HECATOMB_SHARED(u32, opening);
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_lane = i < task.lane_count;
  PlayoutLane lane;
  if (is_lane) {
    lane = task.lanes[i];
    if (!lane.playing) next_game(task, lane);
  }
  for (u32 turn = 0; turn < task.turns && lane.playing; turn++) {
    play_lane<V, kWhite, repeats>(task, lane, i);
    play_lane<V, kBlack, repeats>(task, lane, i);
  }
  if (threadIdx.x < kLaneSums) sums[threadIdx.x] = 0;
  if (threadIdx.x == 0) opening = lane.opening;
  __syncthreads();
  const u32 common = opening;
  if (is_lane) {
    flush_sums(lane.sums, lane.opening == common ? sums : task.counters.block(lane.opening) + PlayoutCounters::kSums);
    task.lanes[i] = lane;
  }
  const int active = __syncthreads_count(lane.playing ? 1 : 0);
  if (threadIdx.x < kLaneSums)
    add_to(task.counters.block(common)[PlayoutCounters::kSums + threadIdx.x], sums[threadIdx.x]);
  if (threadIdx.x == 0) add_to(*task.active, static_cast<u64>(active));
}

template <class V>
PlayoutLauncher playout_launcher() {
  return [](const Stream& stream, const PlayoutTask& task) {
    const auto kernel = task.rules.draws.repetitions != 0 ? playout_kernel<V, true> : playout_kernel<V, false>;
    launch(stream, task.lane_count, kernel, task);
  };
}

}  // namespace hecatomb::cuda
