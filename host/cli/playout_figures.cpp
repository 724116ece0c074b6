#include "host/cli/playout_figures.h"

#include <iomanip>
#include <numeric>
#include <sstream>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

std::vector<FirstMove> first_moves_of(const PlayoutReport& report, std::size_t opening) {
  const Position& p = report.job.openings[opening];
  const std::vector<ResultCounts>& counted = report.result.openings[opening].first_moves;
  MoveList list;
  list_legal(p, report.job.variant, list);
  std::vector<FirstMove> moves;
  for (int i = 0; i < list.size; i++) {
    const auto number = static_cast<std::size_t>(i);
    moves.push_back({uci_of(list.moves[i]), san_of(p, list.moves[i], report.job.variant, report.job.rules.options),
                     number < counted.size() ? counted[number] : ResultCounts{}});
  }
  return moves;
}

std::uint64_t games_of(const ResultCounts& results) {
  return std::accumulate(results.begin(), results.end(), std::uint64_t{0});
}

std::vector<Score> scores_of(const PlayoutReport& report) {
  std::vector<Score> scores;
  scores.reserve(report.result.openings.size());
  for (const PlayoutTally& tally : report.result.openings) scores.push_back(score_of(tally.results));
  return scores;
}

PlayoutTally sum_of(const PlayoutReport& report) {
  PlayoutTally sum;
  for (const PlayoutTally& tally : report.result.openings) sum.add(tally);
  return sum;
}

std::vector<EndCount> ends_of(const PlayoutTally& tally) {
  std::vector<EndCount> ends;
  for (std::size_t i = 0; i < tally.ends.size(); i++) {
    if (tally.ends[i] != 0) ends.push_back({std::string(reason_text(static_cast<Reason>(i))), tally.ends[i]});
  }
  return ends;
}

std::string percent(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << 100 * value << " %";
  return text.str();
}

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string rules_text(const PlayoutReport& report) {
  const DrawWords words = words_of(report.job.rules.draws);
  std::string text(variant_name(report.job.variant));
  if (report.job.rules.options.restricted_ep) text += ", --ep restricted";
  if (report.job.rules.options.stalemated_wins) text += ", --stalemate stalemated-wins";
  return text + ", clock " + words.clock + ", repetition " + words.repetition + ", dead " + words.dead + ", at most " +
         std::to_string(report.job.rules.max_plies) + " plies, seed " + std::to_string(report.job.seed);
}

std::string name_of(const PlayoutReport& report, std::size_t opening) {
  const std::string& name = report.book.openings[opening].name;
  return name.empty() ? fen_of(report.job.openings[opening]) : name;
}

Interval interval_of_all(const FirstMove& move, const std::vector<FirstMove>& moves) {
  return score_of(move.results).joint_interval(deviations_for_all(moves.size()));
}

DrawWords words_of(const DrawRules& draws) {
  return {draws.clock_plies == 0 ? "none" : std::to_string(draws.clock_plies / 2),
          draws.repetitions == 0 ? "none" : std::to_string(draws.repetitions), draws.dead ? "on" : "off"};
}

}  // namespace hecatomb
