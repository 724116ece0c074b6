#include "host/cuda_backend.h"

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/count.h"
#include "host/error.h"

namespace hecatomb {
namespace {

std::string device_words(const BackendOptions& options) {
  return options.device < 0 ? "CUDA device" : "CUDA device " + std::to_string(options.device);
}

std::string remedy_for(cuda::Problem problem) {
  switch (problem) {
    case cuda::Problem::not_built:
      return "Use --backend cpu, or configure with nvcc installed (HECATOMB_CUDA=ON) and build again";
    case cuda::Problem::no_driver:
      return "Use --backend cpu, or install the driver (nvidia-smi shows whether it runs)";
    case cuda::Problem::no_device:
    case cuda::Problem::too_old:
      return "Use --backend cpu; hecatomb info lists the devices";
    case cuda::Problem::wrong_device:
      return "hecatomb info lists the devices";
    case cuda::Problem::out_of_memory:
      return "Allow more by --device-memory, free some of the device's, or use --backend cpu";
    case cuda::Problem::failed:
      break;
  }
  return "Use --backend cpu, and see what the system's log says of the device (dmesg, nvidia-smi)";
}

EnvironmentError environment_error(const cuda::Error& error, const BackendOptions& options, std::string attempted) {
  return {device_words(options), std::move(attempted), error.what(), remedy_for(error.problem())};
}

class CudaBackend : public Backend {
 public:
  CudaBackend(BackendOptions options, std::shared_ptr<Backend> fallback)
      : options_(std::move(options)), fallback_(std::move(fallback)) {
    try {
      engine_ = cuda::make_engine({options_.device, options_.device_memory_bytes});
    } catch (const cuda::Error& error) {
      throw environment_error(error, options_, "use it");
    }
  }

  std::string name() const override { return failed_ ? "cuda, then " + fallback_->name() : "cuda"; }
  bool can(Job job, VariantId) const override { return job == Job::perft || job == Job::playout; }
  std::size_t playout_items_at_once(std::uint64_t) override { return kPlayoutItems; }

  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    if (on_device("count", [&] { count(batch, answers); })) return;
    answer_missing(batch, answers,
                   [&](const PerftBatch& rest, std::span<PerftAnswer> theirs) { fallback_->perft(rest, theirs); });
  }

  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    if (on_device("play", [&] { play(batch, answers); })) return;
    answer_missing(batch, answers, [&](const PlayoutBatch& rest, std::span<PlayoutAnswer> theirs) {
      fallback_->playout(rest, theirs);
    });
  }

 private:
  // Tens of games for each lane of a large device, so that those that end last do not matter.
  static constexpr std::size_t kPlayoutItems = 8192;

  /// Does the work unless the device has failed; false if it fails now or has before. Without a fallback that is an
  /// EnvironmentError.
  template <class Work>
  bool on_device(const std::string& what, Work work) {
    if (failed_) return false;
    try {
      work();
      return true;
    } catch (const cuda::Error& error) {
      if (fallback_ == nullptr) throw environment_error(error, options_, what + " on it");
      failed_ = true;
      if (options_.on_warning) {
        options_.on_warning(device_words(options_) + ": cannot " + what + " on it: " + error.what() + "; " +
                            fallback_->name() + " " + what + "s what is missing");
      }
      return false;
    }
  }

  /// Has what is pending answered by run(batch, answers).
  template <class Batch, class Answer, class Run>
  static void answer_missing(const Batch& batch, std::span<Answer> answers, Run run) {
    std::vector<std::size_t> missing;
    std::vector<typename decltype(Batch::items)::value_type> items;
    for (std::size_t i = 0; i < answers.size(); i++) {
      if (answers[i].status != Answer::Status::pending) continue;
      missing.push_back(i);
      items.push_back(batch.items[i]);
    }
    std::vector<Answer> rest(items.size());
    Batch smaller = batch;
    smaller.items = items;
    if (batch.on_done) {
      smaller.on_done = [&](std::size_t i, const auto& result) { batch.on_done(missing[i], result); };
    }
    run(smaller, rest);
    for (std::size_t i = 0; i < missing.size(); i++) answers[missing[i]] = std::move(rest[i]);
  }

  void count(const PerftBatch& batch, std::span<PerftAnswer> answers) {
    std::vector<Position> positions;
    std::vector<int> depths;
    positions.reserve(batch.items.size());
    depths.reserve(batch.items.size());
    for (const PerftItem& item : batch.items) {
      positions.push_back(item.position);
      depths.push_back(item.depth_plies);
    }
    cuda::PerftWork work;
    work.variant = batch.variant;
    work.options = batch.options;
    work.positions = positions;
    work.depths = depths;
    work.stop = &stop_flag();
    work.done = [&](std::size_t i, cuda::Count leaves) {
      PerftAnswer& answer = answers[i];
      answer.leaves = u128{leaves.high} << 64 | leaves.low;
      const bool fits = answer.leaves <= kMaxCount;
      answer.status = fits ? PerftAnswer::Status::done : PerftAnswer::Status::overflow;
      if (fits && batch.on_done) batch.on_done(i, answer.leaves);
    };
    engine_->perft(work);
  }

  void play(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) {
    std::vector<cuda::PlayoutGames> items;
    items.reserve(batch.items.size());
    for (const PlayoutItem& item : batch.items)
      items.push_back({item.opening, item.opening_number, item.first_game, item.games});
    cuda::PlayoutWork work;
    work.variant = batch.variant;
    work.rules = batch.rules;
    work.seed = batch.seed;
    work.by_ply = batch.by_ply;
    work.items = items;
    work.stop = &stop_flag();
    work.done = [&](std::size_t i, const cuda::PlayoutCounts& counts) {
      answers[i].tally = tally_of(counts);
      answers[i].status = PlayoutAnswer::Status::done;
      if (batch.on_done) batch.on_done(i, answers[i].tally);
    };
    engine_->playout(work);
  }

  static PlayoutTally tally_of(const cuda::PlayoutCounts& counts) {
    PlayoutTally tally;
    constexpr std::size_t results = std::tuple_size_v<ResultCounts>;
    for (std::size_t i = 0; i < counts.ends.size(); i++) {
      tally.ends[i / results] += counts.ends[i];
      tally.results[i % results] += counts.ends[i];
    }
    tally.legal_moves = counts.legal_moves;
    tally.forced = counts.forced;
    tally.forced_captures = counts.forced_captures;
    tally.promotions = counts.promotions;
    tally.lengths.assign(counts.lengths.begin(), counts.lengths.end());
    tally.first_moves.resize(counts.first_moves.size() / results);
    for (std::size_t i = 0; i < counts.first_moves.size(); i++)
      tally.first_moves[i / results][i % results] = counts.first_moves[i];
    tally.moves_by_ply.assign(counts.moves_by_ply.begin(), counts.moves_by_ply.end());
    tally.trim();
    return tally;
  }

  BackendOptions options_;
  std::shared_ptr<Backend> fallback_;
  std::unique_ptr<cuda::Engine> engine_;
  bool failed_ = false;
};

/// Leaves of a batch, roughly: moves to the power of depth.
double estimated_leaves(const PerftBatch& batch) {
  double leaves = 0;
  with_variant(batch.variant, [&](auto v) {
    for (const PerftItem& item : batch.items) {
      leaves += std::pow(static_cast<double>(count_moves<decltype(v)>(item.position)), item.depth_plies);
    }
  });
  return leaves;
}

class AutoBackend : public Backend {
 public:
  AutoBackend(BackendOptions options, std::shared_ptr<Backend> cpu)
      : options_(std::move(options)), cpu_(std::move(cpu)) {}

  std::string name() const override { return last_ == nullptr ? cpu_->name() : last_->name(); }
  bool can(Job job, VariantId variant) const override { return cpu_->can(job, variant); }
  std::uint64_t table_bytes() const override {
    return last_ != nullptr && last_ == cuda_.get() ? 0 : cpu_->table_bytes();
  }

  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    last_ = cpu_.get();
    if (estimated_leaves(batch) >= kLeavesThatPay) look_for_device();
    if (cuda_ != nullptr && estimated_leaves(batch) >= kLeavesThatPay) last_ = cuda_.get();
    last_->perft(batch, answers);
  }

  std::size_t playout_items_at_once(std::uint64_t games) override {
    if (games >= kGamesThatPay) look_for_device();
    plays_on_device_ = games >= kGamesThatPay && cuda_ != nullptr;
    return plays_on_device_ ? cuda_->playout_items_at_once(games) : cpu_->playout_items_at_once(games);
  }

  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    last_ = plays_on_device_ ? cuda_.get() : cpu_.get();
    last_->playout(batch, answers);
  }

 private:
  // Some seconds of all cores: a device wants a few tenths of one before it begins. Not measured on a device yet.
  static constexpr double kLeavesThatPay = 2e10;
  static constexpr std::uint64_t kGamesThatPay = 10'000'000;

  void look_for_device() {
    if (looked_) return;
    looked_ = true;
    try {
      cuda::find_device(options_.device);
    } catch (const cuda::Error&) {
      return;  // none, which is no news
    }
    try {
      cuda_ = std::make_unique<CudaBackend>(options_, cpu_);
    } catch (const EnvironmentError& error) {
      if (options_.on_warning) options_.on_warning(std::string(error.what()) + "; the CPU does it all");
    }
  }

  BackendOptions options_;
  std::shared_ptr<Backend> cpu_;
  std::unique_ptr<CudaBackend> cuda_;
  Backend* last_ = nullptr;
  bool looked_ = false, plays_on_device_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(const BackendOptions& options, std::shared_ptr<Backend> fallback) {
  return std::make_unique<CudaBackend>(options, std::move(fallback));
}

std::unique_ptr<Backend> make_auto_backend(const BackendOptions& options, std::shared_ptr<Backend> cpu) {
  return std::make_unique<AutoBackend>(options, std::move(cpu));
}

void require_cuda_device(const BackendOptions& options) {
  try {
    cuda::find_device(options.device);
  } catch (const cuda::Error& error) {
    throw environment_error(error, options, "use it");
  }
}

}  // namespace hecatomb
