// How games end: common/outcome.h against the reference, on random games played far beyond their end by draw.
#include "common/outcome.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

using Reasons = std::map<std::string, int>;

std::string text_of(const Outcome& outcome) {
  return std::string(result_text(outcome.result)) + " " + std::string(reason_text(outcome.reason));
}

/// The rules of rules.md with other limits, said with the reference's primitives.
std::string expected_text(const reference::Rules& rules, const reference::Position& r, int occurrences,
                          const DrawRules& draws) {
  reference::Outcome outcome = reference::outcome(rules, r, 1);
  if (!reference::is_decided(rules, r)) {
    outcome = {};
    if (draws.dead && reference::is_dead(rules, r)) {
      outcome.reason = rules.variant == reference::Variant::kHorde ? "closed-position" : "insufficient-material";
    } else if (draws.repetitions != 0 && occurrences >= draws.repetitions) {
      outcome.reason = draws.repetitions == 5 ? "fivefold" : "threefold";
    } else if (draws.clock_plies != 0 && r.halfmove_clock >= draws.clock_plies) {
      outcome.reason = draws.clock_plies == 150 ? "75-moves" : "50-moves";
    }
    if (!outcome.reason.empty()) outcome.result = "1/2-1/2";
  }
  return outcome.result + " " + outcome.reason;
}

constexpr DrawRules kDrawRules[] = {{150, 5, true}, {100, 3, true}, {0, 0, false}, {150, 0, false}, {0, 5, true}};

/// Everything that outcome.h says about one position of a game.
template <class V>
void compare(const RuleSet& rules, const Position& p, int occurrences, Reasons& reasons) {
  const reference::Rules reference_set = reference_rules(rules);
  const reference::Position r = to_reference(p);
  const int moves = count_moves<V>(p);
  const reference::Outcome expected = reference::outcome(reference_set, r, occurrences);
  const Outcome outcome = hecatomb::outcome<V>(p, moves, occurrences, rules.options, DrawRules{});
  ASSERT_EQ(text_of(outcome), expected.result + " " + expected.reason);
  reasons[expected.reason]++;

  const Outcome by_rules = decided<V>(p, rules.options);
  ASSERT_EQ(by_rules.result != Result::ongoing, reference::is_decided(reference_set, r));
  if (by_rules.result != Result::ongoing) {
    ASSERT_EQ(by_rules, outcome);
  } else {
    ASSERT_EQ(dead_reason<V>(p) != Reason::none, reference::is_dead(reference_set, r));
  }
  const Claims can = claims(p, occurrences);
  const bool over = outcome.result != Result::ongoing;
  std::vector<std::string> names;
  if (can.threefold && !over) names.emplace_back("threefold");
  if (can.fifty_moves && !over) names.emplace_back("50-moves");
  ASSERT_EQ(names, expected.claims);
  for (const std::string& claim : names) reasons["claim " + claim]++;
  for (const DrawRules& draws : kDrawRules) {
    ASSERT_EQ(text_of(hecatomb::outcome<V>(p, moves, occurrences, rules.options, draws)),
              expected_text(reference_set, r, occurrences, draws))
        << "clock " << draws.clock_plies << " repetitions " << draws.repetitions << " dead " << draws.dead;
  }
}

/// A move that takes back the mover's last one if possible: so that positions repeat.
Move back_or_random(const RuleSet& rules, const Position& p, Move last, Random& random) {
  if (random.one_in(8)) return random_move(rules, p, random);
  MoveList list;
  with_variant(rules.variant, [&](auto v) { list_moves<decltype(v)>(p, list); });
  for (const Move m : list) {
    if (m.from == last.to && m.to == last.from && last.from != last.to) return m;
  }
  return random_move(rules, p, random);
}

/// One game, compared at every ply, beyond draws.
void play_and_compare(const RuleSet& rules, const Position& start, int plies, bool shuffle, Random& random, u64 seed,
                      Reasons& reasons) {
  std::vector<Position> memory(static_cast<std::size_t>(plies) + 1);
  GameHistory history(memory.data(), static_cast<int>(memory.size()));
  reference::Game game(reference_rules(rules), to_reference(start));
  Position p = start;
  std::string played;
  Move last[2] = {};
  for (int ply = 0;; ply++) {
    SCOPED_TRACE(describe(rules, start, seed) + " --moves '" + played + "'");
    ASSERT_TRUE(history.push(p));
    ASSERT_EQ(history.occurrences(), game.occurrences());
    with_variant(rules.variant, [&](auto v) { compare<decltype(v)>(rules, p, history.occurrences(), reasons); });
    if (testing::Test::HasFailure() || ply == plies) return;
    Move& before = last[p.side];
    const Move move = shuffle ? back_or_random(rules, p, before, random) : random_move(rules, p, random);
    if (move.from == move.to) return;
    before = move;
    ASSERT_EQ(game.play(uci_of_move(move)), "");
    played += (ply == 0 ? "" : " ") + uci_of_move(move);
    p = after(rules, p, move);
  }
}

class Outcomes : public testing::TestWithParam<RuleSet> {};

INSTANTIATE_TEST_SUITE_P(Rules, Outcomes, testing::ValuesIn(kRuleSets),
                         [](const auto& param) { return test_name(param.param); });

TEST_P(Outcomes, RandomGamesFromTheStart) {
  const u64 seed = 1;
  Random random(seed);
  Reasons reasons;
  for (int n = 0; n < 12 && !HasFailure(); n++) {
    play_and_compare(GetParam(), start_position(GetParam().variant), 400, false, random, seed, reasons);
  }
  EXPECT_GT(reasons[""], 200);
}

TEST_P(Outcomes, ShortGamesFromRandomSetups) {
  const u64 seed = 2;
  Random random(seed);
  Reasons reasons;
  for (int n = 0; n < 1500 && !HasFailure(); n++) {
    play_and_compare(GetParam(), random_setup(GetParam(), random), 4, false, random, seed, reasons);
  }
  EXPECT_GT(reasons["75-moves"], 20);
  EXPECT_GT(reasons["claim 50-moves"], 20);
  const VariantId variant = GetParam().variant;
  const bool kings_are_men = variant == VariantId::antichess || variant == VariantId::suicide;
  if (kings_are_men) {
    EXPECT_GT(reasons["no-pieces"], 20);
  }
  if (variant == VariantId::antichess || GetParam().options.stalemated_wins) {
    EXPECT_GT(reasons["no-moves"], 5);
  } else if (variant == VariantId::suicide) {
    EXPECT_GT(reasons["stalemate-count"], 5);
  } else if (variant == VariantId::losers) {
    EXPECT_GT(reasons["bare-king"], 20);
    EXPECT_GT(reasons["mate"] + reasons["stalemate"], 5);
  } else if (variant == VariantId::horde) {
    EXPECT_GT(reasons["horde-destroyed"], 20);
    EXPECT_GT(reasons["mate"], 5);
  } else {
    EXPECT_GT(reasons["mate"], 5);
    EXPECT_GT(reasons["insufficient-material"], 20);
  }
}

TEST_P(Outcomes, GamesThatGoToAndFro) {
  const u64 seed = 3;
  Random random(seed);
  Reasons reasons;
  for (int n = 0; n < 150 && !HasFailure(); n++) {
    play_and_compare(GetParam(), random_setup(GetParam(), random), 60, true, random, seed, reasons);
  }
  EXPECT_GT(reasons["claim threefold"], 50);
  EXPECT_GT(reasons["fivefold"], 50);
}

// ---------------------------------------------------------------------------------------------------- dead positions

/// A board of men given as letters and squares, everything else default; an unreadable one is skipped.
std::string board_fen(const std::array<char, 64>& men, bool white_to_move) {
  std::string fen;
  for (int rank = 7; rank >= 0; rank--) {
    for (int file = 0; file < 8; file++) {
      const int square = 8 * rank + file;
      const char letter = men[static_cast<std::size_t>(square)];
      if (letter != 0) {
        fen += letter;
      } else if (!fen.empty() && fen.back() >= '1' && fen.back() <= '7') {
        fen.back()++;
      } else {
        fen += '1';
      }
    }
    if (rank > 0) fen += '/';
  }
  return fen + (white_to_move ? " w" : " b");
}

void compare_setups(const RuleSet& rules, int wanted, u64 seed, Reasons& reasons,
                    const std::function<void(std::array<char, 64>&, Random&)>& fill) {
  Random random(seed);
  for (int n = 0; n < wanted && !testing::Test::HasFailure(); n++) {
    std::array<char, 64> men{};
    fill(men, random);
    const auto reading = read_fen(board_fen(men, random.one_in(2)), rules.variant, rules.options);
    if (!reading.ok()) continue;
    SCOPED_TRACE(describe(rules, reading->position, seed));
    with_variant(rules.variant, [&](auto v) { compare<decltype(v)>(rules, reading->position, 1, reasons); });
  }
}

char& at(std::array<char, 64>& men, int square) { return men[static_cast<std::size_t>(square)]; }

TEST(DeadPositions, BishopsAndBlockedPawnsOfAntichess) {
  Reasons reasons;
  compare_setups({VariantId::antichess}, 30000, 4, reasons, [](std::array<char, 64>& men, Random& random) {
    const bool white_on_dark = random.one_in(2);
    const auto right_colour = [&](int square, bool white) {
      const bool dark = (square % 8 + square / 8) % 2 == 0;
      return dark == (white == white_on_dark) || random.one_in(12);  // now and then the wrong one
    };
    for (int i = random.below(4); i > 0; i--) {
      const int square = 8 + random.below(40);
      if (at(men, square) != 0 || at(men, square + 8) != 0 || !right_colour(square, true)) continue;
      at(men, square) = 'P';
      if (!random.one_in(20)) at(men, square + 8) = 'p';
    }
    for (const bool white : {true, false}) {
      for (int i = random.one_in(15) ? 0 : 1 + random.below(2); i > 0; i--) {
        const int square = random.below(64);
        if (at(men, square) == 0 && right_colour(square, white)) at(men, square) = white ? 'B' : 'b';
      }
    }
    if (random.one_in(20)) at(men, 8 + random.below(48)) = "NnQqRrKkPp"[random.below(10)];
  });
  EXPECT_GT(reasons["insufficient-material"], 1000);
  EXPECT_GT(reasons["no-moves"], 20);
  EXPECT_GT(reasons[""], 1000);
}

TEST(DeadPositions, FewMinorPiecesOfChess) {
  Reasons reasons;
  compare_setups({VariantId::chess}, 30000, 5, reasons, [](std::array<char, 64>& men, Random& random) {
    for (int i = random.below(5); i > 0; i--)
      at(men, random.below(64)) = random.one_in(4) ? 'n' : "Bb"[random.below(2)];
    if (random.one_in(12)) at(men, 8 + random.below(48)) = "PpRrQq"[random.below(6)];
    at(men, random.below(32)) = 'K';
    at(men, 32 + random.below(32)) = 'k';
  });
  EXPECT_GT(reasons["insufficient-material"], 3000);
  EXPECT_GT(reasons[""], 3000);
}

TEST(DeadPositions, BlockedHordes) {
  Reasons reasons;
  compare_setups({VariantId::horde}, 15000, 6, reasons, [](std::array<char, 64>& men, Random& random) {
    for (int i = 1 + random.below(3); i > 0; i--) {
      const int square = random.below(48);
      if (at(men, square) != 0 || at(men, square + 8) != 0) continue;
      at(men, square) = 'P';
      at(men, square + 8) = random.one_in(6) ? 'n' : 'p';
    }
    if (random.one_in(4)) at(men, 8 + random.below(48)) = "pnbrqPBN"[random.below(8)];
    for (int tries = 0; tries < 10; tries++) {
      const int square = random.below(64);
      if (at(men, square) != 0) continue;
      at(men, square) = 'k';
      break;
    }
  });
  EXPECT_GT(reasons["closed-position"], 500);
  EXPECT_GT(reasons["stalemate"], 500);
  EXPECT_GT(reasons[""], 500);
}

// ------------------------------------------------------------------------------------------------------------- history

TEST(History, RefusesWhatDoesNotFitAndForgetsAtIrreversibleMoves) {
  std::array<Position, 2> memory{};
  GameHistory history(memory.data(), 2);
  EXPECT_EQ(history.occurrences(), 0);
  Position p = start_position(VariantId::chess);
  EXPECT_TRUE(history.push(p));
  p.halfmove = 1;
  EXPECT_TRUE(history.push(p));
  EXPECT_FALSE(history.push(p));
  EXPECT_EQ(history.occurrences(), 1);
  p.halfmove = 0;
  EXPECT_TRUE(history.push(p));  // after a pawn move or capture nothing before can come again
  EXPECT_EQ(history.occurrences(), 1);
}

}  // namespace
}  // namespace hecatomb::test
