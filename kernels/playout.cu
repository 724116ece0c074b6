#include <algorithm>

#include "common/horde.h"
#include "kernels/playout.cuh"

namespace hecatomb::cuda {

extern template PlayoutLauncher playout_launcher<Antichess>();
extern template PlayoutLauncher playout_launcher<Suicide>();
extern template PlayoutLauncher playout_launcher<Losers>();
extern template PlayoutLauncher playout_launcher<Horde>();
extern template PlayoutLauncher playout_launcher<Chess>();

namespace {

constexpr u32 kLanesAMultiprocessor = 4 * kBlockThreads;  // what 234 registers a thread allow
constexpr u32 kLeastLanes = 32;
constexpr u32 kTurns = 1024;  // of a launch: some tenths of a second, and a stop is heard between two
constexpr u64 kMostCounterBytes = u64{256} << 20;  // of a slice; the host has them, too

}  // namespace

/// How the memory is shared out for a batch.
struct PlayoutRunner::Shape {
  u32 lanes;
  u64 keys_a_lane;
  std::size_t openings;  ///< of a slice
};

PlayoutRunner::PlayoutRunner(u64 memory_bytes, int multiprocessors, int key_bits)
    : memory_bytes_(memory_bytes),
      most_lanes_(static_cast<u32>(multiprocessors) * kLanesAMultiprocessor),
      key_bits_(key_bits) {}

/// Lanes take half of the memory at most, and counters of as many openings as there is room for the rest.
PlayoutRunner::Shape PlayoutRunner::shape_for(const PlayoutWork& work) const {
  Shape shape{};
  shape.keys_a_lane = work.rules.draws.repetitions != 0 ? most_reversible_positions(work.rules) : 0;
  const u64 bytes_a_lane = sizeof(PlayoutLane) + shape.keys_a_lane * sizeof(u64);
  const u64 bytes_an_opening =
      sizeof(PlayoutOpening) + PlayoutCounters::size(work.rules.max_plies, work.by_ply) * sizeof(Counter);
  const u64 lanes = std::min<u64>(most_lanes_, memory_bytes_ / 2 / bytes_a_lane) / kLeastLanes * kLeastLanes;
  shape.lanes = static_cast<u32>(lanes);
  const u64 rest = memory_bytes_ - lanes * bytes_a_lane;
  shape.openings = std::min(rest, kMostCounterBytes) / bytes_an_opening;
  if (shape.lanes == 0 || shape.openings == 0) {
    throw Error(Problem::out_of_memory,
                "random games of " + std::to_string(work.rules.max_plies) + " plies need at least " +
                    std::to_string(2 * kLeastLanes * bytes_a_lane + bytes_an_opening) +
                    " bytes of device memory, and " + std::to_string(memory_bytes_) + " may be used");
  }
  return shape;
}

void PlayoutRunner::run(const PlayoutWork& work) {
  if (work.items.empty()) return;
  const Shape shape = shape_for(work);
  for (std::size_t begin = 0; begin < work.items.size();) {
    const std::size_t end = std::min(work.items.size(), begin + shape.openings);
    if (!run_slice(work, shape, begin, end)) return;
    begin = end;
  }
}

namespace {

PlayoutLauncher launcher_for(VariantId variant) {
  return with_variant(variant, [](auto v) { return playout_launcher<decltype(v)>(); });
}

/// What the counters of one opening say.
PlayoutCounts counts_of(const Counter* block, u32 max_plies, bool by_ply) {
  PlayoutCounts counts;
  const auto part = [&](u64 first, u64 size) { return std::span(block + first, size); };
  counts.ends = part(0, PlayoutCounters::kSums);
  const Counter* const sums = block + PlayoutCounters::kSums;
  counts.legal_moves = sums[0];
  counts.forced = sums[1];
  counts.forced_captures = sums[2];
  counts.promotions = sums[3];
  counts.first_moves = part(PlayoutCounters::kFirstMoves, u64{kMaxMoves} * 4);
  counts.lengths = part(PlayoutCounters::kLengths, u64{max_plies} + 1);
  if (by_ply) counts.moves_by_ply = part(PlayoutCounters::kLengths + max_plies + 1, max_plies);
  return counts;
}

}  // namespace

/// False if it was stopped.
bool PlayoutRunner::run_slice(const PlayoutWork& work, const Shape& shape, std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  const u64 block = PlayoutCounters::size(work.rules.max_plies, work.by_ply);
  lanes_.reserve(shape.lanes);
  keys_.reserve(shape.lanes * shape.keys_a_lane);
  openings_.reserve(count);
  openings_host_.reserve(count);
  counters_.reserve(count * block);
  counters_host_.reserve(count * block);
  progress_.reserve(2);
  progress_host_.reserve(2);
  u64 games = 0;
  for (std::size_t i = 0; i < count; i++) {
    const PlayoutGames& item = work.items[begin + i];
    openings_host_.data()[i] = {item.opening, item.opening_number, item.first_game, games};
    games += item.games;
  }
  copy_to_device(stream_, openings_.data(), openings_host_.data(), count);
  clear(stream_, counters_.data(), count * block);
  clear(stream_, lanes_.data(), shape.lanes);
  clear(stream_, progress_.data(), 2);
  const PlayoutTask task{.openings = openings_.data(),
                         .opening_count = static_cast<u32>(count),
                         .games = games,
                         .next = progress_.data(),
                         .active = progress_.data() + 1,
                         .lanes = lanes_.data(),
                         .lane_count = shape.lanes,
                         .keys = keys_.data(),
                         .key_mask = ~u64{0} >> (64 - key_bits_),
                         .counters = {counters_.data(), work.rules.max_plies, work.by_ply},
                         .rules = work.rules,
                         .seed = work.seed,
                         .turns = kTurns};
  const PlayoutLauncher start = launcher_for(work.variant);
  do {
    if (work.stop != nullptr && work.stop->load(std::memory_order_relaxed)) {
      stream_.synchronize();
      return false;
    }
    clear(stream_, progress_.data() + 1, 1);
    start(stream_, task);
    copy_to_host(stream_, progress_host_.data(), progress_.data(), 2);
    stream_.synchronize();
  } while (progress_host_.data()[1] != 0);
  copy_to_host(stream_, counters_host_.data(), counters_.data(), count * block);
  stream_.synchronize();
  for (std::size_t i = 0; i < count; i++) {
    work.done(begin + i, counts_of(counters_host_.data() + i * block, work.rules.max_plies, work.by_ply));
  }
  return true;
}

}  // namespace hecatomb::cuda
