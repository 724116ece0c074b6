// Books of every format: told by content, judged by the rules, merged, written and read again.
#include "host/books/book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/books/book_writer.h"
#include "host/books/merged_book.h"
#include "host/game.h"
#include "host/notation/legal.h"
#include "host/notation/uci.h"
#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Book book_of(std::string text, const BookRules& rules = {}) {
  return {ByteSource("text",
                     [text = std::move(text), at = std::size_t{0}](std::span<char> room) mutable {
                       const std::size_t n = std::min(room.size(), text.size() - at);
                       std::copy_n(text.data() + at, n, room.data());
                       at += n;
                       return n;
                     }),
          rules};
}

std::vector<BookEntry> entries_of(const std::string& text, const BookRules& rules = {},
                                  std::optional<std::size_t> most_plies = std::nullopt) {
  Book book = book_of(text, rules);
  std::vector<BookEntry> entries;
  BookItem item;
  while (book.next(item)) entries.push_back(read_item(std::move(item), most_plies));
  return entries;
}

BookRules rules_of(VariantId variant) { return {variant, {}}; }

/// "line kind@ply" of all errors.
std::vector<std::string> errors_of(const std::vector<BookEntry>& entries) {
  std::vector<std::string> errors;
  for (const BookEntry& entry : entries) {
    for (const Report& report : entry.errors) {
      errors.push_back(std::to_string(report.line) + " " + std::string(kind_name(report.error.kind)) + "@" +
                       std::to_string(report.error.ply));
    }
  }
  return errors;
}

Json json_of(const BookEntry& entry) {
  std::string text;
  append_entry(text, entry, BookFormat::jsonl, "book");
  return Json::parse(text);
}

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

TEST(Book, TheFormatIsToldByTheFirstLineThatSaysSomething) {
  const BookRules antichess = rules_of(VariantId::antichess);
  const std::string fen = kStart;
  const struct {
    std::string text;
    std::size_t moves;
  } games[] = {
      {"[Event \"x\"]\n\n1. e4 *", 1},
      {"\xef\xbb\xbf\n\n  [Event \"x\"]\n\n1. e4 *", 1},
      {"{ a comment }\n1. e4 *", 1},
      {"% an escape\n1. e4 *", 1},
      {"1.e4 *", 1},
      {"A file of games\tby somebody\r[Event \"x\"]\r\r1. e4 *", 1},
      {"A file of games\n[Event \"x\"]\n\n1. e4 *", 1},
      {fen, 0},
      {fen + ";", 0},
      {"# a comment\n\n" + fen + "\n", 0},
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw\t-\t-", 0},
      {"A00\tAmar\t1. e4", 1},
      {"e3 b6 Nf3", 3},
      {"e2e3 b7b6\n", 2},
      {"eco\tname\tpgn\nA00\tAmar\t1. e4", 1},
  };
  for (const auto& [text, moves] : games) {
    const std::vector<BookEntry> entries = entries_of(text, antichess);
    ASSERT_FALSE(entries.empty()) << text;
    EXPECT_EQ(entries.back().moves.size(), moves) << text;
  }
}

TEST(Book, NothingIsAnError) {
  EXPECT_THAT(errors_of(entries_of("")), ElementsAre("1 empty@0"));
  EXPECT_THAT(errors_of(entries_of("\n\n# nothing\n")), ElementsAre("1 empty@0"));
  EXPECT_THAT(errors_of(entries_of("[\n")), Not(IsEmpty()));
}

TEST(Book, ALineThatIsNoPositionIsAnErrorWithItsLine) {
  const std::string text = std::string(kStart) + "\nnothing\n" + kStart + "\n\n" + kStart + " ;x";
  EXPECT_THAT(errors_of(entries_of(text, rules_of(VariantId::antichess))), ElementsAre("2 ranks@0"));
  EXPECT_THAT(errors_of(entries_of("garbage\nof two lines", rules_of(VariantId::chess))),
              ElementsAre("1 ranks@0", "2 ranks@0"));
}

TEST(Book, TheVariantOfPositionsIsSaidByTheUserTheLineOrAComment) {
  const std::string text = std::string(kStart) + "\n# variant: suicide\n" + kStart + "\n" + kStart +
                           " variant losers;\n# variant: nonsense\n" + kStart;
  const std::vector<BookEntry> entries = entries_of(text);
  EXPECT_THAT(errors_of(entries), ElementsAre("1 unknown-variant@0", "5 unknown-variant@0", "6 unknown-variant@0"));
  EXPECT_EQ(entries[1].variant, VariantId::suicide);
  EXPECT_EQ(entries[2].variant, VariantId::suicide) << "a comment goes before the line's own";
  EXPECT_EQ(entries[2].warnings.size(), 1u);
  for (const BookEntry& entry : entries_of(text, rules_of(VariantId::antichess))) {
    EXPECT_EQ(entry.variant, VariantId::antichess) << entry.line;
  }
}

TEST(Book, RuleOptionsAreSaidByTheUserOrAComment) {
  const std::string fen = "4k3/8/8/8/1r1pP3/8/1P6/4K3 b - e3 0 1";
  const std::string text =
      "# variant: losers\n" + fen + "\n# options: ep=restricted\n" + fen + "\n# variant: chess\n" + fen;
  const std::vector<BookEntry> entries = entries_of(text);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_TRUE(entries[0].errors.empty() && entries[1].errors.empty() && entries[2].errors.empty());
  EXPECT_NE(entries[0].start.en_passant_square(), -1);
  EXPECT_EQ(entries[1].start.en_passant_square(), -1) << "another capture exists";
  EXPECT_NE(entries[2].start.en_passant_square(), -1) << "another variant forgets the options";
  EXPECT_THAT(errors_of(entries_of("# variant: antichess\n# options: ep=nonsense\n# options: ep=restricted\n" + fen)),
              ElementsAre("2 option@0", "4 option@0"));
}

TEST(Book, OperationsKeepTheirTypesInJson) {
  const std::string line = std::string(kStart) +
                           " bm e3 d2d4; am Nf3; pv e3 b5 Bxb5; id \"first; \xfc\"; D1 20; big 9007199254740993; none; "
                           "ce -12; text two words; c0 \"7\"; D1 21;";
  const std::vector<BookEntry> entries = entries_of(line, rules_of(VariantId::antichess));
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_TRUE(entries[0].errors.empty());
  EXPECT_EQ(json_of(entries[0])["ops"],
            Json::parse(R"({"bm":["e2e3","d2d4"],"am":["g1f3"],"pv":["e2e3","b7b5","f1b5"],"id":"first; ü","D1":20,)"
                        R"("big":"9007199254740993","none":null,"ce":-12,"text":"two words","c0":"7"})"));
  EXPECT_EQ(json_of(entries[0])["name"], "first; ü");
}

TEST(Book, AnIllegalBestMoveIsAnErrorAndThePositionIsUsed) {
  const std::vector<BookEntry> entries =
      entries_of(std::string(kStart) + " bm e5;\n" + kStart + " pv e3 b5 Nf3;", rules_of(VariantId::antichess));
  EXPECT_THAT(errors_of(entries), ElementsAre("1 illegal-move@0", "2 illegal-move@0"));
  EXPECT_EQ(entries[0].errors[0].error.column, static_cast<int>(std::string(kStart).size()) - 4 + 9);
  EXPECT_TRUE(entries[0].is_usable && entries[1].is_usable);
  EXPECT_EQ(json_of(entries[0])["ops"]["bm"], "e5");
}

TEST(Book, RowsOfATable) {
  const std::vector<BookEntry> entries = entries_of(
      "eco\tname\tpgn\textra\r\nA00\tAmar \"x\"\t1. e3 b5 2. Bxb5\tx\r\n\r\nA01\tshort\r\nA02\t\xfc\t1. e5\tx\n",
      rules_of(VariantId::antichess));
  EXPECT_THAT(errors_of(entries), ElementsAre("4 line@0", "5 illegal-move@1"));
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "Amar \"x\"");
  EXPECT_EQ(entries[0].moves.size(), 3u);
  EXPECT_EQ(json_of(entries[0])["ops"], Json::parse(R"({"eco":"A00"})"));
  EXPECT_EQ(entries[2].name, "ü");
  EXPECT_EQ(json_of(entries_of("variant\tfen\tpgn\nhorde\t7k/8/8/8/8/1p6/8/P7 w - - 0 1\ta3")[0])["moves"],
            Json::parse(R"(["a1a3"])"));
}

TEST(Book, PliesAreCut) {
  const std::string text = "[Variant \"Antichess\"]\n[Result \"1-0\"]\n\n1. e4 f5 2. Nc3 1-0";
  EXPECT_THAT(errors_of(entries_of(text)), ElementsAre("4 illegal-move@3"));
  const BookEntry entry = entries_of(text, {}, 2)[0];
  EXPECT_TRUE(entry.errors.empty()) << "what is behind the cut is not judged";
  EXPECT_TRUE(entry.is_cut);
  EXPECT_EQ(entry.moves.size(), 2u);
  EXPECT_EQ(entries_of(text, {}, 0)[0].moves.size(), 0u);
  std::string pgn;
  append_entry(pgn, entry, BookFormat::pgn, "book");
  EXPECT_THAT(pgn, HasSubstr("[Result \"*\"]")) << "the claim was about the whole game";
}

TEST(Book, WhatIsFinishedIsPlayedOnWithOneWarning) {
  std::string text = "[Variant \"Antichess\"]\n\n";
  for (int i = 0; i < 6; i++) text += "Nf3 Nf6 Ng1 Ng8 ";
  const std::vector<BookEntry> entries = entries_of(text);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_TRUE(entries[0].errors.empty());
  EXPECT_EQ(entries[0].moves.size(), 24u);
  ASSERT_EQ(entries[0].warnings.size(), 1u);
  EXPECT_EQ(entries[0].warnings[0].error.kind, ErrorKind::after_draw);
  EXPECT_EQ(entries[0].warnings[0].error.ply, 17) << "the position has occurred five times after ply 16";
  EXPECT_EQ(json_of(entries[0])["reason"], "fivefold");
}

TEST(MergedBook, MergesEqualPositions) {
  const std::string board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  MergedBook merged;
  for (BookEntry& entry :
       entries_of("[Event \"a\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 *\n\n[Event \"b\"]\n\n1. Nc3 Nc6 2. Nb1 Nb8 *\n\n"
                  "[Event \"c\"]\n\n1. e3 *",
                  rules_of(VariantId::antichess))) {
    merged.add(std::move(entry), 0);
  }
  for (BookEntry& entry : entries_of(board + " w - - 4 9\n" + board + " w - - 0 1\n" + board + " b - - 4 3\n",
                                     rules_of(VariantId::antichess))) {
    merged.add(std::move(entry), 1);
  }
  for (BookEntry& entry : entries_of(board + " w - - 4 9", rules_of(VariantId::suicide)))
    merged.add(std::move(entry), 2);
  std::vector<std::uint64_t> counts;
  for (const MergedBook::Opening& opening : merged.openings()) counts.push_back(opening.count);
  EXPECT_THAT(counts, ElementsAre(3, 1, 1, 1, 1)) << "the clock counts, the move number does not";
  EXPECT_EQ(merged.openings()[0].entry.name, "a");
}

// An odd line in the first place costs that line, not the file.
TEST(Book, AnOddFirstLineDoesNotTurnPositionsIntoGames) {
  const std::string fens = std::string(kStart) + "\n" + kStart + "\n";
  for (const char* odd :
       {"[garbage", "* comment", "; comment", "(comment", "{comment", "1. first line", "a\tb", "x x x"}) {
    const std::vector<BookEntry> entries = entries_of(std::string(odd) + "\n" + fens, rules_of(VariantId::chess));
    ASSERT_EQ(entries.size(), 3u) << odd;
    EXPECT_FALSE(entries[0].errors.empty()) << odd;
    EXPECT_TRUE(entries[1].errors.empty() && entries[2].errors.empty()) << odd;
  }
}

TEST(Book, ByteOrderMarksOfFilesThatWereJoinedAreSkipped) {
  const std::string bom = "\xef\xbb\xbf";
  const std::vector<BookEntry> entries = entries_of(bom + bom + "# variant: chess\n" + bom + kStart + "\n");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_TRUE(entries[0].errors.empty());
}

/// A random game as an entry.
BookEntry random_game(Random& random, VariantId variant, const Position& start, int most_plies) {
  BookEntry entry;
  entry.variant = variant;
  entry.variant_is_known = entry.is_usable = true;
  entry.start = start;
  Game game(start, variant);
  for (int ply = 0; ply < most_plies; ply++) {
    MoveList legal;
    list_legal(game.position(), variant, legal);
    if (legal.size == 0) break;
    const Move move = legal.moves[random.below(legal.size)];
    game.play(move);
    entry.moves.push_back(move);
  }
  entry.final = game.position();
  entry.outcome = game.standing().outcome;
  return entry;
}

TEST(BookWriter, WhatIsWrittenIsReadBack) {
  Random random(11);
  int games = 0, decided = 0, promotions = 0;
  for (const VariantId variant : kAllVariants) {
    std::vector<BookEntry> entries;
    for (int i = 0; i < 60; i++) {
      Position start = start_position(variant);
      if (i % 2 == 1) {  // from a position of another game
        start = random_game(random, variant, start, random.below(60)).final;
      }
      entries.push_back(random_game(random, variant, start, 200));
      entries.back().tags = {{"White", "\"A\\B\"", 0}, {"ECO", "A00", 0}};
    }
    for (const BookFormat format : {BookFormat::pgn, BookFormat::epd}) {
      std::string text;
      for (const BookEntry& entry : entries) append_entry(text, entry, format, "book");
      const std::vector<BookEntry> again = entries_of(text);
      ASSERT_EQ(again.size(), entries.size());
      for (std::size_t i = 0; i < entries.size(); i++) {
        EXPECT_TRUE(again[i].errors.empty()) << again[i].errors[0].error.message << text;
        for (const Report& warning : again[i].warnings) EXPECT_EQ(warning.error.kind, ErrorKind::after_draw);
        EXPECT_EQ(again[i].variant, variant);
        EXPECT_EQ(fen_of(again[i].final), fen_of(entries[i].final));
        if (format != BookFormat::pgn) continue;
        EXPECT_EQ(fen_of(again[i].start), fen_of(entries[i].start));
        EXPECT_TRUE(again[i].moves == entries[i].moves);
        EXPECT_EQ(again[i].tags[4].value, "\"A\\B\"");
        const std::string_view result = result_text(entries[i].outcome.result);
        EXPECT_EQ(again[i].claim, result);
        games++;
        decided += result == "1-0" || result == "0-1" ? 1 : 0;
        for (const Move move : entries[i].moves) promotions += move.promotion != Kind::none ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(games, 300);
  EXPECT_GT(decided, 100);
  EXPECT_GT(promotions, 100);
}

TEST(BookWriter, ALineOfEpdSaysItsVariantAndItsOptions) {
  BookRules user = rules_of(VariantId::losers);
  user.choice.restricted_ep = true;
  for (const std::string& text : {std::string(kStart), std::string(kStart) + " ep normal; variant losers;"}) {
    std::string epd;
    append_entry(epd, entries_of(text, user)[0], BookFormat::epd, "book");
    EXPECT_EQ(epd,
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - hmvc 0; fmvn 1; variant losers; ep restricted;\n");
    const BookEntry again = entries_of(epd)[0];
    EXPECT_TRUE(again.errors.empty() && again.warnings.empty());
    EXPECT_EQ(again.variant, VariantId::losers);
    EXPECT_EQ(again.options, (RuleOptions{.restricted_ep = true}));
  }
  std::string epd;
  append_entry(epd, entries_of("# variant: suicide\n# stalemate: stalemated-wins\n" + std::string(kStart))[0],
               BookFormat::epd, "book");
  EXPECT_THAT(epd, HasSubstr("; variant suicide; stalemate stalemated-wins;"));
}

TEST(BookWriter, LinesOfPgnAreShort) {
  Random random(3);
  std::string text;
  append_entry(text, random_game(random, VariantId::horde, start_position(VariantId::horde), 300), BookFormat::pgn, "");
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  EXPECT_GT(longest, 60u);
  EXPECT_LT(longest, 80u);
}

TEST(BookWriter, TextsOfAnyKindAreValidInEveryFormat) {
  BookEntry entry = entries_of("[Event \"a\\\"b\\\\c\x01\td\xff\"]\n[Variant \"Horde\"]\n\n*")[0];
  EXPECT_EQ(json_of(entry)["name"], "a\"b\\c\x01\td\u00ff");
  std::string epd, pgn;
  append_entry(epd, entry, BookFormat::epd, "book", 3);
  EXPECT_THAT(epd, HasSubstr("; variant horde; id \"a'b\\c  d\u00ff\"; count 3;\n"));
  append_entry(pgn, entry, BookFormat::pgn, "book", 3);
  EXPECT_THAT(pgn, HasSubstr("[Event \"a\\\"b\\\\c  d\u00ff\"]\n"));
  EXPECT_THAT(pgn, HasSubstr("[Count \"3\"]\n"));
}

}  // namespace
}  // namespace hecatomb::test
