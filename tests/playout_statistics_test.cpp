// What tallies say: intervals, percentiles, ranks; and whether random games are those of other programs and as random
// as they should be (fixed seeds, so nothing here fails by chance from one run to the next).
#include "host/playout_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/antichess.h"
#include "host/backend.h"
#include "host/notation/variant_name.h"

namespace hecatomb {
namespace {

#if defined(HECATOMB_SANITIZED)
constexpr u32 kFewer = 16, kWider = 4;  // games, and what a percentile of them may differ by
#else
constexpr u32 kFewer = 1, kWider = 1;
#endif

ResultCounts results(u64 white, u64 draws, u64 black, u64 unfinished = 0) { return {unfinished, white, black, draws}; }

// ---- arithmetic

TEST(Statistics, ScoreAndItsInterval) {
  const Score score = score_of(results(50, 20, 30, 900));
  EXPECT_EQ(score.decided, 100u);
  EXPECT_DOUBLE_EQ(score.value, 0.6);
  EXPECT_NEAR(score.variance, 0.5 + 0.05 - 0.36, 1e-12);
  const Interval interval = score.interval(deviations_95());
  EXPECT_NEAR(interval.low, 0.6 - 1.959963984540054 * std::sqrt(0.19 / 100), 1e-12);
  EXPECT_NEAR(interval.high, 0.6 + 1.959963984540054 * std::sqrt(0.19 / 100), 1e-12);
  const Interval cut = score_of(results(99, 0, 1)).interval(deviations_95());
  EXPECT_EQ(cut.high, 1.0);
  EXPECT_GT(cut.low, 0.96);
  EXPECT_EQ(score_of(results(7, 0, 0)).interval(2).half_width(), 0.0);
  const Score nothing = score_of(results(0, 0, 0, 5));
  EXPECT_EQ(nothing.decided, 0u);
  EXPECT_EQ(nothing.interval(2).low, 0.0);
  EXPECT_EQ(nothing.interval(2).high, 1.0);
}

TEST(Statistics, DeviationsAreThoseOfTheTables) {
  EXPECT_NEAR(deviations_for(0.95), 1.959963984540054, 1e-9);
  EXPECT_NEAR(deviations_for(0.99), 2.5758293035489004, 1e-9);
  EXPECT_NEAR(deviations_for(0.6826894921370859), 1.0, 1e-9);
  EXPECT_NEAR(deviations_for_all(1), 1.959963984540054, 1e-9);
  EXPECT_NEAR(deviations_for_all(829), 4.0055559638, 1e-8);  // outside: 1 - 0.95^(1/829) = 6.187e-5
}

/// The probability that a joint interval of n games misses the true score, from all results they can have.
double miss_probability(int n, double win, double draw, double deviations) {
  const double loss = 1 - win - draw, score = win + draw / 2;
  double missed = 0;
  for (int w = 0; w <= n; w++) {
    for (int d = 0; w + d <= n; d++) {
      const int l = n - w - d;
      const Score found = score_of(results(static_cast<u64>(w), static_cast<u64>(d), static_cast<u64>(l)));
      const Interval interval = found.joint_interval(deviations);
      if (interval.low <= score && score <= interval.high) continue;
      missed += std::exp(std::lgamma(n + 1) - std::lgamma(w + 1) - std::lgamma(d + 1) - std::lgamma(l + 1) +
                         w * std::log(win) + d * std::log(draw) + l * std::log(loss));
    }
  }
  return missed;
}

TEST(Statistics, JointIntervalsHoldWithFewGames) {
  for (const std::size_t openings : {std::size_t{20}, std::size_t{829}}) {
    const double deviations = deviations_for_all(openings);
    const double allowed = 1 - std::pow(kConfidence, 1.0 / static_cast<double>(openings));
    for (const int games : {1, 2, 5, 20, 60}) {
      EXPECT_LE(miss_probability(games, 0.5, 0.05, deviations), allowed) << openings << " " << games;
      EXPECT_LE(miss_probability(games, 0.3, 0.1, deviations), allowed) << openings << " " << games;
      EXPECT_LE(miss_probability(games, 0.1, 0.8, deviations), allowed) << openings << " " << games;
    }
  }
  const Score many = score_of(results(500'000, 200'000, 300'000));
  EXPECT_NEAR(many.joint_interval(4).low, many.interval(4).low, 1e-5);
  EXPECT_NEAR(many.joint_interval(4).high, many.interval(4).high, 1e-5);
  EXPECT_EQ(score_of(results(0, 0, 0)).joint_interval(4).half_width(), 0.5);
}

TEST(Statistics, LengthsByNearestRank) {
  PlayoutTally tally;
  tally.lengths = {0, 1, 0, 2, 1};  // 1 3 3 4
  tally.results = results(4, 0, 0);
  const LengthStatistics lengths = lengths_of(tally);
  EXPECT_DOUBLE_EQ(lengths.mean, 2.75);
  EXPECT_DOUBLE_EQ(lengths.sd, std::sqrt((1.75 * 1.75 + 2 * 0.25 * 0.25 + 1.25 * 1.25) / 4));
  EXPECT_EQ(lengths.p5, 1u);
  EXPECT_EQ(lengths.p50, 3u);
  EXPECT_EQ(lengths.p95, 4u);
  EXPECT_EQ(lengths.max, 4u);
  EXPECT_EQ(alive_by_ply(tally), (std::vector<u64>{4, 3, 3, 1}));
  tally.lengths.assign(100, 1);  // 0 … 99: the 5th of a hundred is 4
  tally.results = results(100, 0, 0);
  EXPECT_EQ(lengths_of(tally).p5, 4u);
  EXPECT_EQ(lengths_of(tally).p50, 49u);
  EXPECT_EQ(lengths_of(tally).p95, 94u);
  EXPECT_EQ(lengths_of(PlayoutTally{}).max, 0u);
}

TEST(Statistics, RanksKnowWhatIsNotKnown) {
  // Far apart: ranks are certain. Close together: anything is possible.
  const std::vector<Score> far = {score_of(results(100, 0, 900)), score_of(results(900, 0, 100)),
                                  score_of(results(500, 0, 500))};
  const std::vector<Rank> certain = rank_all(far);
  EXPECT_EQ(certain[0].rank, 3u);
  EXPECT_EQ(certain[1].rank, 1u);
  EXPECT_EQ(certain[2].rank, 2u);
  for (const Rank& rank : certain) {
    EXPECT_EQ(rank.best, rank.rank);
    EXPECT_EQ(rank.worst, rank.rank);
  }
  std::vector<Score> close;
  for (u64 i = 0; i < 50; i++) close.push_back(score_of(results(500 + i, 0, 500 - i)));
  for (const Rank& rank : rank_all(close)) {
    EXPECT_LE(rank.best, rank.rank);
    EXPECT_GE(rank.worst, rank.rank);
    EXPECT_GE(rank.worst - rank.best, 40u);
  }
  EXPECT_TRUE(rank_all({}).empty());
}

// Of many openings that are all the same, none may seem better than another: the fault that ranking by single
// intervals makes (about one pair in twelve would differ).
TEST(Statistics, EqualOpeningsAreNotRanked) {
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  std::vector<PlayoutItem> items;
  for (u32 i = 0; i < 200 / kFewer; i++) items.push_back({start_position(VariantId::antichess), i, 0, 128});
  std::vector<PlayoutAnswer> answers(items.size());
  backend->playout({VariantId::antichess, {}, 1, false, items, {}}, answers);
  std::vector<Score> scores;
  for (const PlayoutAnswer& answer : answers) scores.push_back(score_of(answer.tally.results));
  for (const Rank& rank : rank_all(scores)) {
    EXPECT_EQ(rank.best, 1u);
    EXPECT_EQ(rank.worst, scores.size());
  }
}

// ---- the random games of other programs (datasets/playouts)

/// A number with its standard error.
struct Estimate {
  double value, error;
};

void expect_near(Estimate ours, Estimate theirs, double rounding, const std::string& what) {
  const double error = std::sqrt(ours.error * ours.error + theirs.error * theirs.error) + rounding / 4;
  EXPECT_LE(std::abs(ours.value - theirs.value), 4 * error)
      << what << ": " << ours.value << " +- " << ours.error << ", others " << theirs.value << " +- " << theirs.error;
}

Estimate proportion(u64 count, u64 games) {
  const double p = static_cast<double>(count) / static_cast<double>(games);
  return {100 * p, 100 * std::sqrt(p * (1 - p) / static_cast<double>(games))};
}

/// Games from the start in 32 pieces, so that the error of any number follows from the pieces.
struct Sample {
  std::vector<PlayoutTally> pieces;
  PlayoutTally sum;

  Sample() = default;
  Sample(VariantId variant, const DrawRules& draws, u32 games, u64 seed) {
    WorkPool pool(1);
    const auto backend = make_backend("cpu", pool);
    std::vector<PlayoutItem> items;
    const u32 each = games / kFewer / 32;
    for (u32 i = 0; i < 32; i++) items.push_back({start_position(variant), 0, i * each, each});
    std::vector<PlayoutAnswer> answers(items.size());
    backend->playout({variant, {{}, draws, 10000}, seed, false, items, {}}, answers);
    for (PlayoutAnswer& answer : answers) {
      sum.add(answer.tally);
      pieces.push_back(std::move(answer.tally));
    }
  }

  template <class F>
  Estimate of(F&& f) const {
    double mean = 0, squares = 0;
    for (const PlayoutTally& piece : pieces) mean += f(piece) / 32;
    for (const PlayoutTally& piece : pieces) squares += (f(piece) - mean) * (f(piece) - mean);
    return {f(sum), std::sqrt(squares / 31 / 32)};
  }
};

/// Antichess as chessops plays it: dead are bishops alone, of one colour of squares each side. It does not know that
/// pawns which block each other change nothing (rules.md); there it plays on, mostly until the clock runs out, so that
/// lengths spread more: sd 19.0 instead of 18.5.
Sample antichess_without_dead_pawns(const DrawRules& draws, u32 games, u64 seed) {
  Sample sample;
  const PlayoutRules rules{{}, {draws.clock_plies, draws.repetitions, false}, 10000};
  std::vector<Position> memory(most_reversible_positions(rules));
  const u32 each = games / kFewer / 32;
  for (u32 piece = 0; piece < 32; piece++) {
    PlayoutTally tally;
    tally.lengths.resize(rules.max_plies + 1);
    for (u32 i = 0; i < each; i++) {
      PlayoutState game{start_position(VariantId::antichess), {seed, 0, piece * each + i}, {}};
      GameHistory history(memory.data(), static_cast<int>(memory.size()));
      for (bool goes_on = true; goes_on;) {
        const Position& p = game.position;
        history.push(p);
        if (p.pawns == 0 && antichess_insufficient_material(p)) {
          game.record.outcome = drawn(Reason::insufficient_material);
          break;
        }
        Move move;
        goes_on = p.side == kWhite ? play_ply<Antichess, kWhite>(game, rules, history.occurrences(), move)
                                   : play_ply<Antichess, kBlack>(game, rules, history.occurrences(), move);
      }
      tally.results[static_cast<std::size_t>(game.record.outcome.result)]++;
      tally.lengths[game.record.plies]++;
      tally.legal_moves += game.record.legal_moves;
    }
    tally.trim();
    sample.sum.add(tally);
    sample.pieces.push_back(std::move(tally));
  }
  return sample;
}

u32 games_for(VariantId variant) {
  return variant == VariantId::horde ? 16384 : variant == VariantId::losers ? 16384 : 65536;
}

TEST(OtherPrograms, ResultsLengthsAndBranching) {
  std::ifstream file(std::string(HECATOMB_SOURCE_DIR) + "/datasets/playouts/uniform.jsonl");
  int lines = 0;
  for (std::string line; std::getline(file, line); lines++) {
    const nlohmann::json j = nlohmann::json::parse(line);
    const VariantId variant = *find_variant(j["variant"].get<std::string>());
    const DrawRules draws{2 * j["clock"].get<int>(), j.value("repetition", 0), j.value("dead", false)};
    const u64 seed = 1000 + static_cast<u64>(lines);
    const Sample ours = draws.dead ? antichess_without_dead_pawns(draws, games_for(variant), seed)
                                   : Sample(variant, draws, games_for(variant), seed);
    const auto theirs = [&](const char* key) { return Estimate{j[key][0], j[key][1]}; };
    const u64 games = ours.sum.games();
    expect_near(proportion(ours.sum.count(Result::white_wins), games), theirs("white"), 0.005, line);
    expect_near(proportion(ours.sum.count(Result::draw), games), theirs("draws"), 0.005, line);
    expect_near(proportion(ours.sum.count(Result::black_wins), games), theirs("black"), 0.005, line);
    expect_near(ours.of([](const PlayoutTally& t) { return lengths_of(t).mean; }), theirs("plies"), 0.005, line);
    // Errors that were not told: ours, scaled by the number of games.
    const double scale = std::sqrt(static_cast<double>(games) / j["games"].get<double>());
    const Estimate sd = ours.of([](const PlayoutTally& t) { return lengths_of(t).sd; });
    expect_near(sd, {j["sd"], scale * sd.error}, 0.05, "sd " + line);
    const Estimate branching = ours.of([](const PlayoutTally& t) { return share(t.legal_moves, t.plies()); });
    expect_near(branching, {j["branching"], scale * branching.error}, 0.005, "branching " + line);
  }
  EXPECT_EQ(lines, 8);
}

// What our rule for dead positions changes in that: the games end alike, some earlier.
TEST(OtherPrograms, DeadPawnsOnlyShortenGames) {
  const DrawRules draws{100, 3, true};
  const Sample theirs = antichess_without_dead_pawns(draws, 32768, 3);
  const Sample ours(VariantId::antichess, draws, 32768, 3);
  EXPECT_EQ(ours.sum.results, theirs.sum.results);
  EXPECT_LT(ours.sum.plies(), theirs.sum.plies());
}

TEST(OtherPrograms, EndsAndShapeWithAClockOf50) {
  const auto expect_ends = [](const Sample& ours, Reason reason, double percent, double rounding, double games) {
    const Estimate here = proportion(ours.sum.ends[static_cast<std::size_t>(reason)], ours.sum.games());
    const double p = percent / 100;
    expect_near(here, {percent, 100 * std::sqrt(p * (1 - p) / games)}, rounding, std::string(reason_text(reason)));
  };
  const auto expect_share = [](const Sample& ours, auto&& of, double value, double rounding, const char* what) {
    const Estimate here = ours.of(of);
    expect_near(here, {value, 0}, rounding, what);
  };
  const Sample antichess(VariantId::antichess, {100, 0, false}, 65536, 5);
  expect_ends(antichess, Reason::no_pieces, 69.40, 0.005, 2e6);
  expect_ends(antichess, Reason::no_moves, 29.58, 0.005, 2e6);
  expect_ends(antichess, Reason::fifty_moves, 1.02, 0.005, 2e6);
  expect_share(
      antichess, [](const auto& t) { return share(t.forced, t.plies()); }, 0.268, 0.0005, "forced");
  expect_share(
      antichess, [](const auto& t) { return share(t.forced_captures, t.plies()); }, 0.39, 0.005, "captures");
  expect_share(
      antichess, [](const auto& t) { return share(t.promotions, t.games()); }, 0.35, 0.005, "promotions");
  const LengthStatistics plies = lengths_of(antichess.sum);
  EXPECT_NEAR(static_cast<double>(plies.p5), 47, 1 * kWider);
  EXPECT_NEAR(static_cast<double>(plies.p50), 65, 1 * kWider);
  EXPECT_NEAR(static_cast<double>(plies.p95), 105, 2 * kWider);
  const Sample horde(VariantId::horde, {100, 0, false}, 16384, 6);
  expect_ends(horde, Reason::mate, 35.6, 0.05, 8e5);
  expect_ends(horde, Reason::stalemate, 32.2, 0.05, 8e5);
  expect_ends(horde, Reason::horde_destroyed, 18.9, 0.05, 8e5);
  expect_ends(horde, Reason::fifty_moves, 13.4, 0.05, 8e5);
  expect_share(
      horde, [](const auto& t) { return share(t.promotions, t.games()); }, 7.8, 0.05, "promotions");
  const LengthStatistics longer = lengths_of(horde.sum);
  EXPECT_NEAR(static_cast<double>(longer.p5), 71, 4 * kWider);
  EXPECT_NEAR(static_cast<double>(longer.p50), 269, 9 * kWider);
  EXPECT_NEAR(static_cast<double>(longer.p95), 613, 16 * kWider);
}

// A part of what is a stalemate without it, each such game a ply shorter; nothing else changes.
TEST(ClosedPositions, AreStalematesAPlyEarly) {
  const Sample open(VariantId::horde, {100, 0, false}, 8192, 9), closed(VariantId::horde, {100, 0, true}, 8192, 9);
  const auto ends = [](const Sample& s, Reason r) { return s.sum.ends[static_cast<std::size_t>(r)]; };
  EXPECT_EQ(open.sum.results, closed.sum.results);
  const u64 early = ends(closed, Reason::closed_position);
  if (kFewer == 1) {
    EXPECT_GT(early, 0u);  // some three in 2048 games
  }
  EXPECT_EQ(ends(open, Reason::stalemate), ends(closed, Reason::stalemate) + early);
  EXPECT_EQ(open.sum.plies(), closed.sum.plies() + early);
}

// ---- randomness

/// Chi-square of two samples of the same kinds, and its degrees of freedom.
struct ChiSquare {
  double value = 0;
  int degrees = -1;
  void add(double a, double b, double all_a, double all_b) {
    if (a + b == 0) return;
    const double expected_a = (a + b) * all_a / (all_a + all_b), expected_b = (a + b) * all_b / (all_a + all_b);
    value += (a - expected_a) * (a - expected_a) / expected_a + (b - expected_b) * (b - expected_b) / expected_b;
    degrees++;
  }
  /// Standard deviations from its mean, by the cube root (Wilson and Hilferty 1931).
  double deviations() const {
    const double d = degrees, v = 2 / (9 * d);
    return (std::cbrt(value / d) - (1 - v)) / std::sqrt(v);
  }
};

TEST(Randomness, FirstMovesAreUniform) {
  for (const VariantId variant : kAllVariants) {
    WorkPool pool(1);
    const auto backend = make_backend("cpu", pool);
    const u32 games = 40000 / kFewer;
    const PlayoutItem item{start_position(variant), 0, 0, games};
    PlayoutAnswer answer;
    backend->playout({variant, {{}, {}, 1}, 12, false, {&item, 1}, {}}, {&answer, 1});
    const std::size_t moves = variant == VariantId::horde ? 8 : 20;
    ASSERT_EQ(answer.tally.first_moves.size(), moves);
    double chi = 0;
    const double expected = static_cast<double>(games) / static_cast<double>(moves);
    for (const ResultCounts& counts : answer.tally.first_moves) {
      EXPECT_EQ(counts[0], counts[0] + counts[1] + counts[2] + counts[3]) << "unfinished after a ply";
      const double off = static_cast<double>(counts[0]) - expected;
      chi += off * off / expected;
    }
    const ChiSquare test{chi, static_cast<int>(moves) - 1};
    EXPECT_LT(std::abs(test.deviations()), 4) << variant_name(variant) << " chi-square " << chi;
  }
}

/// Ends and lengths of two samples that must be of one kind.
void expect_alike(const PlayoutTally& a, const PlayoutTally& b, const std::string& what) {
  const auto all_a = static_cast<double>(a.games()), all_b = static_cast<double>(b.games());
  ChiSquare ends, lengths;
  for (std::size_t r = 0; r < a.ends.size(); r++)
    ends.add(static_cast<double>(a.ends[r]), static_cast<double>(b.ends[r]), all_a, all_b);
  EXPECT_LT(ends.deviations(), 4) << what << ": ends, chi-square " << ends.value;
  double in_a = 0, in_b = 0;
  for (std::size_t i = 0; i < std::max(a.lengths.size(), b.lengths.size()); i++) {
    in_a += i < a.lengths.size() ? static_cast<double>(a.lengths[i]) : 0;
    in_b += i < b.lengths.size() ? static_cast<double>(b.lengths[i]) : 0;
    if (in_a + in_b < (all_a + all_b) / 40) continue;  // some forty kinds of equal weight
    lengths.add(in_a, in_b, all_a, all_b);
    in_a = in_b = 0;
  }
  lengths.add(in_a, in_b, all_a, all_b);
  EXPECT_GT(lengths.degrees, 15);
  EXPECT_LT(lengths.deviations(), 4) << what << ": lengths, chi-square " << lengths.value;
}

// Seeds, openings and games are words of one counter: other words must give other games of the same kind.
TEST(Randomness, SeedsOpeningsAndGamesAreAlike) {
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  for (const VariantId variant : kAllVariants) {
    const u32 games = games_for(variant) / 8 / kFewer;
    const Position start = start_position(variant);
    const PlayoutItem items[] = {{start, 0, 0, games}, {start, 1, 0, games}, {start, 0, 0x80000000, games}};
    std::vector<PlayoutAnswer> answers(3), other_seed(1);
    const PlayoutRules rules{{}, {150, 5, true}, 10000};
    backend->playout({variant, rules, 1, false, items, {}}, answers);
    backend->playout({variant, rules, u64{1} << 32, false, {items, 1}, {}}, other_seed);
    const std::string name(variant_name(variant));
    EXPECT_NE(answers[0].tally, answers[1].tally);
    EXPECT_NE(answers[0].tally, answers[2].tally);
    EXPECT_NE(answers[0].tally, other_seed[0].tally);
    expect_alike(answers[0].tally, answers[1].tally, name + " openings");
    expect_alike(answers[0].tally, answers[2].tally, name + " games");
    expect_alike(answers[0].tally, other_seed[0].tally, name + " seeds");
  }
}

}  // namespace
}  // namespace hecatomb
