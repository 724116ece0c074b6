#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::string_view kLetters = "?PNBRQK";  // by Kind
constexpr std::string_view kNames[] = {"man", "pawn", "knight", "bishop", "rook", "queen", "king"};
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kQuotedBytes = 40;

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kQuotedBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  if (text.size() > kQuotedBytes) out += "...";
  return out + '"';
}

std::string square_name(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

Square read_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return -1;
  return (text[0] - 'a') + 8 * (text[1] - '1');
}

char letter_of(Kind kind) { return kLetters[static_cast<std::size_t>(kind)]; }

Kind kind_of_letter(char upper_case) {
  const std::size_t i = kLetters.find(upper_case);
  return i == std::string_view::npos || i == 0 ? Kind::none : static_cast<Kind>(i);
}

std::string_view name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string_view name_of(Color color) { return color == kWhite ? "White" : "Black"; }

}  // namespace hecatomb
