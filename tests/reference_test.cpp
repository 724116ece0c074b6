// The reference implementation against literal facts: the sentences of the rules, published vectors, published counts.
// It checks everything else, so nothing of the project may check it but plain numbers.
#include "host/reference/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace hecatomb::reference {
namespace {

constexpr Rules kAntichess{Variant::kAntichess};
constexpr Rules kSuicide{Variant::kSuicide};
constexpr Rules kLosers{Variant::kLosers};
constexpr Rules kHorde{Variant::kHorde};
constexpr Rules kChess{Variant::kChess};
constexpr Rules kStalematedWins{.variant = Variant::kSuicide, .stalemated_wins = true};
constexpr Rules kLosersRestrictedEp{.variant = Variant::kLosers, .restricted_ep = true};
constexpr Rules kSuicideRestrictedEp{.variant = Variant::kSuicide, .restricted_ep = true};

Position read(const Rules& rules, const std::string& fen) {
  const FenReading reading = read_fen(rules, fen);
  EXPECT_EQ(reading.error, "") << fen;
  return reading.position;
}

std::string error_of(const Rules& rules, const std::string& fen) { return read_fen(rules, fen).error; }

std::string normalised(const Rules& rules, const std::string& fen) { return write_fen(rules, read(rules, fen)); }

Game game_after(const Rules& rules, const std::string& fen, const std::string& moves) {
  Game game(rules, read(rules, fen));
  std::istringstream words(moves);
  for (std::string word; words >> word;) EXPECT_EQ(game.play(word), "") << fen << " at " << word;
  return game;
}

std::string fen_after(const Rules& rules, const std::string& fen, const std::string& moves) {
  return write_fen(rules, game_after(rules, fen, moves).position());
}

/// The legal moves as one text, in the order of the list.
std::string ordered(const Rules& rules, const Position& position) {
  std::string text;
  for (const Move& move : legal_moves(rules, position)) {
    if (!text.empty()) text += ' ';
    text += uci(move);
  }
  return text;
}

/// The same, sorted by the text.
std::string moves_of(const Rules& rules, const std::string& fen) {
  std::istringstream words(ordered(rules, read(rules, fen)));
  std::set<std::string> sorted;
  for (std::string word; words >> word;) sorted.insert(word);
  std::string text;
  for (const std::string& word : sorted) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::size_t count_of(const Rules& rules, const std::string& fen) { return legal_moves(rules, read(rules, fen)).size(); }

/// "result reason claims...", as one text.
std::string told(const Outcome& outcome) {
  EXPECT_EQ(outcome.over, outcome.result != "*");
  EXPECT_EQ(outcome.over, !outcome.reason.empty());
  std::string text = outcome.result;
  if (outcome.over) text.append(" ").append(outcome.reason);
  for (const std::string& claim : outcome.claims) text.append(" ").append(claim);
  return text;
}

std::string outcome_of(const Rules& rules, const std::string& fen, const std::string& moves = "") {
  return told(game_after(rules, fen, moves).outcome());
}

// -------------------------------------------------------------------------------------------------------------- random

TEST(ReferencePhilox, PublishedVectors) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32_10({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(ReferenceDraw, FollowsFromTheVectors) {
  // Counter and key zero, words as above: the place is hi32(word * n).
  EXPECT_EQ(draw_move(0, 0, 0, 0, 20), 7u);   // 0x6627e8d5 / 2^32 = 0.39905
  EXPECT_EQ(draw_move(0, 0, 0, 1, 20), 17u);  // 0xe169c58d / 2^32 = 0.88052
  EXPECT_EQ(draw_move(0, 0, 0, 2, 20), 14u);  // 0xbc57ac4c / 2^32 = 0.73572
  EXPECT_EQ(draw_move(0, 0, 0, 3, 20), 12u);  // 0x9b00dbd8 / 2^32 = 0.60548
  EXPECT_EQ(draw_move(0, 0, 0, 3, 1), 0u);
}

TEST(ReferenceDraw, UsesEveryPartOfTheCounterAndTheKey) {
  // The pi vector read as (ply / 4, game, opening, attempt) cannot be asked for, since attempts start at 0; so the
  // places of the arguments are checked against the generator itself.
  const std::uint64_t seed = 0x299f31d0a4093822;
  for (std::uint32_t ply = 0; ply < 40; ++ply) {
    const auto words = philox4x32_10({ply / 4, 11, 5, 0}, {0xa4093822, 0x299f31d0});
    const std::uint64_t product = std::uint64_t{words[ply % 4]} * 1024;  // a power of two is never rejected
    EXPECT_EQ(draw_move(seed, 11, 5, ply, 1024), product >> 32);
  }
}

TEST(ReferenceDraw, RejectsTheSurplus) {
  // With this count a quarter of all products is surplus, so that further attempts are really made.
  const std::uint32_t count = 0xc0000001;
  const std::uint32_t surplus = 0x3fffffff;
  int retries = 0;
  for (std::uint32_t game = 0; game < 200; ++game) {
    std::uint32_t attempt = 0;
    std::uint64_t product = 0;
    for (;; ++attempt) {
      product = std::uint64_t{philox4x32_10({0, game, 0, attempt}, {1, 0})[2]} * count;
      if ((product & 0xffffffff) >= surplus) break;
      ++retries;
    }
    EXPECT_EQ(draw_move(1, game, 0, 2, count), product >> 32);
  }
  EXPECT_GT(retries, 10);
}

// --------------------------------------------------------------------------------------------------------------- perft

struct PerftFact {
  Rules rules;
  const char* fen;
  std::vector<std::uint64_t> counts;  // depth 1, 2, ...
};

void expect_counts(const std::vector<PerftFact>& list) {
  for (const PerftFact& fact : list) {
    const Position position = read(fact.rules, fact.fen);
    EXPECT_EQ(perft(fact.rules, position, 0), 1u);
    for (std::size_t i = 0; i < fact.counts.size(); ++i) {
      EXPECT_EQ(perft(fact.rules, position, static_cast<int>(i + 1)), fact.counts[i]) << fact.fen << " depth " << i + 1;
    }
  }
}

TEST(ReferencePerft, StartPositions) {
  const char* const chess_start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const char* const no_rights = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
  EXPECT_EQ(write_fen(kAntichess, start_position(Variant::kAntichess)), no_rights);
  EXPECT_EQ(write_fen(kSuicide, start_position(Variant::kSuicide)), no_rights);
  EXPECT_EQ(write_fen(kLosers, start_position(Variant::kLosers)), chess_start);
  EXPECT_EQ(write_fen(kChess, start_position(Variant::kChess)), chess_start);
  const char* const horde_start = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
  EXPECT_EQ(write_fen(kHorde, start_position(Variant::kHorde)), horde_start);
  expect_counts({{kAntichess, no_rights, {20, 400, 8067, 153299}},
                 {kSuicide, no_rights, {20, 400, 8067, 153299}},
                 {kLosers, chess_start, {20, 400, 8067, 152955}},
                 {kHorde, horde_start, {8, 128, 1274, 23310}},
                 {kChess, chess_start, {20, 400, 8902, 197281}}});
}

// Counts published by shakmaty, scalachess and python-chess (their perft files), by cutechess (tst_board.cpp), by
// Fairy-Stockfish (tests/perft.sh), by mcr (perft_giveaway, perft_suicide, perft_losers), on chessprogramming.org
// (Kiwipete), and counts that several of these programs gave for positions of random games.
TEST(ReferencePerft, Antichess) {
  expect_counts({{kAntichess, "8/1p6/8/8/8/8/P7/8 w - - 0 1", {2, 4, 4, 3, 1, 0}},
                 {kAntichess, "8/2p5/8/8/8/8/P7/8 w - - 0 1", {2, 4, 4, 4, 4, 4, 4, 4, 12, 36, 312, 2557}},
                 {kAntichess, "8/2b5/8/3B4/8/8/2P5/8 b - - 0 1", {9, 135, 1197, 13195}},
                 {kAntichess, "8/k1KP4/8/8/8/8/8/6n1 b - - 0 1", {8, 63, 459, 4101}},
                 {kAntichess, "8/8/B1p5/p7/2P2Pp1/8/P1NK2P1/1R4N1 b - f3 0 23", {1, 2, 4, 148, 212, 4518, 4097}},
                 {kAntichess, "6K1/4b3/1p3n2/8/1k6/p7/7N/5K2 b - - 0 36", {1, 7, 126, 1224, 20218}},
                 {kAntichess, "r7/pb5P/p3p3/P7/3P4/2P5/5P2/2RK4 w - - 1 26", {16, 143, 2171, 14099}},
                 {kAntichess, "8/8/8/3p4/4P3/8/8/K6k w - - 0 1", {1, 3, 12, 72, 450, 2625}},
                 {kAntichess, "8/8/8/5b2/8/8/8/2B5 w - - 0 1", {7, 77, 693, 6237}},  // a draw by rule does not cut
                 {kAntichess, "8/8/8/5n2/8/8/8/2N5 w - - 99 200", {4, 32, 169, 972, 4913}},
                 {kAntichess, "8/PPPPPPPP/8/8/8/8/pppppppp/8 w - - 0 1", {40, 1600, 35680}}});
}

TEST(ReferencePerft, Suicide) {
  expect_counts({{kSuicide, "8/1kKP4/8/8/8/8/8/6n1 b - - 0 1", {1, 5, 5, 0}},
                 {kSuicide, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1", {8, 62, 487, 3872}},
                 {kSuicide, "8/rp1kp2P/p5p1/4b3/3r4/8/8/8 w - - 1 32", {5, 5, 0}},
                 {kSuicide, "4k3/5P2/3p4/6r1/8/2p5/8/8 w - - 1 36", {5, 80, 628, 7576}},
                 {kSuicide, "8/8/8/8/8/8/8/K7 b - - 0 1", {0, 0}}});
}

TEST(ReferencePerft, Losers) {
  expect_counts({{kLosers, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {1, 2, 41, 218, 2132, 14874}},
                 {kLosers, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 87, 285, 3367}},
                 {kLosers, "1rbqk1n1/ppp2pp1/2n5/2Pp4/5P2/8/P2PP1P1/R1BQ1K2 w - d6 0 12", {1, 2, 38, 584, 6355}},
                 {kLosers, "r1b2bnr/p1p1pkpp/p4p2/8/8/1P1PPNP1/P6P/RNBQK2R w KQ - 1 10", {30, 548, 12822}},
                 {kLosers, "r3k3/p7/8/8/8/8/8/R3K2R w KQ - 0 1", {1, 1, 15, 247, 3588}},
                 {kLosers, "r3k3/1p6/8/8/8/8/P7/4K2R w K - 0 1", {17, 19, 173, 2811}},
                 {kLosers, "4r1k1/8/8/8/2p5/8/4B2P/4K3 w - - 0 1", {6, 6, 6, 36, 312}},
                 {kLosers, "4k3/8/8/1p6/P3r3/8/8/4K3 w - - 0 1", {4, 8, 0}},
                 {kLosers, "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", {6, 27, 114, 1399, 7785}},
                 {kLosers, "8/8/8/3p4/4P3/8/8/K6k w - - 0 1", {1, 0}},
                 {kLosersRestrictedEp, "4k3/p1p3p1/5n2/1P3P2/1p3p2/2N5/P1P3P1/4K3 w - - 0 1", {16, 97, 765, 6829}}});
}

TEST(ReferencePerft, Horde) {
  expect_counts({{kHorde, "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", {30, 241, 6633}},
                 {kHorde, "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1", {13, 172, 2205, 33781}},
                 {kHorde, "4k3/7r/8/P7/2p1n2P/3p2P1/1P3P2/PPP1PPP1 w - - 0 1", {14, 366, 5141}},
                 {kHorde, "rnbqkbnr/6p1/2p1Pp1P/P1PPPP2/Pp4PP/1p2PPPP/1P2PPPP/PP1nPPPP b kq a3 0 18", {34, 435, 14481}},
                 {kHorde, "r3k2r/1p1p2p1/8/2P2P2/1p4p1/8/P1P2P1P/PP4PP w kq - 0 1", {14, 436, 5977}},
                 {kHorde, "4k3/pppp1ppp/8/PPPPPPPP/pppp1ppp/8/PPPPPPPP/8 w - - 0 1", {17, 299, 5337}},
                 {kHorde, "4k3/8/8/8/8/8/1p6/P1P5 b - - 0 1", {17, 62, 844, 2418}},
                 {kHorde, "r3k2r/8/8/8/8/8/8/PPPPPPPP b kq - 0 1", {26, 408, 11124}},
                 {kHorde, "7k/5PP1/6PP/8/8/8/8/8 b - - 0 1", {0}}});
}

TEST(ReferencePerft, Chess) {
  expect_counts({{kChess, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", {48, 2039, 97862}},
                 {kChess, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238}},
                 {kChess, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467}},
                 {kChess, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379}}});
}

TEST(ReferencePerft, DivideAddsUp) {
  const Position start = start_position(Variant::kHorde);
  std::uint64_t sum = 0;
  std::string names;
  for (const auto& [move, nodes] : divide(kHorde, start, 3)) {
    sum += nodes;
    names += uci(move) + " ";
  }
  EXPECT_EQ(sum, 1274u);
  EXPECT_EQ(names, ordered(kHorde, start) + " ");
}

// ------------------------------------------------------------------------------------------------------ variants,
// moves

TEST(ReferenceVariants, NamesAndOptions) {
  for (const Variant variant : kAllVariants) EXPECT_EQ(variant_from_name(variant_name(variant)), variant);
  EXPECT_EQ(variant_name(Variant::kHorde), "horde");
  EXPECT_THROW(variant_from_name("Horde"), std::invalid_argument);
  EXPECT_TRUE(has_options(kLosersRestrictedEp));
  EXPECT_TRUE(has_options(kSuicideRestrictedEp));
  EXPECT_TRUE(has_options(kStalematedWins));
  for (const Variant variant : {Variant::kAntichess, Variant::kHorde, Variant::kChess}) {
    EXPECT_FALSE(has_options({.variant = variant, .restricted_ep = true}));
    EXPECT_FALSE(has_options({.variant = variant, .stalemated_wins = true}));
    EXPECT_TRUE(has_options({.variant = variant}));
  }
  EXPECT_FALSE(has_options({.variant = Variant::kLosers, .stalemated_wins = true}));
}

TEST(ReferenceCaptures, AreCompulsoryAndFree) {
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
  EXPECT_EQ(ordered(kAntichess, game_after(kAntichess, start, "e2e4 f7f5").position()), "e4f5");
  EXPECT_EQ(moves_of(kAntichess, "4k3/8/8/4p3/3P1P2/8/8/4K3 b - - 0 1"), "e5d4 e5f4");
  EXPECT_EQ(moves_of(kSuicide, "4k3/8/8/4p3/3P1P2/8/8/4K3 b - - 0 1"), "e5d4 e5f4");
  EXPECT_EQ(count_of(kChess, "4k3/8/8/4p3/3P1P2/8/8/4K3 b - - 0 1"), 8u);
  EXPECT_EQ(ordered(kLosers, game_after(kLosers, start, "e2e4 d7d5").position()), "e4d5");
}

TEST(ReferenceCaptures, EnPassantIsACapture) {
  const std::string before = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
  for (const Rules& rules : {kAntichess, kSuicide, kLosers}) {
    EXPECT_EQ(ordered(rules, game_after(rules, before, "e2e4").position()), "d4e3");
    EXPECT_EQ(fen_after(rules, before, "e2e4"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    EXPECT_EQ(fen_after(rules, before, "e2e4 d4e3"), "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2");
  }
  EXPECT_EQ(moves_of(kLosers, "4k3/8/5n2/8/3pP3/8/8/4K3 b - e3 0 1"), "d4e3 f6e4");
  EXPECT_EQ(moves_of(kAntichess, "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1"), "c4d3");
}

TEST(ReferenceCaptures, RestrictedEnPassant) {
  const std::string both = "4k3/8/5n2/8/3pP3/8/8/4K3 b - e3 0 1";
  for (const Rules& rules : {kLosersRestrictedEp, kSuicideRestrictedEp}) {
    EXPECT_EQ(moves_of(rules, both), "f6e4");
    EXPECT_EQ(normalised(rules, both), "4k3/8/5n2/8/3pP3/8/8/4K3 b - - 0 1");
    EXPECT_EQ(moves_of(rules, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "d4e3");
    EXPECT_EQ(normalised(rules, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    // two ways to take en passant are not "another" capture
    EXPECT_EQ(moves_of(rules, "4k3/8/8/8/3pPp2/8/8/4K3 b - e3 0 1"), "d4e3 f4e3");
  }
  // only legal captures count: a pinned bishop's, and one that does not answer the check, do not
  EXPECT_EQ(moves_of(kLosersRestrictedEp, "3kr3/8/8/6pP/8/3p4/4B3/4K3 w - g6 0 1"), "h5g6");
  EXPECT_EQ(moves_of(kLosersRestrictedEp, "7r/8/8/1k6/2Pp4/8/1N6/4K2R b - c3 0 1"), "d4c3");
  EXPECT_TRUE(same_position(kLosersRestrictedEp, read(kLosersRestrictedEp, both),
                            read(kLosersRestrictedEp, "4k3/8/5n2/8/3pP3/8/8/4K3 b - - 0 1")));
}

TEST(ReferenceKings, OrdinaryInAntichessAndSuicide) {
  for (const Rules& rules : {kAntichess, kSuicide}) {
    EXPECT_EQ(moves_of(rules, "8/8/8/8/8/8/4k3/4K3 w - - 0 1"), "e1e2");
    EXPECT_EQ(moves_of(rules, "4k3/8/8/8/8/1p6/P7/4K2q w - - 0 1"), "a2b3");
    EXPECT_EQ(moves_of(rules, "8/5P2/8/8/8/8/7p/8 w - - 0 1"), "f7f8b f7f8k f7f8n f7f8q f7f8r");
    EXPECT_EQ(moves_of(rules, "8/8/8/8/8/8/5p2/7N b - - 0 1"), "f2f1b f2f1k f2f1n f2f1q f2f1r");
    EXPECT_FALSE(in_check(rules, read(rules, "4k3/8/8/8/8/8/8/4R3 b - - 0 1"), false));
    EXPECT_EQ(fen_after(rules, "8/8/8/8/8/8/5p2/7N b - - 0 1", "f2f1k"), "8/8/8/8/8/8/8/5k1N w - - 0 2");
  }
}

TEST(ReferenceKings, RoyalInLosers) {
  EXPECT_EQ(moves_of(kLosers, "4r1k1/8/8/1p6/P7/8/8/4K3 w - - 0 1"), "e1d1 e1d2 e1f1 e1f2");  // a4xb5 answers nothing
  EXPECT_EQ(moves_of(kLosers, "4k3/8/8/8/1b6/8/4q2P/4K3 w - - 0 1"), "e1e2");
  EXPECT_EQ(moves_of(kLosers, "4r1k1/8/8/8/8/8/p3R3/4K3 w - - 0 1"), "e2e8");
  EXPECT_EQ(moves_of(kLosers, "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1"), "a4a3 a4a5 a4b3 a4b4 a4b5 c4c3");
  EXPECT_EQ(moves_of(kLosers, "8/P3k2p/8/8/8/8/8/4K3 w - - 0 1"), "a7a8b a7a8n a7a8q a7a8r e1d1 e1d2 e1e2 e1f1 e1f2");
}

TEST(ReferenceCastling, PathAndRights) {
  const std::string open = "4k3/p7/8/8/8/8/P7/R3K2R w KQ - 0 1";
  EXPECT_NE(moves_of(kLosers, open).find(" e1g1"), std::string::npos);
  EXPECT_NE(moves_of(kLosers, open).find(" e1c1"), std::string::npos);
  EXPECT_EQ(fen_after(kLosers, open, "e1g1"), "4k3/p7/8/8/8/8/P7/R4RK1 b - - 1 1");
  EXPECT_EQ(fen_after(kLosers, open, "e1c1"), "4k3/p7/8/8/8/8/P7/2KR3R b - - 1 1");
  EXPECT_EQ(fen_after(kLosers, open, "h1g1"), "4k3/p7/8/8/8/8/P7/R3K1R1 b Q - 1 1");
  EXPECT_EQ(fen_after(kLosers, open, "e1e2"), "4k3/p7/8/8/8/8/P3K3/R6R b - - 1 1");
  EXPECT_EQ(count_of(kLosers, "4kr2/p7/8/8/8/8/P7/R3K2R w KQ - 0 1"), 18u);    // f1 attacked
  EXPECT_EQ(moves_of(kLosers, "r3k3/p7/8/8/8/8/8/R3K2R w KQ - 0 1"), "a1a7");  // a capture goes before
  EXPECT_EQ(moves_of(kHorde, "r3k2r/3P4/8/8/8/8/8/8 b kq - 0 1"), "e8d7 e8d8 e8e7 e8f7 e8f8");
  EXPECT_EQ(count_of(kHorde, "r3k2r/1P6/8/8/8/8/8/8 b kq - 0 1"), 25u);  // c8 attacked: only O-O
  EXPECT_EQ(count_of(kChess, "r3k3/8/8/8/8/8/1R6/4K3 b q - 0 1"), 16u);  // b8 may be attacked
  // a rook taken at home takes its right with it
  EXPECT_EQ(fen_after(kChess, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8"), "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
}

TEST(ReferenceHorde, PawnsOnRankOne) {
  EXPECT_EQ(moves_of(kHorde, "4k3/8/8/8/8/8/1p6/P7 w - - 0 1"), "a1a2 a1a3 a1b2");
  EXPECT_EQ(moves_of(kHorde, "4k3/8/8/8/8/p7/8/P7 w - - 0 1"), "a1a2");
  EXPECT_EQ(moves_of(kHorde, "4k3/8/8/8/8/8/P7/P7 w - - 0 1"), "a2a3 a2a4");
  EXPECT_EQ(moves_of(kHorde, "8/4P1k1/8/8/8/8/8/8 w - - 0 1"), "e7e8b e7e8n e7e8q e7e8r");
  // no en passant behind a double step from rank 1, but behind one from rank 2 also after a1-a2
  EXPECT_EQ(fen_after(kHorde, "7k/8/8/8/8/1p6/8/P7 w - - 0 1", "a1a3"), "7k/8/8/8/8/Pp6/8/8 b - - 0 1");
  EXPECT_EQ(moves_of(kHorde, "7k/8/8/8/8/Pp6/8/8 b - - 0 1"), "b3b2 h8g7 h8g8 h8h7");
  EXPECT_EQ(fen_after(kHorde, "7k/8/8/8/1p6/8/8/P7 w - - 0 1", "a1a2 h8g8 a2a4"), "6k1/8/8/8/Pp6/8/8/8 b - a3 0 2");
}

TEST(ReferenceHorde, WhiteKnowsNoCheck) {
  EXPECT_EQ(moves_of(kHorde, "4k3/8/8/8/8/8/q6P/8 w - - 0 1"), "h2h3 h2h4");
  EXPECT_FALSE(in_check(kHorde, start_position(Variant::kHorde), true));
}

TEST(ReferenceMoves, Clocks) {
  EXPECT_EQ(fen_after(kAntichess, "8/p7/2R5/8/8/8/8/8 w - - 98 90", "c6d6"), "8/p7/3R4/8/8/8/8/8 b - - 99 90");
  EXPECT_EQ(fen_after(kAntichess, "8/8/p7/8/8/8/R7/7n w - - 99 90", "a2a6"), "8/8/R7/8/8/8/8/7n b - - 0 90");
  EXPECT_EQ(fen_after(kAntichess, "8/p7/2R5/8/8/8/8/8 b - - 98 90", "a7a6"), "8/8/p1R5/8/8/8/8/8 w - - 0 91");
}

// --------------------------------------------------------------------------------------------------------------- order

TEST(ReferenceOrder, ClassThenDirectionThenTarget) {
  EXPECT_EQ(ordered(kChess, start_position(Variant::kChess)),
            "a2a3 b2b3 c2c3 d2d3 e2e3 f2f3 g2g3 h2h3 a2a4 b2b4 c2c4 d2d4 e2e4 f2f4 g2g4 h2h4 "
            "b1c3 g1h3 b1a3 g1f3");
  // Black goes down: the directions turn over in the ranks only, target squares stay absolute
  const Position black =
      game_after(kChess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a2a3").position();
  EXPECT_EQ(ordered(kChess, black),
            "a7a6 b7b6 c7c6 d7d6 e7e6 f7f6 g7g6 h7h6 a7a5 b7b5 c7c5 d7d5 e7e5 f7f5 g7g5 h7h5 "
            "b8c6 g8h6 b8a6 g8f6");
}

TEST(ReferenceOrder, PawnCapturesPromotionsAndEnPassant) {
  EXPECT_EQ(ordered(kAntichess, read(kAntichess, "4n1n1/5P2/8/8/8/8/8/8 w - - 0 1")),
            "f7e8q f7e8r f7e8b f7e8n f7e8k f7g8q f7g8r f7g8b f7g8n f7g8k");
  EXPECT_EQ(ordered(kHorde, read(kHorde, "4k3/8/8/2PpP3/8/8/8/8 w - d6 0 2")), "e5d6 c5d6 c5c6 e5e6");
  EXPECT_EQ(ordered(kHorde, read(kHorde, "7k/8/8/8/pPp5/8/8/8 b - b3 0 2")), "c4b3 a4b3 a4a3 c4c3 h8h7 h8g8 h8g7");
}

TEST(ReferenceOrder, SlidersGoByTheLineTheyFollow) {
  // Diagonals of queen and bishop together, each direction by target square; then the straight lines of queen and rook.
  EXPECT_EQ(ordered(kAntichess, read(kAntichess, "8/8/8/8/7p/P7/8/QB1R4 w - - 0 1")),
            "a3a4 "
            "a1b2 b1c2 a1c3 b1d3 a1d4 b1e4 a1e5 b1f5 a1f6 b1g6 a1g7 b1h7 a1h8 b1a2 "
            "a1a2 d1d2 d1d3 d1d4 d1d5 d1d6 d1d7 d1d8 d1e1 d1f1 d1g1 d1h1 d1c1");
  EXPECT_EQ(ordered(kChess, read(kChess, "k2q4/8/8/8/8/2n5/1P6/K7 b - - 0 1")),
            "c3d1 c3e2 c3e4 c3d5 c3b5 c3a4 c3a2 c3b1 "
            "d8h4 d8g5 d8f6 d8e7 d8a5 d8b6 d8c7 "
            "d8d1 d8d2 d8d3 d8d4 d8d5 d8d6 d8d7 d8e8 d8f8 d8g8 d8h8 d8b8 d8c8 "
            "a8a7 a8b7 a8b8");
}

TEST(ReferenceOrder, KingThenCastling) {
  EXPECT_EQ(ordered(kChess, read(kChess, "4k3/8/8/8/8/8/3PPP2/R3K2R w KQ - 0 1")),
            "d2d3 e2e3 f2f3 d2d4 e2e4 f2f4 "
            "a1a2 h1h2 a1a3 h1h3 a1a4 h1h4 a1a5 h1h5 a1a6 h1h6 a1a7 h1h7 a1a8 h1h8 a1b1 a1c1 a1d1 h1f1 h1g1 "
            "e1f1 e1d1 e1g1 e1c1");
}

TEST(ReferenceOrder, KeysAreUnique) {
  for (const Variant variant : kAllVariants) {
    const Rules rules{variant};
    for (std::uint32_t game = 0; game < 3; ++game) {
      Position position = start_position(variant);
      for (std::uint32_t ply = 0; ply < 200; ++ply) {
        const std::vector<Move> moves = legal_moves(rules, position);
        if (moves.empty()) break;
        std::set<std::array<int, 4>> keys;
        for (const Move& move : moves) keys.insert(order_key(position, move));
        ASSERT_EQ(keys.size(), moves.size()) << write_fen(rules, position);
        const auto count = static_cast<std::uint32_t>(moves.size());
        position = make_move(position, moves[draw_move(1, game, 0, ply, count)]);
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------------------- results

TEST(ReferenceOutcome, WithoutMen) {
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/8/8/1p6/2P5/8 b - - 0 1", "b3c2"), "1-0 no-pieces");
  EXPECT_EQ(outcome_of(kAntichess, "k7/8/8/8/8/8/8/R7 w - - 0 1", "a1a8"), "0-1 no-pieces");
  EXPECT_EQ(outcome_of(kSuicide, "8/8/8/8/8/8/2p5/8 b - - 0 1"), "1-0 no-pieces");  // whoever is to move
  EXPECT_EQ(count_of(kSuicide, "8/8/8/8/8/8/2p5/8 b - - 0 1"), 0u);
  EXPECT_EQ(outcome_of(kLosers, "4k3/8/8/8/8/8/3p4/3QK3 w - - 0 1", "d1d2"), "0-1 bare-king");
  EXPECT_EQ(outcome_of(kLosers, "4k3/4r3/4R3/8/8/8/8/4K3 b - - 0 1", "e7e6"), "1-0 bare-king");
  EXPECT_EQ(outcome_of(kLosers, "3k4/3p4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7"), "0-1 bare-king");  // before check
  EXPECT_EQ(outcome_of(kLosers, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "1-0 bare-king");             // both bare
  EXPECT_EQ(outcome_of(kLosers, "4k3/8/8/8/8/8/8/4K3 b - - 0 1"), "0-1 bare-king");
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/8/3q4/3P4/8 b - - 0 1", "d3d2"), "0-1 horde-destroyed");
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/8/8/8/Q7 b - - 0 1"), "*");  // promoted men count
}

TEST(ReferenceOutcome, WithoutMoves) {
  EXPECT_EQ(outcome_of(kAntichess, "8/p7/8/P7/8/8/8/8 w - - 0 1", "a5a6"), "0-1 no-moves");
  EXPECT_EQ(outcome_of(kSuicide, "7n/8/8/8/p7/P7/8/8 w - - 0 1"), "1-0 stalemate-count");
  EXPECT_EQ(outcome_of(kSuicide, "8/8/8/8/p7/P7/P7/8 w - - 0 1"), "0-1 stalemate-count");
  EXPECT_EQ(outcome_of(kSuicide, "8/8/8/8/p7/P7/8/8 w - - 0 1"), "1/2-1/2 stalemate-count");
  EXPECT_EQ(outcome_of(kStalematedWins, "8/8/8/8/p7/P7/P7/8 w - - 0 1"), "1-0 no-moves");
  EXPECT_EQ(outcome_of(kStalematedWins, "8/8/8/8/p7/P7/8/8 w - - 0 1"), "1-0 no-moves");
  EXPECT_EQ(outcome_of(kLosers, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"), "0-1 mate");
  EXPECT_EQ(outcome_of(kLosers, "7k/8/6Q1/p7/P7/8/8/7K b - - 0 1"), "0-1 stalemate");
  EXPECT_EQ(outcome_of(kHorde, "7k/5PP1/6PP/8/8/8/8/8 b - - 0 1"), "1-0 mate");
  EXPECT_EQ(outcome_of(kHorde, "7k/5P2/6PP/8/8/8/8/8 b - - 0 1"), "1/2-1/2 stalemate");
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/8/p7/P7/8 w - - 0 1"), "1/2-1/2 stalemate");
  EXPECT_EQ(outcome_of(kChess, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"), "1-0 mate");
  EXPECT_EQ(outcome_of(kChess, "7k/8/6Q1/p7/P7/8/8/7K b - - 0 1"), "1/2-1/2 stalemate");
}

TEST(ReferenceOutcome, InsufficientMaterialInAntichess) {
  const std::string drawn = "1/2-1/2 insufficient-material";
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/2b5/8/8/2B1B3/8 w - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/4p3/4P3/8/2B5/b7 b - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kAntichess, "8/8/3p4/3P2p1/6P1/8/8/b6B w - - 0 1"), drawn);
  EXPECT_EQ(count_of(kAntichess, "8/8/3p4/3P2p1/6P1/8/8/b6B w - - 0 1"), 3u);  // the moves are still there
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/3p4/3P4/8/4B3/b7 w - - 0 1"), "*");  // bishops reach the pawns
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/3pp3/3PP3/8/8/b6B w - - 0 1"), "*");
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/2b5/8/8/5B2/8 w - - 0 1"), "*");  // bishops of one colour
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/b7/8/8/2BB4/8 b - - 0 1"), "*");  // White has both colours
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/2b5/8/8/4B2N/8 w - - 0 1"), "*");
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/4p3/4P3/4P3/2B5/b7 w - - 0 1"), "*");          // stopped by an own pawn
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/4p3/4P3/8/2B5/8 w - - 0 1"), "*");             // Black has no bishop
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/8/8/6p1/6P1/b6B w - - 0 1"), "1-0 no-moves");  // the win goes before
  EXPECT_EQ(outcome_of(kSuicide, "8/8/8/2b5/8/8/2B1B3/8 w - - 0 1"), "*");
}

TEST(ReferenceOutcome, InsufficientMaterialInChess) {
  const std::string drawn = "1/2-1/2 insufficient-material";
  EXPECT_EQ(outcome_of(kChess, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kChess, "4k3/8/8/8/8/8/8/4KN2 w - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kChess, "4kb2/8/8/8/8/8/8/4K3 w - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kChess, "4kb2/8/8/8/8/8/3B4/B3K3 w - - 0 1"), drawn);  // a1, d2, f8: all dark
  EXPECT_EQ(outcome_of(kChess, "4kb2/8/8/8/8/8/4B3/4K3 w - - 0 1"), "*");
  EXPECT_EQ(outcome_of(kChess, "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1"), "*");
  EXPECT_EQ(outcome_of(kChess, "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1"), "*");
  EXPECT_EQ(outcome_of(kChess, "4kb2/8/8/8/8/8/8/4KN2 w - - 0 1"), "*");
}

TEST(ReferenceOutcome, ClosedPositionInHorde) {
  const std::string drawn = "1/2-1/2 closed-position";
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/p7/8/P7/8 w - - 0 1", "a2a3"), drawn);
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/8/8/p7/P7 b - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/8/1p6/1P1p4/8 b - - 0 1"), drawn);
  EXPECT_EQ(outcome_of(kHorde, "8/8/8/8/8/p6p/Pk5P/8 b - - 0 1"), drawn);  // two men: the exception is for one
  EXPECT_EQ(outcome_of(kHorde, "8/8/8/8/8/p7/Pk6/8 b - - 0 1"), "*");      // the last man can be taken
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/p7/Pp6/8/8/8 b - a3 0 1"), "*");   // also en passant
  EXPECT_EQ(outcome_of(kHorde, "4k3/8/8/8/8/n7/P7/8 b - - 0 1"), "*");     // the knight may go away
  EXPECT_EQ(outcome_of(kHorde, "8/8/8/k7/P7/p7/P7/8 b - - 0 1"), "*");     // the king, too
  EXPECT_EQ(perft(kHorde, read(kHorde, "4k3/8/8/8/8/8/p7/P7 b - - 0 1"), 1), 5u);
}

TEST(ReferenceOutcome, ClockAndOrderOfTheRules) {
  const std::string rook = "8/p7/2R5/8/8/8/8/8 w - - ";
  EXPECT_EQ(outcome_of(kAntichess, rook + "149 90", "c6d6"), "1/2-1/2 75-moves");
  EXPECT_EQ(outcome_of(kAntichess, rook + "148 90", "c6d6"), "* 50-moves");
  EXPECT_EQ(outcome_of(kAntichess, rook + "99 90", "c6d6"), "* 50-moves");
  EXPECT_EQ(outcome_of(kAntichess, rook + "98 90", "c6d6"), "*");
  EXPECT_EQ(outcome_of(kLosers, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 99", "a1a8"), "0-1 mate");
  EXPECT_EQ(outcome_of(kAntichess, "8/8/8/2b5/8/8/2B1B3/8 w - - 150 99"), "1/2-1/2 insufficient-material");
  const Position many = read(kAntichess, rook + "150 99");
  EXPECT_EQ(told(outcome(kAntichess, many, 5)), "1/2-1/2 fivefold");
  EXPECT_EQ(told(outcome(kAntichess, many, 4)), "1/2-1/2 75-moves");
  const Position hundred = read(kAntichess, rook + "100 99");
  EXPECT_EQ(told(outcome(kAntichess, hundred, 3)), "* threefold 50-moves");
  EXPECT_EQ(told(outcome(kAntichess, hundred, 5)), "1/2-1/2 fivefold");
}

TEST(ReferenceGame, RepetitionCountsFromTheGivenPosition) {
  const std::string kings = "3k4/8/8/8/8/8/8/3K4 w - - 0 1";
  const std::string round = "d1e1 d8e8 e1d1 e8d8 ";
  EXPECT_EQ(outcome_of(kAntichess, kings, round), "*");
  EXPECT_EQ(outcome_of(kAntichess, kings, round + round), "* threefold");
  EXPECT_EQ(outcome_of(kAntichess, kings, round + round + round), "* threefold");
  EXPECT_EQ(outcome_of(kAntichess, kings, round + round + round + round), "1/2-1/2 fivefold");
  Game game = game_after(kAntichess, kings, round + round + round + round);
  EXPECT_EQ(game.play("d1c1"), "");  // a draw by rule forbids no move, and the last position counts
  EXPECT_EQ(told(game.outcome()), "*");
}

TEST(ReferenceGame, RepetitionSeesRightsAndPossibilities) {
  const std::string rook = "r3k3/p7/8/8/8/8/P7/4K3 w q - 0 1";
  const std::string round = "e1f1 a8b8 f1e1 b8a8 ";
  EXPECT_EQ(outcome_of(kLosers, rook, round + round), "*");  // the first visit still had the right
  EXPECT_EQ(outcome_of(kLosers, rook, round + round + round), "* threefold");
  EXPECT_EQ(outcome_of(kAntichess, rook, round + round), "* threefold");  // no rights in antichess
  EXPECT_EQ(outcome_of(kAntichess, "3k4/8/8/8/4P3/8/8/3K4 b - e3 0 1", "d8e8 d1e1 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1"),
            "* threefold");  // nobody could take
  EXPECT_EQ(outcome_of(kLosers, "8/8/8/8/k1pP3R/8/8/7K b - d3 0 1", "a4b5 h4g4 b5a4 g4h4 a4b5 h4g4 b5a4 g4h4"),
            "* threefold");  // taking was illegal
  const Position with = read(kChess, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  const Position without = read(kChess, "4k3/8/8/8/3pP3/8/8/4K3 b - - 7 9");
  EXPECT_FALSE(same_position(kChess, with, without));
}

TEST(ReferenceGame, Errors) {
  Game game(kAntichess, read(kAntichess, "8/8/8/8/8/1p6/2P5/8 b - - 0 1"));
  EXPECT_EQ(game.play("b3b2"), "illegal-move");
  EXPECT_EQ(game.play("b3"), "unreadable-move");
  EXPECT_EQ(game.play("b3c9"), "unreadable-move");
  EXPECT_EQ(game.play("b3c2x"), "unreadable-move");
  EXPECT_EQ(game.play("b3c2"), "");
  EXPECT_EQ(game.play("c2c3"), "after-end");
  Game stuck(kAntichess, read(kAntichess, "8/p7/P7/8/8/8/8/8 b - - 0 1"));
  EXPECT_EQ(stuck.play("a7a5"), "after-end");
}

// ----------------------------------------------------------------------------------------------------------------- FEN

TEST(ReferenceFen, FieldsAndDefaults) {
  const std::string board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  EXPECT_EQ(normalised(kLosers, board + " b"), board + " b - - 0 1");
  EXPECT_EQ(normalised(kLosers, board + " w KQkq -"), board + " w KQkq - 0 1");
  EXPECT_EQ(normalised(kLosers, "  " + board + "  w   qkQK - \t 3   7 "), board + " w KQkq - 3 7");
  EXPECT_EQ(normalised(kLosers, board + " w - - 0 0"), board + " w - - 0 1");
  EXPECT_EQ(normalised(kLosers, board + " w - - 9999 9999"), board + " w - - 9999 9999");
  EXPECT_EQ(normalised(kAntichess, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
  EXPECT_EQ(normalised(kLosers, "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1"), "8/8/8/8/k1pP3R/8/8/4K3 b - - 0 1");
}

TEST(ReferenceFen, FaultsOfTheText) {
  const std::string board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  EXPECT_EQ(error_of(kAntichess, ""), "empty");
  EXPECT_EQ(error_of(kAntichess, "  "), "empty");
  EXPECT_EQ(error_of(kHorde, "4k3/8/8/8/8/8/P7 w - - 0 1"), "ranks");
  EXPECT_EQ(error_of(kLosers, "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1"), "ranks");
  for (const char* const rank : {"9", "0", "44", "7", "7PP", "PPPPPPPPP", "p08", ""}) {
    EXPECT_EQ(error_of(kAntichess, std::string("4k3/") + rank + "/8/8/8/8/8/4K3 w - - 0 1"), "rank-width") << rank;
  }
  EXPECT_EQ(error_of(kAntichess, "4k3/7x/8/8/8/8/8/4K3 w - - 0 1"), "piece");
  EXPECT_EQ(error_of(kAntichess, board), "no-side");
  EXPECT_EQ(error_of(kAntichess, board + " x - - 0 1"), "side");
  for (const char* const rights : {"KX", "KK", "K-", "HA", "--"}) {
    EXPECT_EQ(error_of(kLosers, board + " w " + rights + " - 0 1"), "castling-chars") << rights;
  }
  for (const char* const square : {"e4", "e2", "i3", "e", "e33", "E3", "--"}) {
    EXPECT_EQ(error_of(kLosers, board + " w - " + square + " 0 1"), "ep-field") << square;
  }
  for (const char* const counters : {"-1 1", "zero one", "0 -", "12345 1", "0 00001", "1.5 1"}) {
    EXPECT_EQ(error_of(kAntichess, board + " w - - " + counters), "counter") << counters;
  }
  EXPECT_EQ(error_of(kAntichess, board + " w - - 0 1 more"), "trailing");
}

TEST(ReferenceFen, FaultsOfThePosition) {
  EXPECT_EQ(error_of(kAntichess, "8/8/8/8/8/8/8/8 w - - 0 1"), "empty-board");
  EXPECT_EQ(error_of(kAntichess, "3P4/8/8/8/8/8/8/4k3 w - - 0 1"), "pawn-rank");
  EXPECT_EQ(error_of(kAntichess, "4k3/8/8/8/8/8/8/3P4 w - - 0 1"), "pawn-rank");
  EXPECT_EQ(error_of(kHorde, "4k3/8/8/8/8/8/8/PP1P3P w - - 0 1"), "");
  EXPECT_EQ(error_of(kHorde, "4k3/8/8/8/8/8/8/PP1p3P w - - 0 1"), "pawn-rank");
  EXPECT_EQ(error_of(kHorde, "3Pk3/8/8/8/8/8/8/8 w - - 0 1"), "pawn-rank");
  EXPECT_EQ(error_of(kHorde, "k3k3/8/8/8/8/8/PPPP4/8 w - - 0 1"), "kings");
  EXPECT_EQ(error_of(kHorde, "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"), "kings");
  EXPECT_EQ(error_of(kHorde, "8/8/8/8/8/8/PPPP4/8 w - - 0 1"), "kings");
  EXPECT_EQ(error_of(kHorde, "rnbqkbnr/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPP3/8 w - - 0 1"),
            "too-many-men");  // 37
  EXPECT_EQ(error_of(kAntichess, "8/8/8/8/PPPPPPPP/PPPPPPPP/P7/7k w - - 0 1"), "too-many-men");
  EXPECT_EQ(error_of(kHorde, "k7/pppppppp/pppppppp/8/8/8/8/P7 w - - 0 1"), "too-many-men");
  EXPECT_EQ(error_of(kLosers, "4k3/8/8/8/8/8/PPPP4/8 w - - 0 1"), "kings");
  EXPECT_EQ(error_of(kChess, "4k3/8/8/8/8/8/PPPP4/2K1K3 w - - 0 1"), "kings");
  EXPECT_EQ(error_of(kLosers, "4k3/7p/8/8/8/8/8/K3R3 w - - 0 1"), "opposite-check");
  EXPECT_EQ(error_of(kHorde, "4k3/3P4/8/8/8/8/8/8 w - - 0 1"), "opposite-check");
  EXPECT_EQ(error_of(kAntichess, "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"), "");
  EXPECT_EQ(error_of(kAntichess, "kkk5/8/8/8/8/8/8/KKKK4 b - - 0 1"), "");
  EXPECT_EQ(error_of(kAntichess, "8/p7/8/8/8/8/P7/8 w - - 0 1"), "");
  EXPECT_EQ(error_of(kAntichess, "8/8/8/8/8/8/2p5/8 w - - 0 1"), "");
}

TEST(ReferenceFen, EnPassantSquareMustBePossible) {
  EXPECT_EQ(error_of(kAntichess, "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1"), "ep-square");   // no pawn
  EXPECT_EQ(error_of(kAntichess, "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1"), "ep-square");  // wrong side
  EXPECT_EQ(error_of(kLosers, "4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1"), "ep-square");   // occupied
  EXPECT_EQ(error_of(kLosers, "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1"), "ep-square");   // origin occupied
  EXPECT_EQ(error_of(kHorde, "7k/8/8/8/8/Pp6/8/8 b - a2 0 1"), "ep-field");           // rank 1 double step
}

TEST(ReferenceFen, CastlingRightsNotHeldAreDropped) {
  const FenReading anti = read_fen(kAntichess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(anti.dropped_castling, "KQkq");
  EXPECT_EQ(write_fen(kAntichess, anti.position), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
  EXPECT_EQ(read_fen(kHorde, "r3k3/8/8/8/8/8/8/P6P w KQkq - 0 1").dropped_castling, "KQk");
  EXPECT_EQ(normalised(kHorde, "r3k3/8/8/8/8/8/8/P6P w KQkq - 0 1"), "r3k3/8/8/8/8/8/8/P6P w q - 0 1");
  EXPECT_EQ(normalised(kLosers, "4k3/7p/8/8/8/8/8/3K3R w K - 0 1"), "4k3/7p/8/8/8/8/8/3K3R w - - 0 1");
  EXPECT_EQ(read_fen(kLosers, "4k3/8/8/8/8/8/P6p/4K2r w K - 0 1").dropped_castling, "K");
}

// -------------------------------------------------------------------------------------------------------- independence

TEST(ReferenceIndependence, IncludesNothingOfTheProject) {
  const std::string own = "\"host/reference/";
  for (const auto& entry : std::filesystem::directory_iterator(HECATOMB_SOURCE_DIR "/host/reference")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("#include <", 0) == 0) {
        EXPECT_EQ(line.find('/'), std::string::npos) << entry.path() << ": " << line;
      } else if (line.rfind("#include", 0) == 0) {
        EXPECT_EQ(line.substr(9, own.size()), own) << entry.path() << ": " << line;
      }
    }
  }
}

}  // namespace
}  // namespace hecatomb::reference
