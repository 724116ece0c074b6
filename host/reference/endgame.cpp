#include "host/reference/endgame.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "host/reference/board.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

constexpr std::int16_t kUnknown = -1;
constexpr std::int8_t kNoArrangement = 2;  // an outcome that is none

std::string men_on(const Board& board) {
  std::string men;
  for (const char man : board) {
    if (man != kEmpty) men += man;
  }
  std::sort(men.begin(), men.end());
  return men;
}

/// The number of an arrangement: its men in the order of the letters, like ones from a1 on.
std::size_t number_of(const Position& position, const std::string& men) {
  std::size_t number = position.white_to_move ? 0 : 1;
  std::size_t from = 0;
  char before = 0;
  for (const char man : men) {
    if (man != before) from = 0;
    while (position.board[from] != man) ++from;
    number = 64 * number + from++;
    before = man;
  }
  return number;
}

/// The arrangement of a number, or nothing: two men on a square, like men not from a1 on, pawns on a last rank.
std::optional<Position> arrangement(std::size_t number, const std::string& men) {
  Position position;
  position.board.fill(kEmpty);
  std::size_t behind = 64;
  for (std::size_t i = men.size(); i-- > 0; number /= 64) {
    const std::size_t square = number % 64;
    const bool like = i + 1 < men.size() && men[i] == men[i + 1];
    if (position.board[square] != kEmpty || (like && square > behind)) return std::nullopt;
    if (lower(men[i]) == 'p' && (square < 8 || square >= 56)) return std::nullopt;
    position.board[square] = men[i];
    behind = square;
  }
  position.white_to_move = number == 0;
  return position;
}

/// The value of a move that leads to a position of value `after`.
EndgameValue before_move(EndgameValue after) {
  return after.outcome == 0 ? EndgameValue{} : EndgameValue{-after.outcome, after.plies + 1};
}

/// Whether a is better than b for the side to move.
bool is_better(EndgameValue a, EndgameValue b) {
  if (a.outcome != b.outcome) return a.outcome > b.outcome;
  return a.outcome > 0 ? a.plies < b.plies : a.outcome < 0 && a.plies > b.plies;
}

EndgameValue value_of_end(const Rules& rules, const Position& position) {
  const std::string result = outcome(rules, position).result;
  if (result == "1/2-1/2") return {};
  return {(result == "1-0") == position.white_to_move ? 1 : -1, 0};
}

}  // namespace

/// Where the moves of every arrangement lead.
struct Endgames::Graph {
  std::vector<std::size_t> first;  ///< by arrangement: where its moves inside the material begin in `next`
  std::vector<std::size_t> next;   ///< arrangements
  std::vector<std::optional<EndgameValue>> known;  ///< by arrangement: the best of its other moves
};

EndgameValue Endgames::value(const Position& position) {
  if (legal_moves(rules_, position).empty()) return value_of_end(rules_, position);
  if (usable_ep_square(rules_, position) != kNoSquare) {
    std::optional<EndgameValue> best;
    for (const Move& move : legal_moves(rules_, position)) {
      const EndgameValue after = before_move(value(make_move(position, move)));
      if (!best || is_better(after, *best)) best = after;
    }
    return *best;
  }
  const std::string men = men_on(position.board);
  if (men.size() > kMostMen) throw std::invalid_argument("too many men for the reference: " + men);
  const Solved& endgame = solved(men);
  const std::size_t number = number_of(position, men);
  return {endgame.outcome[number], endgame.plies[number]};
}

/// A move of the arrangement that is being written down: inside the material it is for later, else its value is known.
void Endgames::note_move(const Solved& endgame, Graph& graph, const Position& after) {
  const bool inside = men_on(after.board) == endgame.men && usable_ep_square(rules_, after) == kNoSquare;
  if (inside) {
    graph.next.push_back(number_of(after, endgame.men));
    return;
  }
  const EndgameValue worth = before_move(value(after));
  std::optional<EndgameValue>& best = graph.known.back();
  if (!best || is_better(worth, *best)) best = worth;
}

void Endgames::write_down_moves(Solved& endgame, Graph& graph) {
  for (std::size_t number = 0; number < endgame.outcome.size(); ++number) {
    graph.first.push_back(graph.next.size());
    graph.known.emplace_back();
    const std::optional<Position> position = arrangement(number, endgame.men);
    if (!position) {
      endgame.outcome[number] = kNoArrangement;
      continue;
    }
    const std::vector<Move> moves = legal_moves(rules_, *position);
    if (moves.empty()) {
      const EndgameValue end = value_of_end(rules_, *position);
      endgame.outcome[number] = static_cast<std::int8_t>(end.outcome);
      endgame.plies[number] = static_cast<std::int16_t>(end.plies);
    }
    for (const Move& move : moves) note_move(endgame, graph, make_move(*position, move));
  }
  graph.first.push_back(graph.next.size());
}

const Endgames::Solved& Endgames::solved(const std::string& men) {
  const auto found = solved_.find(men);
  if (found != solved_.end()) return found->second;
  Solved endgame{men, {}, {}};
  std::size_t size = 2;
  for (std::size_t i = 0; i < men.size(); ++i) size *= 64;
  endgame.outcome.assign(size, 0);
  endgame.plies.assign(size, kUnknown);
  Graph graph;
  write_down_moves(endgame, graph);

  // The value that follows from the moves' values so far, if it is a win in d or a loss in d.
  const auto settles = [&](std::size_t number, int d) -> std::optional<int> {
    bool all_lose = true;
    const auto look_at = [&](EndgameValue worth) {
      if (worth.outcome > 0 && worth.plies == d) return true;
      all_lose = all_lose && worth.outcome < 0 && worth.plies <= d;
      return false;
    };
    if (graph.known[number] && look_at(*graph.known[number])) return 1;
    for (std::size_t i = graph.first[number]; i < graph.first[number + 1]; ++i) {
      const std::size_t next = graph.next[i];
      const bool is_solved = endgame.plies[next] != kUnknown && endgame.plies[next] < d && endgame.outcome[next] != 0;
      if (look_at(is_solved ? before_move({endgame.outcome[next], endgame.plies[next]}) : EndgameValue{})) return 1;
    }
    return all_lose ? std::optional(-1) : std::nullopt;
  };

  int deepest_known = 0;
  for (const auto& known : graph.known) {
    if (known && known->outcome != 0) deepest_known = std::max(deepest_known, known->plies);
  }
  int last = 0;  // the last d that settled anything
  for (int d = 0; d <= std::max(deepest_known, last + 1); ++d) {
    for (std::size_t number = 0; number < size; ++number) {
      if (endgame.outcome[number] == kNoArrangement || endgame.plies[number] != kUnknown) continue;
      const std::optional<int> outcome = settles(number, d);
      if (!outcome) continue;
      endgame.outcome[number] = static_cast<std::int8_t>(*outcome);
      endgame.plies[number] = static_cast<std::int16_t>(d);
      last = d;
    }
  }
  for (std::int16_t& plies : endgame.plies) plies = std::max(plies, std::int16_t{0});
  return solved_.emplace(men, std::move(endgame)).first->second;
}

}  // namespace hecatomb::reference
