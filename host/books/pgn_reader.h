// PGN as people have it, cut into games: tags, the texts of the moves, what the file claims as the result.
//
// The one idea: this reader knows the shape of PGN and nothing of chess. It leaves out what is no move (comments, side
// lines, NAGs, move numbers, signs such as "+-") and hands out the rest with its lines; whether a text is a move is for
// the rules to say (book_entry.h). A game ends at its result or where the next tag stands, and after anything that is
// broken reading goes on at the next tag at the start of a line: so a fault costs the game it stands in at most.
//
// Read besides the standard: byte order marks anywhere, CRLF and CR, Ctrl-Z, tags side by side or with moves behind
// them, no blank line between tags and moves, no tags at all ("1." begins a game), quotes in a tag's value, dashes and
// halves of typography, text in Latin-1 (values are handed out as UTF-8), braces inside a comment, results that are
// missing or wrong, moves behind the result, clock marks outside comments, "e.p." and annotations as words.
//
// Invariants: memory is one buffer and the tags and moves of one game, both limited; comments are never kept.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/books/pgn_bytes.h"
#include "host/books/pgn_tag.h"
#include "host/notation/result.h"

namespace hecatomb {

/// Something to report, with the line of the file where it was found.
struct Report {
  std::uint64_t line = 0;
  Error error;
};

/// One game as the file has it; see the head of this file.
class PgnGame {
 public:
  struct MoveText {
    std::string_view text;
    std::uint64_t line;
  };

  std::uint64_t line = 0;  ///< where it begins
  std::vector<PgnTag> tags;
  std::string_view result;        ///< of the movetext: "1-0" "0-1" "1/2-1/2" "*", or empty where there is none
  std::uint64_t result_line = 0;  ///< of that
  std::size_t moves_in_game = 0;  ///< the moves behind these come after the result
  std::vector<Report> errors;     ///< of the shape: kinds tag, movetext
  std::vector<Report> warnings;   ///< the same, where nothing is lost
  bool broken_setup = false;      ///< one of the errors is a tag that would have said what is played: use no move

  /// The value of a tag (names are compared without case; of several the last), or null.
  const PgnTag* find(std::string_view name) const;

  std::size_t moves() const { return moves_.size(); }
  MoveText move(std::size_t i) const {
    return {std::string_view(text_).substr(moves_[i].offset, moves_[i].size), moves_[i].line};
  }

  /// Forgets everything but keeps the memory.
  void clear();

 private:
  friend class PgnReader;
  struct Place {
    std::uint32_t offset;
    std::uint32_t size;
    std::uint64_t line;
  };
  std::string text_;  // of all moves, one behind the other
  std::vector<Place> moves_;
};

class PgnReader {
 public:
  using Reader = ByteReader;
  static constexpr std::size_t kMostMoves = std::size_t{1} << 20;  ///< of a game
  static constexpr std::size_t kMostTags = 256;                    ///< of a game
  static constexpr std::size_t kMostWordBytes = 64;                ///< longer words are cut

  explicit PgnReader(Reader reader, std::uint64_t first_line = 1);

  /// Reads the next game; false after the last. An input without a game gives none.
  bool next(PgnGame& game);

 private:
  /// What to go back to when braces inside a comment turn out to belong to it.
  struct Mark {
    std::size_t moves = 0, text_bytes = 0;
    std::string_view result;
    std::uint64_t depth = 0;
  };

  bool read_item(PgnGame& game, int c);
  void skip_comment(PgnGame& game);
  bool comment_ends_at_tag();
  void skip_brackets(PgnGame& game);
  void close_stray_brace(PgnGame& game);
  bool read_bracket(PgnGame& game);
  bool take_tag(PgnGame& game);
  bool read_word(PgnGame& game);
  std::string_view word_ahead(std::size_t& bytes);
  bool begins_next_game(const PgnGame& game, std::string_view number) const;
  void take_result(PgnGame& game, std::string_view result);
  void add_move(PgnGame& game, std::string_view word);
  static void report(std::vector<Report>& reports, ErrorKind kind, std::uint64_t line, std::string text);
  void finish(PgnGame& game);

  PgnBytes in_;
  std::optional<PgnTag> next_tag_;  // the tag that showed that a game is over
  std::string word_;                // a word with typography taken out
  std::uint64_t depth_ = 0;         // of side lines
  std::uint64_t side_line_ = 0;     // where the outermost one begins
  std::uint64_t open_braces_ = 0;   // inside the last comment, when it was closed
  Mark mark_;                       // as it was then
};

}  // namespace hecatomb
