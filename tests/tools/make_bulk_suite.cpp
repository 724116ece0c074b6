// Makes a bulk perft suite: distinct random reachable positions of a variant with their counts, by the reference alone.
//
//   make_bulk_suite VARIANT [SEED [POSITIONS]] > datasets/bulk/VARIANT.epd
//
// It needs nothing but the reference: g++ -std=c++20 -O2 -I. tests/tools/make_bulk_suite.cpp host/reference/*.cpp
// The same arguments give the same bytes on every machine. Games from the start are played with the random numbers of
// the rules (game n of the seed); of each game some positions are kept, early ones and late ones, so that openings,
// crowded middle games, endgames and finished games all occur. Depths go to 4, or to the last that stays below a limit.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/reference/reference.h"

namespace hecatomb::reference {
namespace {

constexpr std::uint32_t kMostPlies = 120, kMostPliesOfLongGames = 400;
constexpr int kMostDepth = 4;
constexpr std::uint64_t kMostNodes = 200000;  // of a value
constexpr int kPositionsOfAGame = 3;

/// Positions of one random game, from ply 2 on; the last one may be finished.
std::vector<Position> game(const Rules& rules, std::uint64_t seed, std::uint32_t number) {
  std::vector<Position> positions;
  Position position = start_position(rules.variant);
  const std::uint32_t most = number % 4 == 3 ? kMostPliesOfLongGames : kMostPlies;  // long ones for the endgames
  for (std::uint32_t ply = 0; ply < most; ply++) {
    const std::vector<Move> moves = legal_moves(rules, position);
    if (moves.empty()) break;
    position = make_move(position, moves[draw_move(seed, number, 0, ply, static_cast<std::uint32_t>(moves.size()))]);
    if (ply >= 1) positions.push_back(position);
  }
  return positions;
}

bool has_special_move(const Rules& rules, const Position& position) {
  const std::vector<Move> moves = legal_moves(rules, position);
  return std::any_of(moves.begin(), moves.end(), [](const Move& m) { return m.en_passant || m.castling; });
}

std::string without_counters(const std::string& fen) {
  const std::size_t fullmove = fen.rfind(' ');
  return fen.substr(0, fen.rfind(' ', fullmove - 1));
}

/// The counts to depth 4; fewer where the next one would be too large. The estimate is the growth so far.
std::vector<std::uint64_t> counts(const Rules& rules, const Position& position) {
  std::vector<std::uint64_t> values;
  std::uint64_t before = 1;
  for (int depth = 1; depth <= kMostDepth; depth++) {
    const std::uint64_t nodes = perft(rules, position, depth);
    if (nodes > kMostNodes) break;
    values.push_back(nodes);
    if (nodes == 0 || nodes * (nodes / before + 1) > 2 * kMostNodes) break;
    before = nodes;
  }
  return values;
}

int run(const std::string& name, std::uint64_t seed, std::size_t wanted) {
  const Rules rules{variant_from_name(name)};
  std::cout << "# variant: " << name << "\n# source: computed by host/reference; made by tests/tools/make_bulk_suite "
            << name << ' ' << seed << ' ' << wanted << "\n# Distinct positions of random games (seed " << seed
            << ", opening 0, plies 2 to " << kMostPlies << ", of every fourth game to " << kMostPliesOfLongGames
            << "), up to depth " << kMostDepth << " or " << kMostNodes << " nodes.\n";
  std::set<std::string> seen;
  for (std::uint32_t number = 0; seen.size() < wanted; number++) {
    const std::vector<Position> positions = game(rules, seed, number);
    for (int i = 0; i < kPositionsOfAGame && !positions.empty() && seen.size() < wanted; i++) {
      const auto size = static_cast<std::uint32_t>(positions.size());
      std::size_t at = draw_move(seed, number, 1, static_cast<std::uint32_t>(i), size);
      // The second is the next one after it in which en passant or castling is possible, if there is one.
      if (i == 1) {
        for (std::size_t j = at; j < size; j++) {
          if (!has_special_move(rules, positions[j])) continue;
          at = j;
          break;
        }
      }
      if (legal_moves(rules, positions[at]).empty() && number % 8 != 0) continue;  // not too many finished games
      const std::string fen = write_fen(rules, positions[at]);
      if (!seen.insert(without_counters(fen)).second) continue;
      std::cout << fen;
      int depth = 0;
      for (const std::uint64_t nodes : counts(rules, positions[at])) std::cout << " ;D" << ++depth << ' ' << nodes;
      std::cout << '\n';
    }
  }
  return 0;
}

}  // namespace
}  // namespace hecatomb::reference

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::cerr << "usage: make_bulk_suite VARIANT [SEED [POSITIONS]]\n";
    return 2;
  }
  try {
    const std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
    const std::size_t positions = argc > 3 ? std::stoull(argv[3]) : 2000;
    return hecatomb::reference::run(argv[1], seed, positions);
  } catch (const std::exception& error) {
    std::cerr << "make_bulk_suite: " << error.what() << '\n';
    return 2;
  }
}
