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
  bool can(Job job, VariantId) const override { return job == Job::perft || job == Job::playout; }

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

  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    const reference::Rules rules = reference_rules(batch.variant, batch.rules.options);
    std::mutex done;
    pool_.run(batch.items.size(), [&](std::uint64_t index, unsigned) {
      const PlayoutItem& item = batch.items[index];
      const reference::Position opening = reference_position(item.opening, rules);
      PlayoutTally& tally = answers[index].tally;
      for (std::uint32_t i = 0; i < item.games; i++) {
        if (stop_requested()) return false;
        add_game(tally, batch, play(rules, opening, batch, item, item.first_game + i));
      }
      tally.trim();
      answers[index].status = PlayoutAnswer::Status::done;
      if (batch.on_done) {
        const std::scoped_lock lock(done);
        batch.on_done(index, tally);
      }
      return true;
    });
  }

 private:
  static reference::RandomGame play(const reference::Rules& rules, const reference::Position& opening,
                                    const PlayoutBatch& batch, const PlayoutItem& item, std::uint32_t game) {
    const DrawRules& draws = batch.rules.draws;
    return reference::play_random_game(rules, opening, {draws.clock_plies, draws.repetitions, draws.dead}, batch.seed,
                                       game, item.opening_number, batch.rules.max_plies);
  }

  static std::size_t result_of(const std::string& text) {
    for (std::size_t i = 0; i < ResultCounts{}.size(); i++) {
      if (result_text(static_cast<Result>(i)) == text) return i;
    }
    throw std::logic_error("the reference knows a result of its own: " + text);
  }
  static std::size_t reason_of(const std::string& text) {
    for (std::size_t i = 0; i < kReasons; i++) {
      if (reason_text(static_cast<Reason>(i)) == text) return i;
    }
    throw std::logic_error("the reference knows a reason of its own: " + text);
  }

  static void add_game(PlayoutTally& tally, const PlayoutBatch& batch, const reference::RandomGame& game) {
    const std::size_t plies = game.moves.size(), result = result_of(game.result);
    tally.results[result]++;
    tally.ends[reason_of(game.reason)]++;
    if (tally.lengths.size() <= plies) tally.lengths.resize(plies + 1);
    tally.lengths[plies]++;
    if (batch.by_ply && tally.moves_by_ply.size() < plies) tally.moves_by_ply.resize(plies);
    for (std::size_t ply = 0; ply < plies; ply++) {
      tally.legal_moves += game.move_counts[ply];
      tally.forced += std::uint64_t{game.move_counts[ply] == 1};
      tally.forced_captures += std::uint64_t{game.had_to_capture[ply]};
      tally.promotions += std::uint64_t{game.moves[ply].promotion != 0};
      if (batch.by_ply) tally.moves_by_ply[ply] += game.move_counts[ply];
    }
    if (plies == 0) return;
    if (tally.first_moves.size() <= game.drawn[0]) tally.first_moves.resize(game.drawn[0] + 1);
    tally.first_moves[game.drawn[0]][result]++;
  }

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
