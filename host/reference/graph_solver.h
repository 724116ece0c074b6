// The value of a position with few men, from nothing but the rules: all positions that can be reached from it, and then
// backwards from those in which the game is over. Slow, and needs no table; what tables say is checked against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/reference/reference.h"

namespace hecatomb::reference {

/// A position as 34 bytes, counters apart: what proof files name positions by. The squares, two a byte, a1 in the low
/// half of the first (0 empty, 1-6 P N B R Q K, 7-12 those of Black); the side to move, 1 for Black, and the castling
/// rights K Q k q as 2 4 8 16; the en passant square where such a capture is legal, else 64.
std::string packed(const Rules& rules, const Position& position);

/// Solves positions and remembers all that it has met. Values are from the side to move: 1 it wins, -1 it loses, 0
/// neither can force it.
class GraphSolver {
 public:
  /// Gives up on a position from which more new ones than `most_positions` can be reached (some 300 bytes each), and
  /// forgets everything then.
  explicit GraphSolver(const Rules& rules, std::size_t most_positions = 20'000'000)
      : rules_(rules), most_positions_(most_positions) {}

  /// Nothing if there are too many positions.
  std::optional<int> value(const Position& position);

 private:
  struct Node {
    int value = 0;
    bool is_solved = false;
    std::uint32_t open_moves = 0;             // moves that are not known to lose
    std::vector<std::uint32_t> predecessors;  // within the same search
  };
  std::uint32_t index_of(const Position& position, std::vector<std::pair<Position, std::uint32_t>>& found);
  void settle(std::vector<std::uint32_t>& solved);

  Rules rules_;
  std::size_t most_positions_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace hecatomb::reference
