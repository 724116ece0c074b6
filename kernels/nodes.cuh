// Nodes of a tree on the device: what perft's kernels take and what merging changes.
#pragma once
#include "common/position.h"
#include "kernels/runtime.cuh"

namespace hecatomb::cuda {

/// Nodes of one generation on the device: all with the same side to move and as many plies above the leaves.
struct Nodes {
  Position* positions;
  u32* items;  ///< which item of the slice each belongs to
  /// How many paths lead to it from the item's position; the type that CUDA's atomics take.
  unsigned long long* weights;
};

/// The buffers of a generation.
struct Generation {
  DeviceBuffer<Position> positions;
  DeviceBuffer<u32> items;
  DeviceBuffer<unsigned long long> weights;
  u32 size = 0;

  static constexpr u64 kBytesANode = sizeof(Position) + sizeof(u32) + sizeof(u64);
  void reserve(u32 capacity) {
    positions.reserve(capacity);
    items.reserve(capacity);
    weights.reserve(capacity);
  }
  Nodes nodes(u32 from = 0) const { return {positions.data() + from, items.data() + from, weights.data() + from}; }
};

}  // namespace hecatomb::cuda
