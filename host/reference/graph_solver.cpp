#include "host/reference/graph_solver.h"

#include "host/reference/board.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

/// The value of a finished game from the side to move.
int value_of_end(const Outcome& outcome, const Position& position) {
  if (outcome.result == "1/2-1/2") return 0;
  return (outcome.result == "1-0") == position.white_to_move ? 1 : -1;
}

/// 0 empty, 1-6 P N B R Q K, 7-12 the same of Black.
int code_of(char man) {
  const int black = is_black(man) ? 6 : 0;
  switch (lower(man)) {
    case 'p':
      return 1 + black;
    case 'n':
      return 2 + black;
    case 'b':
      return 3 + black;
    case 'r':
      return 4 + black;
    case 'q':
      return 5 + black;
    case 'k':
      return 6 + black;
    default:
      return 0;
  }
}

}  // namespace

std::string packed(const Rules& rules, const Position& position) {
  std::string bytes;
  bytes.reserve(34);
  for (int square = 0; square < 64; square += 2) {
    bytes +=
        static_cast<char>(code_of(man_on(position.board, square)) | code_of(man_on(position.board, square + 1)) << 4);
  }
  int state = position.white_to_move ? 0 : 1;
  for (std::size_t right = 0; right < 4; ++right) state |= position.castling[right] ? 2 << right : 0;
  bytes += static_cast<char>(state);
  const int en_passant = usable_ep_square(rules, position);
  bytes += static_cast<char>(en_passant == kNoSquare ? 64 : en_passant);
  return bytes;
}

std::uint32_t GraphSolver::index_of(const Position& position, std::vector<std::pair<Position, std::uint32_t>>& found) {
  const auto [entry, is_new] = index_.try_emplace(packed(rules_, position), static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) {
    nodes_.emplace_back();
    found.emplace_back(position, entry->second);
  }
  return entry->second;
}

/// From solved positions backwards: who can move to a lost one wins; who can only move to won ones loses.
void GraphSolver::settle(std::vector<std::uint32_t>& solved) {
  while (!solved.empty()) {
    const std::uint32_t index = solved.back();
    solved.pop_back();
    const int value = nodes_[index].value;
    for (const std::uint32_t before : nodes_[index].predecessors) {
      Node& node = nodes_[before];
      if (node.is_solved) continue;
      if (value == 1) node.open_moves--;
      if (value == -1 || (value == 1 && node.open_moves == 0)) {
        node.value = value == -1 ? 1 : -1;
        node.is_solved = true;
        solved.push_back(before);
      }
    }
  }
}

std::optional<int> GraphSolver::value(const Position& position) {
  std::vector<std::pair<Position, std::uint32_t>> open;
  const std::size_t known = nodes_.size();
  const std::uint32_t root = index_of(position, open);
  std::vector<std::uint32_t> solved;
  while (!open.empty()) {
    if (nodes_.size() - known > most_positions_) {
      nodes_.clear();  // what was half looked at is of no use, nor what refers to it
      index_.clear();
      return std::nullopt;
    }
    const auto [current, index] = open.back();
    open.pop_back();
    const std::vector<Move> moves = legal_moves(rules_, current);
    if (moves.empty()) {
      nodes_[index].value = value_of_end(reference::outcome(rules_, current), current);
      nodes_[index].is_solved = true;
      if (nodes_[index].value != 0) solved.push_back(index);
      continue;
    }
    nodes_[index].open_moves = static_cast<std::uint32_t>(moves.size());
    for (const Move& move : moves) {
      const std::uint32_t next = index_of(make_move(current, move), open);
      nodes_[next].predecessors.push_back(index);
      // What an earlier search has settled tells its new predecessors now.
      if (next < known && nodes_[next].value != 0) solved.push_back(next);
    }
  }
  settle(solved);
  for (std::size_t i = known; i < nodes_.size(); ++i) nodes_[i].is_solved = true;  // the rest are draws
  return nodes_[root].value;
}

}  // namespace hecatomb::reference
