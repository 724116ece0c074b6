// A playout report for people at a terminal.
#include <iomanip>
#include <sstream>

#include "host/cli/playout_figures.h"
#include "host/notation/fen.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

/// "49.79 % (49.69-49.89)"
std::string score_text(const Score& score, const Interval& interval) {
  if (score.decided == 0) return "-";
  return percent(score.value) + " (" + fixed(100 * interval.low, 2) + "-" + fixed(100 * interval.high, 2) + ")";
}

void append_results(std::ostringstream& out, const PlayoutTally& tally) {
  const std::uint64_t games = tally.games();
  out << "games " << games << ": White " << percent(share(tally.count(Result::white_wins), games)) << ", draws "
      << percent(share(tally.count(Result::draw), games)) << ", Black "
      << percent(share(tally.count(Result::black_wins), games));
  if (tally.count(Result::ongoing) != 0) out << ", unfinished " << percent(share(tally.count(Result::ongoing), games));
  const Score score = score_of(tally.results);
  out << "\nWhite's score " << score_text(score, score.interval(deviations_95())) << ", 95 % interval (ci95)\n";
}

/// Everything about one opening.
std::string opening_text(const PlayoutReport& report, std::size_t opening) {
  const PlayoutTally& tally = report.result.openings[opening];
  const LengthStatistics lengths = lengths_of(tally);
  const std::uint64_t plies = tally.plies();
  std::ostringstream out;
  out << fen_of(report.job.openings[opening]) << '\n';
  append_results(out, tally);
  out << "ends:";
  for (const EndCount& end : ends_of(tally))
    out << ' ' << end.reason << ' ' << percent(share(end.games, tally.games()));
  out << "\nplies: mean " << fixed(lengths.mean, 2) << ", sd " << fixed(lengths.sd, 2) << ", p5 " << lengths.p5
      << ", median " << lengths.p50 << ", p95 " << lengths.p95 << ", max " << lengths.max << '\n'
      << "legal moves a ply: " << fixed(share(tally.legal_moves, plies), 3) << "; one legal move "
      << percent(share(tally.forced, plies)) << " of plies, compulsory capture "
      << percent(share(tally.forced_captures, plies)) << "; promotions a game "
      << fixed(share(tally.promotions, tally.games()), 3) << "\n\n";
  const std::vector<FirstMove> moves = first_moves_of(report, opening);
  if (moves.empty()) return out.str();
  out << "first moves; intervals hold together with 95 % (ci95_of_all):\n";
  for (const FirstMove& move : moves) {
    const Score score = score_of(move.results);
    out << std::left << std::setw(8) << move.san << std::right << std::setw(12) << games_of(move.results) << "  "
        << score_text(score, interval_of_all(move, moves)) << '\n';
  }
  return out.str();
}

/// The ranking of a book.
std::string book_text(const PlayoutReport& report) {
  std::ostringstream out;
  out << counted(report.book.openings.size(), "opening") << '\n';
  append_results(out, sum_of(report));
  const std::vector<Score> scores = scores_of(report);
  const std::vector<Rank> ranks = rank_all(scores);
  std::vector<std::size_t> order(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); i++) order[ranks[i].rank - 1] = i;
  out << "\nranking by White's score; intervals and possible ranks hold for all openings together with 95 % "
         "(ci95_of_all), so two openings differ only where their intervals do not meet:\n"
      << "  rank  possible        score (interval)              games   plies  opening\n";
  for (const std::size_t i : order) {
    const PlayoutTally& tally = report.result.openings[i];
    out << std::right << std::setw(6) << ranks[i].rank << "  " << std::left << std::setw(12)
        << std::to_string(ranks[i].best) + "-" + std::to_string(ranks[i].worst) << "  " << std::setw(26)
        << score_text(scores[i], ranks[i].interval) << std::right << std::setw(10) << tally.games() << std::setw(8)
        << fixed(lengths_of(tally).mean, 1) << "  " << name_of(report, i) << '\n';
  }
  return out.str();
}

}  // namespace

std::string text_of(const PlayoutReport& report) {
  std::string text(kRandomPlay);
  text += "\n" + rules_text(report) + "\n";
  if (!report.result.complete) text += "stopped: what was finished until then\n";
  text += '\n';
  if (is_book(report)) return text + book_text(report);
  return report.book.openings.empty() ? text + "no openings\n" : text + opening_text(report, 0);
}

}  // namespace hecatomb
