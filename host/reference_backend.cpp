#include "host/reference_backend.h"

#include <mutex>
#include <stdexcept>

#include "host/notation/fen.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

reference::Rules reference_rules(VariantId variant, const RuleOptions& options) {
  return {reference::variant_from_name(variant_name(variant)), options.restricted_ep, options.stalemated_wins};
}

reference::Position reference_position(const Position& p, const reference::Rules& rules) {
  const std::string fen = fen_of(p);
  reference::FenReading reading = reference::read_fen(rules, fen);
  if (!reading.error.empty()) throw std::logic_error("the reference refuses '" + fen + "': " + reading.error);
  return reading.position;
}

namespace {

class ReferenceBackend : public Backend {
 public:
  explicit ReferenceBackend(WorkPool& pool) : pool_(pool) {}

  std::string name() const override { return "reference"; }
  bool can(Job job, VariantId) const override { return job == Job::perft; }

  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    const reference::Rules rules = reference_rules(batch.variant, batch.options);
    std::mutex done;
    pool_.run(batch.items.size(), [&](std::uint64_t index, unsigned) {
      const PerftItem& item = batch.items[index];
      const auto leaves = count(rules, reference_position(item.position, rules), item.depth_plies);
      if (!leaves) return false;
      answers[index].status = PerftAnswer::Status::done;
      answers[index].leaves = *leaves;
      if (batch.on_done) {
        const std::scoped_lock lock(done);
        batch.on_done(index, *leaves);
      }
      return true;
    });
  }

 private:
  /// reference::perft, able to stop: it is asked for three plies at most at a time.
  static std::optional<u128> count(const reference::Rules& rules, const reference::Position& p, int depth) {
    if (stop_requested()) return std::nullopt;
    if (depth <= 3) return reference::perft(rules, p, depth);
    u128 total = 0;
    for (const reference::Move& move : reference::legal_moves(rules, p)) {
      const auto below = count(rules, reference::make_move(p, move), depth - 1);
      if (!below) return std::nullopt;
      total += *below;
    }
    return total;
  }

  WorkPool& pool_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(WorkPool& pool) { return std::make_unique<ReferenceBackend>(pool); }

}  // namespace hecatomb
