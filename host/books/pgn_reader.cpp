#include "host/books/pgn_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "host/books/pgn_words.h"
#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::size_t kMostAhead = std::size_t{1} << 15;  // how far a comment's end is looked for
constexpr std::size_t kMostReports = 16;                  // of a game
constexpr std::size_t kMostBytesAhead = 4096;             // of a word

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

}  // namespace

// ---- PgnGame

const PgnTag* PgnGame::find(std::string_view name) const {
  const PgnTag* found = nullptr;
  for (const PgnTag& tag : tags) {
    if (is_same_tag(tag.name, name)) found = &tag;
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

// ---- games

PgnReader::PgnReader(Reader reader, std::uint64_t first_line) : in_(std::move(reader), first_line) {}

bool PgnReader::next(PgnGame& game) {
  game.clear();
  depth_ = open_braces_ = 0;
  if (next_tag_) {
    game.line = next_tag_->line;
    game.tags.push_back(std::move(*next_tag_));
    next_tag_.reset();
  }
  for (int c = in_.peek(); c >= 0; c = in_.peek()) {
    if (is_pgn_space(c)) {
      in_.take(1);
    } else if (is_line_end(c)) {
      in_.end_line(c);
    } else if (const std::size_t size = c >= 0x80 ? in_.blank_sequence(0) : 0; size != 0) {
      in_.take(size);
    } else if (!read_item(game, c)) {
      break;
    }
  }
  finish(game);
  return game.line != 0;
}

/// Reads what begins with the byte c; false if it belongs to the next game.
bool PgnReader::read_item(PgnGame& game, int c) {
  const bool was_fresh = in_.line_is_fresh;
  const auto skip_one = [this] {
    in_.take(1);
    in_.line_is_fresh = false;
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
      if (open_braces_ == 0) in_.skip_rest_of_line();
      in_.line_is_fresh = false;
      return open_braces_ == 0 || skip_one();
    case '(':
      if (depth_++ == 0) side_line_ = in_.line();
      return skip_one();
    case ')':
      if (depth_ == 0) report(game.warnings, ErrorKind::movetext, in_.line(), "')' closes nothing and is left out");
      depth_ -= depth_ > 0;
      return skip_one();
    case '$':
      in_.take(1);
      while (is_digit(static_cast<char>(in_.peek()))) in_.take(1);
      in_.line_is_fresh = false;
      return true;
    case ']':
      return skip_one();
    case '*':
      take_result(game, "*");
      return skip_one();
    case '%':
      if (!was_fresh) return read_word(game);
      in_.skip_rest_of_line();
      in_.line_is_fresh = false;
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
  const std::uint64_t first_line = in_.line();
  bool knows_end = false;
  std::uint64_t inside = 0;
  in_.take(1);
  in_.line_is_fresh = false;
  for (int c = in_.peek(); c >= 0; c = in_.peek()) {
    const std::string_view ahead = in_.ahead();
    std::size_t plain = 0;
    while (plain < ahead.size() && !kStopsComment[static_cast<unsigned char>(ahead[plain])]) plain++;
    in_.take(plain);
    if (plain == ahead.size()) continue;
    c = static_cast<unsigned char>(ahead[plain]);
    if (c == '}') {
      in_.take(1);
      open_braces_ = inside;
      mark_ = {game.moves(), game.text_.size(), game.result, depth_};
      return;
    }
    if (c == '{') {
      inside++;
      in_.take(1);
      continue;
    }
    in_.line_is_fresh = false;  // blank lines of a comment are none
    in_.end_line(c);
    in_.skip_blanks();
    if (knows_end || in_.peek() != '[' || !is_tag_ahead(in_)) continue;
    if (comment_ends_at_tag()) {
      in_.blank_since_tag = true;
      break;
    }
    knows_end = true;
  }
  if (game.line == 0) game.line = first_line;
  report(game.errors, ErrorKind::movetext, first_line, "a comment is opened with '{' and not closed; add '}'");
}

/// Where a tag stands at the start of a line inside a comment: whether the next brace ahead does not close it.
bool PgnReader::comment_ends_at_tag() {
  in_.ensure(kMostAhead);
  const std::string_view ahead = in_.ahead().substr(0, kMostAhead);
  const std::size_t brace = ahead.find_first_of("{}");
  return brace == std::string_view::npos || ahead[brace] == '{';
}

/// A '}' outside a comment: the end of the last one, if that had braces inside; what came between was its text.
void PgnReader::close_stray_brace(PgnGame& game) {
  if (open_braces_ == 0) {
    report(game.warnings, ErrorKind::movetext, in_.line(), "'}' closes nothing and is left out");
    return;
  }
  open_braces_--;
  game.moves_.resize(mark_.moves);
  game.text_.resize(mark_.text_bytes);
  game.result = mark_.result;
  depth_ = mark_.depth;
}

// ---- tags

/// A '[' outside comments: a tag of this game or of the next, or something in brackets ("[%clk 0:01:00]").
bool PgnReader::read_bracket(PgnGame& game) {
  const bool in_movetext = game.moves() > 0 || !game.result.empty() || depth_ > 0;
  const bool is_name = is_letter(static_cast<char>(in_.peek_at(1)));
  if (in_movetext && (is_tag_ahead(in_) || (in_.line_is_fresh && is_name))) return false;
  if (in_movetext || in_.peek_at(1) == '%') {
    skip_brackets(game);
    return true;
  }
  return take_tag(game);
}

void PgnReader::skip_brackets(PgnGame& game) {
  in_.line_is_fresh = false;
  std::size_t i = 1;
  for (int c = in_.peek_at(i); i < kMostWordBytes && c >= 0 && c != ']' && !is_line_end(c);) c = in_.peek_at(++i);
  if (in_.peek_at(i) == ']') {
    in_.take(i + 1);
    return;
  }
  in_.take(1);
  report(game.warnings, ErrorKind::movetext, in_.line(), "'[' begins no tag and is left out");
}

/// Takes a tag; false if it shows that a game without moves is over and belongs to the next.
bool PgnReader::take_tag(PgnGame& game) {
  PgnTag tag;
  const bool blank_before = std::exchange(in_.blank_since_tag, false);
  in_.line_is_fresh = false;
  const TagEnd end = read_tag(in_, tag);
  if (end == TagEnd::good || end == TagEnd::no_bracket) {
    const bool again = (blank_before || is_same_tag(tag.name, "Event")) && game.find(tag.name) != nullptr;
    if (again) {
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
  report(game.errors, ErrorKind::tag, tag.line, fault_of(tag, end));
  const bool says_what_is_played =
      end == TagEnd::no_name || is_same_tag(tag.name, "FEN") || is_same_tag(tag.name, "Variant");
  game.broken_setup = game.broken_setup || says_what_is_played;
  skip_broken_tag(in_);
  return true;
}

// ---- movetext

/// The word ahead without typography, and how many bytes of the input it has. It stays where it is.
std::string_view PgnReader::word_ahead(std::size_t& bytes) {
  bool ascii = true;
  std::size_t n = 0;
  for (;; n++) {
    const std::string_view ahead = in_.ahead();
    const std::size_t most = std::min(ahead.size(), kMostBytesAhead);
    while (n < most && kIsPlain[static_cast<unsigned char>(ahead[n])]) n++;
    if (!in_.ensure(n + 1)) break;
    const auto c = static_cast<unsigned char>(in_.ahead()[n]);
    if (c >= 0x80) {
      ascii = false;
      if (in_.blank_sequence(n) != 0) break;
    } else if (kEndsWord[c]) {
      // "f8(K)" is one word.
      const bool promotes =
          c == '(' && n >= 2 && in_.peek_at(n + 2) == ')' && is_letter(static_cast<char>(in_.peek_at(n + 1)));
      if (!promotes) break;
      n += 2;
    }
    if (n >= kMostBytesAhead) break;
  }
  bytes = n;
  const std::string_view word = in_.ahead().substr(0, n);
  if (ascii) return word;
  take_out_typography(word, word_);
  return word_;
}

/// Whether "1." begins another game: behind a result, or after a blank line where a game without one has gone on.
bool PgnReader::begins_next_game(const PgnGame& game, std::string_view number) const {
  if (depth_ > 0 || open_braces_ > 0 || (number != "1" && number != "1.")) return false;
  return !game.result.empty() || (game.moves() > 0 && in_.line_is_fresh && in_.after_blank_line);
}

/// Takes a word of the movetext: a move, its number, both, a result, an annotation; false if the next game begins.
bool PgnReader::read_word(PgnGame& game) {
  std::size_t bytes = 0;
  std::string_view word = word_ahead(bytes);
  std::string_view result;
  if (!is_letter(word[0])) {
    result = result_of(word);
    if (result.empty() && !word.starts_with("0-0") && word != "0000") {
      const std::string_view number = number_of(word);
      if (!number.empty() && begins_next_game(game, number)) return false;
      word.remove_prefix(number.size());
      result = result_of(word);  // "2.1-0"
    }
  }
  in_.line_is_fresh = false;
  if (game.line == 0) game.line = in_.line();
  if (!result.empty()) {
    take_result(game, result);
  } else if (!word.empty() && !is_annotation(word)) {
    add_move(game, word);
  }
  in_.take(bytes);
  return true;
}

void PgnReader::take_result(PgnGame& game, std::string_view result) {
  if (depth_ > 0) return;
  if (game.line == 0) game.line = in_.line();
  if (game.result.empty()) {
    game.result = result;
    game.result_line = in_.line();
    game.moves_in_game = game.moves();
  } else if (game.result != result) {
    report(game.warnings, ErrorKind::result_mismatch, in_.line(),
           "the movetext ends with " + std::string(game.result) + " and again with " + std::string(result));
  }
}

void PgnReader::add_move(PgnGame& game, std::string_view word) {
  if (depth_ > 0) return;
  if (game.moves() == kMostMoves) {
    if (game.errors.empty() || game.errors.back().error.kind != ErrorKind::movetext) {
      report(game.errors, ErrorKind::movetext, in_.line(),
             "more than " + std::to_string(kMostMoves) + " moves; the rest of the game is left out");
    }
    return;
  }
  word = word.substr(0, kMostWordBytes);
  game.moves_.push_back(
      {static_cast<std::uint32_t>(game.text_.size()), static_cast<std::uint32_t>(word.size()), in_.line()});
  game.text_ += word;
}

}  // namespace hecatomb
