// FEN: each kind of refusal with its field and column, each tolerance, and that whatever is reached in play is written
// and read back without loss. The reference reads the same mutilated texts.
#include "host/notation/fen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "common/random.h"
#include "host/notation/legal.h"
#include "host/notation/variant_name.h"
#include "host/reference/reference.h"

namespace hecatomb {
namespace {

constexpr VariantId kAntichess = VariantId::antichess, kSuicide = VariantId::suicide, kLosers = VariantId::losers,
                    kHorde = VariantId::horde, kChess = VariantId::chess;

std::string normalised(VariantId variant, std::string_view fen, const RuleOptions& options = {}) {
  const Expected<FenReading> reading = read_fen(fen, variant, options);
  return reading ? fen_of(reading->position) : std::string(kind_name(reading.error().kind));
}

// ---- refusals

struct Refusal {
  VariantId variant;
  std::string fen;
  std::string kind, field;
  int column;
};

void expect_refused(const std::vector<Refusal>& refusals) {
  for (const Refusal& r : refusals) {
    const Expected<FenReading> reading = read_fen(r.fen, r.variant);
    ASSERT_FALSE(reading.ok()) << r.fen;
    const Error& error = reading.error();
    EXPECT_EQ(kind_name(error.kind), r.kind) << r.fen;
    EXPECT_EQ(error.field, r.field) << r.fen;
    EXPECT_EQ(error.column, r.column) << r.fen;
    EXPECT_EQ(error.ply, 0) << r.fen;
    EXPECT_THAT(error.message, testing::HasSubstr("column " + std::to_string(r.column) + ": ")) << r.fen;
    EXPECT_TRUE(std::all_of(error.message.begin(), error.message.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

TEST(FenRefusal, Board) {
  expect_refused({
      {kAntichess, "", "empty", "board", 1},
      {kAntichess, " \t\r\n ", "empty", "board", 1},
      {kHorde, "4k3/8/8/8/8/8/P7 w - - 0 1", "ranks", "board", 1},
      {kLosers, "  4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "ranks", "board", 3},
      {kAntichess, "hello", "ranks", "board", 1},
      {kAntichess, "8/8/8/8/8/8/8/8/ w - - 0 1", "ranks", "board", 1},
      {kAntichess, "rnbqkbnr/pppppppp/8/8/8/8p/PPPPPPPP/RNBQKBNR w - - 0 1", "rank-width", "board", 26},
      {kAntichess, "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "rank-width", "board", 5},
      {kAntichess, "4k3/08/8/8/8/8/8/4K3 w - - 0 1", "rank-width", "board", 5},
      {kAntichess, "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "rank-width", "board", 6},
      {kAntichess, "4k2/8/8/8/8/8/8/4K3 w - - 0 1", "rank-width", "board", 4},
      {kAntichess, "4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank-width", "board", 20},
      {kAntichess, "4k3//8/8/8/8/8/4K3 w - - 0 1", "rank-width", "board", 5},
      {kAntichess, "4k3/8/8/8/8/8/8/4X3 w - - 0 1", "piece", "board", 18},
      {kAntichess,
       "4k3/8/8/8/8/8/8/4K\xc3\xa9"
       "2 w - - 0 1",
       "piece", "board", 19},
      {kAntichess, "4?3/9/8/8/8/8/8/8 w - - 0 1", "piece", "board", 2},
      {kAntichess,
       std::string("4k3/8/8/8/8/8/8/4\0"
                   "3 w - - 0 1",
                   29),
       "piece", "board", 18},
  });
}

TEST(FenRefusal, OtherFields) {
  const std::string board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  expect_refused({
      {kAntichess, board, "no-side", "side", 44},
      {kAntichess, board + "  ", "no-side", "side", 44},
      {kAntichess, board + " x - - 0 1", "side", "side", 45},
      {kAntichess, board + " W - - 0 1", "side", "side", 45},
      {kAntichess, board + " white - - 0 1", "side", "side", 45},
      {kLosers, board + " w KX - 0 1", "castling-chars", "castling", 48},
      {kLosers, board + " w KK - 0 1", "castling-chars", "castling", 48},
      {kChess, board + " w HAha - 0 1", "castling-chars", "castling", 47},
      {kChess, board + " w KQkq- - 0 1", "castling-chars", "castling", 51},
      {kChess, board + " w 0 1", "castling-chars", "castling", 47},
      {kAntichess, board + " w - e4 0 1", "ep-field", "en-passant", 49},
      {kAntichess, board + " w - E3 0 1", "ep-field", "en-passant", 49},
      {kAntichess, board + " w - e33 0 1", "ep-field", "en-passant", 49},
      {kAntichess, board + " w - i3 0 1", "ep-field", "en-passant", 49},
      {kAntichess, board + " w - 0 1", "ep-field", "en-passant", 49},
      {kHorde, "7k/8/8/8/8/Pp6/8/8 b - a2 0 1", "ep-field", "en-passant", 24},
      {kAntichess, board + " w - - -1 1", "counter", "halfmove", 51},
      {kAntichess, board + " w - - zero one", "counter", "halfmove", 51},
      {kAntichess, board + " w - - 00000 1", "counter", "halfmove", 51},
      {kAntichess, board + " w - - 0 12345", "counter", "fullmove", 53},
      {kAntichess, board + " w - - 0 1.", "counter", "fullmove", 53},
      {kAntichess, board + " w - - 0 -", "counter", "fullmove", 53},
      {kAntichess, board + " w - - 0 1 ;", "trailing", "", 55},
      {kAntichess, board + " w - - 0 1 2", "trailing", "", 55},
  });
}

TEST(FenRefusal, Position) {
  expect_refused({
      {kAntichess, "8/8/8/8/8/8/8/8 w - - 0 1", "empty-board", "board", 1},
      {kLosers, "4k3/8/8/8/8/8/PPPP4/8 w - - 0 1", "kings", "board", 1},
      {kChess, "4k3/8/8/8/8/8/8/K6K w - - 0 1", "kings", "board", 19},
      {kHorde, "k3k3/8/8/8/8/8/PPPP4/8 w - - 0 1", "kings", "board", 3},
      {kHorde, "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", "kings", "board", 22},
      {kHorde, "8/8/8/8/8/8/PPPP4/8 b - - 0 1", "kings", "board", 1},
      {kHorde, "pppppppp/pppppppp/pppppppp/pppppppp/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "kings", "board", 1},
      {kAntichess, "8/8/PPPPPPPP/PPPPPPPP/P7/8/8/7k w - - 0 1", "too-many-men", "board", 23},
      {kAntichess, "K7/8/qqqqqqqq/qqqqqqqq/qq6/8/8/8 w - - 0 1", "too-many-men", "board", 24},
      {kHorde, "k7/8/QQQQQ3/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8 b - - 0 1", "too-many-men", "board", 47},
      {kHorde, "k7/8/pppppppp/pppppppp/8/8/8/P7 b - - 0 1", "too-many-men", "board", 22},
      {kAntichess, "3P4/8/8/8/8/8/8/4k3 w - - 0 1", "pawn-rank", "board", 2},
      {kAntichess, "4k3/8/8/8/8/8/8/3P4 w - - 0 1", "pawn-rank", "board", 18},
      {kAntichess, "4k3/8/8/8/8/8/8/3p3K w - - 0 1", "pawn-rank", "board", 18},
      {kAntichess, "3p4/8/8/8/8/8/8/K7 b - - 0 1", "pawn-rank", "board", 2},
      {kHorde, "4k3/8/8/8/8/8/8/P2p4 w - - 0 1", "pawn-rank", "board", 19},
      {kHorde, "P3k3/8/8/8/8/8/8/8 w - - 0 1", "pawn-rank", "board", 1},
      {kAntichess, "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", "ep-square", "en-passant", 27},
      {kAntichess, "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", "ep-square", "en-passant", 28},
      {kLosers, "4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1", "ep-square", "en-passant", 30},
      {kLosers, "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "ep-square", "en-passant", 30},
      {kLosers, "4k3/8/8/3Pp3/8/8/8/4K3 b - e6 0 1", "ep-square", "en-passant", 28},
      {kHorde, "4k3/3P4/8/8/8/8/8/8 w - - 0 1", "opposite-check", "side", 21},
      {kLosers, "4k3/7p/8/8/8/8/8/K3R3 w - - 0 1", "opposite-check", "side", 23},
      {kChess, "8/8/8/8/8/8/4k3/4K3 w - - 0 1", "opposite-check", "side", 21},
      {kChess, "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "opposite-check", "side", 23},
  });
}

TEST(FenRefusal, LeftmostFaultIsNamed) {
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/7 x KX e4 z z z"), "rank-width");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/8 x KX e4 z z z"), "side");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/8 w KX e4 z z z"), "castling-chars");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/8 w K e4 z z z"), "ep-field");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/8 w K e3 z z z"), "counter");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/8 w K e3 0 0 z"), "trailing");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/8/8/8/8 w K e3 0 0"), "empty-board");
  EXPECT_EQ(normalised(kLosers, "P7/8/8/8/8/8/8/8 w K e3 0 0"), "kings");
  EXPECT_EQ(normalised(kLosers, "P3k3/8/8/8/8/8/8/K3R3 w K e3 0 0"), "pawn-rank");
  EXPECT_EQ(normalised(kLosers, "4k3/8/8/8/8/8/8/K3R3 w K e3 0 0"), "ep-square");
  EXPECT_EQ(normalised(kLosers, "4k3/8/8/8/8/8/8/K3R3 w K - 0 0"), "opposite-check");
}

// ---- tolerances

TEST(Fen, AcceptsWhatPeopleWrite) {
  struct Case {
    VariantId variant;
    std::string fen, normal;
  };
  const std::string board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  const std::vector<Case> cases = {
      {kAntichess, board + " w - -", board + " w - - 0 1"},
      {kAntichess, board + " b", board + " b - - 0 1"},
      {kChess, board + " w qkQK", board + " w KQkq - 0 1"},
      {kChess, board + " w KQkq - 7", board + " w KQkq - 7 1"},
      {kAntichess, "  " + board + "  w   - -  0   1 ", board + " w - - 0 1"},
      {kAntichess, "\t" + board + "\tw\t-\t-\t0\t1\r\n", board + " w - - 0 1"},
      {kAntichess, board + " w - - 0 0", board + " w - - 0 1"},
      {kAntichess, board + " w - - 0000 0000", board + " w - - 0 1"},
      {kAntichess, board + " w - - 9999 9999", board + " w - - 9999 9999"},
      {kAntichess, board + " w - - 150 80", board + " w - - 150 80"},
      {kAntichess, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
      {kHorde, "4k3/8/8/8/8/8/8/PP1P3P w - - 0 1", "4k3/8/8/8/8/8/8/PP1P3P w - - 0 1"},
      {kHorde, "4k3/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/8 w - - 0 1"},
      {kAntichess, "8/8/8/8/8/8/4k3/4K3 w - - 0 1", "8/8/8/8/8/8/4k3/4K3 w - - 0 1"},
      {kAntichess, "kkk5/8/8/8/8/8/8/KKKK4 b - - 0 1", "kkk5/8/8/8/8/8/8/KKKK4 b - - 0 1"},
      {kSuicide, "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"},
      {kAntichess, "8/8/8/8/8/8/2p5/8 w - - 0 1", "8/8/8/8/8/8/2p5/8 w - - 0 1"},
      {kLosers, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
      {kAntichess, "8/8/PPPPPPPP/PPPPPPPP/8/8/8/7k w - - 0 1", "8/8/PPPPPPPP/PPPPPPPP/8/8/8/7k w - - 0 1"},
  };
  for (const Case& c : cases) EXPECT_EQ(normalised(c.variant, c.fen), c.normal) << c.fen;
}

TEST(Fen, DropsCastlingRightsWithAWarning) {
  struct Case {
    VariantId variant;
    std::string fen, castling;
    std::vector<int> columns;
  };
  const std::vector<Case> cases = {
      {kAntichess, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "-", {27, 28, 29, 30}},
      {kHorde, "r3k2r/8/8/8/8/8/8/P7 w KQkq - 0 1", "kq", {24, 25}},
      {kLosers, "4k3/8/8/8/8/8/P6p/4K3 w K - 0 1", "-", {25}},
      {kLosers, "4k3/7p/8/8/8/8/8/3K3R w K - 0 1", "-", {25}},
      {kChess, "r3k2r/8/8/8/8/8/8/Q3K2R w qKQk - 0 1", "Kkq", {29}},
      {kChess, "r3k2r/8/8/8/8/8/8/R3K2r w K - 0 1", "-", {27}},
      {kChess, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "KQ", {}},
  };
  for (const Case& c : cases) {
    const Expected<FenReading> reading = read_fen(c.fen, c.variant);
    ASSERT_TRUE(reading.ok()) << c.fen << reading.error().message;
    EXPECT_THAT(fen_of(reading->position), testing::HasSubstr(" w " + c.castling + " - ")) << c.fen;
    std::vector<int> columns;
    for (const Warning& warning : reading->warnings) {
      columns.push_back(warning.column);
      EXPECT_EQ(kind_name(warning.kind), "castling-right");
      EXPECT_EQ(warning.field, "castling");
    }
    EXPECT_EQ(columns, c.columns) << c.fen;
  }
}

TEST(Fen, EnPassantIsKeptWhereItIsLegal) {
  EXPECT_EQ(normalised(kAntichess, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  // The pawn is pinned on its rank together with the one it would take.
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"), "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1");
  EXPECT_EQ(normalised(kSuicide, "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"), "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
  // Restricted: only where nothing else can be captured.
  const std::string alone = "k7/8/8/8/3pP3/8/8/K7 b - e3 0 1", other_capture = "k7/8/8/8/3pP3/2P5/8/K7 b - e3 0 1";
  const std::string without = "k7/8/8/8/3pP3/2P5/8/K7 b - - 0 1";
  EXPECT_EQ(normalised(kSuicide, alone, {.restricted_ep = true}), alone);
  EXPECT_EQ(normalised(kSuicide, other_capture, {.restricted_ep = true}), without);
  EXPECT_EQ(normalised(kLosers, other_capture, {.restricted_ep = true}), without);
  EXPECT_EQ(normalised(kLosers, other_capture), other_capture);
}

TEST(Fen, WritesCountersThatCanBeRead) {
  Position p = start_position(kAntichess);
  p.halfmove = 65535;
  p.fullmove = 10000;
  EXPECT_EQ(fen_of(p), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 9999 9999");
}

TEST(Setup, SaysWhatTheTextSays) {
  const auto setup = read_setup(" 4k3/8/8/8/3pP3/8/8/4K2R b K e3 5 9");
  ASSERT_TRUE(setup.ok());
  EXPECT_EQ(setup->men[60], 'k');
  EXPECT_EQ(setup->men[28], 'P');
  EXPECT_EQ(setup->men[0], 0);
  EXPECT_EQ(setup->man_columns[28], 14);
  EXPECT_EQ(setup->castling, kWhiteKingSide);
  EXPECT_EQ(setup->castling_columns[0], 28);
  EXPECT_EQ(setup->en_passant, 20);
  EXPECT_EQ(setup->side, kBlack);
  EXPECT_EQ(setup->halfmove, 5);
  EXPECT_EQ(setup->fullmove, 9);
  EXPECT_EQ(setup->board_column, 2);
  EXPECT_EQ(setup->side_column, 26);
  EXPECT_EQ(setup->en_passant_column, 30);
}

// ---- many positions

struct Played {
  VariantId variant;
  RuleOptions options;
};
const std::vector<Played> kPlayed = {{kAntichess, {}},
                                     {kSuicide, {}},
                                     {kSuicide, {.restricted_ep = true}},
                                     {kLosers, {}},
                                     {kLosers, {.restricted_ep = true}},
                                     {kHorde, {}},
                                     {kChess, {}}};

/// Calls see(position) for each position of a few random games from the start.
template <class See>
void for_each_reached(const Played& played, u32 games, See see) {
  for (u32 game = 0; game < games; game++) {
    Position p = start_position(played.variant);
    for (u32 ply = 0; ply < 150; ply++) {
      see(p);
      MoveList legal;
      list_legal(p, played.variant, legal);
      if (legal.size == 0) break;
      const u32 n = draw_move({7, 0, game}, ply, static_cast<u32>(legal.size));
      p = after_move(p, legal.moves[n], played.variant, played.options);
    }
    see(p);
  }
}

TEST(Fen, EveryReachedPositionIsReadBack) {
  for (const Played& played : kPlayed) {
    int positions = 0, with_en_passant = 0;
    for_each_reached(played, 40, [&](const Position& p) {
      const std::string fen = fen_of(p);
      const Expected<FenReading> reading = read_fen(fen, played.variant, played.options);
      ASSERT_TRUE(reading.ok()) << fen << reading.error().message;
      EXPECT_TRUE(same_position(reading->position, p)) << fen;
      EXPECT_EQ(reading->position.halfmove, p.halfmove) << fen;
      EXPECT_EQ(reading->position.fullmove, p.fullmove) << fen;
      EXPECT_TRUE(reading->warnings.empty()) << fen;
      EXPECT_EQ(fen_of(reading->position), fen);
      positions++;
      with_en_passant += p.en_passant_square() >= 0;
      if (decided_outcome(p, played.variant, played.options).result != Result::ongoing) {
        EXPECT_LT(p.en_passant_square(), 0) << fen;
      }
    });
    EXPECT_GT(positions, 500) << variant_name(played.variant);
    EXPECT_GT(with_en_passant, 0) << variant_name(played.variant);
  }
}

/// One to three small injuries.
std::string mutilated(std::string fen, u64& random) {
  constexpr std::string_view alphabet = "/ 0123456789pnbrqkPNBRQKwbKQkq-abcdefghx;3366 ";
  const auto draw = [&random](std::size_t n) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<std::size_t>(random % n);
  };
  for (std::size_t injuries = 1 + draw(3); injuries > 0 && !fen.empty(); injuries--) {
    const std::size_t at = draw(fen.size());
    const char byte = alphabet[draw(alphabet.size())];
    switch (draw(4)) {
      case 0:
        fen.erase(at, 1);
        break;
      case 1:
        fen.insert(at, 1, byte);
        break;
      case 2:
        fen.resize(at + 1);
        break;
      default:
        fen[at] = byte;
    }
  }
  return fen;
}

/// A rank may have both faults, and the reference counts its squares later.
std::string kind_of_fault(const std::string& kind) { return kind == "piece" ? "rank-width" : kind; }

TEST(Fen, AgreesWithTheReferenceOnInjuredTexts) {
  u64 random = 88172645463325252;
  int refused = 0, accepted = 0;
  for (const Played& played : kPlayed) {
    const reference::Rules rules{reference::variant_from_name(variant_name(played.variant)),
                                 played.options.restricted_ep, played.options.stalemated_wins};
    for_each_reached(played, 4, [&](const Position& p) {
      for (int i = 0; i < 20; i++) {
        const std::string fen = mutilated(fen_of(p), random);
        const Expected<FenReading> ours = read_fen(fen, played.variant, played.options);
        const reference::FenReading theirs = reference::read_fen(rules, fen);
        EXPECT_EQ(ours.ok(), theirs.error.empty()) << fen;
        ours.ok() ? accepted++ : refused++;
        if (ours.ok()) {
          EXPECT_EQ(fen_of(ours->position), reference::write_fen(rules, theirs.position)) << fen;
          EXPECT_EQ(ours->warnings.size(), theirs.dropped_castling.size()) << fen;
        } else if (theirs.error != "trailing") {  // which the reference finds before all others
          EXPECT_EQ(kind_of_fault(std::string(kind_name(ours.error().kind))), kind_of_fault(theirs.error)) << fen;
        }
      }
    });
  }
  EXPECT_GT(refused, 10000);
  EXPECT_GT(accepted, 2000);
}

}  // namespace
}  // namespace hecatomb
