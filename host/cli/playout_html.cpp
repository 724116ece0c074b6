// A playout report as one page of HTML: the ranking of a book, and for each opening results, ends, lengths, first
// moves.
#include <algorithm>

#include "host/cli/playout_figures.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/report/html.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

/// Cells for shares of the results, in the order of the heads White, draws, Black, unfinished.
void append_results(HtmlTable& table, const ResultCounts& results) {
  const std::uint64_t games = games_of(results);
  for (const Result result : {Result::white_wins, Result::draw, Result::black_wins, Result::ongoing}) {
    const double part = share(count_of(results, result), games);
    table.number(percent(part), part);
  }
}

/// Cells for a score and its interval.
void append_score(HtmlTable& table, const Score& score, const Interval& interval, const HtmlScale& scale) {
  const bool known = score.decided != 0;
  table.number(known ? percent(score.value) : "-", known ? score.value : -1);
  table.number(fixed(100 * interval.low, 2) + " - " + fixed(100 * interval.high, 2), interval.half_width());
  table.cell(html_interval(scale, interval.low, known ? std::optional(score.value) : std::nullopt, interval.high));
}

/// The head of a column of pictures: the ends of their scale.
std::string scale_head(const HtmlScale& scale) { return percent(scale.from, 0) + " ... " + percent(scale.to, 0); }

/// The scale that shows all intervals of what has games that are decided.
HtmlScale scale_of(const std::vector<Score>& scores, double deviations) {
  double low = 1, high = 0;
  for (const Score& score : scores) {
    if (score.decided == 0) continue;
    const Interval interval = score.joint_interval(deviations);
    low = std::min(low, interval.low);
    high = std::max(high, interval.high);
  }
  return low <= high ? percent_scale(low, high) : HtmlScale{};
}

std::string counts_table(std::string_view head, const std::vector<EndCount>& counts, std::uint64_t games) {
  HtmlTable table({head, "games", "share", ""});
  for (const EndCount& count : counts) {
    const double part = share(count.games, games);
    table.row();
    table.cell(html_text(count.reason));
    table.number(std::to_string(count.games), static_cast<double>(count.games));
    table.number(percent(part), part);
    table.cell(html_share(part));
  }
  return table.html();
}

std::string first_moves_table(const std::vector<FirstMove>& moves) {
  if (moves.empty()) return {};
  const double deviations = deviations_for_all(moves.size());
  std::vector<Score> scores;
  scores.reserve(moves.size());
  for (const FirstMove& move : moves) scores.push_back(score_of(move.results));
  const HtmlScale scale = scale_of(scores, deviations);
  HtmlTable table(
      {"first move", "games", "White's score", "interval", scale_head(scale), "White", "draws", "Black", "unfinished"});
  for (std::size_t i = 0; i < moves.size(); i++) {
    table.row();
    table.cell(html_text(moves[i].san));
    const std::uint64_t games = games_of(moves[i].results);
    table.number(std::to_string(games), static_cast<double>(games));
    append_score(table, scores[i], scores[i].joint_interval(deviations), scale);
    append_results(table, moves[i].results);
  }
  return "<p>First moves; their intervals hold together with 95 % (ci95_of_all):</p>\n" + table.html();
}

/// Results, ends, lengths and shape.
std::string figures_html(const PlayoutTally& tally) {
  const std::uint64_t games = tally.games(), plies = tally.plies();
  const Score score = score_of(tally.results);
  const Interval interval = score.interval(deviations_95());
  std::string out = "<p>" + counted(games, "game") + "; White's score ";
  out += score.decided == 0 ? "unknown: no game is decided"
                            : percent(score.value) + ", 95 % interval (ci95) " + fixed(100 * interval.low, 2) + " to " +
                                  percent(interval.high);
  out += "</p>\n";
  const auto count = [&](Result result) { return tally.count(result); };
  out += counts_table("result",
                      {{"White wins", count(Result::white_wins)},
                       {"draw", count(Result::draw)},
                       {"Black wins", count(Result::black_wins)},
                       {"unfinished", count(Result::ongoing)}},
                      games);
  out += counts_table("end", ends_of(tally), games);
  const LengthStatistics lengths = lengths_of(tally);
  out += "<p>Plies: mean " + fixed(lengths.mean, 2) + ", sd " + fixed(lengths.sd, 2) + ", p5 " +
         std::to_string(lengths.p5) + ", median " + std::to_string(lengths.p50) + ", p95 " +
         std::to_string(lengths.p95) + ", max " + std::to_string(lengths.max) + "<br>\n" +
         html_histogram(tally.lengths, "plies") + "</p>\n<p>Legal moves a ply " +
         fixed(share(tally.legal_moves, plies), 3) + "; one legal move " + percent(share(tally.forced, plies)) +
         " of plies, compulsory capture " + percent(share(tally.forced_captures, plies)) + "; promotions a game " +
         fixed(share(tally.promotions, games), 3) + "</p>\n";
  return out;
}

std::string opening_html(const PlayoutReport& report, std::size_t opening) {
  return "<p><code>" + html_text(fen_of(report.job.openings[opening])) + "</code></p>\n" +
         figures_html(report.result.openings[opening]) + first_moves_table(first_moves_of(report, opening));
}

std::string ranking_html(const PlayoutReport& report) {
  const std::vector<Score> scores = scores_of(report);
  const std::vector<Rank> ranks = rank_all(scores);
  const HtmlScale scale = scale_of(scores, deviations_for_all(scores.size()));
  HtmlTable table({"rank", "from", "to", "opening", "White's score", "interval", scale_head(scale), "games", "White",
                   "draws", "Black", "unfinished", "plies", "sd", "moves a ply"});
  std::vector<std::size_t> order(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); i++) order[ranks[i].rank - 1] = i;
  for (const std::size_t i : order) {
    const PlayoutTally& tally = report.result.openings[i];
    const LengthStatistics lengths = lengths_of(tally);
    const double branching = share(tally.legal_moves, tally.plies());
    table.row();
    for (const std::size_t number : {ranks[i].rank, ranks[i].best, ranks[i].worst})
      table.number(std::to_string(number), static_cast<double>(number));
    table.cell("<a href=\"#o" + std::to_string(i) + "\">" + html_text(name_of(report, i)) + "</a>");
    append_score(table, scores[i], ranks[i].interval, scale);
    table.number(std::to_string(tally.games()), static_cast<double>(tally.games()));
    append_results(table, tally.results);
    table.number(fixed(lengths.mean, 1), lengths.mean);
    table.number(fixed(lengths.sd, 1), lengths.sd);
    table.number(fixed(branching, 2), branching);
  }
  return "<h2>Ranking by White's score</h2>\n<p>Intervals and possible ranks (from, to) hold for all openings together "
         "with 95 % (ci95_of_all): two openings differ only where their intervals do not meet. The best of many by "
         "chance is not "
         "the best.</p>\n" +
         table.html();
}

}  // namespace

std::string html_of(const PlayoutReport& report) {
  std::string body = "<p class=note>" + html_text(kRandomPlay) + ".</p>\n<p>" + html_text(rules_text(report)) +
                     "; played by " + html_text(report.backend) +
                     (report.book_path.empty() ? "" : "; book " + html_text(report.book_path)) +
                     "</p>\n<p>Made by <code>" + html_text(report.command) + "</code></p>\n";
  if (!report.result.complete) body += "<p class=note>Stopped: what was finished until then.</p>\n";
  const std::size_t openings = report.book.openings.size();
  if (openings == 1) body += opening_html(report, 0);
  if (is_book(report)) {
    body += ranking_html(report) + "<h2>All openings together</h2>\n" + figures_html(sum_of(report)) +
            "<h2>Each opening</h2>\n";
    for (std::size_t i = 0; i < openings; i++) {
      body += "<details id=o" + std::to_string(i) + "><summary>" + html_text(name_of(report, i)) + "</summary>\n" +
              opening_html(report, i) + "</details>\n";
    }
  }
  const std::string what = openings == 1 ? report.book.openings[0].name : counted(openings, "opening");
  return html_page("Random games: " + std::string(variant_name(report.job.variant)) + (what.empty() ? "" : ", ") + what,
                   body);
}

}  // namespace hecatomb
