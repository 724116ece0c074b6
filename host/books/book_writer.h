// Entries of a book as text: FEN, EPD, PGN, JSON lines.
//
// The one idea: every writer appends to a string, so that entries are written by any thread and put out in order. What
// is written is read back by Book to the same positions and moves.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "host/books/book_entry.h"

namespace hecatomb {

enum class BookFormat { epd, fen, pgn, jsonl };

/// Appends the entry:
///   fen    the position reached, six fields
///   epd    the position reached, four fields and operations: hmvc and fmvn, variant, rule options that are not the
///          default (whoever said so: a line says itself what it is), those of the line, else id with the name
///   pgn    the seven tags of the standard first, Variant, FEN where the game does not begin at the start, all other
///          tags, then the moves in SAN. The result is that of the rules if the game is over, else what the file
///          claims. Comments and side lines are left out.
///   jsonl  {"file","line","variant","name","moves":[uci],"fen","final_fen","result","reason","tag_result","ops",
///          "errors":[{"line","ply","kind","message"}],"warnings"}: also entries that are not usable (fens are empty)
/// Entries that are not usable are nothing in the other formats. `count`, where it is given: how many equal positions
/// the entry stands for, as operation, tag or member of that name (nothing in fen).
void append_entry(std::string& text, const BookEntry& entry, BookFormat format, std::string_view file,
                  std::optional<std::uint64_t> count = std::nullopt);

/// Appends a JSON string. `value` is UTF-8.
void append_json_string(std::string& text, std::string_view value);

}  // namespace hecatomb
