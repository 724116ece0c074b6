// A random game from beginning to end: the order in which it is asked whether the game is over, and the draw.
#include <algorithm>

#include "host/reference/reference.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

/// Why the game is drawn at its last position, which is not decided; empty if it goes on.
std::string reason_of_draw(const Rules& rules, const DrawRules& draws, const std::vector<Position>& positions) {
  const Position& last = positions.back();
  if (draws.dead && is_dead(rules, last)) {
    return rules.variant == Variant::kHorde ? "closed-position" : "insufficient-material";
  }
  if (draws.repetitions != 0) {
    const auto is_last = [&](const Position& earlier) { return same_position(rules, earlier, last); };
    if (std::count_if(positions.begin(), positions.end(), is_last) >= draws.repetitions) {
      return draws.repetitions == 5 ? "fivefold" : "threefold";
    }
  }
  if (draws.clock_plies != 0 && last.halfmove_clock >= draws.clock_plies) {
    return draws.clock_plies == 150 ? "75-moves" : "50-moves";
  }
  return "";
}

}  // namespace

RandomGame play_random_game(const Rules& rules, const Position& start, const DrawRules& draws, std::uint64_t seed,
                            std::uint32_t game, std::uint32_t opening, std::size_t most_plies) {
  RandomGame played;
  std::vector<Position> positions{start};  // since the last capture or pawn move: others cannot come again
  for (;;) {
    const Position position = positions.back();
    const std::vector<Move> moves = legal_moves(rules, position);
    if (moves.empty()) {
      const Outcome decided = outcome(rules, position);
      played.result = decided.result;
      played.reason = decided.reason;
      return played;
    }
    if (const std::string reason = reason_of_draw(rules, draws, positions); !reason.empty()) {
      played.result = "1/2-1/2";
      played.reason = reason;
      return played;
    }
    if (played.moves.size() == most_plies) return played;
    const auto ply = static_cast<std::uint32_t>(played.moves.size());
    const std::size_t place = draw_move(seed, game, opening, ply, static_cast<std::uint32_t>(moves.size()));
    played.moves.push_back(moves[place]);
    played.move_counts.push_back(moves.size());
    played.drawn.push_back(place);
    played.had_to_capture.push_back(facts(rules.variant).captures_compulsory && moves[place].capture);
    const Position next = make_move(position, moves[place]);
    if (next.halfmove_clock == 0) positions.clear();
    positions.push_back(next);
  }
}

}  // namespace hecatomb::reference
