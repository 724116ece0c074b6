// Random games: every instruction set level against common/playout.h, that against the reference, and both against
// games that python-chess has played (datasets/playouts/games.jsonl).
#include "common/playout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "host/backend.h"
#include "host/cpu/playout_level.h"
#include "host/notation/fen.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/playout_job.h"
#include "host/reference_backend.h"
#include "tests/support/random_positions.h"

namespace hecatomb {

#if defined(HECATOMB_HAS_WIDE)
namespace wide {
extern const PlayoutKernel kPlayouts;
}
#endif

namespace {

using test::kRuleSets;
using test::RuleSet;

#if defined(HECATOMB_SANITIZED)
constexpr u32 kFewer = 10;  // a tenth of the games
#else
constexpr u32 kFewer = 1;
#endif

/// The presets, and each rule alone.
constexpr DrawRules kDraws[] = {{150, 5, true},  {100, 3, true}, {0, 0, false},
                                {150, 0, false}, {0, 3, false},  {100, 0, true}};

struct Level {
  std::string name;
  const PlayoutKernel* playouts;
};

std::vector<Level> levels() {
  const LevelKernel* found[8];
  const std::size_t n = usable_levels(found, 8);
  std::vector<Level> all;
  for (std::size_t i = 0; i < n; i++) all.push_back({found[i]->name, &playouts_of(*found[i])});
#if defined(HECATOMB_HAS_WIDE)
  all.insert(all.begin(), {"wide", &wide::kPlayouts});
#endif
  return all;
}

/// An item by one level.
PlayoutTally by_level(const Level& level, const PlayoutBatch& batch, const PlayoutItem& item) {
  std::vector<u64> lengths(batch.rules.max_plies + 1), moves_by_ply(batch.rules.max_plies);
  std::vector<ResultCounts> first_moves(kMaxMoves);
  PlayoutSums sums{};
  sums.lengths = lengths.data();
  sums.first_moves = reinterpret_cast<u64(*)[4]>(first_moves.data());
  sums.moves_by_ply = moves_by_ply.data();
  PlayoutUnit unit{.opening = &item.opening,
                   .variant = static_cast<u8>(batch.variant),
                   .restricted_ep = batch.rules.options.restricted_ep,
                   .stalemated_wins = batch.rules.options.stalemated_wins,
                   .clock_plies = batch.rules.draws.clock_plies,
                   .repetitions = batch.rules.draws.repetitions,
                   .dead = batch.rules.draws.dead,
                   .max_plies = batch.rules.max_plies,
                   .seed = batch.seed,
                   .opening_number = item.opening_number,
                   .first_game = item.first_game,
                   .games = item.games,
                   .sums = &sums,
                   .memory = nullptr,
                   .stop = nullptr};
  std::vector<Position> memory(level.playouts->memory_bytes(unit) / sizeof(Position));
  unit.memory = memory.data();
  EXPECT_TRUE(level.playouts->play(unit));
  PlayoutTally tally;
  std::copy_n(sums.results, 4, tally.results.begin());
  std::copy_n(sums.ends, kReasons, tally.ends.begin());
  tally.legal_moves = sums.legal_moves;
  tally.forced = sums.forced;
  tally.forced_captures = sums.forced_captures;
  tally.promotions = sums.promotions;
  tally.lengths = lengths;
  tally.first_moves = first_moves;
  tally.moves_by_ply = moves_by_ply;
  tally.trim();
  return tally;
}

/// The same by common/playout.h, game by game.
PlayoutTally by_core(const PlayoutBatch& batch, const PlayoutItem& item) {
  PlayoutTally tally;
  tally.lengths.resize(batch.rules.max_plies + 1);
  tally.first_moves.resize(kMaxMoves);
  tally.moves_by_ply.resize(batch.rules.max_plies);
  std::vector<Position> memory(batch.rules.max_plies + 1);
  with_variant(batch.variant, [&](auto v) {
    using V = decltype(v);
    for (u32 i = 0; i < item.games; i++) {
      GameHistory history(memory.data(), static_cast<int>(memory.size()));
      Position p = item.opening;
      std::size_t ply = 0;
      const PlayoutRecord record = play_game<V>(item.opening, {batch.seed, item.opening_number, item.first_game + i},
                                                batch.rules, history, [&](Move m) {
                                                  tally.moves_by_ply[ply++] += static_cast<u64>(count_moves<V>(p));
                                                  p = make<V>(p, m, batch.rules.options);
                                                });
      EXPECT_EQ(ply, record.plies);
      const auto result = static_cast<std::size_t>(record.outcome.result);
      tally.results[result]++;
      tally.ends[static_cast<std::size_t>(record.outcome.reason)]++;
      tally.lengths[record.plies]++;
      tally.legal_moves += record.legal_moves;
      tally.forced += record.forced;
      tally.forced_captures += record.forced_captures;
      tally.promotions += record.promotions;
      if (record.plies != 0) tally.first_moves[record.first_move][result]++;
    }
  });
  tally.trim();
  return tally;
}

class Playouts : public testing::TestWithParam<RuleSet> {};
INSTANTIATE_TEST_SUITE_P(Rules, Playouts, testing::ValuesIn(kRuleSets),
                         [](const auto& rules) { return test::test_name(rules.param); });

TEST_P(Playouts, EveryLevelPlaysTheGamesOfTheCore) {
  for (const DrawRules& draws : kDraws) {
    const PlayoutBatch batch{.variant = GetParam().variant, .rules = {GetParam().options, draws, 1000}, .seed = 11};
    const PlayoutItem item{start_position(batch.variant), 3, 100, 150 / kFewer};
    const PlayoutTally expected = by_core(batch, item);
    EXPECT_EQ(expected.games(), item.games);
    for (const Level& level : levels()) {
      EXPECT_EQ(first_difference(by_level(level, batch, item), expected), "")
          << level.name << " clock " << draws.clock_plies << " repetition " << draws.repetitions;
    }
  }
}

// A game a position: castling rights, en passant, promotions, finished and dead positions, both colours.
TEST_P(Playouts, EveryLevelFromRandomPositions) {
  test::RandomPositions positions(GetParam(), 5);
  std::set<Reason> seen;
  for (u32 i = 0; i < 800 / kFewer; i++) {
    const Position& p = positions.next();
    const PlayoutBatch batch{
        .variant = GetParam().variant, .rules = {GetParam().options, kDraws[i % std::size(kDraws)], 150}, .seed = i};
    const PlayoutItem item{p, i, 4'000'000'000U + i, 1 + i % 3};
    const PlayoutTally expected = by_core(batch, item);
    for (std::size_t r = 0; r < kReasons; r++) {
      if (expected.ends[r] != 0) seen.insert(static_cast<Reason>(r));
    }
    for (const Level& level : levels()) {
      ASSERT_EQ(first_difference(by_level(level, batch, item), expected), "")
          << level.name << ' ' << test::describe(GetParam(), p, 5) << " number " << i;
    }
  }
  if (kFewer == 1) {
    EXPECT_GE(seen.size(), 6u);
  }
}

// Few men, no clock: many games end by repetition, after hundreds of plies without a capture, and each square of a hash
// comes up more often than its count can tell.
TEST(Repetition, EveryLevelInEndgames) {
  const struct {
    VariantId variant;
    const char* fen;
    u64 threefold, fivefold;  ///< at least so many games of 40
  } cases[] = {{VariantId::chess, "8/8/4k3/8/8/3K4/3R4/8 w - - 0 1", 10, 10},
               {VariantId::chess, "r3k2r/8/8/8/8/8/8/4K3 b kq - 9 30", 30, 15},
               {VariantId::horde, "8/8/4k3/p7/P7/8/8/1N6 w - - 0 1", 3, 0},
               {VariantId::suicide, "7k/8/8/8/8/8/8/K7 w - - 0 1", 1, 0},
               {VariantId::losers, "8/p7/P3k3/8/8/3K4/8/8 b - - 3 9", 3, 0}};
  for (const auto& c : cases) {
    const auto read = read_fen(c.fen, c.variant);
    ASSERT_TRUE(read) << read.error().message;
    for (const int repetitions : {3, 5}) {
      const PlayoutBatch batch{.variant = c.variant, .rules = {{}, {0, repetitions, false}, 2000}, .seed = 3};
      const PlayoutItem item{read->position, 1, 0, 40 / kFewer};
      const PlayoutTally expected = by_core(batch, item);
      const Reason reason = repetitions == 3 ? Reason::threefold : Reason::fivefold;
      if (kFewer == 1) {
        EXPECT_GE(expected.ends[static_cast<std::size_t>(reason)], repetitions == 3 ? c.threefold : c.fivefold)
            << c.fen;
      }
      for (const Level& level : levels()) {
        EXPECT_EQ(first_difference(by_level(level, batch, item), expected), "")
            << level.name << ' ' << c.fen << " repetition " << repetitions;
      }
    }
  }
}

TEST_P(Playouts, TheReferencePlaysTheSameGames) {
  WorkPool pool(2);
  const auto check = make_check_backend(make_backend("cpu", pool), make_backend("reference", pool));
  std::vector<PlayoutItem> items;
  for (const Position& p : {start_position(GetParam().variant)}) items.push_back({p, 0, 0, 8 / std::min(kFewer, 4u)});
  test::RandomPositions positions(GetParam(), 17);
  for (u32 i = 0; i < 60 / kFewer; i++) items.push_back({positions.next(), i, 7 * i, 1 + i % 2});
  for (const DrawRules& draws : kDraws) {
    std::vector<PlayoutAnswer> answers(items.size());
    check->playout({GetParam().variant, {GetParam().options, draws, 400}, 77, true, items, {}}, answers);
    for (std::size_t i = 0; i < items.size(); i++) {
      EXPECT_EQ(answers[i].status, PlayoutAnswer::Status::done)
          << answers[i].note << ' ' << test::describe(GetParam(), items[i].opening, 17);
    }
  }
}

// ---- games that others have played

struct WorkedGame {
  VariantId variant;
  PlayoutRules rules;
  GameId id;
  std::vector<std::string> moves;
  std::string result, reason;
};

std::vector<WorkedGame> worked_games() {
  std::ifstream file(std::string(HECATOMB_SOURCE_DIR) + "/datasets/playouts/games.jsonl");
  std::vector<WorkedGame> games;
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json j = nlohmann::json::parse(line);
    games.push_back({*find_variant(j["variant"].get<std::string>()),
                     {{}, {2 * j["clock"].get<int>(), j["repetition"], false}, 10000},
                     {j["seed"], j["opening"], j["game"]},
                     j["moves"],
                     j["result"],
                     j["reason"]});
  }
  return games;
}

TEST(WorkedGames, ByTheCoreTheReferenceAndEveryLevel) {
  std::set<VariantId> variants;
  for (const WorkedGame& g : worked_games()) {
    variants.insert(g.variant);
    const std::string where = std::string(variant_name(g.variant)) + " game " + std::to_string(g.id.game);
    const Position start = start_position(g.variant);
    std::vector<Position> memory(g.moves.size() + 1);
    GameHistory history(memory.data(), static_cast<int>(memory.size()));
    std::vector<std::string> moves;
    const PlayoutRecord record = with_variant(g.variant, [&](auto v) {
      return play_game<decltype(v)>(start, g.id, g.rules, history, [&](Move m) { moves.push_back(uci_of(m)); });
    });
    EXPECT_EQ(moves, g.moves) << where;
    EXPECT_EQ(result_text(record.outcome.result), g.result) << where;
    EXPECT_EQ(reason_text(record.outcome.reason), g.reason) << where;

    const reference::Rules rules = reference_rules(g.variant, {});
    const reference::RandomGame played = reference::play_random_game(
        rules, reference_position(start, rules), {g.rules.draws.clock_plies, g.rules.draws.repetitions, false},
        g.id.seed, g.id.game, g.id.opening, 10000);
    std::vector<std::string> theirs;
    for (const reference::Move& m : played.moves) theirs.push_back(reference::uci(m));
    EXPECT_EQ(theirs, g.moves) << where;
    EXPECT_EQ(played.result, g.result) << where;
    EXPECT_EQ(played.reason, g.reason) << where;

    for (const Level& level : levels()) {
      const PlayoutTally tally = by_level(level, {.variant = g.variant, .rules = g.rules, .seed = g.id.seed},
                                          {start, g.id.opening, g.id.game, 1});
      ASSERT_EQ(tally.lengths.size(), g.moves.size() + 1) << level.name << ' ' << where;
      EXPECT_EQ(tally.count(record.outcome.result), 1u) << level.name << ' ' << where;
      EXPECT_EQ(tally.ends[static_cast<std::size_t>(record.outcome.reason)], 1u) << level.name << ' ' << where;
    }
  }
  EXPECT_EQ(variants.size(), static_cast<std::size_t>(kVariants));
}

// ---- the draw, and the move that it is

TEST(DrawMove, IsTheReferences) {
  const GameId id{0xfedcba9876543210, 829, 99'999};
  for (u32 ply = 0; ply < 4000; ply++) {
    const u32 moves = ply % 3 == 0 ? 0xc0000001 : 1 + ply % 218;  // of 3 * 2^30 + 1 a quarter is rejected
    ASSERT_EQ(draw_move(id, ply, moves), reference::draw_move(id.seed, id.game, id.opening, ply, moves)) << ply;
  }
}

TEST(NthSquare, OfEverySet) {
  for (u64 seed = 1; seed < 500; seed++) {
    u64 set = seed * 0x9e3779b97f4a7c15 & (seed % 2 == 0 ? ~u64{0} : seed * 0xd6e8feb86659fd93);
    set |= seed % 5 == 0 ? u64{1} << 63 : 0;
    u32 k = 0;
    for (u64 rest = set; rest != 0; rest &= rest - 1) ASSERT_EQ(nth_square(set, k++), ctz(rest)) << seed;
  }
}

TEST_P(Playouts, PickedMovesAreTheNth) {
  test::RandomPositions positions(GetParam(), 29);
  for (u32 i = 0; i < 2000 / kFewer; i++) {
    const Position& p = positions.next();
    with_variant(GetParam().variant, [&](auto v) {
      using V = decltype(v);
      const auto compare = [&]<Color us>() {
        const Reach<u64> reach = reach_of<V, us>(board_of(p));
        const auto moves = static_cast<u32>(count_moves<V, us>(board_of(p), reach));
        for (u32 n = 0; n < moves; n++) {
          const Move picked = pick_move<V, us>(p, reach, n), nth = nth_move<V, us>(p, static_cast<int>(n));
          ASSERT_EQ(picked, nth) << uci_of(picked) << ' ' << uci_of(nth) << ' ' << test::describe(GetParam(), p, 29);
        }
      };
      if (p.side == kWhite) {
        compare.template operator()<kWhite>();
      } else {
        compare.template operator()<kBlack>();
      }
    });
  }
}

// ---- limits and counters

TEST(PlayoutLimits, NoPlyAndTheLastPly) {
  WorkPool pool(1);
  const auto check = make_check_backend(make_backend("cpu", pool), make_backend("reference", pool));
  for (const VariantId variant : kAllVariants) {
    for (const u32 most : {0u, 1u, 2u, 7u}) {
      const PlayoutItem item{start_position(variant), 0, 0, 20};
      PlayoutAnswer answer;
      check->playout({variant, {{}, {}, most}, 1, true, {&item, 1}, {}}, {&answer, 1});
      EXPECT_EQ(answer.status, PlayoutAnswer::Status::done) << answer.note;
      EXPECT_EQ(answer.tally.count(Result::ongoing), 20u);
      EXPECT_EQ(answer.tally.lengths.size(), most + 1u);
      EXPECT_EQ(answer.tally.lengths[most], 20u);
    }
  }
}

TEST(PlayoutLimits, OpeningsThatAreOverOrAtTheClock) {
  WorkPool pool(1);
  const auto check = make_check_backend(make_backend("cpu", pool), make_backend("reference", pool));
  const struct {
    VariantId variant;
    const char* fen;
    Reason reason;
  } openings[] = {
      {VariantId::antichess, "8/8/8/8/8/8/2p5/8 b - - 0 1", Reason::no_pieces},
      {VariantId::chess, "7k/6Q1/6K1/8/8/8/8/8 b - - 200 1", Reason::mate},
      {VariantId::chess, "7k/8/6K1/8/8/8/6Q1/8 b - - 149 1", Reason::seventyfive_moves},
      {VariantId::chess, "7k/8/6K1/8/8/8/6Q1/8 w - - 9999 9999", Reason::seventyfive_moves},
      {VariantId::chess, "7k/8/6K1/8/8/8/6N1/8 w - - 9 9", Reason::insufficient_material},
  };
  for (const auto& o : openings) {
    const PlayoutItem item{read_fen(o.fen, o.variant)->position, 0, 0, 33};
    PlayoutAnswer answer;
    check->playout({o.variant, {}, 1, true, {&item, 1}, {}}, {&answer, 1});
    EXPECT_EQ(answer.status, PlayoutAnswer::Status::done) << answer.note << ' ' << o.fen;
    EXPECT_GT(answer.tally.ends[static_cast<std::size_t>(o.reason)], 20u) << o.fen;
  }
}

// Counters at the end of what a Position can hold: reached by books of very long games.
TEST(PlayoutLimits, LargeCountersDoNotWrap) {
  Position p = read_fen("7k/8/6K1/8/8/8/6Q1/8 w - - 0 1", VariantId::losers)->position;
  p.halfmove = p.fullmove = 65535;
  const PlayoutBatch batch{.variant = VariantId::losers, .rules = {{}, {0, 0, false}, 3000}, .seed = 3};
  const PlayoutItem item{p, 0, 0, 40};
  for (const Level& level : levels())
    EXPECT_EQ(first_difference(by_level(level, batch, item), by_core(batch, item)), "") << level.name;
}

// ---- the job

struct StopGuard {
  ~StopGuard() {
    arm_faults("");
    reset_stop();
  }
};

std::vector<Position> some_openings(VariantId variant, std::size_t count) {
  test::RandomPositions positions({variant}, 23);
  std::vector<Position> some{start_position(variant)};
  while (some.size() < count) some.push_back(positions.next());
  return some;
}

TEST(PlayoutJob, TalliesAreTheSameOnAnyNumberOfThreadsAndInAnyCut) {
  const std::vector<Position> openings = some_openings(VariantId::antichess, 7);
  const std::vector<u64> games{5000 / kFewer, 1, 0, 2049 / kFewer, 300, 1024, 77};
  const PlayoutJob job{
      .variant = VariantId::antichess, .seed = 4, .by_ply = true, .openings = openings, .games = games};
  std::vector<PlayoutTally> first;
  for (const unsigned threads : {1u, 2u, 5u}) {
    WorkPool pool(threads);
    const auto backend = make_backend("cpu", pool);
    const PlayoutResult result = run_playouts(job, *backend);
    EXPECT_TRUE(result.complete);
    if (first.empty()) first = result.openings;
    EXPECT_EQ(result.openings, first) << threads;
  }
  for (std::size_t i = 0; i < games.size(); i++) EXPECT_EQ(first[i].games(), games[i]);
  // The same games in pieces of odd sizes.
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  PlayoutTally pieces;
  for (u32 begin = 0, size = 1; begin < games[0]; begin += size, size = size * 3 % 1000 + 1) {
    const auto left = static_cast<u32>(games[0]) - begin;
    const PlayoutItem item{openings[0], 0, begin, std::min(size, left)};
    PlayoutAnswer answer;
    backend->playout({job.variant, job.rules, job.seed, true, {&item, 1}, {}}, {&answer, 1});
    pieces.add(answer.tally);
  }
  EXPECT_EQ(first_difference(pieces, first[0]), "");
}

TEST(PlayoutJob, SplitSharesOutEveryGame) {
  for (const u64 openings : {1u, 2u, 7u, 829u}) {
    for (const u64 games : {0u, 1u, 6u, 829u, 100'003u}) {
      u64 sum = 0;
      for (u64 i = 0; i < openings; i++) {
        sum += split_games(games, openings, i);
        EXPECT_EQ(split_games(games, openings, i), games / openings + (i < games % openings ? 1 : 0));
      }
      EXPECT_EQ(sum, games);
    }
  }
}

TEST(PlayoutJob, AStopKeepsWholeUnits) {
  const StopGuard guard;
  const std::vector<Position> openings = some_openings(VariantId::suicide, 3);
  const std::vector<u64> games{2048, 2048, 2048};
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  u64 units = 0;
  PlayoutJob job{.variant = VariantId::suicide, .openings = openings, .games = games};
  job.on_unit = [&](const PlayoutRange&, const PlayoutTally&) { fault_point("after-unit", ++units); };
  arm_faults("interrupt-after-unit:3");
  const PlayoutResult result = run_playouts(job, *backend);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(units, 3u);
  EXPECT_EQ(result.openings[0].games(), 2048u);
  EXPECT_EQ(result.openings[1].games(), 1024u);
  EXPECT_EQ(result.openings[2].games(), 0u);
}

TEST(PlayoutJob, UntilNarrowStopsAtTheFirstMultipleThatIs) {
  const std::vector<Position> openings = some_openings(VariantId::antichess, 3);
  const std::vector<u64> most{1'000'000, 1500, 1'000'000};
  PlayoutJob job{.variant = VariantId::antichess, .openings = openings, .games = most, .half_width = 0.012};
  std::vector<PlayoutTally> first;
  for (const unsigned threads : {1u, 3u}) {
    WorkPool pool(threads);
    const auto backend = make_backend("cpu", pool);
    const PlayoutResult result = run_playouts(job, *backend);
    EXPECT_TRUE(result.complete);
    if (first.empty()) first = result.openings;
    EXPECT_EQ(result.openings, first) << threads;
  }
  EXPECT_LE(first[1].games(), 1500u);
  // What a plain count of 1024 after 1024 games gives.
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  const auto narrow = [](const PlayoutTally& tally) {
    const auto n = static_cast<double>(tally.games());
    const double w = static_cast<double>(tally.count(Result::white_wins)) / n;
    const double d = static_cast<double>(tally.count(Result::draw)) / n, mean = w + d / 2;
    const double half = 1.959963984540054 * std::sqrt((w + d / 4 - mean * mean) / n);
    return (std::min(1.0, mean + half) - std::max(0.0, mean - half)) / 2 <= 0.012;
  };
  PlayoutTally tally;
  do {
    const PlayoutItem item{openings[0], 0, static_cast<u32>(tally.games()), 1024};
    PlayoutAnswer answer;
    backend->playout({job.variant, job.rules, job.seed, false, {&item, 1}, {}}, {&answer, 1});
    tally.add(answer.tally);
  } while (!narrow(tally));
  EXPECT_GT(tally.games(), 4096u);
  EXPECT_EQ(first[0], tally);
}

// ---- the check backend

/// The reference, but one game has a ply more.
class OneGameWrong : public Backend {
 public:
  OneGameWrong(std::unique_ptr<Backend> right, u32 game) : right_(std::move(right)), game_(game) {}
  std::string name() const override { return "wrong"; }
  bool can(Job, VariantId) const override { return true; }
  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override { right_->perft(batch, answers); }
  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    right_->playout(batch, answers);
    for (std::size_t i = 0; i < answers.size(); i++) {
      const PlayoutItem& item = batch.items[i];
      if (game_ >= item.first_game && game_ - item.first_game < item.games) answers[i].tally.promotions++;
    }
  }

 private:
  std::unique_ptr<Backend> right_;
  u32 game_;
};

TEST(CheckBackend, NamesTheGameThatIsPlayedDifferently) {
  WorkPool pool(1);
  std::vector<PlayoutItem> items;
  for (u32 i = 0; i < 4; i++) items.push_back({start_position(VariantId::antichess), 0, 100 * i, 100});
  const auto check =
      make_check_backend(make_backend("cpu", pool), std::make_unique<OneGameWrong>(make_backend("cpu", pool), 237));
  std::vector<PlayoutAnswer> answers(items.size());
  std::size_t done = 0;
  check->playout({VariantId::antichess, {}, 1, false, items, [&](std::size_t, const PlayoutTally&) { done++; }},
                 answers);
  EXPECT_EQ(done, 3u);
  EXPECT_EQ(answers[2].status, PlayoutAnswer::Status::differs);
  EXPECT_EQ(answers[2].game, 237u);
  EXPECT_EQ(answers[2].note.substr(0, 26), "cpu and wrong: promotions:");
}

// ---- tallies as bytes

TEST(PlayoutTally, BytesAndBack) {
  const PlayoutBatch batch{.variant = VariantId::horde, .seed = 1, .by_ply = true};
  const PlayoutTally tally = by_level(levels().back(), batch, {start_position(VariantId::horde), 0, 0, 50});
  std::vector<std::byte> bytes;
  append_tally(bytes, tally);
  PlayoutTally back;
  ASSERT_TRUE(read_tally(bytes, back));
  EXPECT_EQ(back, tally);
  for (std::size_t size = 0; size < bytes.size(); size++)
    EXPECT_FALSE(read_tally(std::span(bytes).first(size), back)) << size;
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(read_tally(bytes, back));
}

}  // namespace
}  // namespace hecatomb
