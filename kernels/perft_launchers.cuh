// What perft does with one generation of nodes, for one variant: perft.cu calls it, perft_kernels.cuh defines it.
#pragma once
#include "common/variant.h"
#include "kernels/nodes.cuh"

namespace hecatomb::cuda {

/// Leaves below one item: 128 bits, in the words that CUDA's atomics take.
struct Tally {
  unsigned long long low, high;
};

/// Each queues one kernel with `us` to move in the nodes.
struct PerftLaunchers {
  /// counts[i] = legal moves of node i.
  void (*count_moves)(const Stream&, Color us, const Position* nodes, u32 count, u32* counts);
  /// The children of all parents, in order: `offsets` (parents + 1 of them) is the exclusive scan of their counts.
  void (*expand)(const Stream&, Color us, RuleOptions, Nodes parents, const u32* offsets, u32 parent_count,
                 Nodes children);
  /// Adds the leaves 1, 2 or 3 plies below each node, times its weight, to its item's tally.
  void (*tally)(const Stream&, Color us, RuleOptions, int plies, Nodes nodes, u32 count, Tally* tallies);
};

/// Of antichess: suicide's, whose moves are the same.
template <class V>
PerftLaunchers perft_launchers();

}  // namespace hecatomb::cuda
