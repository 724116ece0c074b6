#include "host/notation/san.h"

#include <cstddef>

#include "host/notation/legal.h"
#include "host/notation/move_error.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"

namespace hecatomb {

namespace {

// ---- writing

/// As little of the origin as tells the move from other legal moves of such men to the same square.
std::string origin_text(const Position& p, Move move, VariantId variant) {
  const u64 others = legal_origins(p, p.kind_at(move.from), move.to, ~bit(move.from), variant);
  if (others == 0) return "";
  const std::string square = square_name(move.from);
  if ((others & kFileA << file_of(move.from)) == 0) return square.substr(0, 1);
  return (others & rank_mask(rank_of(move.from))) != 0 ? square : square.substr(1, 1);
}

std::string move_text(const Position& p, Move move, VariantId variant) {
  if (move.kind == MoveKind::castle_king) return "O-O";
  if (move.kind == MoveKind::castle_queen) return "O-O-O";
  const Kind kind = p.kind_at(move.from);
  const bool capture = is_capture(p, move);
  std::string text;
  if (kind == Kind::pawn) {
    if (capture) text += square_name(move.from)[0];
  } else {
    text += letter_of(kind) + origin_text(p, move, variant);
  }
  if (capture) text += 'x';
  text += square_name(move.to);
  if (move.promotion != Kind::none) text = text + '=' + letter_of(move.promotion);
  return text;
}

// ---- reading

/// What a text says about a move: what is not said fits everything.
struct Pattern {
  MoveKind castling = MoveKind::normal;  // to a side, or normal
  Kind man = Kind::none;                 // none: any
  int file = -1, rank = -1;
  Square to = -1;
  Kind promotion = Kind::none;
  bool capture = false;
};

constexpr bool is_castling(Move m) { return m.kind == MoveKind::castle_king || m.kind == MoveKind::castle_queen; }

constexpr bool is_sign(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }

/// Judgements that people glue to a move, longest first where one ends with another.
constexpr std::string_view kJudgements[] = {"+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+"};

/// Takes away what may follow a move: + # ! ? in any number, "e.p.", judgements, blanks.
std::string_view without_suffix(std::string_view text) {
  while (!text.empty() && !is_digit(text.back())) {
    const std::size_t size = text.size();
    text = trimmed(text);
    for (const std::string_view judgement : kJudgements) {
      if (text.ends_with(judgement)) text.remove_suffix(judgement.size());
    }
    while (!text.empty() && is_sign(text.back())) text.remove_suffix(1);
    if (text.ends_with("e.p.")) text.remove_suffix(4);
    if (text.ends_with("ep")) text.remove_suffix(2);
    if (text.size() == size) break;
  }
  return text;
}

MoveKind read_castling(std::string_view text) {
  if (text.size() != 3 && text.size() != 5) return MoveKind::normal;
  for (std::size_t i = 0; i < text.size(); i++) {
    const bool is_o = text[i] == 'O' || text[i] == 'o' || text[i] == '0';
    if (i % 2 == 0 ? !is_o : text[i] != '-') return MoveKind::normal;
  }
  return text.size() == 3 ? MoveKind::castle_king : MoveKind::castle_queen;
}

/// Takes "=Q", "/Q", "(Q)", "Q" or "q" from the end; false if there is something else behind the target.
bool take_promotion(std::string_view& text, Pattern& pattern) {
  const bool in_brackets = text.ends_with(')');
  if (in_brackets) text.remove_suffix(1);
  if (text.empty()) return false;
  if (is_digit(text.back())) return !in_brackets;
  pattern.promotion = kind_of_letter(upper_of(text.back()));
  if (pattern.promotion == Kind::none || pattern.promotion == Kind::pawn) return false;
  text.remove_suffix(1);
  if (in_brackets) {
    if (!text.ends_with('(')) return false;
    text.remove_suffix(1);
  } else if (text.ends_with('=') || text.ends_with('/')) {
    text.remove_suffix(1);
  }
  return true;
}

/// Takes a file, a rank and a sign from the front, each if it is there.
void take_origin(std::string_view& text, Pattern& pattern) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'h') {
    pattern.file = text[0] - 'a';
    text.remove_prefix(1);
  }
  if (!text.empty() && text[0] >= '1' && text[0] <= '8') {
    pattern.rank = text[0] - '1';
    text.remove_prefix(1);
  }
  if (!text.empty() && (text[0] == 'x' || text[0] == ':' || text[0] == '-')) {
    pattern.capture = text[0] != '-';
    text.remove_prefix(1);
  }
}

/// Fills the pattern (handed in, not out: a copy of what was just written in bytes would wait for them); false if the
/// text has no form of a move.
bool read_pattern(std::string_view text, Pattern& pattern) {
  text = without_suffix(text);
  pattern.castling = read_castling(text);
  if (pattern.castling != MoveKind::normal) return true;
  if (!text.empty() && is_upper(text[0])) {
    pattern.man = kind_of_letter(text[0]);
    if (pattern.man == Kind::none) return false;
    text.remove_prefix(1);
  }
  const bool named = pattern.man != Kind::none;
  if (!take_promotion(text, pattern) || text.size() < 2) return false;
  pattern.to = read_square(text.substr(text.size() - 2));
  text.remove_suffix(2);
  take_origin(text, pattern);
  if (pattern.to < 0 || !text.empty()) return false;
  // Without a letter it is a pawn's move, unless both squares are given (e2e4, b1-c3).
  if (!named && (pattern.file < 0 || pattern.rank < 0)) pattern.man = Kind::pawn;
  if (pattern.man == Kind::pawn && pattern.file < 0) pattern.file = file_of(pattern.to);
  return true;
}

bool fits(const Position& p, const Pattern& pattern, Move m) {
  if (pattern.castling != MoveKind::normal) return m.kind == pattern.castling;
  if (m.to != pattern.to) return false;
  if (pattern.man != Kind::none && (p.kind_at(m.from) != pattern.man || is_castling(m))) return false;
  if (pattern.file >= 0 && file_of(m.from) != pattern.file) return false;
  if (pattern.rank >= 0 && rank_of(m.from) != pattern.rank) return false;
  if (pattern.promotion != Kind::none && m.promotion != pattern.promotion) return false;
  return !pattern.capture || is_capture(p, m);
}

/// Why the text means no single legal move. `pattern` is null where it has no form of a move.
Error refusal(const Position& p, std::string_view text, const Pattern* pattern, VariantId variant) {
  MoveList legal, fitting;
  list_legal(p, variant, legal);
  if (legal.size == 0) return after_end(p, text, variant);
  if (!pattern) return unreadable_move(text);
  for (const Move m : legal) {
    if (fits(p, *pattern, m)) fitting.add(m);
  }
  if (fitting.size > 1) return ambiguous_move(text, fitting);
  const bool origin_named = pattern->file >= 0 && pattern->rank >= 0;
  const Square from = origin_named ? 8 * pattern->rank + pattern->file : -1;
  return illegal_move(p, text, variant, legal, from, pattern->to);
}

/// The one legal move that fits, found from its target, or kNoMove.
Move find(const Position& p, const Pattern& pattern, VariantId variant) {
  if (pattern.castling != MoveKind::normal) return find_castling(p, pattern.castling, variant);
  Move move = kNoMove;
  if (pattern.man == Kind::none) {
    move = find_legal(p, 8 * pattern.rank + pattern.file, pattern.to, pattern.promotion, variant);
  } else {
    const u64 file = pattern.file < 0 ? ~u64{0} : kFileA << pattern.file;
    const u64 rank = pattern.rank < 0 ? ~u64{0} : rank_mask(pattern.rank);
    move = find_legal(p, {pattern.man, file & rank, pattern.to, pattern.promotion}, variant);
  }
  return pattern.capture && !is_capture(p, move) ? kNoMove : move;
}

}  // namespace

std::string san_of(const Position& p, Move move, VariantId variant, const RuleOptions& options) {
  std::string text = move_text(p, move, variant);
  const Position after = after_move(p, move, variant, options);
  const Result result = decided_outcome(after, variant, options).result;
  if (result == Result::white_wins || result == Result::black_wins) return text + '#';
  return is_check(after, variant) ? text + '+' : text;
}

Expected<Move> read_san(const Position& p, std::string_view text, VariantId variant) {
  text = trimmed(text);
  Pattern pattern;
  if (!read_pattern(text, pattern)) return refusal(p, text, nullptr, variant);
  const Move move = find(p, pattern, variant);
  if (is_found(move)) return move;
  return refusal(p, text, &pattern, variant);
}

Expected<Move> read_move(const Position& p, std::string_view text, VariantId variant) {
  text = trimmed(text);
  return has_uci_shape(text) || text == "0000" ? read_uci(p, text, variant) : read_san(p, text, variant);
}

}  // namespace hecatomb
