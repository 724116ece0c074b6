#include "host/books/pgn_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 17;
constexpr std::size_t kMostAhead = std::size_t{1} << 15;  // how far a comment's end is looked for
constexpr std::size_t kMostReports = 16;                  // of a game

constexpr char kEndOfOldFiles = 0x1a;

/// Bytes that end a word.
constexpr auto kEndsWord = [] {
  std::array<bool, 256> ends{};
  for (const char c : std::string_view(" \t\n\v\f\r\x1a{}()[];$*")) ends[static_cast<unsigned char>(c)] = true;
  return ends;
}();

/// Bytes of words that need no second look.
constexpr auto kIsPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned c = 0; c < 0x80; c++) plain[c] = !kEndsWord[c];
  return plain;
}();

/// Bytes at which the text of a comment is looked at.
constexpr auto kStopsComment = [] {
  std::array<bool, 256> stops{};
  for (const char c : std::string_view("{}\n\r")) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}();

bool is_line_end(int c) { return c == '\n' || c == '\r'; }
bool is_space(int c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == kEndOfOldFiles; }

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower_of(x) == lower_of(y); });
}

/// Typography in ASCII: dashes (U+2010 to U+2015, U+2212, Windows' 0x96 and 0x97) are hyphens, the ellipsis is three
/// dots, one half is 1/2 (also Latin-1's). Everything else as it is.
void take_out_typography(std::string_view text, std::string& out) {
  out.clear();
  while (!text.empty()) {
    std::size_t size = 1;
    const auto third = text.size() > 2 ? static_cast<unsigned char>(text[2]) : 0u;
    if ((text.starts_with("\xe2\x80") && third >= 0x90 && third <= 0x95) || text.starts_with("\xe2\x88\x92")) {
      out += '-';
      size = 3;
    } else if (text.starts_with("\xe2\x80\xa6")) {
      out += "...";
      size = 3;
    } else if (text.starts_with("\xc2\xbd")) {
      out += "1/2";
      size = 2;
    } else if (text[0] == '\xbd') {
      out += "1/2";
    } else if (text[0] == '\x96' || text[0] == '\x97') {
      out += '-';
    } else {
      out += text[0];
    }
    text.remove_prefix(size);
  }
}

/// The result that a word is, or empty.
std::string_view result_of(std::string_view word) {
  if (word.empty() || (word[0] != '0' && word[0] != '1')) return {};
  if (word == "1-0") return "1-0";
  if (word == "0-1") return "0-1";
  if (word == "1/2-1/2" || word == "1/2") return "1/2-1/2";
  return {};
}

/// A word that says something about the move before it: "!?", "+-", "=", "e.p.". Two hyphens are a null move.
bool is_annotation(std::string_view word) {
  if (is_letter(word[0]) && word[0] != 'e') return false;
  if (word == "e.p." || word == "ep" || word == "e.p") return true;
  return word != "--" && word.find_first_not_of("!?+-=#/~") == std::string_view::npos;
}

}  // namespace

std::string_view read_claim(std::string_view text) {
  std::string tight, room;
  for (const char c : text) {
    if (!is_blank(c)) tight += c;
  }
  take_out_typography(tight, room);
  return room == "*" ? "*" : result_of(room);
}

// ---- PgnGame

const PgnTag* PgnGame::find(std::string_view name) const {
  const PgnTag* found = nullptr;
  for (const PgnTag& tag : tags) {
    if (same_name(tag.name, name)) found = &tag;
  }
  return found;
}

void PgnGame::clear() {
  line = result_line = 0;
  tags.clear();
  result = {};
  moves_in_game = 0;
  errors.clear();
  warnings.clear();
  broken_setup = false;
  text_.clear();
  moves_.clear();
}

// ---- bytes

PgnReader::PgnReader(Reader reader, std::uint64_t first_line)
    : reader_(std::move(reader)), buffer_(kBufferBytes, '\0'), line_(first_line) {}

/// Reads more behind what is not used yet; false at the end.
bool PgnReader::fill() {
  if (ended_ || end_ - at_ == buffer_.size()) return false;
  buffer_.replace(0, end_ - at_, buffer_, at_, end_ - at_);
  end_ -= std::exchange(at_, 0);
  const std::size_t n = reader_(std::span(buffer_).subspan(end_));
  end_ += n;
  ended_ = n == 0;
  return !ended_;
}

/// Whether so many bytes lie ahead; they then lie in the buffer.
bool PgnReader::ensure(std::size_t bytes) {
  while (end_ - at_ < bytes) {
    if (!fill()) return false;
  }
  return true;
}

/// The size of what stands ahead and is a blank in more than one byte: a byte order mark, U+00A0, U+200B; else 0.
std::size_t PgnReader::blank_sequence(std::size_t offset) {
  ensure(offset + 3);
  const std::string_view ahead =
      std::string_view(buffer_).substr(at_ + offset, std::min<std::size_t>(end_ - at_ - offset, 3));
  if (ahead == "\xef\xbb\xbf" || ahead == "\xe2\x80\x8b") return 3;
  return ahead.starts_with("\xc2\xa0") ? 2 : 0;
}

/// Takes a line end: LF, CRLF or CR.
void PgnReader::end_line(int c) {
  at_++;
  if (c == '\r' && peek() == '\n') at_++;
  line_++;
  after_blank_line_ = line_is_fresh_;
  blank_since_tag_ = blank_since_tag_ || line_is_fresh_;
  line_is_fresh_ = true;
}

void PgnReader::skip_blanks() {
  for (int c = peek(); c >= 0; c = peek()) {
    const std::size_t size = is_space(c) ? 1 : c >= 0x80 ? blank_sequence(0) : 0;
    if (size == 0) return;
    at_ += size;
  }
}

void PgnReader::skip_rest_of_line() {
  for (int c = peek(); c >= 0 && !is_line_end(c); c = peek()) {
    while (at_ < end_ && !is_line_end(buffer_[at_])) at_++;
  }
}

/// Skips the rest of a broken tag: of its line, and lines behind it that look like neither tags nor movetext.
void PgnReader::skip_broken_tag() {
  for (;;) {
    skip_rest_of_line();
    const int c = peek();
    if (c < 0) return;
    end_line(c);
    skip_blanks();
    const int first = peek();
    if (first < 0 || is_line_end(first) || first == '[' || first == '{' || first == '*') return;
    if (is_digit(static_cast<char>(first))) return;
    line_is_fresh_ = false;
  }
}

// ---- games

bool PgnReader::next(PgnGame& game) {
  game.clear();
  depth_ = open_braces_ = 0;
  if (next_tag_) {
    game.line = next_tag_->line;
    game.tags.push_back(std::move(*next_tag_));
    next_tag_.reset();
  }
  for (int c = peek(); c >= 0; c = peek()) {
    if (is_space(c)) {
      at_++;
    } else if (is_line_end(c)) {
      end_line(c);
    } else if (const std::size_t size = c >= 0x80 ? blank_sequence(0) : 0; size != 0) {
      at_ += size;
    } else if (!read_item(game, c)) {
      break;
    }
  }
  finish(game);
  return game.line != 0;
}

/// Reads what begins with the byte c; false if it belongs to the next game.
bool PgnReader::read_item(PgnGame& game, int c) {
  const bool was_fresh = line_is_fresh_;
  const auto skip_one = [this] {
    at_++;
    line_is_fresh_ = false;
    return true;
  };
  switch (c) {
    case '[':
      return read_bracket(game);
    case '{':
      skip_comment(game);
      return true;
    case '}':
      close_stray_brace(game);
      return skip_one();
    case ';':
      if (open_braces_ == 0) skip_rest_of_line();
      line_is_fresh_ = false;
      return open_braces_ == 0 || skip_one();
    case '(':
      if (depth_++ == 0) side_line_ = line_;
      return skip_one();
    case ')':
      if (depth_ == 0) report(game.warnings, ErrorKind::movetext, line_, "')' closes nothing and is left out");
      depth_ -= depth_ > 0;
      return skip_one();
    case '$':
      for (at_++; peek() >= 0 && is_digit(buffer_[at_]);) at_++;
      line_is_fresh_ = false;
      return true;
    case ']':
      return skip_one();
    case '*':
      take_result(game, "*");
      return skip_one();
    case '%':
      if (!was_fresh) return read_word(game);
      skip_rest_of_line();
      line_is_fresh_ = false;
      return true;
    default:
      return read_word(game);
  }
}

void PgnReader::finish(PgnGame& game) {
  if (depth_ > 0 && game.line != 0) {
    report(game.errors, ErrorKind::movetext, side_line_, "a side line is opened with '(' and not closed; add ')'");
  }
  if (game.result.empty()) game.moves_in_game = game.moves();
}

void PgnReader::report(std::vector<Report>& reports, ErrorKind kind, std::uint64_t line, std::string text) {
  if (reports.size() < kMostReports) reports.push_back({line, Error{kind, "", 0, 0, std::move(text)}});
}

// ---- comments

/// Takes a comment. By the standard it ends at the first '}'; how many '{' it has inside is remembered, for where as
/// many '}' follow, they and what is before them were meant to belong to it.
void PgnReader::skip_comment(PgnGame& game) {
  const std::uint64_t first_line = line_;
  bool knows_end = false;
  int inside = 0;
  at_++;
  line_is_fresh_ = false;
  for (int c = peek(); c >= 0; c = peek()) {
    while (at_ < end_ && !kStopsComment[static_cast<unsigned char>(buffer_[at_])]) at_++;
    if (at_ == end_) continue;
    c = static_cast<unsigned char>(buffer_[at_]);
    if (c == '}') {
      at_++;
      open_braces_ = inside;
      mark_ = {game.moves(), game.text_.size(), game.result, depth_};
      return;
    }
    if (c == '{') {
      inside++;
      at_++;
      continue;
    }
    line_is_fresh_ = false;  // blank lines of a comment are none
    end_line(c);
    skip_blanks();
    if (knows_end || peek() != '[' || !is_tag_ahead()) continue;
    if (comment_ends_at_tag()) {
      blank_since_tag_ = true;
      break;
    }
    knows_end = true;
  }
  if (game.line == 0) game.line = first_line;
  report(game.errors, ErrorKind::movetext, first_line, "a comment is opened with '{' and not closed; add '}'");
}

/// Where a tag stands at the start of a line inside a comment: whether the next brace ahead does not close it.
bool PgnReader::comment_ends_at_tag() {
  ensure(kMostAhead);
  const std::string_view ahead = std::string_view(buffer_).substr(at_, std::min(end_ - at_, kMostAhead));
  const std::size_t brace = ahead.find_first_of("{}");
  return brace == std::string_view::npos || ahead[brace] == '{';
}

/// A '}' outside a comment: the end of the last one, if that had braces inside; what came between was its text.
void PgnReader::close_stray_brace(PgnGame& game) {
  if (open_braces_ == 0) {
    report(game.warnings, ErrorKind::movetext, line_, "'}' closes nothing and is left out");
    return;
  }
  open_braces_--;
  game.moves_.resize(mark_.moves);
  game.text_.resize(mark_.text_bytes);
  game.result = mark_.result;
  depth_ = mark_.depth;
}

// ---- tags

/// Whether what stands ahead has the shape of a tag: a bracket, a name, a quote.
bool PgnReader::is_tag_ahead() {
  std::size_t i = 1;
  while (i < kMostWordBytes && is_space(peek_at(i))) i++;
  if (!is_letter(static_cast<char>(peek_at(i)))) return false;
  const std::size_t name = i;
  while (i < name + kMostWordBytes) {
    const int c = peek_at(i);
    if (c < 0 || !(is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)) || c == '_' || c == '-')) break;
    i++;
  }
  while (i < 3 * kMostWordBytes && is_space(peek_at(i))) i++;
  return peek_at(i) == '"';
}

/// A '[' outside comments: a tag of this game or of the next, or something in brackets ("[%clk 0:01:00]").
bool PgnReader::read_bracket(PgnGame& game) {
  const bool in_movetext = game.moves() > 0 || !game.result.empty() || depth_ > 0;
  const bool is_name = is_letter(static_cast<char>(peek_at(1)));
  if (in_movetext && (is_tag_ahead() || (line_is_fresh_ && is_name))) return false;
  if (in_movetext || peek_at(1) == '%') {
    skip_brackets(game);
    return true;
  }
  return read_tag(game);
}

void PgnReader::skip_brackets(PgnGame& game) {
  line_is_fresh_ = false;
  const std::string_view ends = "]\n\r";
  std::size_t i = 1;
  while (i < kMostWordBytes && peek_at(i) >= 0 && ends.find(buffer_[at_ + i]) == std::string_view::npos) i++;
  if (peek_at(i) == ']') {
    at_ += i + 1;
    return;
  }
  at_++;
  report(game.warnings, ErrorKind::movetext, line_, "'[' begins no tag and is left out");
}

/// Takes a tag; false if it shows that a game without moves is over and belongs to the next.
bool PgnReader::read_tag(PgnGame& game) {
  PgnTag tag;
  tag.line = line_;
  const bool blank_before = std::exchange(blank_since_tag_, false);
  line_is_fresh_ = false;
  const TagEnd end = read_tag_text(tag);
  if (end == TagEnd::good || end == TagEnd::no_bracket) {
    tag.value = utf8_of(tag.value);
    const bool again = game.find(tag.name) != nullptr;
    if (again && (blank_before || same_name(tag.name, "Event"))) {
      next_tag_ = std::move(tag);
      return false;
    }
    if (game.line == 0) game.line = tag.line;
    if (end == TagEnd::no_bracket) {
      report(game.warnings, ErrorKind::tag, tag.line, "the tag " + quoted(tag.name) + " is not closed; add ']'");
    }
    if (game.tags.size() == kMostTags) {
      report(game.errors, ErrorKind::tag, tag.line,
             "more than " + std::to_string(kMostTags) + " tags; the rest of them is left out");
    }
    if (game.tags.size() < kMostTags) game.tags.push_back(std::move(tag));
    return true;
  }
  if (game.line == 0) game.line = tag.line;
  std::string text = "a tag cannot be read";
  if (!tag.name.empty()) text = "the tag " + quoted(tag.name) + " cannot be read";
  text += end == TagEnd::no_name    ? ": it has no name"
          : end == TagEnd::no_quote ? ": its value has no quotes"
          : end == TagEnd::too_long ? ": it is longer than " + std::to_string(kMostTagBytes) + " bytes"
                                    : ": its value has no closing quote";
  report(game.errors, ErrorKind::tag, tag.line, text + "; write it as [Name \"value\"]");
  const bool says_what_is_played =
      end == TagEnd::no_name || same_name(tag.name, "FEN") || same_name(tag.name, "Variant");
  game.broken_setup = game.broken_setup || says_what_is_played;
  skip_broken_tag();
  return true;
}

PgnReader::TagEnd PgnReader::read_tag_text(PgnTag& tag) {
  at_++;
  skip_blanks();
  for (int c = peek(); c >= 0 && !is_space(c) && !is_line_end(c) && c != '"' && c != ']'; c = peek()) {
    if (tag.name.size() == kMostTagBytes) return TagEnd::too_long;
    tag.name += static_cast<char>(c);
    at_++;
  }
  if (tag.name.empty()) return TagEnd::no_name;
  skip_blanks();
  if (peek() != '"') return TagEnd::no_quote;
  at_++;
  return read_value(tag.value);
}

/// Takes a value and what closes the tag. A quote that is not followed by the bracket or the line's end is part of it.
PgnReader::TagEnd PgnReader::read_value(std::string& value) {
  for (int c = peek(); c >= 0 && !is_line_end(c); c = peek()) {
    if (value.size() == kMostTagBytes) return TagEnd::too_long;
    at_++;
    if (c == '\\' && (peek() == '"' || peek() == '\\')) {
      c = peek();
      at_++;
    } else if (c == '"') {
      std::size_t i = 0;
      while (is_space(peek_at(i)) && i < kMostTagBytes) i++;
      const int after = peek_at(i);
      if (after == ']') {
        at_ += i + 1;
        return TagEnd::good;
      }
      if (after < 0 || is_line_end(after) || after == '[') return TagEnd::no_bracket;
    }
    value += static_cast<char>(c);
  }
  return TagEnd::not_closed;
}

// ---- movetext

/// The word ahead without typography, and how many bytes of the input it has. It stays where it is.
std::string_view PgnReader::word_ahead(std::size_t& bytes) {
  bool ascii = true;
  std::size_t n = 0;
  for (;; n++) {
    while (at_ + n < end_ && kIsPlain[static_cast<unsigned char>(buffer_[at_ + n])] && n < kMostTagBytes) n++;
    if (!ensure(n + 1)) break;
    const auto c = static_cast<unsigned char>(buffer_[at_ + n]);
    if (c >= 0x80) {
      ascii = false;
      if (blank_sequence(n) != 0) break;
    } else if (kEndsWord[c]) {
      // "f8(K)" is one word.
      const bool promotes = c == '(' && n >= 2 && peek_at(n + 2) == ')' && is_letter(static_cast<char>(peek_at(n + 1)));
      if (!promotes) break;
      n += 2;
    }
    if (n >= kMostTagBytes) break;
  }
  bytes = n;
  const std::string_view word = std::string_view(buffer_).substr(at_, n);
  if (ascii) return word;
  take_out_typography(word, word_);
  return word_;
}

/// Whether "1." begins another game: behind a result, or after a blank line where a game without one has gone on.
bool PgnReader::begins_next_game(const PgnGame& game, std::string_view number) const {
  if (depth_ > 0 || open_braces_ > 0 || (number != "1" && number != "1.")) return false;
  return !game.result.empty() || (game.moves() > 0 && line_is_fresh_ && after_blank_line_);
}

/// Takes a word of the movetext: a move, its number, both, a result, an annotation; false if the next game begins.
bool PgnReader::read_word(PgnGame& game) {
  std::size_t bytes = 0;
  std::string_view word = word_ahead(bytes);
  const std::string_view result = result_of(word);
  const bool is_move = is_letter(word[0]) || word.starts_with("0-0") || word == "0000";
  if (result.empty() && !is_move) {
    std::size_t digits = 0;
    while (digits < word.size() && is_digit(word[digits])) digits++;
    std::size_t number = digits;
    while (number < word.size() && word[number] == '.') number++;
    if (number > digits || digits == word.size() || is_letter(word[digits])) {
      if (begins_next_game(game, word.substr(0, number))) return false;
      word.remove_prefix(number);
    }
  }
  line_is_fresh_ = false;
  if (game.line == 0) game.line = line_;
  if (!result.empty()) {
    take_result(game, result);
  } else if (const std::string_view late_result = result_of(word); !late_result.empty()) {
    take_result(game, late_result);  // "2.1-0"
  } else if (!word.empty() && !is_annotation(word)) {
    add_move(game, word);
  }
  at_ += bytes;
  return true;
}

void PgnReader::take_result(PgnGame& game, std::string_view result) {
  if (depth_ > 0) return;
  if (game.line == 0) game.line = line_;
  if (game.result.empty()) {
    game.result = result;
    game.result_line = line_;
    game.moves_in_game = game.moves();
  } else if (game.result != result) {
    report(game.warnings, ErrorKind::result_mismatch, line_,
           "the movetext ends with " + std::string(game.result) + " and again with " + std::string(result));
  }
}

void PgnReader::add_move(PgnGame& game, std::string_view word) {
  if (depth_ > 0) return;
  if (game.moves() == kMostMoves) {
    if (game.errors.empty() || game.errors.back().error.kind != ErrorKind::movetext) {
      report(game.errors, ErrorKind::movetext, line_,
             "more than " + std::to_string(kMostMoves) + " moves; the rest of the game is left out");
    }
    return;
  }
  word = word.substr(0, kMostWordBytes);
  game.moves_.push_back(
      {static_cast<std::uint32_t>(game.text_.size()), static_cast<std::uint32_t>(word.size()), line_});
  game.text_ += word;
}

}  // namespace hecatomb
