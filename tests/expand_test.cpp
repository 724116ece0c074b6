// The children that the proof search is given, by every level of the machine, against making every move one by one.
#include "host/cpu/expand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "host/cpu/level.h"
#include "host/cpu/zobrist.h"
#include "host/notation/legal.h"
#include "tests/support/key_checks.h"
#include "tests/support/random_positions.h"

namespace hecatomb {
namespace {

#if defined(HECATOMB_SANITIZED)
constexpr int kPositions = 300, kEnough = 5;  // of each rare kind of move
#else
constexpr int kPositions = 3000, kEnough = 10;
#endif

class Expand : public testing::TestWithParam<test::RuleSet> {};

/// The child by one move and the single replies after it.
ExpandedChild plain_child(const Position& p, Move m, const test::RuleSet& rules) {
  ExpandedChild child{};
  child.move = static_cast<std::uint16_t>(m.from | m.to << 6 | static_cast<int>(m.promotion) << 12);
  Position q = after_move(p, m, rules.variant, rules.options);
  child.irreversible = q.halfmove == 0;
  child.plies = 1;
  MoveList legal;
  list_legal(q, rules.variant, legal);
  while (legal.size == 1 && child.plies <= kMostReplies) {
    q = after_move(q, legal.moves[0], rules.variant, rules.options);
    child.irreversible |= q.halfmove == 0;
    child.plies++;
    list_legal(q, rules.variant, legal);
  }
  child.moves = static_cast<std::uint16_t>(legal.size);
  child.quiet = legal.size == 0 || !is_capture(q, legal.moves[0]);
  for (const Move reply : legal) child.quiet = child.quiet && !is_capture(q, reply);
  child.result = static_cast<std::uint8_t>(decided_outcome(q, rules.variant, rules.options).result);
  const Key key = zobrist_of(q);
  child.key[0] = key.low;
  child.key[1] = key.high;
  std::memcpy(child.position, &q, sizeof q);
  return child;
}

TEST_P(Expand, IsMakingEveryMove) {
  const test::RuleSet& rules = GetParam();
  const LevelKernel* levels[8];
  const std::size_t n_levels = usable_levels(levels, 8);
  const ExpandRules expand_rules{static_cast<std::uint8_t>(rules.variant), rules.options.restricted_ep,
                                 rules.options.stalemated_wins};
  std::vector<ExpandedChild> children(kMaxMoves);
  test::RandomPositions positions(rules, 11);
  int ends = 0, lines = 0, promotions = 0, castlings = 0;
  for (int i = 0; i < kPositions; i++) {
    const Position& p = positions.next();
    MoveList legal;
    list_legal(p, rules.variant, legal);
    ExpandedChild parent{};
    std::memcpy(parent.position, &p, sizeof p);
    const Key key = zobrist_of(p);
    parent.key[0] = key.low;
    parent.key[1] = key.high;
    for (std::size_t level = 0; level < n_levels; level++) {
      const auto said = [&] { return std::string(levels[level]->name) + " " + test::describe(rules, p, 11); };
      const std::size_t n = expand_of_level(levels[level]->name)(parent, expand_rules, children.data());
      ASSERT_EQ(n, static_cast<std::size_t>(legal.size)) << said();
      for (std::size_t k = 0; k < n; k++) {
        const ExpandedChild wanted = plain_child(p, legal.moves[k], rules);
        std::size_t at = 0;  // moves come in another order than the rules'
        while (at + 1 < n && children[at].move != wanted.move) at++;
        const ExpandedChild& got = children[at];
        Position q, r;
        std::memcpy(&q, got.position, sizeof q);
        std::memcpy(&r, wanted.position, sizeof r);
        ASSERT_TRUE(same_position(q, r)) << said() << " move " << k;
        ASSERT_EQ(got.move, wanted.move) << said();
        ASSERT_EQ(got.moves, wanted.moves) << said();
        ASSERT_EQ(got.plies, wanted.plies) << said();
        ASSERT_EQ(got.result, wanted.result) << said();
        ASSERT_EQ(got.irreversible, wanted.irreversible) << said();
        if (wanted.moves != 0) {
          ASSERT_EQ(got.quiet, wanted.quiet) << said();
        }
        ASSERT_EQ(got.key[0], wanted.key[0]) << said();
        ASSERT_EQ(got.key[1], wanted.key[1]) << said();
        ends += wanted.result != 0;
        lines += wanted.plies > 1;
        promotions += legal.moves[k].promotion != Kind::none;
        castlings += legal.moves[k].kind >= MoveKind::castle_king;
      }
    }
  }
  EXPECT_GT(ends, kEnough);
  EXPECT_GT(lines, kEnough);
  EXPECT_GT(promotions, kEnough);
  if (rules.variant == VariantId::losers || rules.variant == VariantId::horde) {
    EXPECT_GT(castlings, 0);
  }
}

TEST_P(Expand, KeysTellPositionsApart) {
  const test::RuleSet& rules = GetParam();
  test::RandomPositions positions(rules, 12);
  for (int n = 0; n < kPositions; n++) {
    const Position p = positions.next();
    SCOPED_TRACE(test::describe(rules, p, 12));
    ASSERT_NO_FATAL_FAILURE(test::expect_key_of_every_part(p, [](const Position& q) { return zobrist_of(q); }));
  }
}

/// No two words are equal, in either half, and no bit is set in much more or less than half of them.
TEST(Zobrist, WordsAreRandom) {
  std::vector<u64> halves[2];
  const auto add = [&halves](Key word) {
    halves[0].push_back(word.low);
    halves[1].push_back(word.high);
  };
  for (const auto& of_color : kZobrist.man) {
    for (const auto& of_square : of_color) {
      EXPECT_EQ(of_square[0], (Key{0, 0}));
      for (int code = 1; code <= 6; code++) add(of_square[code]);
    }
  }
  for (const Key word : kZobrist.state) add(word);
  for (const auto& of_direction : kZobrist.en_passant) {
    for (const Key word : of_direction) add(word);
  }
  for (std::vector<u64>& half : halves) {
    for (int i = 0; i < 64; i++) {
      const auto set = std::count_if(half.begin(), half.end(), [i](u64 word) { return (word >> i & 1) != 0; });
      EXPECT_NEAR(static_cast<double>(set) / static_cast<double>(half.size()), 0.5, 0.08) << i;
    }
    std::sort(half.begin(), half.end());
    EXPECT_EQ(std::adjacent_find(half.begin(), half.end()), half.end());
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Expand,
                         testing::Values(test::RuleSet{VariantId::antichess}, test::RuleSet{VariantId::suicide},
                                         test::RuleSet{VariantId::suicide, {.restricted_ep = true}},
                                         test::RuleSet{VariantId::suicide, {.stalemated_wins = true}},
                                         test::RuleSet{VariantId::losers},
                                         test::RuleSet{VariantId::losers, {.restricted_ep = true}},
                                         test::RuleSet{VariantId::horde}),
                         [](const auto& rules) { return test::test_name(rules.param); });

}  // namespace
}  // namespace hecatomb
