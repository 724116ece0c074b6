#include "host/backend.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "host/cpu/cpu_backend.h"
#include "host/cuda_backend.h"
#include "host/reference_backend.h"

namespace hecatomb {
namespace {

/// Runs two backends on every batch and compares each item exactly.
class CheckBackend : public Backend {
 public:
  CheckBackend(std::unique_ptr<Backend> a, std::unique_ptr<Backend> b) : a_(std::move(a)), b_(std::move(b)) {}

  std::string name() const override { return "check:" + a_->name() + "," + b_->name(); }
  bool can(Job job, VariantId variant) const override { return a_->can(job, variant) && b_->can(job, variant); }
  std::uint64_t table_bytes() const override { return std::max(a_->table_bytes(), b_->table_bytes()); }

  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    std::vector<PerftAnswer> others(answers.size());
    PerftBatch silent = batch;
    silent.on_done = nullptr;
    a_->perft(silent, answers);
    b_->perft(silent, others);
    for (std::size_t i = 0; i < answers.size(); i++) {
      compare(answers[i], others[i]);
      if (answers[i].status == PerftAnswer::Status::done && batch.on_done) batch.on_done(i, answers[i].leaves);
    }
  }

  std::size_t playout_items_at_once(std::uint64_t games) override {
    return std::min(a_->playout_items_at_once(games), b_->playout_items_at_once(games));
  }

  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    using Status = PlayoutAnswer::Status;
    std::vector<PlayoutAnswer> others(answers.size());
    PlayoutBatch silent = batch;
    silent.on_done = nullptr;
    a_->playout(silent, answers);
    b_->playout(silent, others);
    for (std::size_t i = 0; i < answers.size(); i++) {
      if (answers[i].status == Status::pending || others[i].status == Status::pending) {
        answers[i].status = Status::pending;
      } else if (answers[i].tally == others[i].tally) {
        if (batch.on_done) batch.on_done(i, answers[i].tally);
      } else {
        narrow(silent, batch.items[i], answers[i], others[i]);
      }
    }
  }

 private:
  /// Of an item that is played differently: one game of it that is.
  void narrow(PlayoutBatch batch, const PlayoutItem& whole, PlayoutAnswer& a, const PlayoutAnswer& b) {
    PlayoutItem item = whole;
    PlayoutAnswer x = a, y = b;
    while (item.games > 1) {
      PlayoutItem half = item;
      half.games /= 2;
      PlayoutAnswer first_x, first_y;
      batch.items = {&half, 1};
      a_->playout(batch, {&first_x, 1});
      b_->playout(batch, {&first_y, 1});
      if (first_x.tally == first_y.tally) {  // so the difference is in the other half
        half.first_game += half.games;
        half.games = item.games - half.games;
        first_x = first_y = {};
        a_->playout(batch, {&first_x, 1});
        b_->playout(batch, {&first_y, 1});
      }
      if (stop_requested() || first_x.tally == first_y.tally) break;  // stopped, or a backend errs only now and then
      item = half;
      x = std::move(first_x);
      y = std::move(first_y);
    }
    a.status = PlayoutAnswer::Status::differs;
    a.game = item.first_game;
    a.note = a_->name() + " and " + b_->name() + ": " + first_difference(x.tally, y.tally);
  }

  void compare(PerftAnswer& a, const PerftAnswer& b) const {
    using Status = PerftAnswer::Status;
    if (a.status == Status::pending || b.status == Status::pending) {
      a.status = Status::pending;
    } else if (a.status != b.status || a.leaves != b.leaves) {
      const auto text = [](const PerftAnswer& x) { return x.status == Status::done ? decimal(x.leaves) : "overflow"; };
      a.note = a_->name() + " " + text(a) + ", " + b_->name() + " " + text(b);
      a.status = Status::differs;
    }
  }

  std::unique_ptr<Backend> a_, b_;
};

bool is_plain_name(std::string_view name) { return name == "cpu" || name == "cuda" || name == "reference"; }

}  // namespace

bool is_backend_name(std::string_view name) {
  constexpr std::string_view check = "check:";
  if (!name.starts_with(check)) return is_plain_name(name) || name == "auto";
  const std::string_view pair = name.substr(check.size());
  const std::size_t comma = pair.find(',');
  if (comma == std::string_view::npos) return false;
  const std::string_view a = pair.substr(0, comma), b = pair.substr(comma + 1);
  return is_plain_name(a) && is_plain_name(b) && a != b;
}

std::unique_ptr<Backend> make_check_backend(std::unique_ptr<Backend> a, std::unique_ptr<Backend> b) {
  return std::make_unique<CheckBackend>(std::move(a), std::move(b));
}

std::unique_ptr<Backend> make_backend(std::string_view name, WorkPool& pool, const BackendOptions& options) {
  if (!is_backend_name(name)) throw std::invalid_argument("no such backend: " + std::string(name));
  if (name == "cpu") return make_cpu_backend(pool, options);
  if (name == "reference") return make_reference_backend(pool);
  if (name == "cuda") return make_cuda_backend(options, make_cpu_backend(pool, options));
  if (name == "auto") return make_auto_backend(options, make_cpu_backend(pool, options));
  // What is compared is done by whom it says, or not at all.
  const auto make = [&](std::string_view one) {
    return one == "cuda" ? make_cuda_backend(options, nullptr) : make_backend(one, pool, options);
  };
  const std::string_view pair = name.substr(name.find(':') + 1);
  const std::size_t comma = pair.find(',');
  return make_check_backend(make(pair.substr(0, comma)), make(pair.substr(comma + 1)));
}

}  // namespace hecatomb
