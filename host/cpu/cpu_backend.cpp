#include "host/cpu/cpu_backend.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>
#include <vector>

#include "host/cpu/playout_level.h"
#include "host/memory.h"

namespace hecatomb {
namespace {

/// A perft table: a power of two of cache lines, or none.
class PerftTableMemory {
 public:
  explicit PerftTableMemory(std::uint64_t wanted_bytes) {
    constexpr std::uint64_t bucket_bytes = 64;
    if (wanted_bytes < bucket_bytes) return;
    memory_.emplace(std::bit_floor(wanted_bytes), "Ask for less, or --hash 0 for no table.");
    table_ = {static_cast<std::uint64_t*>(memory_->data()), bytes() / bucket_bytes};
  }
  const PerftTable& table() const { return table_; }
  std::uint64_t bytes() const { return memory_ ? memory_->size_bytes() : 0; }

 private:
  std::optional<TableMemory> memory_;
  PerftTable table_;
};

/// What one thread plays games into, and back to zero for the next unit.
class PlayoutScratch {
 public:
  /// Plays an item; false if it was stopped.
  bool play(const PlayoutKernel& playouts, const PlayoutBatch& batch, const PlayoutItem& item, PlayoutTally& tally) {
    const PlayoutRules& rules = batch.rules;
    lengths_.assign(rules.max_plies + std::size_t{1}, 0);
    first_moves_.assign(kMaxMoves, {});
    moves_by_ply_.assign(batch.by_ply ? rules.max_plies : 0, 0);
    PlayoutSums sums{};
    sums.lengths = lengths_.data();
    sums.first_moves = reinterpret_cast<std::uint64_t(*)[4]>(first_moves_.data());
    sums.moves_by_ply = batch.by_ply ? moves_by_ply_.data() : nullptr;
    PlayoutUnit unit{&item.opening,
                     static_cast<std::uint8_t>(batch.variant),
                     rules.options.restricted_ep,
                     rules.options.stalemated_wins,
                     rules.draws.clock_plies,
                     rules.draws.repetitions,
                     rules.draws.dead,
                     rules.max_plies,
                     batch.seed,
                     item.opening_number,
                     item.first_game,
                     item.games,
                     &sums,
                     nullptr,
                     stop_word()};
    positions_.resize(playouts.memory_bytes(unit) / sizeof(Position));
    unit.memory = positions_.data();
    if (!playouts.play(unit)) return false;
    std::copy_n(sums.results, tally.results.size(), tally.results.begin());
    std::copy_n(sums.ends, tally.ends.size(), tally.ends.begin());
    tally.legal_moves = sums.legal_moves;
    tally.forced = sums.forced;
    tally.forced_captures = sums.forced_captures;
    tally.promotions = sums.promotions;
    tally.lengths = trimmed(lengths_);
    tally.first_moves = trimmed(first_moves_);
    tally.moves_by_ply = trimmed(moves_by_ply_);
    return true;
  }

 private:
  /// A copy without the zeros at the end.
  template <class T>
  static std::vector<T> trimmed(const std::vector<T>& values) {
    auto end = values.end();
    while (end != values.begin() && *(end - 1) == T{}) --end;
    return {values.begin(), end};
  }

  static_assert(sizeof(PlayoutSums::ends) == kReasons * sizeof(std::uint64_t));
  static_assert(sizeof(ResultCounts) == sizeof(std::uint64_t[4]));
  std::vector<std::uint64_t> lengths_, moves_by_ply_;
  std::vector<ResultCounts> first_moves_;
  std::vector<Position> positions_;
};

class CpuBackend : public Backend {
 public:
  CpuBackend(WorkPool& pool, const BackendOptions& options)
      : pool_(pool),
        level_(options.level.empty() ? level_in_use() : level_named(options.level.c_str(), "--levels")),
        memory_(options.table_bytes),
        scratch_(pool.threads()) {}

  std::string name() const override { return "cpu"; }
  bool can(Job job, VariantId) const override { return job == Job::perft || job == Job::playout; }
  std::uint64_t table_bytes() const override { return memory_.bytes(); }

  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    std::mutex done;
    pool_.run(batch.items.size(), [&](std::uint64_t index, unsigned) {
      const PerftItem& item = batch.items[index];
      const PerftUnit unit{
          &item.position,  item.depth_plies, static_cast<std::uint8_t>(batch.variant), batch.options.restricted_ep,
          memory_.table(), stop_word()};
      Count128 leaves{};
      const UnitStatus status = level_.perft(unit, &leaves);
      if (status == UnitStatus::stopped) return false;
      PerftAnswer& answer = answers[index];
      answer.status = status == UnitStatus::done ? PerftAnswer::Status::done : PerftAnswer::Status::overflow;
      answer.leaves = u128{leaves.high} << 64 | leaves.low;
      if (batch.on_done && status == UnitStatus::done) {
        const std::scoped_lock lock(done);
        batch.on_done(index, answer.leaves);
      }
      return true;
    });
  }

  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    std::mutex done;
    pool_.run(batch.items.size(), [&](std::uint64_t index, unsigned worker) {
      PlayoutAnswer& answer = answers[index];
      if (!scratch_[worker].play(playouts_of(level_), batch, batch.items[index], answer.tally)) return false;
      answer.status = PlayoutAnswer::Status::done;
      if (batch.on_done) {
        const std::scoped_lock lock(done);
        batch.on_done(index, answer.tally);
      }
      return true;
    });
  }

 private:
  WorkPool& pool_;
  const LevelKernel& level_;
  PerftTableMemory memory_;
  std::vector<PlayoutScratch> scratch_;  // by worker
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(WorkPool& pool, const BackendOptions& options) {
  return std::make_unique<CpuBackend>(pool, options);
}

}  // namespace hecatomb
