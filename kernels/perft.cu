#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "common/horde.h"
#include "common/move.h"
#include "kernels/perft.cuh"
#include "kernels/scan.cuh"

namespace hecatomb::cuda {

extern template PerftLaunchers perft_launchers<Suicide>();
extern template PerftLaunchers perft_launchers<Losers>();
extern template PerftLaunchers perft_launchers<Horde>();
extern template PerftLaunchers perft_launchers<Chess>();

namespace {

constexpr u32 kMostNodes = u32{1} << 22;  // a generation: enough to fill any device, and sums of moves fit 32 bits
static_assert(u64{kMostNodes} * kMaxMoves <= 0xffffffff);
constexpr u32 kNodesToFill = 4096;        // of three plies, counted without expanding them: each keeps a lane busy
constexpr u32 kMostItems = u32{1} << 18;  // a slice

PerftLaunchers launchers_for(VariantId variant) {
  switch (variant) {
    case VariantId::antichess:
    case VariantId::suicide:
      return perft_launchers<Suicide>();
    case VariantId::losers:
      return perft_launchers<Losers>();
    case VariantId::horde:
      return perft_launchers<Horde>();
    case VariantId::chess:
      break;
  }
  return perft_launchers<Chess>();
}

/// Generations of a tree: the root's, and one a ply down to two plies above the leaves.
constexpr u64 generations_of(int plies) { return plies <= 2 ? 1 : static_cast<u64>(plies) - 1; }

/// Items whose trees are finished before anything is reported: fewer the deeper they are, so that reports keep coming.
u32 items_of_slice(u32 capacity, int plies) {
  u32 items = std::min(capacity, kMostItems);
  for (int d = 3; d < plies && items > 1; d++) items = std::max(items / 16, 1u);
  return items;
}

/// One thread: offsets are sorted.
__global__ void fit_kernel(const u32* offsets, u32 parents, u32 capacity, Fit* fit) {
  if (blockIdx.x * blockDim.x + threadIdx.x != 0) return;
  u32 low = 0, high = parents + 1;  // offsets[low] <= capacity, and beyond high they are not
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    if (offsets[middle] <= capacity) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *fit = {low, offsets[low]};
}

}  // namespace

/// Items of one depth and one side to move.
struct PerftRunner::Slice {
  PerftLaunchers launchers;
  RuleOptions options;
  const std::atomic<bool>* stop;
  std::span<const std::size_t> items;
  int plies;
  Color us;
};

/// Buffers for trees of so many plies; those that are there are kept if they do.
void PerftRunner::prepare(int most_plies) {
  const u64 generations = generations_of(most_plies);
  if (generations <= generations_.size()) return;
  generations_.clear();
  offsets_.reset();
  tallies_.reset();
  const u64 bytes_a_node = generations * (sizeof(Position) + sizeof(u32)) + sizeof(u32) + sizeof(Tally);
  const u64 nodes = memory_bytes_ / bytes_a_node;
  if (nodes < kMaxMoves + 1) {
    throw Error(Problem::out_of_memory, "perft of " + std::to_string(most_plies) + " plies needs at least " +
                                            std::to_string((kMaxMoves + 1) * bytes_a_node) +
                                            " bytes of device memory, and " + std::to_string(memory_bytes_) +
                                            " may be used");
  }
  capacity_ = static_cast<u32>(std::min<u64>(nodes - 1, kMostNodes));
  chunk_ = std::max(capacity_ / 32, 1u);
  std::vector<Generation> fresh(generations);
  for (Generation& generation : fresh) {
    generation.positions.reserve(capacity_);
    generation.items.reserve(capacity_);
  }
  offsets_.reserve(std::size_t{capacity_} + 1);
  tallies_.reserve(capacity_);
  fit_.reserve(1);
  fit_host_.reserve(1);
  generations_ = std::move(fresh);  // last: buffers that are not all there do not count
}

void PerftRunner::run(const PerftWork& work) {
  std::vector<std::size_t> order(work.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return 2 * static_cast<std::size_t>(work.depths[i]) + work.positions[i].side; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  const auto stopped = [&] { return work.stop != nullptr && work.stop->load(std::memory_order_relaxed); };

  std::size_t begin = 0;
  for (; begin < order.size() && work.depths[order[begin]] == 0; begin++) {
    if (stopped()) return;
    work.done(order[begin], {1, 0});
  }
  if (begin == order.size()) return;
  prepare(work.depths[order.back()]);
  Slice slice{launchers_for(work.variant), work.options, work.stop, {}, 0, kWhite};
  while (begin < order.size() && !stopped()) {
    slice.plies = work.depths[order[begin]];
    slice.us = work.positions[order[begin]].us();
    const std::size_t most = begin + items_of_slice(capacity_, slice.plies);
    std::size_t end = begin;
    while (end < order.size() && end < most && key(order[end]) == key(order[begin])) end++;
    slice.items = std::span(order).subspan(begin, end - begin);
    if (!run_slice(work, slice)) return;
    begin = end;
  }
}

/// False if it was stopped.
bool PerftRunner::run_slice(const PerftWork& work, const Slice& slice) {
  const std::size_t count = slice.items.size();
  Generation& roots = generations_[0];
  positions_host_.reserve(count);
  items_host_.reserve(count);
  tallies_host_.reserve(count);
  for (std::size_t i = 0; i < count; i++) {
    positions_host_.data()[i] = work.positions[slice.items[i]];
    items_host_.data()[i] = static_cast<u32>(i);
  }
  copy_to_device(stream_, roots.positions.data(), positions_host_.data(), count);
  copy_to_device(stream_, roots.items.data(), items_host_.data(), count);
  clear(stream_, tallies_.data(), count);
  roots.size = static_cast<u32>(count);
  const bool complete = descend(slice, 0, slice.plies, slice.us);
  copy_to_host(stream_, tallies_host_.data(), tallies_.data(), count);
  stream_.synchronize();
  if (!complete) return false;
  for (std::size_t i = 0; i < count; i++) {
    const Tally& tally = tallies_host_.data()[i];
    work.done(slice.items[i], {tally.low, tally.high});
  }
  return true;
}

/// Queues all that is below the nodes of a generation. False if it was stopped.
bool PerftRunner::descend(const Slice& slice, std::size_t level, int plies, Color us) {
  const Generation& here = generations_[level];
  if (plies <= 2 || (plies == 3 && here.size >= kNodesToFill)) {
    slice.launchers.tally(stream_, us, slice.options, plies, here.nodes(), here.size, tallies_.data());
    return true;
  }
  Generation& below = generations_[level + 1];
  for (u32 begin = 0; begin < here.size;) {
    if (slice.stop != nullptr && slice.stop->load(std::memory_order_relaxed)) return false;
    const u32 count = std::min(here.size - begin, chunk_);
    const Fit fit = fit_children(slice, here, begin, count, us);
    const Nodes parents{here.positions.data() + begin, here.items.data() + begin};
    slice.launchers.expand(stream_, us, slice.options, parents, offsets_.data(), fit.parents, below.nodes());
    below.size = fit.children;
    begin += fit.parents;
    const u64 filling = u64{capacity_} * fit.parents / std::max(fit.children, 1u);
    chunk_ = static_cast<u32>(std::clamp<u64>(filling, 1, capacity_));
    if (fit.children != 0 && !descend(slice, level + 1, plies - 1, other(us))) return false;
  }
  return true;
}

/// Leaves the scan of the parents' numbers of moves in offsets_. At least one parent fits: kMaxMoves do.
Fit PerftRunner::fit_children(const Slice& slice, const Generation& from, u32 begin, u32 count, Color us) {
  slice.launchers.count_moves(stream_, us, from.positions.data() + begin, count, offsets_.data());
  clear(stream_, offsets_.data() + count, 1);
  exclusive_scan(stream_, offsets_.data(), std::size_t{count} + 1);
  launch(stream_, 1, fit_kernel, offsets_.data(), count, capacity_, fit_.data());
  copy_to_host(stream_, fit_host_.data(), fit_.data(), 1);
  stream_.synchronize();
  return *fit_host_.data();
}

}  // namespace hecatomb::cuda
