// What hecatomb playout writes: a JSON document, a text for people, a CSV.
#include <algorithm>
#include <iomanip>
#include <numeric>
#include <sstream>

#include "host/cli/playout.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/playout_statistics.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

/// A first move with its games.
struct FirstMove {
  std::string uci, san;
  ResultCounts results{};
};

/// All legal first moves of an opening, in the order of the rules.
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
std::uint64_t count_of(const ResultCounts& results, Result result) { return results[static_cast<std::size_t>(result)]; }

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

/// "of 829 openings" has more than one.
bool is_book(const PlayoutReport& report) { return report.book.openings.size() > 1; }

// ---- JSON

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
  for (std::size_t i = 0; i < tally.ends.size(); i++) {
    if (tally.ends[i] != 0) ends[std::string(reason_text(static_cast<Reason>(i)))] = tally.ends[i];
  }
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
  for (const FirstMove& move : first_moves_of(report, opening)) {
    Json line = {{"uci", move.uci}, {"san", move.san}};
    line.update(json_of(move.results));
    out["moves"].push_back(std::move(line));
  }
  if (report.job.by_ply) out["by_ply"] = by_ply_json(tally);
  return out;
}

Json rules_json(const PlayoutRules& rules, VariantId variant) {
  Json out = Json::object();
  with_variant(variant, [&](auto v) {
    using V = decltype(v);
    if (V::has_restricted_ep) out["ep"] = rules.options.restricted_ep ? "restricted" : "normal";
    if (V::has_stalemated_wins) out["stalemate"] = rules.options.stalemated_wins ? "stalemated-wins" : "fewer-men";
  });
  const DrawWords words = words_of(rules.draws);
  out["clock"] = words.clock;
  out["repetition"] = words.repetition;
  out["dead"] = words.dead;
  out["max_plies"] = rules.max_plies;
  return out;
}

// ---- text

/// A share in percent: "49.28 %".
std::string percent(double value, int digits = 2) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << 100 * value << " %";
  return text.str();
}

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

/// "49.79 % (49.69-49.89)"
std::string score_text(const Score& score, const Interval& interval) {
  if (score.decided == 0) return "-";
  return percent(score.value) + " (" + fixed(100 * interval.low, 2) + "-" + fixed(100 * interval.high, 2) + ")";
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

void append_results(std::ostringstream& out, const PlayoutTally& tally) {
  const std::uint64_t games = tally.games();
  out << "games " << games << ": White " << percent(share(tally.count(Result::white_wins), games)) << ", draws "
      << percent(share(tally.count(Result::draw), games)) << ", Black "
      << percent(share(tally.count(Result::black_wins), games));
  if (tally.count(Result::ongoing) != 0) out << ", unfinished " << percent(share(tally.count(Result::ongoing), games));
  const Score score = score_of(tally.results);
  out << "\nWhite's score " << score_text(score, score.interval(deviations_95())) << ", 95 % interval\n";
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
  const Json ends = ends_json(tally);
  for (const auto& [reason, games] : ends.items())
    out << ' ' << reason << ' ' << percent(share(games.get<std::uint64_t>(), tally.games()));
  out << "\nplies: mean " << fixed(lengths.mean, 2) << ", sd " << fixed(lengths.sd, 2) << ", p5 " << lengths.p5
      << ", median " << lengths.p50 << ", p95 " << lengths.p95 << ", max " << lengths.max << '\n'
      << "legal moves a ply: " << fixed(share(tally.legal_moves, plies), 3) << "; one legal move "
      << percent(share(tally.forced, plies)) << " of plies, compulsory capture "
      << percent(share(tally.forced_captures, plies)) << "; promotions a game "
      << fixed(share(tally.promotions, tally.games()), 3) << "\n\n";
  const std::vector<FirstMove> moves = first_moves_of(report, opening);
  if (moves.empty()) return out.str();
  const double deviations = deviations_for_all(moves.size());
  out << "first moves; intervals hold together with 95 %:\n";
  for (const FirstMove& move : moves) {
    const Score score = score_of(move.results);
    out << std::left << std::setw(8) << move.san << std::right << std::setw(12) << games_of(move.results) << "  "
        << score_text(score, score.interval(deviations)) << '\n';
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
  out << "\nranking by White's score; intervals and possible ranks hold for all openings together with 95 %, so two "
         "openings differ only where their intervals do not meet:\n"
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

// ---- CSV

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

DrawWords words_of(const DrawRules& draws) {
  return {draws.clock_plies == 0 ? "none" : std::to_string(draws.clock_plies / 2),
          draws.repetitions == 0 ? "none" : std::to_string(draws.repetitions), draws.dead ? "on" : "off"};
}

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
              {"seed", report.job.seed},
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

std::string text_of(const PlayoutReport& report) {
  std::string text(kRandomPlay);
  text += "\n" + rules_text(report) + "\n";
  if (!report.result.complete) text += "stopped: what was finished until then\n";
  text += '\n';
  if (is_book(report)) return text + book_text(report);
  return report.book.openings.empty() ? text + "no openings\n" : text + opening_text(report, 0);
}

std::string csv_of(const PlayoutReport& report) {
  std::ostringstream out;
  out << "opening,name,fen,move,san,games,white,draws,black,unfinished,score,ci95_low,ci95_high,plies_mean,plies_sd,"
         "plies_p5,plies_p50,plies_p95,plies_max,branching,forced,captures_forced,promotions,rank,rank_best,rank_"
         "worst\n";
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
        << ',' << ranks[i].best << ',' << ranks[i].worst << '\n';
    for (const FirstMove& move : first_moves_of(report, i)) {
      out << opening << move.uci << ',' << csv_field(move.san) << ',';
      append_csv_results(out, move.results);
      out << ",,,,,,,,,,,,,\n";
    }
  }
  return out.str();
}

}  // namespace hecatomb
