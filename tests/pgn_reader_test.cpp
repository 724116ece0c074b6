// PGN cut into games, in whatever pieces the bytes come, in constant memory. What the quirks of real files mean is in
// datasets/pgn (pgn_corpus_test.py); here are limits, and what a file of the corpus cannot show.
#include "host/books/pgn_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#if defined(HECATOMB_SANITIZED)
#include <sanitizer/allocator_interface.h>
#endif

namespace hecatomb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PgnReader::Reader reader_of(std::string text, std::size_t piece) {
  return [text = std::move(text), piece, at = std::size_t{0}](std::span<char> room) mutable {
    const std::size_t n = std::min({piece, room.size(), text.size() - at});
    std::copy_n(text.data() + at, n, room.data());
    at += n;
    return n;
  };
}

std::string told(const std::vector<Report>& reports) {
  std::string text;
  for (const Report& report : reports) {
    text += " " + std::to_string(report.line) + ":" + std::string(kind_name(report.error.kind));
  }
  return text;
}

/// "line [tags] moves / moves behind the result (result) !errors ?warnings" of each game.
std::vector<std::string> games_of(const std::string& text, std::size_t piece = 1 << 20) {
  PgnReader reader(reader_of(text, piece));
  std::vector<std::string> games;
  PgnGame game;
  while (reader.next(game)) {
    std::string shown = std::to_string(game.line);
    for (const PgnTag& tag : game.tags) shown += " [" + tag.name + "=" + tag.value + "]";
    for (std::size_t i = 0; i < game.moves(); i++) {
      if (i == game.moves_in_game) shown += " /";
      shown += " " + std::string(game.move(i).text);
    }
    if (!game.result.empty()) shown += " (" + std::string(game.result) + ")";
    if (!game.errors.empty()) shown += " !" + told(game.errors);
    if (!game.warnings.empty()) shown += " ?" + told(game.warnings);
    games.push_back(shown);
  }
  EXPECT_FALSE(reader.next(game)) << "after the end comes nothing more";
  return games;
}

TEST(PgnReader, GivesTheSameGamesInWhateverPiecesTheyCome) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HECATOMB_SOURCE_DIR) + "/datasets/pgn")) {
    if (entry.path().extension() != ".pgn") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::vector<std::string> whole = games_of(text);
    for (const std::size_t piece : {1u, 2u, 3u, 5u, 16u}) EXPECT_EQ(games_of(text, piece), whole) << entry.path();
    files++;
  }
  EXPECT_GE(files, 40);
}

TEST(PgnReader, NothingIsNoGame) {
  EXPECT_THAT(games_of(""), ElementsAre());
  EXPECT_THAT(games_of("\n \t\r\n\xef\xbb\xbf\n; nothing\n% nothing\n{ nothing }"), ElementsAre());
}

TEST(PgnReader, AFileOfMovesAloneIsAGame) { EXPECT_THAT(games_of("e4 f5"), ElementsAre("1 e4 f5")); }

TEST(PgnReader, WhatLooksLikeMovesInCommentsAndSideLinesIsNone) {
  EXPECT_THAT(games_of("1. a {b} (c {d)} (e)) f ;g\n$7h i$8 j!? ! 2... k *"), ElementsAre("1 a f h i j!? k (*)"));
}

TEST(PgnReader, LongWordsAreCut) {
  const std::string word(1000, 'x');
  EXPECT_THAT(games_of("1. e4 " + word + " *"),
              ElementsAre("1 e4 " + word.substr(0, PgnReader::kMostWordBytes) + " (*)"));
}

TEST(PgnReader, TagsHaveLimits) {
  const std::string large(kMostTagBytes + 1, 'x');
  EXPECT_THAT(games_of("[Event \"" + large + "\"]\n[Site \"s\"]\n\n1. e4 *"), ElementsAre("1 [Site=s] e4 (*) ! 1:tag"));
  EXPECT_THAT(games_of("[" + large + " \"x\"]\n[Site \"s\"]\n\n1. e4 *"), ElementsAre("1 [Site=s] e4 (*) ! 1:tag"));
  std::string many;
  for (int i = 0; i < 1000; i++) many += "[T" + std::to_string(i) + " \"x\"]\n";
  PgnReader reader(reader_of(many, 1000));
  PgnGame game;
  ASSERT_TRUE(reader.next(game));
  EXPECT_EQ(game.tags.size(), PgnReader::kMostTags);
  EXPECT_FALSE(game.errors.empty());
  EXPECT_LT(game.errors.size(), 100u) << "of a thousand";
}

TEST(PgnReader, MovesHaveALimit) {
  std::string text;
  for (std::size_t i = 0; i < PgnReader::kMostMoves + 1000; i++) text += "Nf3 ";
  PgnReader reader(reader_of(text + "1-0\n\n[Event \"next\"]\n\n1. e4 *", 5000));
  PgnGame game;
  ASSERT_TRUE(reader.next(game));
  EXPECT_EQ(game.moves(), PgnReader::kMostMoves);
  ASSERT_EQ(game.errors.size(), 1u);
  EXPECT_THAT(game.errors[0].error.message, HasSubstr("more than 1048576 moves"));
  ASSERT_TRUE(reader.next(game));
  EXPECT_EQ(game.find("event")->value, "next");
  EXPECT_TRUE(game.errors.empty());
}

TEST(PgnReader, ATagInsideACommentThatIsNotClosedBeginsAGameEvenFarFromABrace) {
  const std::string filler(100000, 'x');
  EXPECT_THAT(games_of("[Event \"1\"]\n\n1. e4 {not closed\n\n[Event \"2\"]\n\n1. d4 *\n\n; " + filler + "\n{}"),
              ElementsAre("1 [Event=1] e4 ! 3:movetext", "5 [Event=2] d4 (*)"));
}

TEST(PgnReader, LinesAreCountedThroughEverything) {
  EXPECT_THAT(games_of("[Event \"1\"]\n\n1. e4 {a\nb\r\nc\rd} e5\n(x\ny) ;z\n$1\n% w\n)\n*\n[Event \"2\"] *"),
              ElementsAre("1 [Event=1] e4 e5 (*) ? 11:movetext", "13 [Event=2] (*)"));
}

/// What is allocated now, in bytes; not what the process holds, which a sanitizer's quarantine raises for a while.
std::size_t live_bytes() {
#if defined(HECATOMB_SANITIZED)
  return __sanitizer_get_current_allocated_bytes();
#else
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

/// `begin` and then `text` over and over, `bytes` in all; `most_live` becomes the most that was allocated when it was
/// asked for more.
PgnReader::Reader endless(std::string begin, std::string text, std::size_t bytes, std::size_t& most_live) {
  return [begin = std::move(begin), text = std::move(text), bytes, at = std::size_t{0},
          &most_live](std::span<char> room) mutable {
    most_live = std::max(most_live, live_bytes());
    const std::size_t n = std::min(room.size(), bytes);
    for (std::size_t i = 0; i < n; i++, at++)
      room[i] = at < begin.size() ? begin[at] : text[(at - begin.size()) % text.size()];
    bytes -= n;
    return n;
  };
}

TEST(PgnReader, MemoryDoesNotGrowWithAGame) {
  constexpr std::size_t bytes = std::size_t{1} << 23;
  const std::pair<const char*, const char*> shapes[] = {
      {"1. e4 {", "comment "},  {"1. e4 {", "{"},
      {"1. e4 (", "("},         {"1. e4 ", "x"},
      {"[Event \"", "value "},  {"[", "name"},
      {"[Event \"1\"]\n", "["}, {"1. e4 ", "}"},
      {"1. e4 ", ")"},          {"1. e4 {", "\n[A \"x\"]"},
      {"1. e4 *", " 1-0"},      {"", "[%clk 0:00:00] "},
      {"1. e4 ", "\n"},         {"", "1... "},
      {"1. e4 ", "$1"},         {"1. e4 {{} ", "} "},
      {"", "\xef\xbb\xbf"},     {"[A \"x\"]", "[A \"x\"]"},
      {"1. e4 ", "[ "},         {"", "\xe2\x80\x93"},
  };
  for (const auto& [begin, text] : shapes) {
    const std::size_t before = live_bytes();
    std::size_t most = before;
    PgnReader reader(endless(begin, text, bytes, most));
    PgnGame game;
    std::uint64_t games = 0;
    while (reader.next(game)) games++;
    EXPECT_LE(games, bytes) << begin << text;
    EXPECT_LT(most - before, 2 << 20) << "in 8 MiB of " << begin << text;
  }
}

}  // namespace
}  // namespace hecatomb
