#include "host/books/pgn_tag.h"

#include <algorithm>
#include <array>

#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::size_t kMostNameAhead = 64;  // a name longer than this is not taken for one

/// Bytes at which the value of a tag is looked at.
constexpr auto kStopsValue = [] {
  std::array<bool, 256> stops{};
  for (const char c : std::string_view("\\\"\n\r")) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}();

bool is_ascii(std::string_view text) {
  unsigned char bits = 0;
  for (const char c : text) bits |= static_cast<unsigned char>(c);
  return bits < 0x80;
}

/// Takes a value and what closes the tag. A quote that is not followed by the bracket or the line's end is part of it.
TagEnd read_value(PgnBytes& in, std::string& value) {
  for (int c = in.peek(); c >= 0 && !is_line_end(c); c = in.peek()) {
    const std::string_view ahead = in.ahead();
    if (value.size() == kMostTagBytes) return TagEnd::too_long;
    const std::size_t most = std::min(ahead.size(), kMostTagBytes - value.size());
    std::size_t plain = 0;
    while (plain < most && !kStopsValue[static_cast<unsigned char>(ahead[plain])]) plain++;
    if (plain > 0) {
      value.append(ahead, 0, plain);
      in.take(plain);
      continue;
    }
    in.take(1);
    if (c == '\\' && (in.peek() == '"' || in.peek() == '\\')) {
      c = in.peek();
      in.take(1);
    } else if (c == '"') {
      std::size_t i = 0;
      while (is_pgn_space(in.peek_at(i)) && i < kMostTagBytes) i++;
      const int after = in.peek_at(i);
      if (after == ']') {
        in.take(i + 1);
        return TagEnd::good;
      }
      if (after < 0 || is_line_end(after) || after == '[') return TagEnd::no_bracket;
    }
    value += static_cast<char>(c);
  }
  return TagEnd::not_closed;
}

}  // namespace

bool is_same_tag(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower_of(x) == lower_of(y); });
}

bool is_tag_ahead(PgnBytes& in) {
  std::size_t i = 1;
  while (i < kMostNameAhead && is_pgn_space(in.peek_at(i))) i++;
  if (!is_letter(static_cast<char>(in.peek_at(i)))) return false;
  const std::size_t name = i;
  while (i < name + kMostNameAhead) {
    const int c = in.peek_at(i);
    if (c < 0 || !(is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)) || c == '_' || c == '-')) break;
    i++;
  }
  while (i < 3 * kMostNameAhead && is_pgn_space(in.peek_at(i))) i++;
  return in.peek_at(i) == '"';
}

TagEnd read_tag(PgnBytes& in, PgnTag& tag) {
  tag.line = in.line();
  in.take(1);
  in.skip_blanks();
  for (int c = in.peek(); c >= 0 && !is_pgn_space(c) && !is_line_end(c) && c != '"' && c != ']'; c = in.peek()) {
    if (tag.name.size() == kMostTagBytes) return TagEnd::too_long;
    tag.name += static_cast<char>(c);
    in.take(1);
  }
  if (tag.name.empty()) return TagEnd::no_name;
  in.skip_blanks();
  if (in.peek() != '"') return TagEnd::no_quote;
  in.take(1);
  const TagEnd end = read_value(in, tag.value);
  if (!is_ascii(tag.value)) tag.value = utf8_of(tag.value);
  return end;
}

std::string fault_of(const PgnTag& tag, TagEnd end) {
  std::string text = "a tag cannot be read";
  if (!tag.name.empty()) text = "the tag " + quoted(tag.name) + " cannot be read";
  text += end == TagEnd::no_name    ? ": it has no name"
          : end == TagEnd::no_quote ? ": its value has no quotes"
          : end == TagEnd::too_long ? ": it is longer than " + std::to_string(kMostTagBytes) + " bytes"
                                    : ": its value has no closing quote";
  return text + "; write it as [Name \"value\"]";
}

void skip_broken_tag(PgnBytes& in) {
  for (;;) {
    in.skip_rest_of_line();
    const int c = in.peek();
    if (c < 0) return;
    in.end_line(c);
    in.skip_blanks();
    const int first = in.peek();
    if (first < 0 || is_line_end(first) || first == '[' || first == '{' || first == '*') return;
    if (is_digit(static_cast<char>(first))) return;
    in.line_is_fresh = false;
  }
}

}  // namespace hecatomb
