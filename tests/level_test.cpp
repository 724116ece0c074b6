// Every instruction set level of the CPU backend against the reference: every lane of the leaf counter, and perft.
#include "host/cpu/level.h"

#include <gtest/gtest.h>

#include "common/count.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/random_games.h"
#include "host/reference_backend.h"

namespace hecatomb {

#if defined(HECATOMB_HAS_WIDE)
namespace wide {
extern const LevelKernel kLevel;
}
#endif

namespace {

// All that this machine runs, and eight lanes without AVX-512's instructions.
std::vector<const LevelKernel*> levels() {
  const LevelKernel* found[8];
  std::vector<const LevelKernel*> all(found, found + usable_levels(found, 8));
#if defined(HECATOMB_HAS_WIDE)
  all.insert(all.begin(), &wide::kLevel);
#endif
  return all;
}

/// Random positions with `side` to move, from games of every length.
std::vector<Position> positions_of(VariantId variant, Color side, std::size_t count) {
  std::vector<Position> some;
  for (const Position& p : random_positions(variant, {}, 2 * count + 100, 20261130)) {
    if (p.side == side && some.size() < count) some.push_back(p);
  }
  return some;
}

TEST(Level, ScalarIsAlwaysThereAndLast) {
  ASSERT_FALSE(levels().empty());
  EXPECT_STREQ(levels().back()->name, "scalar");
}

// Odd sizes too: a batch is filled up with empty boards.
TEST(Level, EveryLaneCountsAsTheReference) {
  for (const VariantId variant : kAllVariants) {
    const reference::Rules rules = reference_rules(variant, {});
    for (const Color side : {kWhite, kBlack}) {
      const std::vector<Position> all = positions_of(variant, side, 1501);
      ASSERT_GT(all.size(), 1000u);
      std::vector<std::uint32_t> expected;
      for (const Position& p : all) {
        expected.push_back(
            static_cast<std::uint32_t>(reference::legal_moves(rules, reference_position(p, rules)).size()));
      }
      for (const LevelKernel* level : levels()) {
        std::vector<std::uint32_t> counts(all.size());
        level->count_each(all.data(), all.size(), static_cast<std::uint8_t>(variant), counts.data());
        for (std::size_t i = 0; i < all.size(); i++) {
          ASSERT_EQ(counts[i], expected[i]) << level->name << ' ' << variant_name(variant) << ' ' << fen_of(all[i]);
        }
      }
    }
  }
}

// A full board of queens, rooks and knights: more men reach a square than in any game (carry into the fifth plane).
TEST(Level, CrowdedBoards) {
  const char* fens[] = {
      "1q1q1q1q/8/1N1N1N2/8/3k4/1N3N2/3N1N2/Q2Q2Q1 w - - 0 1",
      "Q6Q/3QQ3/2N1N3/1N3N2/3p4/1N3N2/Q1N1N2Q/3QQ3 w - - 0 1",
      "QQQQQQQQ/8/8/8/8/8/8/qqqqqqqq w - - 0 1",
      "3Q4/1Q3Q2/2N1N3/QN3N2/3k4/1N3N2/1QN1NQ2/3Q4 w - - 0 1",
      "3Q4/Q5Q1/2N1N3/1N3N2/Q2p3Q/1N3N2/2N1N3/Q2Q2Q1 w - - 0 1",  // sixteen take d4: eight lines, eight knights
      "8/8/2N1N3/1NKKKN2/2KpK3/1NKKKN2/2N1N3/8 w - - 0 1",        // and eight kings, eight knights
  };
  for (const char* fen : fens) {
    for (const VariantId variant : {VariantId::antichess, VariantId::suicide}) {
      const auto read = read_fen(fen, variant);
      ASSERT_TRUE(read) << read.error().message;
      const reference::Rules rules = reference_rules(variant, {});
      const auto expected = reference::legal_moves(rules, reference_position(read->position, rules)).size();
      for (const LevelKernel* level : levels()) {
        std::uint32_t count = 0;
        level->count_each(&read->position, 1, static_cast<std::uint8_t>(variant), &count);
        EXPECT_EQ(count, expected) << level->name << ' ' << fen;
      }
    }
  }
}

TEST(Level, PerftOfRandomPositions) {
  for (const VariantId variant : kAllVariants) {
    const reference::Rules rules = reference_rules(variant, {});
    for (const Position& p : random_positions(variant, {}, 60, 7)) {
      // Deeper where there are few leaves: then several positions stand three plies above them, and wait for each
      // other.
      std::uint64_t last = 1;
      for (int depth = 0; depth <= 3 || (depth <= 6 && last < 2000); depth++) {
        const std::uint64_t expected = reference::perft(rules, reference_position(p, rules), depth);
        for (const LevelKernel* level : levels()) {
          Count128 leaves{};
          const PerftUnit unit{&p, depth, static_cast<std::uint8_t>(variant), false, {}, nullptr};
          ASSERT_EQ(level->perft(unit, &leaves), UnitStatus::done);
          ASSERT_EQ(leaves.high, 0u);
          ASSERT_EQ(leaves.low, expected)
              << level->name << ' ' << variant_name(variant) << ' ' << fen_of(p) << " depth " << depth;
        }
        last = expected;
      }
    }
  }
}

// A ply deeper than gathering alone reaches: published counts (datasets/perft names their sources), of the starts and
// of positions with castling rights to lose, en passant and promotions.
TEST(Level, PerftOfKnownPositions) {
  const struct {
    VariantId variant;
    const char* fen;  // null: the start
    int depth;
    std::uint64_t leaves;
  } known[] = {
      {VariantId::antichess, nullptr, 5, 2732672},
      {VariantId::suicide, nullptr, 5, 2732672},
      {VariantId::losers, nullptr, 5, 2723795},
      {VariantId::horde, nullptr, 6, 5396554},
      {VariantId::chess, nullptr, 5, 4865609},
      {VariantId::chess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
      {VariantId::chess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
      {VariantId::chess, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
      {VariantId::chess, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
      {VariantId::chess, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
  };
  for (const auto& k : known) {
    const Position p = k.fen == nullptr ? start_position(k.variant) : read_fen(k.fen, k.variant)->position;
    for (const LevelKernel* level : levels()) {
      Count128 leaves{};
      const PerftUnit unit{&p, k.depth, static_cast<std::uint8_t>(k.variant), false, {}, nullptr};
      ASSERT_EQ(level->perft(unit, &leaves), UnitStatus::done);
      EXPECT_EQ(leaves.low, k.leaves) << level->name << ' ' << variant_name(k.variant) << ' ' << fen_of(p);
    }
  }
}

}  // namespace
}  // namespace hecatomb
