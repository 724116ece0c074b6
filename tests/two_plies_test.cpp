// Counting two plies at once: what is counted and what is left over are together what making every move gives.
#include "common/two_plies.h"

#include <gtest/gtest.h>

#include <bitset>

#include "common/movegen.h"
#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

constexpr int kPositions = 100000;
constexpr u64 kSeed = 20261130;

class TwoPlies : public testing::TestWithParam<RuleSet> {};

INSTANTIATE_TEST_SUITE_P(Rules, TwoPlies, testing::ValuesIn(kRuleSets),
                         [](const auto& param) { return test_name(param.param); });

struct Tally {
  long positions = 0, moves = 0, left_over = 0;
};

/// A sink for for_each_set that notes every move.
struct NoteMoves {
  const Position& p;
  std::bitset<64 * 64>& noted;
  template <SetKind kind, int step>
  bool take(u64 targets) {
    const u64 ep = p.side == kWhite ? en_passant_targets<kWhite>(p) : en_passant_targets<kBlack>(p);
    for (; targets != 0; targets &= targets - 1) {
      const Move m = move_to<kind, step>(ctz(targets), p.occupied(), ep);
      noted.set(static_cast<std::size_t>(m.from * 64 + m.to));
    }
    return false;
  }
};

template <class V, Color us>
void compare(const RuleSet& rules, const Position& p, Tally& tally) {
  Reach<u64> rest;
  const u64 counted = count_two_plies<V, us>(board_of(p), rest);
  std::bitset<64 * 64> left_over;
  NoteMoves note{p, left_over};
  for_each_set<us>(rest, note);

  MoveList list;
  list_moves<V, us>(p, list);
  u64 expected = 0;
  std::bitset<64 * 64> legal;
  for (const Move m : list) {
    const auto index = static_cast<std::size_t>(m.from * 64 + m.to);
    legal.set(index);
    tally.moves++;
    if (left_over.test(index)) {
      tally.left_over++;
    } else {
      expected += static_cast<u64>(count_moves<V>(make<V, us>(p, m, rules.options)));
    }
  }
  tally.positions++;
  ASSERT_EQ((left_over & ~legal).count(), 0u) << "a move that is left over is not legal: " << describe(rules, p, kSeed);
  ASSERT_EQ(counted, expected) << describe(rules, p, kSeed);
}

TEST_P(TwoPlies, CountedAndLeftOverAreAllMoves) {
  const RuleSet rules = GetParam();
  RandomPositions positions(rules, kSeed);
  Tally tally;
  for (int i = 0; i < kPositions; i++) {
    const Position p = positions.next();
    with_variant(rules.variant, [&](auto v) {
      using V = decltype(v);
      if (p.side == kWhite) {
        compare<V, kWhite>(rules, p, tally);
      } else {
        compare<V, kBlack>(rules, p, tally);
      }
    });
    if (HasFatalFailure()) return;
  }
  // The test would be empty if everything were left over, or nothing.
  RecordProperty("left_over_percent", static_cast<int>(100 * tally.left_over / tally.moves));
  EXPECT_GT(tally.moves, 5 * tally.positions);
  EXPECT_LT(tally.left_over, 9 * tally.moves / 10);
  EXPECT_GT(tally.left_over, tally.moves / 50);
}

}  // namespace
}  // namespace hecatomb::test
