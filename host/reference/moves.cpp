// The moves. First what each man can do by its own way of going (pseudo-legal), then the moves that leave an own royal
// king attacked are struck out by making them, then the rules about compulsory captures strike out more.
#include <algorithm>
#include <cstdlib>

#include "host/reference/board.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

bool way_is_clear(const Board& board, int from, int to) {
  const auto sign = [](int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  const Step step = {sign(file_of(to) - file_of(from)), sign(rank_of(to) - rank_of(from))};
  for (int square = step_from(from, step); square != to; square = step_from(square, step)) {
    if (man_on(board, square) != kEmpty) return false;
  }
  return true;
}

/// Whether the man on `from` attacks `to`, by the shape of the way between them.
bool attacks(const Board& board, int from, int to) {
  const char man = man_on(board, from);
  const int files = std::abs(file_of(to) - file_of(from));
  const int ranks = std::abs(rank_of(to) - rank_of(from));
  const bool diagonal = files == ranks && files != 0;
  const bool orthogonal = (files == 0) != (ranks == 0);
  switch (lower(man)) {
    case 'p':
      return files == 1 && rank_of(to) - rank_of(from) == forward(is_white(man));
    case 'n':
      return files * ranks == 2;
    case 'b':
      return diagonal && way_is_clear(board, from, to);
    case 'r':
      return orthogonal && way_is_clear(board, from, to);
    case 'q':
      return (diagonal || orthogonal) && way_is_clear(board, from, to);
    case 'k':
      return std::max(files, ranks) == 1;
    default:
      return false;
  }
}

/// Collects pseudo-legal moves of the side to move, man by man.
class Generator {
 public:
  Generator(const Rules& rules, const Position& position, std::vector<Move>& moves)
      : rules_(rules), position_(position), white_(position.white_to_move), moves_(moves) {}

  void all() {
    for (int square = 0; square < 64; ++square) {
      if (is_of(man_on(position_.board, square), white_)) man(square);
    }
    castling(true);
    castling(false);
  }

 private:
  void man(int from) {
    switch (lower(man_on(position_.board, from))) {
      case 'p':
        return pawn(from);
      case 'n':
        return steps(from, kKnightSteps.data(), kKnightSteps.size(), false);
      case 'b':
        return steps(from, kDiagonalSteps.data(), kDiagonalSteps.size(), true);
      case 'r':
        return steps(from, kOrthogonalSteps.data(), kOrthogonalSteps.size(), true);
      case 'q':
        return steps(from, kKingSteps.data(), kKingSteps.size(), true);
      default:
        return steps(from, kKingSteps.data(), kKingSteps.size(), false);
    }
  }

  void steps(int from, const Step* first, std::size_t count, bool repeated) {
    for (const Step* step = first; step != first + count; ++step) {
      for (int to = step_from(from, *step); to != kNoSquare; to = step_from(to, *step)) {
        const char there = man_on(position_.board, to);
        if (is_of(there, white_)) break;
        moves_.push_back({.from = from, .to = to, .capture = there != kEmpty});
        if (there != kEmpty || !repeated) break;
      }
    }
  }

  void pawn(int from) {
    const int ahead = step_from(from, {0, forward(white_)});
    if (man_on(position_.board, ahead) == kEmpty) {
      pawn_arrives({.from = from, .to = ahead});
      const int two_ahead = step_from(ahead, {0, forward(white_)});
      if (may_step_twice(from) && man_on(position_.board, two_ahead) == kEmpty) {
        pawn_arrives({.from = from, .to = two_ahead});
      }
    }
    for (const int side : {-1, 1}) {
      const int to = step_from(from, {side, forward(white_)});
      if (to == kNoSquare) continue;
      if (is_of(man_on(position_.board, to), !white_)) pawn_arrives({.from = from, .to = to, .capture = true});
      if (to == position_.ep_square) moves_.push_back({.from = from, .to = to, .capture = true, .en_passant = true});
    }
  }

  bool may_step_twice(int from) const {
    if (!white_) return rank_of(from) == 6;
    return rank_of(from) == 1 || (rank_of(from) == 0 && facts(rules_.variant).pawns_on_white_rank_one);
  }

  void pawn_arrives(Move move) {
    if (rank_of(move.to) != (white_ ? 7 : 0)) {
      moves_.push_back(move);
      return;
    }
    for (const char* kind = facts(rules_.variant).promotions; *kind != 0; ++kind) {
      move.promotion = *kind;
      moves_.push_back(move);
    }
  }

  /// A held right says that king and rook have not moved. The king's way and target must not be attacked; what lies
  /// between king and rook must be empty.
  void castling(bool king_side) {
    const std::size_t right = (white_ ? 0u : 2u) + (king_side ? 0u : 1u);
    if (!position_.castling[right]) return;
    const int king = white_ ? 4 : 60;
    const int rook = king_side ? king + 3 : king - 4;
    const int to = king_side ? king + 2 : king - 2;
    if (!way_is_clear(position_.board, king, rook)) return;
    for (int square = std::min(king, to); square <= std::max(king, to); ++square) {
      if (is_attacked(position_.board, square, !white_)) return;
    }
    moves_.push_back({.from = king, .to = to, .castling = true});
  }

  const Rules& rules_;
  const Position& position_;
  const bool white_;
  std::vector<Move>& moves_;
};

bool leaves_king_attacked(const Rules& rules, const Position& position, const Move& move) {
  return in_check(rules, make_move(position, move), position.white_to_move);
}

void apply_capture_rules(const Rules& rules, std::vector<Move>& moves) {
  const auto is_capture = [](const Move& move) { return move.capture; };
  const auto is_ordinary_capture = [](const Move& move) { return move.capture && !move.en_passant; };
  if (rules.restricted_ep && std::any_of(moves.begin(), moves.end(), is_ordinary_capture)) {
    std::erase_if(moves, [](const Move& move) { return move.en_passant; });
  }
  if (facts(rules.variant).captures_compulsory && std::any_of(moves.begin(), moves.end(), is_capture)) {
    std::erase_if(moves, [](const Move& move) { return !move.capture; });
  }
}

/// Castling rights are lost when anything leaves or arrives at the home square of the king or of that rook.
void update_castling(Position& position, const Move& move) {
  constexpr std::array<int, 4> rook_homes = {7, 0, 63, 56};
  for (std::size_t right = 0; right < 4; ++right) {
    const int king_home = right < 2 ? 4 : 60;
    for (const int square : {move.from, move.to}) {
      if (square == king_home || square == rook_homes[right]) position.castling[right] = false;
    }
  }
}

}  // namespace

bool is_attacked(const Board& board, int square, bool by_white) {
  for (int from = 0; from < 64; ++from) {
    if (is_of(man_on(board, from), by_white) && attacks(board, from, square)) return true;
  }
  return false;
}

bool in_check(const Rules& rules, const Position& position, bool white) {
  if (!king_is_royal(rules, white)) return false;
  for (int square = 0; square < 64; ++square) {
    if (man_on(position.board, square) == of_side('k', white)) return is_attacked(position.board, square, !white);
  }
  return false;
}

void list_legal_moves(const Rules& rules, const Position& position, std::vector<Move>& moves) {
  moves.clear();
  if (is_over_by_men(rules, position)) return;
  Generator(rules, position, moves).all();
  if (king_is_royal(rules, position.white_to_move)) {
    std::erase_if(moves, [&](const Move& move) { return leaves_king_attacked(rules, position, move); });
  }
  apply_capture_rules(rules, moves);
}

std::vector<Move> legal_moves(const Rules& rules, const Position& position) {
  std::vector<Move> moves;
  list_legal_moves(rules, position, moves);
  std::sort(moves.begin(), moves.end(),
            [&position](const Move& a, const Move& b) { return order_key(position, a) < order_key(position, b); });
  return moves;
}

int usable_ep_square(const Rules& rules, const Position& position) {
  if (position.ep_square == kNoSquare) return kNoSquare;
  for (const Move& move : legal_moves(rules, position)) {
    if (move.en_passant) return position.ep_square;
  }
  return kNoSquare;
}

Position make_move(const Position& position, const Move& move) {
  const bool white = position.white_to_move;
  Position next = position;
  const char man = man_on(position.board, move.from);
  const bool is_pawn = lower(man) == 'p';
  put(next.board, move.from, kEmpty);
  put(next.board, move.to, move.promotion != 0 ? of_side(move.promotion, white) : man);
  if (move.en_passant) put(next.board, step_from(move.to, {0, -forward(white)}), kEmpty);
  if (move.castling) {
    const bool king_side = move.to > move.from;
    put(next.board, king_side ? move.from + 3 : move.from - 4, kEmpty);
    put(next.board, (move.from + move.to) / 2, of_side('r', white));
  }
  update_castling(next, move);
  const bool double_step = is_pawn && std::abs(rank_of(move.to) - rank_of(move.from)) == 2;
  const bool from_pawn_home = rank_of(move.from) == (white ? 1 : 6);  // not so for a horde pawn on rank 1
  next.ep_square = double_step && from_pawn_home ? (move.from + move.to) / 2 : kNoSquare;
  next.halfmove_clock = is_pawn || move.capture ? 0 : position.halfmove_clock + 1;
  next.fullmove_number += white ? 0 : 1;
  next.white_to_move = !white;
  return next;
}

std::string uci(const Move& move) {
  std::string text = square_text(move.from) + square_text(move.to);
  if (move.promotion != 0) text += move.promotion;
  return text;
}

}  // namespace hecatomb::reference
