#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "common/horde.h"
#include "common/move.h"
#include "kernels/algorithms.cuh"
#include "kernels/perft.cuh"

namespace hecatomb::cuda {

extern template PerftLaunchers perft_launchers<Suicide>();
extern template PerftLaunchers perft_launchers<Losers>();
extern template PerftLaunchers perft_launchers<Horde>();
extern template PerftLaunchers perft_launchers<Chess>();

namespace {

constexpr u32 kMostNodes = u32{1} << 22;  // a generation: enough to fill any device, and sums of moves fit 32 bits
static_assert(u64{kMostNodes} * kMaxMoves <= 0xffffffff);
constexpr u32 kThreadsOfMultiprocessor = 256;  // as many of the largest kernel's as its registers allow
constexpr u32 kMostItems = u32{1} << 18;       // a slice

// Merging pays where transpositions are and much is saved by each: so many plies below the items and above the leaves,
// and only in trees that are large. Deeper than kMergeTo weights could pass 64 bits.
constexpr int kMergeFrom = 3, kMergeTo = 6, kMergeAbove = 3;
constexpr u32 kMergeNodesAnItem = 256;
static_assert(kMaxMoves <= 1024 && kMergeTo * 10 < 64);

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

bool is_set(const std::atomic<bool>* flag) { return flag != nullptr && flag->load(std::memory_order_relaxed); }

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

/// Items of one position and depth: counted once.
struct PerftRunner::Group {
  std::span<const std::size_t> items;
};

/// Groups of one depth and one side to move.
struct PerftRunner::Slice {
  PerftLaunchers launchers;
  RuleOptions options;
  const std::atomic<bool>* stop;
  std::span<const Group> groups;
  int plies;
  Color us;
};

PerftRunner::PerftRunner(u64 memory_bytes, int multiprocessors)
    : memory_bytes_(memory_bytes), nodes_to_fill_(static_cast<u32>(multiprocessors) * kThreadsOfMultiprocessor) {}

/// Buffers for trees of so many plies; those that are there are kept if they do.
void PerftRunner::prepare(int most_plies) {
  const u64 generations = generations_of(most_plies);
  if (generations <= generations_.size()) return;
  generations_.clear();
  offsets_.reset();
  tallies_.reset();
  next_roots_ = {};
  merger_ = {};
  const u64 bytes_a_node =
      (generations + 1) * Generation::kBytesANode + Merger::kBytesANode + sizeof(u32) + sizeof(Tally);
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
  for (Generation& generation : fresh) generation.reserve(capacity_);
  next_roots_.reserve(capacity_);
  merger_.reserve(capacity_);
  offsets_.reserve(std::size_t{capacity_} + 1);
  tallies_.reserve(capacity_);
  fit_.reserve(1);
  fit_host_.reserve(1);
  generations_ = std::move(fresh);  // last: buffers that are not all there do not count
}

void PerftRunner::run(const PerftWork& work) {
  std::vector<std::size_t> order(work.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  constexpr std::size_t identity_bytes = offsetof(Position, halfmove);
  const auto compare = [&](std::size_t a, std::size_t b) {
    if (work.depths[a] != work.depths[b]) return work.depths[a] - work.depths[b];
    const Position &p = work.positions[a], &q = work.positions[b];
    if (p.side != q.side) return p.side - q.side;
    return std::memcmp(&p, &q, identity_bytes);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });

  std::size_t begin = 0;
  for (; begin < order.size() && work.depths[order[begin]] == 0; begin++) {
    if (is_set(work.stop)) return;
    work.done(order[begin], {1, 0});
  }
  std::vector<Group> groups;
  while (begin < order.size()) {
    std::size_t end = begin + 1;
    while (end < order.size() && compare(order[begin], order[end]) == 0) end++;
    groups.push_back({std::span(order).subspan(begin, end - begin)});
    begin = end;
  }
  if (groups.empty()) return;
  prepare(work.depths[order.back()]);
  const std::vector<Slice> slices = cut_into_slices(work, groups);
  upload(work, slices.front());
  for (std::size_t i = 0; i < slices.size(); i++) {
    if (is_set(work.stop) || !run_slice(work, slices[i], i + 1 < slices.size() ? &slices[i + 1] : nullptr)) break;
  }
  copies_.synchronize();
}

std::vector<PerftRunner::Slice> PerftRunner::cut_into_slices(const PerftWork& work,
                                                             std::span<const Group> groups) const {
  const auto plies = [&](const Group& group) { return work.depths[group.items.front()]; };
  const auto us = [&](const Group& group) { return work.positions[group.items.front()].us(); };
  std::vector<Slice> slices;
  for (std::size_t begin = 0, end = 0; begin < groups.size(); begin = end) {
    Slice slice{launchers_for(work.variant), work.options, work.stop, {}, plies(groups[begin]), us(groups[begin])};
    const std::size_t most = std::min(groups.size(), begin + items_of_slice(capacity_, slice.plies));
    while (end < most && plies(groups[end]) == slice.plies && us(groups[end]) == slice.us) end++;
    slice.groups = groups.subspan(begin, end - begin);
    slices.push_back(slice);
  }
  return slices;
}

/// Queues the copy of a slice's positions to next_roots_, whose former use is over.
void PerftRunner::upload(const PerftWork& work, const Slice& slice) {
  const std::size_t count = slice.groups.size();
  copies_.synchronize();
  positions_host_.reserve(count);
  items_host_.reserve(count);
  weights_host_.reserve(count);
  for (std::size_t i = 0; i < count; i++) {
    positions_host_.data()[i] = work.positions[slice.groups[i].items.front()];
    items_host_.data()[i] = static_cast<u32>(i);
    weights_host_.data()[i] = 1;
  }
  copy_to_device(copies_, next_roots_.positions.data(), positions_host_.data(), count);
  copy_to_device(copies_, next_roots_.items.data(), items_host_.data(), count);
  copy_to_device(copies_, next_roots_.weights.data(), weights_host_.data(), count);
  next_roots_.size = static_cast<u32>(count);
  uploaded_.record(copies_);
}

/// Counts the slice that was uploaded, while the next one is. False if it was stopped.
bool PerftRunner::run_slice(const PerftWork& work, const Slice& slice, const Slice* next) {
  const std::size_t count = slice.groups.size();
  uploaded_.hold(stream_);
  std::swap(generations_[0], next_roots_);
  if (next != nullptr) upload(work, *next);
  clear(stream_, tallies_.data(), count);
  const bool complete = descend(slice, 0, slice.plies, slice.us);
  tallies_host_.reserve(count);
  copy_to_host(stream_, tallies_host_.data(), tallies_.data(), count);
  stream_.synchronize();
  if (!complete) return false;
  for (std::size_t i = 0; i < count; i++) {
    const Tally& tally = tallies_host_.data()[i];
    for (const std::size_t item : slice.groups[i].items) work.done(item, {tally.low, tally.high});
  }
  return true;
}

/// Whether the nodes `level` plies below the items, `plies` above the leaves, are merged.
bool PerftRunner::merging_pays(const Slice& slice, std::size_t level, int plies) const {
  const int below_items = static_cast<int>(level);
  return below_items >= kMergeFrom && below_items <= kMergeTo && plies >= kMergeAbove &&
         generations_[level].size / slice.groups.size() >= kMergeNodesAnItem;
}

/// Queues all that is below the nodes of a generation. False if it was stopped.
bool PerftRunner::descend(const Slice& slice, std::size_t level, int plies, Color us) {
  const Generation& here = generations_[level];
  if (plies <= 2 || (plies == 3 && here.size >= nodes_to_fill_)) {
    slice.launchers.tally(stream_, us, slice.options, plies, here.nodes(), here.size, tallies_.data());
    return true;
  }
  Generation& below = generations_[level + 1];
  for (u32 begin = 0; begin < here.size;) {
    if (is_set(slice.stop)) return false;
    const u32 count = std::min(here.size - begin, chunk_);
    const Fit fit = fit_children(slice, here, begin, count, us);
    slice.launchers.expand(stream_, us, slice.options, here.nodes(begin), offsets_.data(), fit.parents, below.nodes());
    below.size = fit.children;
    if (merging_pays(slice, level + 1, plies - 1)) merger_.merge(stream_, below);
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
