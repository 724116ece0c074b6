// A playout report as CSV: a line an opening, and one a first move.
#include <sstream>

#include "host/cli/playout_figures.h"
#include "host/notation/fen.h"

namespace hecatomb {

namespace {

/// A field in quotes where it must be.
std::string csv_field(const std::string& value) {
  if (value.find_first_of(",\"\n\r") == std::string::npos) return value;
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

void append_csv_results(std::ostringstream& out, const ResultCounts& results) {
  const Score score = score_of(results);
  const Interval interval = score.interval(deviations_95());
  out << games_of(results) << ',' << count_of(results, Result::white_wins) << ',' << count_of(results, Result::draw)
      << ',' << count_of(results, Result::black_wins) << ',' << count_of(results, Result::ongoing) << ',';
  if (score.decided != 0) out << score.value;
  out << ',' << interval.low << ',' << interval.high;
}

}  // namespace

std::string csv_of(const PlayoutReport& report) {
  std::ostringstream out;
  out << "opening,name,fen,move,san,games,white,draws,black,unfinished,score,ci95_low,ci95_high,plies_mean,plies_sd,"
         "plies_p5,plies_p50,plies_p95,plies_max,branching,forced,captures_forced,promotions,rank,rank_best,rank_"
         "worst,ci95_of_all_low,ci95_of_all_high\n";
  const std::vector<Rank> ranks = rank_all(scores_of(report));
  for (std::size_t i = 0; i < report.book.openings.size(); i++) {
    const PlayoutTally& tally = report.result.openings[i];
    const LengthStatistics lengths = lengths_of(tally);
    const std::uint64_t plies = tally.plies();
    const std::string opening = std::to_string(report.job.first_opening + i) + ',' +
                                csv_field(report.book.openings[i].name) + ',' + fen_of(report.job.openings[i]) + ',';
    out << opening << ",,";
    append_csv_results(out, tally.results);
    out << ',' << lengths.mean << ',' << lengths.sd << ',' << lengths.p5 << ',' << lengths.p50 << ',' << lengths.p95
        << ',' << lengths.max << ',' << share(tally.legal_moves, plies) << ',' << share(tally.forced, plies) << ','
        << share(tally.forced_captures, plies) << ',' << share(tally.promotions, tally.games()) << ',' << ranks[i].rank
        << ',' << ranks[i].best << ',' << ranks[i].worst << ',' << ranks[i].interval.low << ','
        << ranks[i].interval.high << '\n';
    const std::vector<FirstMove> moves = first_moves_of(report, i);
    for (const FirstMove& move : moves) {
      const Interval of_all = interval_of_all(move, moves);
      out << opening << move.uci << ',' << csv_field(move.san) << ',';
      append_csv_results(out, move.results);
      out << ",,,,,,,,,,,,,," << of_all.low << ',' << of_all.high << '\n';
    }
  }
  return out.str();
}

}  // namespace hecatomb
