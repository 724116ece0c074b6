// Perft's kernels, templates on the variant and the side to move; perft_VARIANT.cu instantiates them, a file a variant
// so that they compile side by side.
//
// The one idea: a thread does with one node what the CPU does with one lane. Two plies above the leaves it counts most
// moves together with all replies (common/two_plies.h) and makes the few that are left over, one by one. Further up a
// thread makes one child: it looks up which parent and which of its moves that is, so that threads have equal work and
// children are written side by side.
#pragma once
#include "common/pick_move.h"
#include "common/two_plies.h"
#include "kernels/perft_launchers.cuh"

namespace hecatomb::cuda {

inline constexpr unsigned kAllLanes = 0xffffffff;

__device__ inline u32 thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// A sum of 128 bits, in the words that CUDA's atomics take.
struct Sum {
  unsigned long long low, high;
  __device__ void add(unsigned long long more_low, unsigned long long more_high) {
    low += more_low;
    high += more_high + (low < more_low);
  }
};

/// Adds to a tally. Every carry out of the low word is seen by the thread whose addition makes it.
__device__ inline void add_to_tally(Tally& tally, Sum sum) {
  const unsigned long long before = atomicAdd(&tally.low, sum.low);
  if (before + sum.low < before) sum.high++;
  if (sum.high != 0) atomicAdd(&tally.high, sum.high);
}

/// The same for a whole warp, every lane of which must call it, with nothing to add where it has no node (`item` is
/// then that of any other). Lanes of one item, which is nearly always all of them, add up first.
__device__ inline void add_to_tallies(Tally* tallies, u32 item, Sum sum) {
  const bool one_item = __match_any_sync(kAllLanes, item) == kAllLanes;
  if (__all_sync(kAllLanes, one_item)) {
    for (int distance = 16; distance > 0; distance /= 2) {
      const unsigned long long low = __shfl_xor_sync(kAllLanes, sum.low, distance);
      sum.add(low, __shfl_xor_sync(kAllLanes, sum.high, distance));
    }
    if (threadIdx.x % 32 != 0) return;
  }
  if ((sum.low | sum.high) != 0) add_to_tally(tallies[item], sum);
}

template <class V, Color us>
__global__ void __launch_bounds__(kBlockThreads) count_moves_kernel(const Position* nodes, u32 count, u32* counts) {
  const u32 i = thread_number();
  if (i < count) counts[i] = static_cast<u32>(count_moves<V, us>(board_of(nodes[i])));
}

/// What the lanes of a warp share: each brings the moves of one node, and then each takes every 32nd of all these
/// moves, so that no lane idles while another has many. In shared memory.
struct WarpMoves {
  /// An odd number of words, so that lanes that read the same word of 32 different ones use 32 different banks.
  struct Lane {
    Reach<u64> moves;
    u32 first;  ///< how many moves the lanes before have
    u32 unused;
  } lane[32];
  unsigned long long leaves[32];  ///< below each lane's node
  static_assert(sizeof(Lane) / 8 % 2 == 1);

  /// The lane that has move n of all.
  __device__ u32 lane_of_move(u32 n) const {
    u32 found = 0;
    HECATOMB_UNROLL
    for (u32 step = 16; step != 0; step /= 2) {
      if (lane[found + step].first <= n) found += step;
    }
    return found;
  }

  /// Shares out the moves: called by all lanes once their sets are written, each with the number of its own; returns
  /// how many there are.
  __device__ u32 share_out(u32 own) {
    const u32 me = threadIdx.x % 32;
    u32 end = own;  // inclusive scan
    HECATOMB_UNROLL
    for (u32 distance = 1; distance < 32; distance *= 2) {
      const u32 below = __shfl_up_sync(kAllLanes, end, distance);
      if (me >= distance) end += below;
    }
    lane[me].first = end - own;
    leaves[me] = 0;
    const u32 all = __shfl_sync(kAllLanes, end, 31);
    __syncwarp();
    return all;
  }

  /// The position after move n of lane `whose`, which has the node `p`.
  template <class V, Color us>
  __device__ Position child(const Position& p, u32 whose, u32 n, RuleOptions options) const {
    const Move move = pick_move<V, us>(p, lane[whose].moves, n - lane[whose].first);
    return make<V, us>(p, move, options);
  }
};

/// A block is two warps: what they share in the largest kernel is just below the 48 KB that every device has.
inline constexpr unsigned kWarpsOfBlock = kBlockThreads / 32;

/// A thread brings a parent.
template <class V, Color us>
__global__ void __launch_bounds__(kBlockThreads)
    expand_kernel(Nodes parents, const u32* offsets, u32 parent_count, RuleOptions options, Nodes children) {
  HECATOMB_SHARED(WarpMoves[kWarpsOfBlock], of_warp);
  WarpMoves& warp = of_warp[threadIdx.x / 32];
  const u32 i = thread_number(), me = threadIdx.x % 32, first_parent = i - me;
  if (first_parent >= parent_count) return;  // a whole warp
  u32 own = 0;
  if (i < parent_count) {
    warp.lane[me].moves = reach_of<V, us>(board_of(parents.positions[i]));
    own = offsets[i + 1] - offsets[i];
  }
  const u32 all = warp.share_out(own), first_child = offsets[first_parent];
  HECATOMB_NO_UNROLL
  for (u32 n = me; n < all; n += 32) {
    const u32 whose = warp.lane_of_move(n);
    children.positions[first_child + n] =
        warp.template child<V, us>(parents.positions[first_parent + whose], whose, n, options);
    children.items[first_child + n] = parents.items[first_parent + whose];
    children.weights[first_child + n] = parents.weights[first_parent + whose];
  }
}

/// The leaves two plies below the nodes of a warp, a lane a node, where `here`; all lanes call it.
template <class V, Color us>
__device__ u64 two_plies_below(bool here, const Position* nodes, WarpMoves& warp, RuleOptions options) {
  const u32 me = threadIdx.x % 32;
  u64 leaves = 0;
  SizeOfSets<V> left_over;
  if (here) {
    leaves = count_two_plies<V, us>(board_of(nodes[me]), warp.lane[me].moves);
    for_each_set<us>(warp.lane[me].moves, left_over);
  }
  const u32 all = warp.share_out(static_cast<u32>(left_over.moves));
  HECATOMB_NO_UNROLL
  for (u32 n = me; n < all; n += 32) {
    const u32 whose = warp.lane_of_move(n);
    const Position child = warp.template child<V, us>(nodes[whose], whose, n, options);
    atomicAdd(&warp.leaves[whose], count_moves<V, other(us)>(board_of(child)));
  }
  __syncwarp();
  leaves += warp.leaves[me];
  __syncwarp();  // before somebody uses `warp` again
  return leaves;
}

/// The leaves three plies below: the children are made in shared memory, 32 at a time, and never written elsewhere.
template <class V, Color us>
__device__ u64 three_plies_below(bool here, const Position* nodes, WarpMoves& warp, WarpMoves& below,
                                 Position* children, RuleOptions options) {
  const u32 me = threadIdx.x % 32;
  SizeOfSets<V> moves;
  if (here) {
    warp.lane[me].moves = reach_of<V, us>(board_of(nodes[me]));
    for_each_set<us>(warp.lane[me].moves, moves);
  }
  const u32 all = warp.share_out(static_cast<u32>(moves.moves));
  HECATOMB_NO_UNROLL
  for (u32 begin = 0; begin < all; begin += 32) {
    const u32 n = begin + me, whose = warp.lane_of_move(n);
    if (n < all) children[me] = warp.template child<V, us>(nodes[whose], whose, n, options);
    __syncwarp();
    const u64 leaves = two_plies_below<V, other(us)>(n < all, children, below, options);
    if (n < all) atomicAdd(&warp.leaves[whose], leaves);
  }
  __syncwarp();
  return warp.leaves[me];
}

template <class V, Color us, int plies>
__global__ void __launch_bounds__(kBlockThreads)
    tally_kernel(Nodes nodes, u32 count, RuleOptions options, Tally* tallies) {
  const u32 i = thread_number(), first = i - threadIdx.x % 32;
  if (first >= count) return;  // a whole warp
  const bool here = i < count;
  u64 leaves = 0;
  if constexpr (plies == 1) {
    if (here) leaves = count_moves<V, us>(board_of(nodes.positions[i]));
  } else if constexpr (plies == 2) {
    HECATOMB_SHARED(WarpMoves[kWarpsOfBlock], of_warp);
    leaves = two_plies_below<V, us>(here, nodes.positions + first, of_warp[threadIdx.x / 32], options);
  } else {
    HECATOMB_SHARED(WarpMoves[kWarpsOfBlock], of_warp);
    HECATOMB_SHARED(WarpMoves[kWarpsOfBlock], below);
    HECATOMB_SHARED(Position[kBlockThreads], children);
    const u32 warp = threadIdx.x / 32;
    leaves = three_plies_below<V, us>(here, nodes.positions + first, of_warp[warp], below[warp], children + 32 * warp,
                                      options);
  }
  const u32 node = here ? i : count - 1;
  const u64 weight = nodes.weights[node];
  add_to_tallies(tallies, nodes.items[node], {leaves * weight, mulhi(leaves, weight)});
}

template <class V, Color us>
void launch_tally(const Stream& stream, RuleOptions options, int plies, Nodes nodes, u32 count, Tally* tallies) {
  if (plies == 1) {
    launch(stream, count, tally_kernel<V, us, 1>, nodes, count, options, tallies);
  } else if (plies == 2) {
    launch(stream, count, tally_kernel<V, us, 2>, nodes, count, options, tallies);
  } else {
    launch(stream, count, tally_kernel<V, us, 3>, nodes, count, options, tallies);
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
                        u32 parent_count, Nodes children) {
    launch(stream, parent_count, us == kWhite ? expand_kernel<V, kWhite> : expand_kernel<V, kBlack>, parents, offsets,
           parent_count, options, children);
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
