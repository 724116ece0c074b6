// Endgames of up to three men, solved by looking at every position again and again.
//
// The idea: write down for every arrangement of the men which arrangements its moves lead to; then, for d = 0, 1, 2, …,
// everything is won in d that has a move to a loss in d - 1, and lost in d if all moves lead to wins and the slowest of
// them takes d - 1. No symmetry, no set of positions, no order of men: 64 to the power of the men, twice.
//
// An arrangement after a double step that allows an en passant capture is worth its best move; all its moves are
// captures (antichess and suicide), so nothing but smaller endgames is needed for that.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/reference/reference.h"

namespace hecatomb::reference {

/// The value of a position for the side to move: won (1), drawn (0) or lost (-1), in so many plies.
struct EndgameValue {
  int outcome = 0;
  int plies = 0;
  bool operator==(const EndgameValue&) const = default;
};

/// Antichess and suicide. Draws by repetition, the clock and dead positions are not looked at: what nobody can win is a
/// draw.
class Endgames {
 public:
  static constexpr int kMostMen = 3;

  explicit Endgames(const Rules& rules) : rules_(rules) {}

  /// The value of a position of at most kMostMen men (std::invalid_argument for more). Solves its material, and what it
  /// can become, when it is first asked for.
  EndgameValue value(const Position& position);

 private:
  /// All arrangements of some men: two to the side to move times 64 a man. `plies` -1: no arrangement, or not solved.
  struct Solved {
    std::string men;
    std::vector<std::int8_t> outcome;
    std::vector<std::int16_t> plies;
  };
  struct Graph;

  const Solved& solved(const std::string& men);
  void write_down_moves(Solved& endgame, Graph& graph);
  void note_move(const Solved& endgame, Graph& graph, const Position& after);

  Rules rules_;
  std::map<std::string, Solved> solved_;
};

}  // namespace hecatomb::reference
