// EPD lines: both styles of operations, the tolerances that published books need, and refusals with their columns.
#include "host/notation/epd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/random.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"

namespace hecatomb {
namespace {

using testing::HasSubstr;

constexpr VariantId kAntichess = VariantId::antichess, kSuicide = VariantId::suicide, kLosers = VariantId::losers,
                    kHorde = VariantId::horde, kChess = VariantId::chess;
const std::string kBoard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const std::string kHordeBoard = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP";

/// "FEN | opcode=operand,operand | …", or the kind, field and column of the refusal.
std::string summary(std::string_view line, std::optional<VariantId> variant) {
  const Expected<EpdPosition> epd = read_epd(line, variant);
  if (!epd) {
    const Error& error = epd.error();
    return std::string(kind_name(error.kind)) + " " + std::string(error.field) + " " + std::to_string(error.column);
  }
  std::string text = fen_of(epd->position);
  for (const EpdOp& op : epd->ops) {
    text += " | " + op.opcode;
    for (const EpdOperand& operand : op.operands) text += (&operand == &op.operands[0] ? "=" : ",") + operand.text;
  }
  return text;
}

// ---- lines that are read

TEST(Epd, ReadsBothStylesOfOperations) {
  const std::string perft = kHordeBoard + " w kq - 0 1 | D1=8 | D2=128 | D3=1274";
  EXPECT_EQ(summary(kHordeBoard + " w kq - ;D1 8 ;D2 128 ;D3 1274", kHorde), perft);
  EXPECT_EQ(summary(kHordeBoard + " w kq - 0 1 ;D1 8 ;D2 128 ;D3 1274", kHorde), perft);
  EXPECT_EQ(summary(kHordeBoard + " w kq - D1 8; D2 128; D3 1274;", kHorde), perft);
  EXPECT_EQ(summary(kHordeBoard + " w kq - 0 1 D1 8; D2 128; D3 1274", kHorde), perft);
  EXPECT_EQ(summary(kHordeBoard + " w kq - 0 1;D1 8;D2 128;D3 1274;", kHorde), perft);
  EXPECT_EQ(summary(kHordeBoard + " w kq -;  D1   8 ; ;; D2 128\t;D3 1274 ;  ", kHorde), perft);
}

TEST(Epd, ReadsQuotedOperands) {
  EXPECT_EQ(summary(kBoard + " w - - bm e3; id \"first, move; best\";", kAntichess),
            kBoard + " w - - 0 1 | bm=e3 | id=first, move; best");
  EXPECT_EQ(summary(kBoard + " w - - id \"\"; c0 \"a\" \"b c\"; draw_offer", kAntichess),
            kBoard + " w - - 0 1 | id= | c0=a,b c | draw_offer");
  const Expected<EpdText> epd = read_epd_text(kBoard + " w - - id \"x y\" z;");
  ASSERT_TRUE(epd.ok());
  const EpdOp* id = epd->find("id");
  ASSERT_NE(id, nullptr);
  EXPECT_EQ(id->text(), "x y z");
  EXPECT_EQ(id->column, 51);
  EXPECT_TRUE(id->operands[0].quoted);
  EXPECT_EQ(id->operands[0].column, 54);
  EXPECT_FALSE(id->operands[1].quoted);
  EXPECT_EQ(epd->find("bm"), nullptr);
}

TEST(Epd, OperationsKeepTheirOrderAndTheirDoubles) {
  EXPECT_EQ(summary(kBoard + " w - - D2 400; D1 20; D2 401;", kAntichess),
            kBoard + " w - - 0 1 | D2=400 | D1=20 | D2=401");
}

TEST(Epd, ReadsTheLinesOfPublishedBooks) {
  EXPECT_EQ(summary("1n1qkbnr/p1p1p1pp/1p6/3B1P2/8/P7/1PPP1P1P/RNBK2NR b - - 0 7\r", kAntichess),
            "1n1qkbnr/p1p1p1pp/1p6/3B1P2/8/P7/1PPP1P1P/RNBK2NR b - - 0 7");
  EXPECT_EQ(summary("rnbqkbnr/1p1ppppp/8/p1p5/2P5/P5P1/1P1PPP1P/RNBQKBNR b - - 0 3;", kSuicide),
            "rnbqkbnr/1p1ppppp/8/p1p5/2P5/P5P1/1P1PPP1P/RNBQKBNR b - - 0 3");
  EXPECT_EQ(summary("\xef\xbb\xbf  " + kBoard + " w ;", kAntichess), kBoard + " w - - 0 1");
  const Expected<EpdPosition> in_vain = read_epd("4k3/p6p/8/8/8/8/P6P/R3K2R w KQ - id \"c\";", kAntichess);
  ASSERT_TRUE(in_vain.ok());
  EXPECT_EQ(fen_of(in_vain->position), "4k3/p6p/8/8/8/8/P6P/R3K2R w - - 0 1");
  ASSERT_EQ(in_vain->warnings.size(), 2u);
  EXPECT_EQ(in_vain->warnings[1].kind, ErrorKind::castling_right);
  EXPECT_EQ(in_vain->warnings[1].column, 30);
  EXPECT_EQ(in_vain->find("id")->text(), "c");
}

TEST(Epd, CountersMayBeOperations) {
  EXPECT_EQ(summary(kBoard + " w - - hmvc 12; fmvn 34;", kAntichess), kBoard + " w - - 12 34 | hmvc=12 | fmvn=34");
  EXPECT_EQ(summary(kBoard + " w - - 5 6 ;hmvc 12;fmvn 0", kAntichess), kBoard + " w - - 12 1 | hmvc=12 | fmvn=0");
  EXPECT_EQ(summary(kBoard + " w - - 5 bm e4", kAntichess), kBoard + " w - - 5 1 | bm=e4");
}

// ---- values

TEST(EpdOps, AreReadAsNumbers) {
  const Expected<EpdText> epd = read_epd_text(
      kBoard + " w - - a 20; b -3; c 12039996945; d 99999999999999999999; e 2x; f; g 1 2; h \"7\"; i 1.5");
  ASSERT_TRUE(epd.ok());
  EXPECT_EQ(epd->find("a")->integer(), 20);
  EXPECT_EQ(epd->find("b")->integer(), -3);
  EXPECT_EQ(epd->find("c")->integer(), 12039996945);
  EXPECT_EQ(epd->find("h")->integer(), 7);
  for (const char* name : {"d", "e", "f", "g", "i"}) EXPECT_EQ(epd->find(name)->integer(), std::nullopt) << name;
}

TEST(EpdOps, AreReadAsMoves) {
  const Expected<EpdPosition> epd =
      read_epd("4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6 e.p.; am e6, Kd2 e1e2; id x;", kChess);
  ASSERT_TRUE(epd.ok());
  const auto moves = [&](const char* name) {
    std::string text;
    const auto list = read_op_moves(*epd->find(name), epd->position, epd->variant);
    if (!list) return std::string(kind_name(list.error().kind)) + " " + std::to_string(list.error().column);
    for (const Move move : *list) text += uci_of(move) + " ";
    return text;
  };
  EXPECT_EQ(moves("bm"), "e5d6 ");
  EXPECT_EQ(moves("am"), "e5e6 e1d2 e1e2 ");
  EXPECT_EQ(moves("id"), "unreadable-move 65");
}

// ---- the variant

TEST(EpdVariant, ComesFromTheUserOrTheLine) {
  const std::string line = kBoard + " w KQkq - variant losing chess;";
  const Expected<EpdPosition> own = read_epd(line, std::nullopt);
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->variant, kAntichess);
  EXPECT_FALSE(own->variant_differs);
  const Expected<EpdPosition> overruled = read_epd(line, kLosers);
  ASSERT_TRUE(overruled.ok());
  EXPECT_EQ(overruled->variant, kLosers);
  EXPECT_TRUE(overruled->variant_differs);
  EXPECT_EQ(fen_of(overruled->position), kBoard + " w KQkq - 0 1");
  EXPECT_EQ(summary(kBoard + " w - -", std::nullopt), "unknown-variant  0");
  EXPECT_EQ(summary(kBoard + " w - - variant hoard", std::nullopt), "unknown-variant  51");
  EXPECT_THAT(read_epd(kBoard + " w - - variant hoard", std::nullopt).error().message, HasSubstr("\"horde\""));
}

TEST(EpdVariant, CommentLinesNameIt) {
  EXPECT_EQ(variant_of_comment("# variant: horde"), "horde");
  EXPECT_EQ(variant_of_comment("\xef\xbb\xbf#Variant :  Losing Chess \r"), "Losing Chess");
  EXPECT_EQ(variant_of_comment("#variant:"), "");
  for (const char* line : {"", "# variants: horde", "# a variant: horde", "variant: horde", "# variant horde", "#"}) {
    EXPECT_EQ(variant_of_comment(line), std::nullopt) << line;
  }
  for (const char* line : {"", "  \t\r", "# text", "  # text", "\xef\xbb\xbf", "\xef\xbb\xbf# text"}) {
    EXPECT_TRUE(is_epd_comment(line)) << line;
  }
  EXPECT_FALSE(is_epd_comment(kBoard));
}

// ---- refusals

TEST(EpdRefusal, NamesFieldAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "empty board 1"},
      {" ;D1 20", "empty board 1"},
      {"8/8 w - - ;D1 20", "ranks board 1"},
      {"\xef\xbb\xbf" + kBoard + " x - -", "side side 45"},
      {kBoard + " ;D1 20", "no-side side 44"},
      {kBoard + " bm e4;", "side side 45"},
      {kBoard + " w bm e4;", "castling-chars castling 47"},
      {kBoard + " w - bm e4;", "ep-field en-passant 49"},
      {kBoard + " w - - -1 1", "counter halfmove 51"},
      {kBoard + " w - - 0 1x", "counter fullmove 53"},
      {kBoard + " w - - hmvc x;", "counter halfmove 56"},
      {kBoard + " w - - hmvc;", "counter halfmove 51"},
      {kBoard + " w - - hmvc -0;", "counter halfmove 56"},
      {kBoard + " w - - hmvc 1 2;", "counter halfmove 56"},
      {kBoard + " w - - id \"x\"; fmvn 10000;", "counter fullmove 64"},
      {kBoard + " w - - 0 1 2", "trailing  55"},
      {kBoard + " w - - 0 1 ;20 D1", "trailing  56"},
      {kBoard + " w - - id \"open;", "trailing  54"},
      {"8/8/8/8/8/8/8/8 w - - ;D1 0", "empty-board board 1"},
      {"ppp5/8/8/8/8/8/8/RNBQKBNR b KQ - 0 3;", "pawn-rank board 1"},
  };
  for (const auto& [line, refusal] : cases) EXPECT_EQ(summary(line, kAntichess), refusal) << line;
}

TEST(EpdRefusal, HordeWithColoursReversed) {
  const Expected<EpdPosition> epd =
      read_epd("ppp2ppp/pppppppp/pppppppp/ppppppp1/1pp1pppp/P2pP2P/1PPP1PP1/RNBQKBNR b KQ - 0 3;", kHorde);
  ASSERT_FALSE(epd.ok());
  EXPECT_EQ(epd.error().kind, ErrorKind::kings);
  EXPECT_THAT(epd.error().message, HasSubstr("colours reversed"));
}

// ---- many positions

TEST(Epd, ReachedPositionsWithTheirMovesAreReadBack) {
  for (const VariantId variant : kAllVariants) {
    Position p = start_position(variant);
    for (u32 ply = 0; ply < 200; ply++) {
      MoveList legal;
      list_legal(p, variant, legal);
      if (legal.size == 0) break;
      const Move move = legal.moves[draw_move({3, 0, 0}, ply, static_cast<u32>(legal.size))];
      const std::string line = fen_of(p) + " ;bm " + san_of(p, move, variant) + " ;n " + std::to_string(legal.size);
      const Expected<EpdPosition> epd = read_epd(line, variant);
      ASSERT_TRUE(epd.ok()) << line << epd.error().message;
      EXPECT_TRUE(same_position(epd->position, p)) << line;
      const auto moves = read_op_moves(*epd->find("bm"), epd->position, variant);
      ASSERT_TRUE(moves.ok()) << line << moves.error().message;
      EXPECT_EQ(*moves, std::vector<Move>{move}) << line;
      EXPECT_EQ(epd->find("n")->integer(), legal.size);
      p = after_move(p, move, variant, {});
    }
  }
}

}  // namespace
}  // namespace hecatomb
