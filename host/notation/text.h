// Small helpers for reading text: blanks, quoting for messages, names of squares and men.
//
// The one idea: no locale and no <cctype>, whose functions are undefined for bytes >= 0x80.
#pragma once
#include <string>
#include <string_view>

#include "common/types.h"

namespace hecatomb {

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char lower_of(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper_of(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Without blanks at both ends.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Without the UTF-8 byte order marks at the start (files that were joined have several).
std::string_view without_bom(std::string_view text);

/// The text if it is UTF-8, else the text read as Latin-1 and written as UTF-8: what old files are.
std::string utf8_of(std::string_view text);

/// For messages: in double quotes, bytes that are no printable ASCII as \xNN, cut after some 40 bytes.
std::string quoted(std::string_view text);

/// "e4", and back: -1 for what is no square.
std::string square_name(Square square);
constexpr Square read_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return -1;
  return (text[0] - 'a') + 8 * (text[1] - '1');
}

/// The upper-case letter of a kind of man, 'P' for pawns; and back, Kind::none for other letters.
char letter_of(Kind kind);
constexpr Kind kind_of_letter(char upper_case) {
  switch (upper_case) {
    case 'P':
      return Kind::pawn;
    case 'N':
      return Kind::knight;
    case 'B':
      return Kind::bishop;
    case 'R':
      return Kind::rook;
    case 'Q':
      return Kind::queen;
    case 'K':
      return Kind::king;
    default:
      return Kind::none;
  }
}

/// "pawn", "knight", …
std::string_view name_of(Kind kind);

/// "White" or "Black".
std::string_view name_of(Color color);

}  // namespace hecatomb
