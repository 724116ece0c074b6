// The men that may go to a square against the list of all moves, and reading of moves from their target against a
// search through that list: every square and kind of man, every way to write a legal move, and many that mean nothing
// legal.
#include "common/moves_to.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "tests/support/random_positions.h"

namespace hecatomb {
namespace {

using test::Random;
using test::RandomPositions;
using test::RuleSet;

constexpr u64 kSeed = 20261130;

bool is_castling(Move m) { return m.kind == MoveKind::castle_king || m.kind == MoveKind::castle_queen; }

class MovesTo : public testing::TestWithParam<RuleSet> {};
INSTANTIATE_TEST_SUITE_P(Rules, MovesTo, testing::ValuesIn(test::kRuleSets),
                         [](const auto& param) { return test::test_name(param.param); });

TEST_P(MovesTo, OriginsAreThoseOfTheListedMoves) {
  RandomPositions positions(GetParam(), kSeed);
  int shared_targets = 0, en_passant = 0, castlings = 0;
  for (int i = 0; i < 20000; i++) {
    const Position p = positions.next();
    MoveList legal;
    list_legal(p, GetParam().variant, legal);
    u64 origins[7][64] = {};
    for (const Move m : legal) {
      castlings += is_castling(m);
      en_passant += m.kind == MoveKind::en_passant;
      if (!is_castling(m)) origins[static_cast<int>(p.kind_at(m.from))][m.to] |= bit(m.from);
    }
    for (int kind = 1; kind < 7; kind++) {
      for (Square to = 0; to < 64; to++) {
        const u64 found = legal_origins(p, static_cast<Kind>(kind), to, ~u64{0}, GetParam().variant);
        ASSERT_EQ(found, origins[kind][to])
            << test::describe(GetParam(), p, kSeed) << " " << letter_of(static_cast<Kind>(kind)) << square_name(to);
        shared_targets += (found & (found - 1)) != 0;
      }
    }
  }
  EXPECT_GT(shared_targets, 1000);
  EXPECT_GT(en_passant, 10);
  const bool castles = GetParam().variant == VariantId::chess || GetParam().variant == VariantId::horde ||
                       GetParam().variant == VariantId::losers;
  EXPECT_EQ(castlings > 10, castles);
}

TEST_P(MovesTo, FromSquareToSquareIsFoundExactlyWhatIsListed) {
  RandomPositions positions(GetParam(), kSeed + 1);
  for (int i = 0; i < 200; i++) {
    const Position p = positions.next();
    MoveList legal;
    list_legal(p, GetParam().variant, legal);
    for (int code = 0; code < 64 * 64 * 7; code++) {
      const Square from = code % 64, to = code / 64 % 64;
      const auto promotion = static_cast<Kind>(code / 4096);
      Move expected = kNoMove;
      for (const Move m : legal) {
        if (m.from == from && m.to == to && m.promotion == promotion) expected = m;
      }
      const Move found = find_legal(p, from, to, promotion, GetParam().variant);
      ASSERT_EQ(found, expected) << test::describe(GetParam(), p, kSeed + 1) << " " << square_name(from)
                                 << square_name(to) << letter_of(promotion);
    }
  }
}

// ---- texts

/// What a text says; what it does not say is empty or none.
struct Said {
  Kind man = Kind::pawn;
  int file = -1, rank = -1;
  bool captures = false;
  Square to = 0;
  Kind promotion = Kind::none;

  std::string text() const {
    std::string text = man == Kind::pawn ? "" : std::string(1, letter_of(man));
    if (file >= 0) text += static_cast<char>('a' + file);
    if (rank >= 0) text += static_cast<char>('1' + rank);
    if (captures) text += 'x';
    text += square_name(to);
    if (promotion != Kind::none) text += std::string("=") + letter_of(promotion);
    return text;
  }

  bool fits(const Position& p, Move m) const {
    if (is_castling(m) || m.to != to || p.kind_at(m.from) != man) return false;
    if (file >= 0 && file_of(m.from) != file) return false;
    if (rank >= 0 && rank_of(m.from) != rank) return false;
    if (man == Kind::pawn && file < 0 && file_of(m.from) != file_of(to)) return false;
    if (promotion != Kind::none && m.promotion != promotion) return false;
    return !captures || is_capture(p, m);
  }
};

/// Something that could be meant here: a move of the position or of nobody, with a part of its origin, often spoilt.
Said random_text(const Position& p, const MoveList& legal, Random& random) {
  Said said;
  Square from = random.below(64);
  said.to = random.below(64);
  if (legal.size > 0 && !random.one_in(4)) {
    const Move m = legal.moves[random.below(legal.size)];
    from = m.from;
    said.to = m.to;
    said.man = p.kind_at(from);
    said.promotion = m.promotion;
    said.captures = is_capture(p, m) && !random.one_in(3);
  }
  if (random.one_in(4)) said.man = static_cast<Kind>(1 + random.below(6));
  if (random.one_in(8)) said.to = random.below(64);
  if (random.one_in(8)) said.captures = !said.captures;
  if (random.one_in(8)) said.promotion = random.one_in(2) ? Kind::none : static_cast<Kind>(2 + random.below(5));
  if (random.one_in(2)) said.file = random.one_in(6) ? random.below(8) : file_of(from);
  if (random.one_in(3)) said.rank = random.one_in(6) ? random.below(8) : rank_of(from);
  // With both squares and no letter any man may be meant; FromSquareToSquare sees to that.
  if (said.man == Kind::pawn && said.file >= 0 && said.rank >= 0) said.rank = -1;
  return said;
}

TEST_P(MovesTo, ATextMeansTheOneListedMoveThatFits) {
  RandomPositions positions(GetParam(), kSeed + 2);
  Random random(kSeed + 3);
  int read_count = 0, ambiguous = 0, illegal = 0, after_end = 0;
  for (int i = 0; i < 20000; i++) {
    const Position p = positions.next();
    MoveList legal;
    list_legal(p, GetParam().variant, legal);
    for (int n = 0; n < 40; n++) {
      const Said said = random_text(p, legal, random);
      Move meant = kNoMove;
      int fitting = 0;
      for (const Move m : legal) {
        if (!said.fits(p, m)) continue;
        meant = m;
        fitting++;
      }
      const Expected<Move> read = read_move(p, said.text(), GetParam().variant);
      const std::string where = test::describe(GetParam(), p, kSeed + 2) + " " + said.text();
      ASSERT_EQ(read.ok(), fitting == 1) << where;
      if (read) {
        ASSERT_EQ(*read, meant) << where;
        read_count++;
        continue;
      }
      const ErrorKind kind = legal.size == 0 ? ErrorKind::after_end
                             : fitting > 1   ? ErrorKind::ambiguous_move
                                             : ErrorKind::illegal_move;
      ASSERT_EQ(kind_name(read.error().kind), kind_name(kind)) << where;
      ambiguous += kind == ErrorKind::ambiguous_move;
      illegal += kind == ErrorKind::illegal_move;
      after_end += kind == ErrorKind::after_end;
    }
  }
  EXPECT_GT(read_count, 100000);
  EXPECT_GT(ambiguous, 1000);
  EXPECT_GT(illegal, 100000);
  EXPECT_GT(after_end, 1000);
}

}  // namespace
}  // namespace hecatomb
