// One game or position of a book, judged by the rules: from where it begins, the moves, what is reached, what is wrong.
//
// The one idea: a book is a list of games, whatever its format; a position is a game without moves. Reading (book.h)
// cuts a file into items without asking the rules; an item becomes an entry here, on its own, so on any thread. What is
// wrong with it stands in the entry: a game is used up to its first bad ply.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/outcome.h"
#include "host/books/pgn_reader.h"
#include "host/notation/epd.h"
#include "host/notation/rule_choice.h"

namespace hecatomb {

/// What is said about variant and rules outside a game itself.
struct BookRules {
  std::optional<VariantId> variant;
  RuleChoice choice;
};

/// A piece of a file: one game of a PGN, one line of an EPD file or a list of FENs, one row of a TSV file.
struct BookItem {
  std::uint64_t line = 0;
  BookRules user;              ///< what the user says: goes before everything
  BookRules file;              ///< what comments of the file say: the variant goes before the item's own, options not
  std::vector<Report> notes;   ///< warnings of comments before it
  std::optional<Error> fault;  ///< it could not be cut out: a line too long, a row without columns
  bool is_game = false;        ///< `game` says what is played, else `text`
  PgnGame game;
  std::string text;  ///< FEN fields and operations
  std::string name;  ///< of a row
  std::string eco;   ///< of a row
};

/// An operation of an EPD line; `moves` of bm, am, pm, sm (alternatives) and pv (one after another), if they are legal.
struct BookOp {
  EpdOp op;
  std::optional<std::vector<Move>> moves;
};

struct BookEntry {
  std::uint64_t line = 0;                ///< where it begins in its file, from 1
  VariantId variant = VariantId::chess;  ///< by which it is read, if
  bool variant_is_known = false;         ///< this is set
  RuleOptions options;
  std::string name;        ///< id of a line, name of a row, Event of a game; UTF-8
  bool is_game = false;    ///< a game, not a position
  bool is_usable = false;  ///< there are positions: else only line, name, variant, errors and warnings hold
  Position start{}, final{};
  std::vector<Move> moves;  ///< from start to final
  Outcome outcome;          ///< of the game that ends at `final`, by the rules
  std::string_view claim;   ///< the result that the file claims: "1-0" "0-1" "1/2-1/2" "*", or empty
  bool is_cut = false;      ///< there are more plies than were asked for
  std::vector<BookOp> ops;
  std::vector<PgnTag> tags;
  std::vector<Report> errors, warnings;
};

/// A warning (kind variant): the user's variant goes before what the file says.
Error goes_before(std::string_view said, VariantId variant);

/// Judges an item, which is used up; its plies up to `most_plies`, where that is given.
BookEntry read_item(BookItem&& item, std::optional<std::size_t> most_plies = std::nullopt);

}  // namespace hecatomb
