// Nodes of a generation that are the same position of the same item become one, with the sum of their weights.
//
// The one idea: sort by a hash, compare neighbours whole. Two different positions of one hash are never taken for one;
// they may keep two equal ones apart, and then only time is lost.
#pragma once
#include "kernels/nodes.cuh"

namespace hecatomb::cuda {

class Merger {
 public:
  static constexpr u64 kBytesANode = Generation::kBytesANode + sizeof(u64) + 2 * sizeof(u32);

  /// Room for generations of so many nodes.
  void reserve(u32 capacity);
  /// Merges. The nodes come out in another order; their buffers are exchanged with this object's own, which are as
  /// large.
  void merge(const Stream& stream, Generation& generation);

 private:
  Generation merged_;
  DeviceBuffer<u64> keys_;
  DeviceBuffer<u32> order_, slots_;
  PinnedBuffer<u32> size_;
};

}  // namespace hecatomb::cuda
