#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::string_view kLetters = "?PNBRQK";  // by Kind
constexpr std::string_view kNames[] = {"man", "pawn", "knight", "bishop", "rook", "queen", "king"};
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kQuotedBytes = 40;

/// How many bytes the character that begins a text has in UTF-8 (RFC 3629: shortest form, no surrogates); 0 for none.
std::size_t utf8_size(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  const auto follows = [&byte](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace

std::string_view without_bom(std::string_view text) {
  while (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::string utf8_of(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
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

char letter_of(Kind kind) { return kLetters[static_cast<std::size_t>(kind)]; }

std::string_view name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string_view name_of(Color color) { return color == kWhite ? "White" : "Black"; }

}  // namespace hecatomb
