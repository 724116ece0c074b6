// SAN and UCI: literal facts of writing and reading, and on many reached positions that every legal move is written in
// a form of its own which is read back, also with more of its origin than needed.
#include "host/notation/san.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "common/random.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"

namespace hecatomb {
namespace {

constexpr VariantId kAntichess = VariantId::antichess, kSuicide = VariantId::suicide, kLosers = VariantId::losers,
                    kHorde = VariantId::horde, kChess = VariantId::chess;

Position at(VariantId variant, std::string_view fen, const RuleOptions& options = {}) {
  const Expected<FenReading> reading = read_fen(fen, variant, options);
  EXPECT_TRUE(reading.ok()) << fen << (reading ? "" : reading.error().message);
  return reading->position;
}

/// The UCI text of what `text` means, or the kind of the refusal.
std::string meaning(VariantId variant, std::string_view fen, std::string_view text) {
  const Expected<Move> move = read_san(at(variant, fen), text, variant);
  return move ? uci_of(*move) : std::string(kind_name(move.error().kind));
}

// ---- writing

TEST(San, IsWrittenInOneForm) {
  struct Case {
    VariantId variant;
    std::string fen, uci, san;
    RuleOptions options = {};
  };
  const std::vector<Case> cases = {
      {kAntichess, "6n1/5P2/8/8/8/8/8/6k1 w - - 0 1", "f7g8k", "fxg8=K"},
      {kAntichess, "8/5P2/8/8/8/8/7p/8 w - - 0 1", "f7f8k", "f8=K"},
      {kAntichess, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
      // Decided for either side: '#'.
      {kAntichess, "8/8/8/8/8/1p6/2P5/8 b - - 0 1", "b3c2", "bxc2#"},
      {kAntichess, "8/p7/8/P7/8/8/8/8 w - - 0 1", "a5a6", "a6#"},
      {kSuicide, "8/p7/8/P7/8/8/8/8 w - - 0 1", "a5a6", "a6"},
      {kSuicide, "8/p7/8/P7/8/8/8/8 w - - 0 1", "a5a6", "a6#", {.stalemated_wins = true}},
      {kSuicide, "8/p7/8/P7/8/8/8/7B w - - 0 1", "a5a6", "a6#"},
      {kHorde, "4k3/8/8/8/8/3q4/3P4/8 b - - 0 1", "d3d2", "Qxd2#"},
      {kLosers, "7k/5Q2/8/8/6K1/p7/P7/8 w - - 0 1", "g4g5", "Kg5#"},
      {kLosers, "7k/8/6K1/8/8/p7/P7/5Q2 w - - 0 1", "f1f8", "Qf8#"},
      {kLosers, "7k/8/7K/8/8/p7/P7/5Q2 w - - 0 1", "f1f7", "Qf7#"},  // stalemate
      {kLosers, "k7/1p6/8/8/8/8/8/1R2K3 w - - 0 1", "b1b7", "Rxb7#"},
      {kChess, "7k/8/7K/8/8/p7/P7/5Q2 w - - 0 1", "f1f7", "Qf7"},  // a stalemate here is a draw
      {kChess, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"},
      // Checks exist where kings are royal.
      {kLosers, "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"},
      {kAntichess, "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8"},
      {kSuicide, "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8"},
      {kHorde, "4k3/8/3P4/8/8/8/8/8 w - - 0 1", "d6d7", "d7+"},
      {kHorde, "4k3/8/8/8/8/8/8/P7 w - - 0 1", "a1a3", "a3"},
      {kHorde, "r3k2r/8/8/8/8/8/8/P7 b kq - 0 1", "e8c8", "O-O-O"},
      {kChess, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
      // Drawn, but not decided: written like any other move.
      {kChess, "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "d1c3", "Nc3"},
      // Several kings.
      {kAntichess, "8/8/8/8/4K1K1/8/8/k7 w - - 0 1", "e4f4", "Kef4"},
      {kAntichess, "8/8/4K3/8/4K3/8/8/k7 w - - 0 1", "e4e5", "K4e5"},
      {kAntichess, "8/8/4K3/8/4K3/8/8/k7 w - - 0 1", "e6d5", "K6d5"},
      {kAntichess, "8/8/8/8/2K1K3/8/2K5/k7 w - - 0 1", "c4d3", "Kc4d3"},
      {kAntichess, "8/8/8/8/2K1K3/8/2K5/k7 w - - 0 1", "e4d3", "Ked3"},
      // Only legal moves are told apart: the knight on b1 is pinned; in the other the capture is compulsory for one.
      {kChess, "4k3/8/8/8/8/8/8/qN2KN2 w - - 0 1", "f1d2", "Nd2"},
      {kChess, "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "f1d2", "Nfd2"},
      {kChess, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"},
      {kChess, "4k3/R7/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4"},
      {kChess, "1k6/8/8/8/Q2Q4/8/8/Q5K1 w - - 0 1", "a4d1", "Qa4d1"},
  };
  for (const Case& c : cases) {
    const Position p = at(c.variant, c.fen, c.options);
    const Expected<Move> move = read_uci(p, c.uci, c.variant);
    ASSERT_TRUE(move.ok()) << c.fen << " " << move.error().message;
    EXPECT_EQ(san_of(p, *move, c.variant, c.options), c.san) << c.fen;
    EXPECT_EQ(uci_of(*move), c.uci);
  }
}

// ---- reading

TEST(San, ReadsWhatPeopleWrite) {
  struct Case {
    VariantId variant;
    std::string fen;
    std::vector<std::string> texts;
    std::string uci;
  };
  const std::vector<Case> cases = {
      {kChess,
       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
       {"Nf3", "Nf3+", "Nf3#", "Nf3!?", "Nf3??", "Nf3+!", "Nf3++", " Nf3 ", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3",
        "g1-f3"},
       "g1f3"},
      {kChess,
       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
       {"e4", "ee4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "e4!", "e4 !"},
       "e2e4"},
      {kAntichess,
       "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
       {"exd6", "exd6 e.p.", "exd6e.p.", "exd6ep", "exd6 ep", "exd6 e.p.+", "exd6+ e.p.", "ed6", "e:d6", "exd6+-",
        "exd6+/=", "exd6 -+", "exd6!+-", "e5xd6", "e5-d6", "Pexd6"},
       "e5d6"},
      {kAntichess,
       "8/5P2/8/8/8/8/7p/8 w - - 0 1",
       {"f8=K", "f8K", "f8(K)", "f8=K#", "f8(K)!", "f8/K", "f8k", "f8=k", "f7f8k", "f7f8=K", "f7-f8=K", "ff8=K"},
       "f7f8k"},
      {kAntichess, "8/5P2/8/8/8/8/7p/8 w - - 0 1", {"f8=N", "f8N", "f8(N)", "f8n"}, "f7f8n"},
      {kAntichess, "2n5/1P6/8/8/8/8/7p/8 w - - 0 1", {"bxc8=B", "bxc8B", "bc8b", "b7xc8(B)"}, "b7c8b"},
      {kHorde,
       "r3k2r/8/8/8/8/8/8/P7 b kq - 0 1",
       {"O-O-O", "0-0-0", "o-o-o", "O-O-O+", "0-0-0!?", "e8c8", "e8-c8"},
       "e8c8"},
      {kHorde, "r3k2r/8/8/8/8/8/8/P7 b kq - 0 1", {"O-O", "0-0", "0-0+"}, "e8g8"},
      {kAntichess, "8/8/8/8/4K1K1/8/8/k7 w - - 0 1", {"Kef4", "Ke4f4", "Ke4-f4", "e4f4"}, "e4f4"},
      {kAntichess, "8/8/8/8/4K1K1/8/8/k7 w - - 0 1", {"Ke3", "Kee3", "K4e3"}, "e4e3"},
      {kChess, "4k3/8/8/8/8/8/8/qN2KN2 w - - 0 1", {"Nd2", "Nfd2"}, "f1d2"},
      {kChess, "4k3/8/8/8/8/2b5/1P6/4K3 w - - 0 1", {"bxc3", "bc3", "b2c3"}, "b2c3"},
      {kChess, "4k3/8/8/8/8/2b5/1P6/B3K3 w - - 0 1", {"bxc3"}, "b2c3"},
      {kChess, "4k3/8/8/8/8/2b5/8/B3K3 w - - 0 1", {"Bxc3", "Bc3", "B:c3"}, "a1c3"},
  };
  for (const Case& c : cases) {
    for (const std::string& text : c.texts) {
      EXPECT_EQ(meaning(c.variant, c.fen, text), c.uci) << c.fen << " " << text;
    }
  }
}

TEST(San, RefusesWithAKind) {
  struct Case {
    VariantId variant;
    std::string fen, text, kind;
  };
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
  const std::vector<Case> cases = {
      {kAntichess, start, "e5", "illegal-move"},
      {kAntichess, start, "Nd2", "illegal-move"},
      {kAntichess, start, "Nxf3", "illegal-move"},  // says capture, and f3 is empty
      {kAntichess, start, "exd3", "illegal-move"},
      {kAntichess, start, "Ngc3", "illegal-move"},
      {kAntichess, start, "e4=Q", "illegal-move"},
      {kAntichess, start, "O-O", "illegal-move"},
      {kAntichess, start, "e7e5", "illegal-move"},
      {kAntichess, "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2", "Nc3", "illegal-move"},
      {kAntichess, "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2", "f5", "illegal-move"},
      {kHorde, "7k/8/8/8/8/Pp6/8/8 b - - 0 1", "bxa2", "illegal-move"},
      {kLosers, "8/5P2/8/8/8/k7/7p/4K3 w - - 0 1", "f8=K", "illegal-move"},
      {kChess, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", "illegal-move"},
      {kAntichess, "8/8/8/8/4K1K1/8/8/k7 w - - 0 1", "Kf4", "ambiguous-move"},
      {kAntichess, "8/8/8/8/4K1K1/8/8/k7 w - - 0 1", "K4f4", "ambiguous-move"},
      {kAntichess, "8/5P2/8/8/8/8/7p/8 w - - 0 1", "f8", "ambiguous-move"},
      {kAntichess, "8/5P2/8/8/8/8/7p/8 w - - 0 1", "f7-f8", "ambiguous-move"},
      {kChess, "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", "ambiguous-move"},
      {kAntichess, "8/8/8/8/8/8/2p5/8 w - - 0 1", "Kd1", "after-end"},
      {kAntichess, "8/8/8/8/8/8/2p5/8 w - - 0 1", "nonsense", "after-end"},
      {kAntichess, "8/p7/P7/8/8/8/8/8 b - - 0 1", "a5", "after-end"},
      {kHorde, "8/8/8/8/8/p7/P6k/8 w - - 0 1", "a3", "after-end"},  // a stalemate: drawn, and no move all the same
      {kLosers, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "Qd2", "after-end"},
  };
  for (const Case& c : cases) EXPECT_EQ(meaning(c.variant, c.fen, c.text), c.kind) << c.fen << " " << c.text;
  for (const char* text : {"",
                           " ",
                           "+",
                           "e",
                           "e9",
                           "i4",
                           "4e",
                           "Ne",
                           "Xe4",
                           "e4=",
                           "e4=P",
                           "e4=X",
                           "e4(Q",
                           "e4Q)",
                           "()",
                           "(Q)",
                           "e2e4e5",
                           "O",
                           "O-O-O-O",
                           "0-",
                           "--",
                           "0000",
                           "Z0",
                           "1. e4",
                           "e4 e5",
                           "1-0",
                           "*",
                           "Nf3$1",
                           "N",
                           "=Q",
                           "\xe2\x99\x98"
                           "f3",
                           "e.p.",
                           "nf3",
                           "NF3",
                           "Nxxf3",
                           "e2--e4",
                           "e2 e4"}) {
    EXPECT_EQ(meaning(kAntichess, start, text), "unreadable-move") << text;
  }
  EXPECT_EQ(meaning(kAntichess, start, std::string(1 << 20, 'e')), "unreadable-move");
}

std::string message_of(VariantId variant, std::string_view fen, std::string_view text) {
  const Expected<Move> move = read_move(at(variant, fen), text, variant);
  return move ? "" : move.error().message;
}

TEST(San, RefusalsNameTheReasonAndTheNearestMoves) {
  using testing::HasSubstr;
  const std::string capture = "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2";
  EXPECT_THAT(message_of(kAntichess, capture, "Nc3"), HasSubstr("a capture is compulsory; play e4f5"));
  EXPECT_THAT(message_of(kAntichess, capture, "b1c3"), HasSubstr("a capture is compulsory; play e4f5"));
  EXPECT_THAT(message_of(kAntichess, capture, "e7e6"),
              HasSubstr("the black pawn on e7 may not move, White is to move"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "e3e4"), HasSubstr("e3 is empty"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "b1b3"), HasSubstr("the white knight on b1 may play b1c3, b1a3"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "a1a3"), HasSubstr("the white rook on a1 has no legal move"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "Nd2"), HasSubstr("no legal move ends on d2"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "Bc3"), HasSubstr("to this square go"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "O-O"), HasSubstr("castling is not possible here"));
  EXPECT_THAT(message_of(kChess, start_fen(kChess), "0000"), HasSubstr("null move"));
  EXPECT_THAT(message_of(kAntichess, "8/5P2/8/8/8/8/7p/8 w - - 0 1", "f8"), HasSubstr("name the piece"));
  EXPECT_THAT(message_of(kChess, "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2"), HasSubstr("b1d2"));
  EXPECT_THAT(message_of(kAntichess, "8/8/8/8/8/8/2p5/8 w - - 0 1", "Kd1"), HasSubstr("a side has lost its men"));
}

// ---- UCI

TEST(Uci, ReadsExactlyTheLegalMoves) {
  const auto kind_or_move = [](VariantId variant, std::string_view fen, std::string_view text) {
    const Expected<Move> move = read_uci(at(variant, fen), text, variant);
    return move ? uci_of(*move) : std::string(kind_name(move.error().kind));
  };
  const std::string castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", promotion = "8/5P2/8/8/8/8/7p/8 w - - 0 1";
  EXPECT_EQ(kind_or_move(kChess, castling, "e1g1"), "e1g1");
  EXPECT_EQ(kind_or_move(kChess, castling, " e1c1 "), "e1c1");
  EXPECT_EQ(kind_or_move(kChess, castling, "e1h1"), "illegal-move");
  EXPECT_EQ(kind_or_move(kChess, castling, "O-O"), "unreadable-move");
  EXPECT_EQ(kind_or_move(kAntichess, promotion, "f7f8k"), "f7f8k");
  EXPECT_EQ(kind_or_move(kAntichess, promotion, "f7f8"), "illegal-move");
  EXPECT_EQ(kind_or_move(kAntichess, promotion, "f7f8p"), "unreadable-move");
  EXPECT_EQ(kind_or_move(kAntichess, promotion, "f7f8Q"), "unreadable-move");
  for (const char* text : {"", "0000", "e2", "e2e9", "E2E4", "e2-e4", "e2e4qq", "@@@@"}) {
    EXPECT_EQ(kind_or_move(kChess, start_fen(kChess), text), "unreadable-move") << text;
  }
  EXPECT_EQ(kind_or_move(kAntichess, "8/8/8/8/8/8/2p5/8 w - - 0 1", "c2c1"), "after-end");
}

TEST(Uci, ReadMoveTakesBoth) {
  const Position p = start_position(kAntichess);
  for (const char* text : {"b1c3", "Nc3", "Nb1c3", "b1-c3"}) {
    const Expected<Move> move = read_move(p, text, kAntichess);
    ASSERT_TRUE(move.ok()) << text;
    EXPECT_EQ(uci_of(*move), "b1c3");
  }
  EXPECT_EQ(read_move(p, "0000", kAntichess).error().kind, ErrorKind::unreadable_move);
  EXPECT_EQ(read_move(p, "e2e5", kAntichess).error().kind, ErrorKind::illegal_move);
}

// ---- many positions

/// Calls see(position) for each position of a few random games from the start.
template <class See>
void for_each_reached(VariantId variant, u32 games, See see) {
  for (u32 game = 0; game < games; game++) {
    Position p = start_position(variant);
    for (u32 ply = 0; ply < 120; ply++) {
      MoveList legal;
      list_legal(p, variant, legal);
      if (legal.size == 0) break;
      see(p, legal);
      p = after_move(p, legal.moves[draw_move({11, 0, game}, ply, static_cast<u32>(legal.size))], variant, {});
    }
  }
}

void expect_read(const Position& p, VariantId variant, const std::string& text, Move move) {
  const Expected<Move> read = read_move(p, text, variant);
  ASSERT_TRUE(read.ok()) << fen_of(p) << " " << text << " " << read.error().message;
  EXPECT_EQ(*read, move) << fen_of(p) << " " << text;
}

/// With the whole origin, as SAN and as a long form.
void expect_full_forms_read(const Position& p, VariantId variant, Move move) {
  const Kind kind = p.kind_at(move.from);
  const std::string origin = square_name(move.from), target = square_name(move.to);
  const std::string letter = kind == Kind::pawn ? "" : std::string(1, letter_of(kind));
  const std::string promotion = move.promotion == Kind::none ? "" : std::string(1, letter_of(move.promotion));
  expect_read(p, variant, letter + origin + (is_capture(p, move) ? "x" : "") + target + promotion, move);
  expect_read(p, variant, letter + origin + "-" + target + (promotion.empty() ? "" : "=" + promotion), move);
  if (!promotion.empty()) expect_read(p, variant, origin.substr(0, 1) + target + "(" + promotion + ")!", move);
}

TEST(San, EveryLegalMoveIsReadBack) {
  for (const VariantId variant : kAllVariants) {
    int moves = 0;
    for_each_reached(variant, 25, [&](const Position& p, const MoveList& legal) {
      std::set<std::string> texts;
      for (const Move move : legal) {
        const std::string san = san_of(p, move, variant);
        EXPECT_TRUE(texts.insert(san).second) << fen_of(p) << " twice " << san;
        expect_read(p, variant, san, move);
        expect_read(p, variant, uci_of(move), move);
        const bool castling = san[0] == 'O';
        if (!castling) expect_full_forms_read(p, variant, move);
        moves++;
      }
    });
    EXPECT_GT(moves, 5000) << variant_name(variant);
  }
}

TEST(San, NoLetterOfTheOriginIsNeedless) {
  for (const VariantId variant : kAllVariants) {
    for_each_reached(variant, 10, [&](const Position& p, const MoveList& legal) {
      for (const Move move : legal) {
        std::string san = san_of(p, move, variant);
        if (p.kind_at(move.from) == Kind::pawn || san[0] == 'O') continue;
        const std::size_t origin = san.find(square_name(move.to)) - 1 - (is_capture(p, move) ? 1 : 0);
        if (origin == 0) continue;
        san.erase(1, origin);
        const Expected<Move> read = read_san(p, san, variant);
        ASSERT_FALSE(read.ok()) << fen_of(p) << " " << san;
        EXPECT_EQ(read.error().kind, ErrorKind::ambiguous_move) << fen_of(p) << " " << san;
      }
    });
  }
}

}  // namespace
}  // namespace hecatomb
