// What needs more than one position: the history of a game, repetition, and counting the tree of moves.
#include <algorithm>

#include "host/reference/board.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

bool looks_like_a_move(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return false;
  if (square_from_text(text.substr(0, 2)) == kNoSquare || square_from_text(text.substr(2, 2)) == kNoSquare)
    return false;
  return text.size() == 4 || std::string_view("qrbnk").find(text[4]) != std::string_view::npos;
}

}  // namespace

bool same_position(const Rules& rules, const Position& a, const Position& b) {
  return a.board == b.board && a.white_to_move == b.white_to_move && a.castling == b.castling &&
         usable_ep_square(rules, a) == usable_ep_square(rules, b);
}

std::string Game::play(std::string_view uci_text) {
  const std::vector<Move> moves = legal_moves(rules_, position());
  if (moves.empty()) return "after-end";
  if (!looks_like_a_move(uci_text)) return "unreadable-move";
  const auto found = std::find_if(moves.begin(), moves.end(), [&](const Move& move) { return uci(move) == uci_text; });
  if (found == moves.end()) return "illegal-move";
  positions_.push_back(make_move(position(), *found));
  return "";
}

int Game::occurrences() const {
  const auto is_current = [this](const Position& earlier) { return same_position(rules_, earlier, position()); };
  return static_cast<int>(std::count_if(positions_.begin(), positions_.end(), is_current));
}

std::uint64_t perft(const Rules& rules, const Position& position, int depth) {
  if (depth == 0) return 1;
  const std::vector<Move> moves = legal_moves(rules, position);
  if (depth == 1) return moves.size();  // the same number without making the moves
  std::uint64_t nodes = 0;
  for (const Move& move : moves) nodes += perft(rules, make_move(position, move), depth - 1);
  return nodes;
}

std::vector<std::pair<Move, std::uint64_t>> divide(const Rules& rules, const Position& position, int depth) {
  std::vector<std::pair<Move, std::uint64_t>> parts;
  for (const Move& move : legal_moves(rules, position)) {
    parts.emplace_back(move, perft(rules, make_move(position, move), depth - 1));
  }
  return parts;
}

}  // namespace hecatomb::reference
