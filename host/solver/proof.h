// A proof: for every position in which the prover is to move, what he plays, so that every line ends in his win.
//
// The one idea: a proof is a set of positions, each with a move and a rank, the plies to the end at most. Ranks fall
// along every line, so there is no loop; positions reached in several ways stand in it once. Positions of the opponent
// need no entry: they are where an entry's move leads, and all their replies must lead to entries.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/move.h"
#include "host/solver/problem.h"
#include "host/solver/search.h"
#include "host/solver/spill.h"

namespace hecatomb {

/// A move as proofs and tables store it: from, to << 6, promotion (Kind) << 12.
constexpr std::uint16_t packed_move(Move m) {
  return static_cast<std::uint16_t>(m.from | m.to << 6 | static_cast<int>(m.promotion) << 12);
}
/// In place of a move: the position is won by an endgame table, and so a leaf.
inline constexpr std::uint16_t kTableLeaf = 0xffff;

struct ProofEntry {
  std::uint64_t name;  ///< position_name
  std::uint16_t move;  ///< packed_move or kTableLeaf
  std::uint16_t rank;  ///< plies to the end at most; 0 for a leaf
};

struct Proof {
  std::vector<ProofEntry> entries;  ///< sorted by name
  std::uint64_t positions = 0;      ///< different ones of both sides in which the game is not over
  std::uint64_t leaves = 0;         ///< entries that are kTableLeaf
  std::set<std::string> tables;     ///< names of those that the leaves rest on
  std::uint32_t depth_plies = 0;    ///< of the longest line
  std::uint8_t salt = 0;            ///< of the names
  std::vector<Move> line;           ///< the longest line, or one of them
};

/// The name of a position in a proof file: FNV-1a (64 bits) over the salt and 34 bytes: the squares, two a byte, a1 in
/// the low half of the first (0 empty, 1-6 P N B R Q K, 7-12 the same of Black); side to move, 1 for Black, plus 2 4 8
/// 16 for the castling rights K Q k q; the square behind a pawn that can legally be taken en passant, or 64.
std::uint64_t position_name(const Position& p, std::uint8_t salt);

struct ProofExtraction {
  Proof proof;
  std::string fault;          ///< why there is none; empty if there is
  bool is_too_large = false;  ///< that is why
};

/// Collects the proof of a position that the search has proved, by walking it from the root; nodes that are not in the
/// table are looked for in the spill and searched again. `most_positions` bounds the memory (some 120 bytes each).
ProofExtraction extract_proof(const ProofProblem& problem, NodeTable& table, Spill& spill, ProofSearch& search,
                              MiniSearch& mini, std::uint64_t most_positions);

}  // namespace hecatomb
