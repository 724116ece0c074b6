// Random games on the device in use.
//
// The one idea: as many lanes as the device keeps resident share out the games of a slice among them and are launched
// again and again, for some plies each, until none is left (playout_kernels.cuh). What lanes have in hand stays on the
// device between launches; the counters of a slice come back when it is over.
#pragma once
#include <vector>

#include "kernels/playout_launchers.cuh"

namespace hecatomb::cuda {

class PlayoutRunner {
 public:
  /// `memory_bytes`: how much device memory its buffers may take; `multiprocessors` of the device; `key_bits` as in
  /// EngineOptions.
  PlayoutRunner(u64 memory_bytes, int multiprocessors, int key_bits);

  /// As Engine::playout.
  void run(const PlayoutWork& work);

 private:
  struct Shape;

  Shape shape_for(const PlayoutWork& work) const;
  bool run_slice(const PlayoutWork& work, const Shape& shape, std::size_t begin, std::size_t end);

  u64 memory_bytes_;
  u32 most_lanes_;
  int key_bits_;
  Stream stream_;
  DeviceBuffer<PlayoutLane> lanes_;
  DeviceBuffer<u64> keys_;
  DeviceBuffer<PlayoutOpening> openings_;
  DeviceBuffer<Counter> counters_, progress_;
  PinnedBuffer<PlayoutOpening> openings_host_;
  PinnedBuffer<Counter> counters_host_, progress_host_;
};

}  // namespace hecatomb::cuda
