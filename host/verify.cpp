#include "host/verify.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "common/outcome.h"
#include "host/notation/fen.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/random_games.h"
#include "host/reference_backend.h"

namespace hecatomb {
namespace {

constexpr std::size_t kChunkOfThread = 64;  // positions a thread between two reports

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

template <class V>
std::string moves_difference(const Position& p, const MoveList& ours, const std::vector<reference::Move>& theirs) {
  const auto count = static_cast<std::size_t>(count_moves<V>(p));
  if (count != theirs.size() || static_cast<std::size_t>(ours.size) != theirs.size()) {
    return "moves: counted " + std::to_string(count) + ", listed " + std::to_string(ours.size) + ", reference " +
           std::to_string(theirs.size());
  }
  for (int i = 0; i < ours.size; i++) {
    const std::string listed = uci_of(ours.moves[i]), chosen = uci_of(nth_move<V>(p, i));
    const std::string expected = reference::uci(theirs[static_cast<std::size_t>(i)]);
    if (listed != expected || chosen != expected) {
      return joined(
          {"move number ", std::to_string(i), ": listed ", listed, ", chosen ", chosen, ", reference ", expected});
    }
  }
  return {};
}

template <class V>
std::string outcome_difference(const Position& p, const RuleOptions& options, const reference::Rules& rules,
                               const reference::Position& q) {
  const Outcome ours = outcome<V>(p, count_moves<V>(p), 1, options, DrawRules{});
  const reference::Outcome theirs = reference::outcome(rules, q);
  if (result_text(ours.result) == theirs.result && reason_text(ours.reason) == theirs.reason) return {};
  return "result: " + std::string(result_text(ours.result)) + " " + std::string(reason_text(ours.reason)) +
         ", reference " + theirs.result + " " + theirs.reason;
}

template <class V>
std::string difference(const Position& p, const RuleOptions& options) {
  const reference::Rules rules = reference_rules(V::id, options);
  const reference::Position q = reference_position(p, rules);
  MoveList ours;
  list_moves<V>(p, ours);
  const std::vector<reference::Move> theirs = reference::legal_moves(rules, q);
  if (std::string found = moves_difference<V>(p, ours, theirs); !found.empty()) return found;
  for (int i = 0; i < ours.size; i++) {
    const Position child = make<V>(p, ours.moves[i], options);
    const reference::Position expected = reference::make_move(q, theirs[static_cast<std::size_t>(i)]);
    const std::string ours_fen = fen_of(child), theirs_fen = reference::write_fen(rules, expected);
    if (ours_fen != theirs_fen) {
      return joined({"after ", uci_of(ours.moves[i]), ": ", ours_fen, ", reference ", theirs_fen});
    }
    if (std::string found = outcome_difference<V>(child, options, rules, expected); !found.empty()) {
      return "after " + uci_of(ours.moves[i]) + ": " + found;
    }
  }
  return outcome_difference<V>(p, options, rules, q);
}

/// What ends the random games that are compared: the three presets.
constexpr DrawRules kGameRules[] = {{150, 5, true}, {100, 3, true}, {0, 0, false}};
constexpr std::size_t kPositionsPerGame = 4;  // of so many positions one is played on from
constexpr u32 kMostGamePlies = 200;

/// Plays on from every fourth position of a chunk that begins with number `begin`, once under each of the presets in
/// turn; what differs of each position.
std::vector<PlayoutAnswer> play_on(const VerifyRequest& request, Backend& backend, std::span<const Position> chunk,
                                   std::size_t begin) {
  std::vector<PlayoutAnswer> all(chunk.size());
  for (std::size_t kind = 0; kind < std::size(kGameRules); kind++) {
    std::vector<PlayoutItem> items;
    std::vector<std::size_t> position_of_item;
    for (std::size_t i = 0; i < chunk.size(); i++) {
      const std::size_t number = begin + i;
      if (number % kPositionsPerGame != 0 || number / kPositionsPerGame % std::size(kGameRules) != kind) continue;
      items.push_back({chunk[i], static_cast<std::uint32_t>(number), 0, 1});
      position_of_item.push_back(i);
    }
    std::vector<PlayoutAnswer> answers(items.size());
    backend.playout(
        {request.variant, {request.options, kGameRules[kind], kMostGamePlies}, request.seed, true, items, {}}, answers);
    for (std::size_t i = 0; i < items.size(); i++) all[position_of_item[i]] = std::move(answers[i]);
  }
  return all;
}

}  // namespace

std::string difference_from_reference(const Position& p, VariantId variant, const RuleOptions& options) {
  return with_variant(variant, [&](auto v) { return difference<decltype(v)>(p, options); });
}

VerifyReport verify(const VerifyRequest& request, Backend& backend, WorkPool& pool,
                    const std::function<void(const Position&, std::string_view)>& on_difference,
                    const std::function<void(std::uint64_t)>& on_progress) {
  const std::vector<Position> all = random_positions(request.variant, request.options, request.positions, request.seed);
  const std::size_t chunk_size = kChunkOfThread * pool.threads();
  VerifyReport report;
  for (std::size_t begin = 0; begin < all.size() && !stop_requested(); begin += chunk_size) {
    const std::span<const Position> chunk(all.data() + begin, std::min(chunk_size, all.size() - begin));
    std::vector<std::optional<std::string>> found(chunk.size());  // nothing where it was stopped before
    pool.run(chunk.size(), [&](std::uint64_t i, unsigned) {
      found[i] = difference_from_reference(chunk[i], request.variant, request.options);
    });
    std::vector<PerftItem> items;
    items.reserve(chunk.size());
    for (const Position& p : chunk) items.push_back({p, request.depth_plies});
    std::vector<PerftAnswer> answers(items.size());
    backend.perft({request.variant, request.options, items, {}}, answers);
    const std::vector<PlayoutAnswer> games = play_on(request, backend, chunk, begin);
    const std::uint64_t before = report.positions;
    for (std::size_t i = 0; i < chunk.size(); i++) {
      const std::optional<std::string>& compared = found[i];
      if (!compared || answers[i].status == PerftAnswer::Status::pending) continue;
      if ((begin + i) % kPositionsPerGame == 0 && games[i].status == PlayoutAnswer::Status::pending) continue;
      std::string what = *compared;
      if (what.empty() && answers[i].status != PerftAnswer::Status::done) {
        what = "perft of depth " + std::to_string(request.depth_plies) + ": " + answers[i].note;
      }
      if (what.empty() && games[i].status == PlayoutAnswer::Status::differs) {
        what = "random game of opening " + std::to_string(begin + i) + ": " + games[i].note;
      }
      fault_point("after-unit", ++report.positions);
      report.differences += !what.empty();
      if (!what.empty()) on_difference(chunk[i], what);
    }
    on_progress(report.positions - before);
  }
  report.complete = report.positions == request.positions;
  return report;
}

}  // namespace hecatomb
