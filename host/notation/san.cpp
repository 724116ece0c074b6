#include "host/notation/san.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "common/moves_to.h"
#include "host/notation/legal.h"
#include "host/notation/move_error.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"

namespace hecatomb {

namespace {

constexpr bool is_castling(Move m) { return m.kind == MoveKind::castle_king || m.kind == MoveKind::castle_queen; }

/// The moves to one square: over 8 lines and from 8 squares of knights one each, of 3 pawns 5 each where they promote.
class Candidates {
 public:
  void add(Move m) { std::memcpy(&moves_[size_++ * sizeof m], &m, sizeof m); }
  std::size_t size() const { return size_; }
  Move operator[](std::size_t i) const {
    Move m;
    std::memcpy(&m, &moves_[i * sizeof m], sizeof m);
    return m;
  }

 private:
  std::size_t size_ = 0;
  std::array<unsigned char, 32 * sizeof(Move)> moves_;  // bytes: nobody clears 32 moves for the one that is looked for
};

template <class V, Kind man>
void list_legal_to(const Position& p, u64 to, Candidates& list) {
  // Where captures are compulsory, whether one exists depends on all men: nothing can be left out.
  constexpr Kind wanted = V::compulsory_capture ? Kind::none : man;
  const auto add = [&list](Move m) { list.add(m); };
  if (p.side == kWhite) {
    for_each_move_to<V, kWhite, wanted>(p, to, add);
  } else {
    for_each_move_to<V, kBlack, wanted>(p, to, add);
  }
}

/// Every legal move of men of the kind (none: of all men) that ends on the square `to`, and perhaps some of other men.
/// What reading and writing have in common: only these moves matter.
void list_legal_to(const Position& p, Square to, Kind man, VariantId variant, Candidates& list) {
  with_variant(variant, [&](auto v) {
    using V = decltype(v);
    switch (man) {
      case Kind::pawn:
        return list_legal_to<V, Kind::pawn>(p, bit(to), list);
      case Kind::knight:
        return list_legal_to<V, Kind::knight>(p, bit(to), list);
      case Kind::bishop:
        return list_legal_to<V, Kind::bishop>(p, bit(to), list);
      case Kind::rook:
        return list_legal_to<V, Kind::rook>(p, bit(to), list);
      case Kind::queen:
        return list_legal_to<V, Kind::queen>(p, bit(to), list);
      case Kind::king:
        return list_legal_to<V, Kind::king>(p, bit(to), list);
      case Kind::none:
        return list_legal_to<V, Kind::none>(p, bit(to), list);
    }
  });
}

// ---- writing

/// As little of the origin as tells the move from other legal moves of such men to the same square.
std::string origin_text(const Position& p, Move move, VariantId variant) {
  const Kind kind = p.kind_at(move.from);
  bool others = false, same_file = false, same_rank = false;
  Candidates candidates;
  list_legal_to(p, move.to, kind, variant, candidates);
  for (std::size_t i = 0; i < candidates.size(); i++) {
    const Move m = candidates[i];
    if (m.from == move.from || is_castling(m) || p.kind_at(m.from) != kind) continue;
    others = true;
    same_file = same_file || file_of(m.from) == file_of(move.from);
    same_rank = same_rank || rank_of(m.from) == rank_of(move.from);
  }
  const std::string square = square_name(move.from);
  if (!others) return "";
  if (!same_file) return square.substr(0, 1);
  return same_rank ? square : square.substr(1, 1);
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
  std::optional<MoveKind> castling;
  Kind man = Kind::none;  // none: any
  int file = -1, rank = -1;
  Square to = -1;
  Kind promotion = Kind::none;
  bool capture = false;
};

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

std::optional<MoveKind> read_castling(std::string_view text) {
  if (text.size() != 3 && text.size() != 5) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); i++) {
    const bool is_o = text[i] == 'O' || text[i] == 'o' || text[i] == '0';
    if (i % 2 == 0 ? !is_o : text[i] != '-') return std::nullopt;
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

std::optional<Pattern> read_pattern(std::string_view text) {
  text = without_suffix(text);
  Pattern pattern;
  pattern.castling = read_castling(text);
  if (pattern.castling) return pattern;
  if (!text.empty() && is_upper(text[0])) {
    pattern.man = kind_of_letter(text[0]);
    if (pattern.man == Kind::none) return std::nullopt;
    text.remove_prefix(1);
  }
  const bool named = pattern.man != Kind::none;
  if (!take_promotion(text, pattern) || text.size() < 2) return std::nullopt;
  pattern.to = read_square(text.substr(text.size() - 2));
  text.remove_suffix(2);
  take_origin(text, pattern);
  if (pattern.to < 0 || !text.empty()) return std::nullopt;
  // Without a letter it is a pawn's move, unless both squares are given (e2e4, b1-c3).
  if (!named && (pattern.file < 0 || pattern.rank < 0)) pattern.man = Kind::pawn;
  if (pattern.man == Kind::pawn && pattern.file < 0) pattern.file = file_of(pattern.to);
  return pattern;
}

bool fits(const Position& p, const Pattern& pattern, Move m) {
  if (pattern.castling) return m.kind == *pattern.castling;
  if (m.to != pattern.to) return false;
  if (pattern.man != Kind::none && (p.kind_at(m.from) != pattern.man || is_castling(m))) return false;
  if (pattern.file >= 0 && file_of(m.from) != pattern.file) return false;
  if (pattern.rank >= 0 && rank_of(m.from) != pattern.rank) return false;
  if (pattern.promotion != Kind::none && m.promotion != pattern.promotion) return false;
  return !pattern.capture || is_capture(p, m);
}

/// Why the text means no single legal move.
Error refusal(const Position& p, std::string_view text, const std::optional<Pattern>& pattern, VariantId variant) {
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

/// The square on which a move of the pattern ends.
Square target_of(const Position& p, const Pattern& pattern) {
  if (!pattern.castling) return pattern.to;
  return (*pattern.castling == MoveKind::castle_king ? 6 : 2) + (p.side == kWhite ? 0 : 56);
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
  const std::optional<Pattern> pattern = read_pattern(text);
  if (!pattern) return refusal(p, text, pattern, variant);
  Candidates candidates;
  list_legal_to(p, target_of(p, *pattern), pattern->castling ? Kind::king : pattern->man, variant, candidates);
  std::size_t found = candidates.size();
  for (std::size_t i = 0; i < candidates.size(); i++) {
    if (!fits(p, *pattern, candidates[i])) continue;
    if (found < candidates.size()) return refusal(p, text, pattern, variant);
    found = i;
  }
  if (found == candidates.size()) return refusal(p, text, pattern, variant);
  return candidates[found];
}

Expected<Move> read_move(const Position& p, std::string_view text, VariantId variant) {
  text = trimmed(text);
  return has_uci_shape(text) || text == "0000" ? read_uci(p, text, variant) : read_san(p, text, variant);
}

}  // namespace hecatomb
