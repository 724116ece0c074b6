// Perft's kernels, templates on the variant and the side to move; perft_VARIANT.cu instantiates them, a file a variant
// so that they compile side by side.
//
// The one idea: a thread does with one node what the CPU does with one lane. Two plies above the leaves it counts most
// moves together with all replies (common/two_plies.h) and makes the few that are left over, one by one. Further up a
// thread makes one child: it looks up which parent and which of its moves that is, so that threads have equal work and
// children are written side by side.
#pragma once
#include "common/movegen.h"
#include "common/two_plies.h"
#include "kernels/perft_launchers.cuh"

namespace hecatomb::cuda {

inline constexpr unsigned kAllLanes = 0xffffffff;

__device__ inline u32 thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Adds to a 128-bit tally. Every carry out of the low word is seen by the thread whose addition makes it.
__device__ inline void add_to_tally(Tally& tally, unsigned long long leaves) {
  const unsigned long long before = atomicAdd(&tally.low, leaves);
  if (before + leaves < before) atomicAdd(&tally.high, 1ULL);
}

/// The same for a whole warp, every lane of which must call it, with nothing to add where it has no node (`item` is
/// then that of any other). Lanes of one item, which is nearly always all of them, add up first.
__device__ inline void add_to_tallies(Tally* tallies, u32 item, unsigned long long leaves) {
  const bool one_item = __match_any_sync(kAllLanes, item) == kAllLanes;
  if (__all_sync(kAllLanes, one_item)) {
    for (int distance = 16; distance > 0; distance /= 2) leaves += __shfl_xor_sync(kAllLanes, leaves, distance);
    if (threadIdx.x % 32 != 0) return;
  }
  if (leaves != 0) add_to_tally(tallies[item], leaves);
}

template <class V, Color us>
__global__ void __launch_bounds__(kBlockThreads) count_moves_kernel(const Position* nodes, u32 count, u32* counts) {
  const u32 i = thread_number();
  if (i < count) counts[i] = static_cast<u32>(count_moves<V, us>(board_of(nodes[i])));
}

/// The parent of a child: the last one whose children begin at `child` or before.
__device__ inline u32 parent_of(u32 child, const u32* offsets, u32 parents) {
  u32 low = 0, high = parents;  // offsets[low] <= child < offsets[high]
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    if (offsets[middle] <= child) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class V, Color us>
__global__ void __launch_bounds__(kBlockThreads) expand_kernel(Nodes parents, const u32* offsets, u32 parent_count,
                                                               u32 child_count, RuleOptions options, Nodes children) {
  const u32 i = thread_number();
  if (i >= child_count) return;
  const u32 parent = parent_of(i, offsets, parent_count);
  const Position p = parents.positions[parent];
  const Move move = nth_move<V, us>(p, static_cast<int>(i - offsets[parent]));
  children.positions[i] = make<V, us>(p, move, options);
  children.items[i] = parents.items[parent];
}

/// A sink for for_each_set: how many moves the sets hold.
template <class V>
struct SizeOfSets {
  int moves = 0;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    moves += popcount(targets);
    if (kind == SetKind::pawn) moves += (kPromotionChoices<V> - 1) * popcount(targets & kLastRanks);
    return false;
  }
};

/// What one lane shares with its warp: the moves of its node that are left over, and the leaves below them. An odd
/// number of words, so that 32 lanes that read the same word of theirs read from 32 different banks.
struct LeftOver {
  Reach<u64> moves;
  u32 first;   ///< how many moves the lanes before have
  u32 leaves;  ///< at most kMaxMoves squared
};
static_assert(sizeof(LeftOver) / 8 % 2 == 1);

/// The lane that has the n-th of a warp's moves.
__device__ inline u32 lane_of_move(const LeftOver* lanes, u32 n) {
  u32 lane = 0;
  for (u32 step = 16; step != 0; step /= 2) {
    if (lanes[lane + step].first <= n) lane += step;
  }
  return lane;
}

/// Counts two plies below the nodes of a warp, a lane a node; lanes without one have `mine` null.
template <class V, Color us>
__device__ u64 two_plies_below(const Position* mine, const Position* nodes, LeftOver* lanes, RuleOptions options) {
  const u32 lane = threadIdx.x % 32;
  u64 leaves = 0;
  SizeOfSets<V> own;
  if (mine != nullptr) {
    leaves = count_two_plies<V, us>(board_of(*mine), lanes[lane].moves);
    for_each_set<us>(lanes[lane].moves, own);
  }
  u32 end = static_cast<u32>(own.moves);  // inclusive scan
  HECATOMB_UNROLL
  for (u32 distance = 1; distance < 32; distance *= 2) {
    const u32 below = __shfl_up_sync(kAllLanes, end, distance);
    if (lane >= distance) end += below;
  }
  lanes[lane].first = end - static_cast<u32>(own.moves);
  lanes[lane].leaves = 0;
  const u32 all = __shfl_sync(kAllLanes, end, 31);
  __syncwarp();
  HECATOMB_NO_UNROLL
  for (u32 n = lane; n < all; n += 32) {
    const u32 whose = lane_of_move(lanes, n);
    const Position p = nodes[whose];
    NthMove<V> chosen{p.occupied(), lanes[whose].moves.ep_west | lanes[whose].moves.ep_east,
                      static_cast<int>(n - lanes[whose].first)};
    for_each_set<us>(lanes[whose].moves, chosen);
    const u64 replies = count_moves<V, other(us)>(board_of(make<V, us>(p, chosen.found, options)));
    atomicAdd(&lanes[whose].leaves, static_cast<u32>(replies));
  }
  __syncwarp();
  return leaves + lanes[lane].leaves;
}

template <class V, Color us, int plies>
__global__ void __launch_bounds__(kBlockThreads)
    tally_kernel(Nodes nodes, u32 count, RuleOptions options, Tally* tallies) {
  const u32 i = thread_number();
  const u32 item = nodes.items[i < count ? i : count - 1];
  u64 leaves = 0;
  if constexpr (plies == 1) {
    if (i < count) leaves = count_moves<V, us>(board_of(nodes.positions[i]));
  } else {
    HECATOMB_SHARED(LeftOver[kBlockThreads], left_over);
    LeftOver* const lanes = left_over + threadIdx.x / 32 * 32;
    leaves = two_plies_below<V, us>(i < count ? nodes.positions + i : nullptr, nodes.positions + (i - threadIdx.x % 32),
                                    lanes, options);
  }
  add_to_tallies(tallies, item, leaves);
}

template <class V, Color us>
void launch_tally(const Stream& stream, RuleOptions options, int plies, Nodes nodes, u32 count, Tally* tallies) {
  if (plies == 1) {
    launch(stream, count, tally_kernel<V, us, 1>, nodes, count, options, tallies);
  } else {
    launch(stream, count, tally_kernel<V, us, 2>, nodes, count, options, tallies);
  }
}

template <class V>
PerftLaunchers perft_launchers() {
  PerftLaunchers launchers{};
  launchers.count_moves = [](const Stream& stream, Color us, const Position* nodes, u32 count, u32* counts) {
    launch(stream, count, us == kWhite ? count_moves_kernel<V, kWhite> : count_moves_kernel<V, kBlack>, nodes, count,
           counts);
  };
  launchers.expand = [](const Stream& stream, Color us, RuleOptions options, Nodes parents, const u32* offsets,
                        u32 parent_count, u32 child_count, Nodes children) {
    launch(stream, child_count, us == kWhite ? expand_kernel<V, kWhite> : expand_kernel<V, kBlack>, parents, offsets,
           parent_count, child_count, options, children);
  };
  launchers.tally = [](const Stream& stream, Color us, RuleOptions options, int plies, Nodes nodes, u32 count,
                       Tally* tallies) {
    if (us == kWhite) {
      launch_tally<V, kWhite>(stream, options, plies, nodes, count, tallies);
    } else {
      launch_tally<V, kBlack>(stream, options, plies, nodes, count, tallies);
    }
  };
  return launchers;
}

}  // namespace hecatomb::cuda
