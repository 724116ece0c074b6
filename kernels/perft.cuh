// Perft on the device in use.
//
// The one idea: the tree is walked breadth first where there is room and depth first where there is not. A generation
// of nodes is expanded chunk by chunk: count the moves of the chunk's nodes, scan the counts, take the largest prefix
// whose children fit into the next generation's buffer, make exactly those, finish everything below them, go on. So
// the sizes are exact, no node is dropped or counted twice, and memory is bounded by depth times the buffer's size,
// however wide the tree is. Two or three plies above the leaves nodes are counted, not expanded. In deep trees, nodes
// that are the same position become one with a weight (merge.cuh), and so do items from the start. While one slice is
// counted the next one is copied.
#pragma once
#include <span>
#include <vector>

#include "kernels/merge.cuh"
#include "kernels/perft_launchers.cuh"

namespace hecatomb::cuda {

/// The largest prefix of a chunk's parents whose children fit into a generation, and how many children those are.
struct Fit {
  u32 parents, children;
};

class PerftRunner {
 public:
  /// `memory_bytes`: how much device memory its buffers may take.
  PerftRunner(u64 memory_bytes, int multiprocessors);

  /// As Engine::perft.
  void run(const PerftWork& work);

 private:
  struct Group;
  struct Slice;

  void prepare(int most_plies);
  std::vector<Slice> cut_into_slices(const PerftWork& work, std::span<const Group> groups) const;
  void upload(const PerftWork& work, const Slice& slice);
  bool run_slice(const PerftWork& work, const Slice& slice, const Slice* next);
  bool merging_pays(const Slice& slice, std::size_t level, int plies) const;
  bool descend(const Slice& slice, std::size_t level, int plies, Color us);
  Fit fit_children(const Slice& slice, const Generation& from, u32 begin, u32 count, Color us);

  u64 memory_bytes_;
  u32 nodes_to_fill_;  ///< of three plies: so many are counted without being expanded, as they keep every lane busy
  u32 capacity_ = 0;   ///< nodes a generation
  Stream stream_, copies_;
  Event uploaded_;
  std::vector<Generation> generations_;
  Generation next_roots_;  ///< of the slice that is counted next
  Merger merger_;
  DeviceBuffer<u32> offsets_;
  DeviceBuffer<Tally> tallies_;
  DeviceBuffer<Fit> fit_;
  PinnedBuffer<Fit> fit_host_;
  PinnedBuffer<Position> positions_host_;
  PinnedBuffer<u32> items_host_;
  PinnedBuffer<unsigned long long> weights_host_;
  PinnedBuffer<Tally> tallies_host_;
  u32 chunk_ = 0;  ///< parents to try next: as many as had children enough to fill a generation last time
};

}  // namespace hecatomb::cuda
