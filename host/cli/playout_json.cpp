// A playout report as a JSON document.
#include <algorithm>

#include "host/cli/playout_figures.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

Json json_of(const Interval& interval) { return {interval.low, interval.high}; }

/// games, white, draws, black, unfinished, score, ci95: of an opening, a first move or the book.
Json json_of(const ResultCounts& results) {
  const Score score = score_of(results);
  return {{"games", games_of(results)},
          {"white", count_of(results, Result::white_wins)},
          {"draws", count_of(results, Result::draw)},
          {"black", count_of(results, Result::black_wins)},
          {"unfinished", count_of(results, Result::ongoing)},
          {"score", score.decided != 0 ? Json(score.value) : Json()},
          {"ci95", json_of(score.interval(deviations_95()))}};
}

Json ends_json(const PlayoutTally& tally) {
  Json ends = Json::object();
  for (const EndCount& end : ends_of(tally)) ends[end.reason] = end.games;
  return ends;
}

Json by_ply_json(const PlayoutTally& tally) {
  const std::vector<std::uint64_t> alive = alive_by_ply(tally);
  Json branching = Json::array();
  for (std::size_t ply = 0; ply < alive.size(); ply++) branching.push_back(share(tally.moves_by_ply[ply], alive[ply]));
  return {{"alive", alive}, {"branching", branching}};
}

Json opening_json(const PlayoutReport& report, std::size_t opening) {
  const PlayoutTally& tally = report.result.openings[opening];
  const LengthStatistics lengths = lengths_of(tally);
  const std::uint64_t plies = tally.plies();
  Json out = {{"name", report.book.openings[opening].name}, {"fen", fen_of(report.job.openings[opening])}};
  out.update(json_of(tally.results));
  out["plies"] = {{"mean", lengths.mean}, {"sd", lengths.sd},   {"p5", lengths.p5},
                  {"p50", lengths.p50},   {"p95", lengths.p95}, {"max", lengths.max}};
  out["branching"] = share(tally.legal_moves, plies);
  out["forced"] = share(tally.forced, plies);
  out["captures_forced"] = share(tally.forced_captures, plies);
  out["promotions"] = share(tally.promotions, tally.games());
  out["ends"] = ends_json(tally);
  out["moves"] = Json::array();
  const std::vector<FirstMove> moves = first_moves_of(report, opening);
  for (const FirstMove& move : moves) {
    Json line = {{"uci", move.uci}, {"san", move.san}};
    line.update(json_of(move.results));
    line["ci95_of_all"] = json_of(interval_of_all(move, moves));
    out["moves"].push_back(std::move(line));
  }
  if (report.job.by_ply) out["by_ply"] = by_ply_json(tally);
  return out;
}

Json rules_json(const PlayoutRules& rules, VariantId variant) {
  Json out = json_of(rules.options, variant);
  const DrawWords words = words_of(rules.draws);
  out["clock"] = words.clock;
  out["repetition"] = words.repetition;
  out["dead"] = words.dead;
  out["max_plies"] = rules.max_plies;
  return out;
}

}  // namespace

Json json_of(const PlayoutReport& report) {
  Json openings = Json::array();
  for (std::size_t i = 0; i < report.book.openings.size(); i++) openings.push_back(opening_json(report, i));
  if (is_book(report)) {
    const std::vector<Rank> ranks = rank_all(scores_of(report));
    for (std::size_t i = 0; i < ranks.size(); i++) {
      openings[i]["rank"] = {{"rank", ranks[i].rank},
                             {"best", ranks[i].best},
                             {"worst", ranks[i].worst},
                             {"ci95_of_all", json_of(ranks[i].interval)}};
    }
  }
  const double seconds = std::max(report.seconds, 1e-9);
  Json out = {{"note", kRandomPlay},
              {"variant", variant_name(report.job.variant)},
              {"rules", rules_json(report.job.rules, report.job.variant)},
              {"seed", json_number(report.job.seed)},
              {"backend", report.backend},
              {"threads", report.threads},
              {"seconds", report.seconds},
              {"games_per_second", static_cast<double>(report.games_here) / seconds},
              {"plies_per_second", static_cast<double>(report.plies_here) / seconds}};
  if (!report.result.complete) out["stopped"] = true;
  if (is_book(report)) out["book"] = json_of(sum_of(report).results);
  out["openings"] = std::move(openings);
  return out;
}

}  // namespace hecatomb
