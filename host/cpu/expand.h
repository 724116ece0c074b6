// The proof search's inner loop: the children of a position, with their numbers of moves, built once per level.
//
// As level.h: it crosses the border between code built with different instruction sets, so it holds plain memory only.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hecatomb {

/// Who moves by which rules in a proof search.
struct ExpandRules {
  std::uint8_t variant;  ///< VariantId, not chess
  bool restricted_ep;    ///< RuleOptions
  bool stalemated_wins;
  bool without_keys = false;  ///< nobody reads ExpandedChild::key
  /// A table that will be asked for the children: of this many lines of 64 bytes, the one whose number is the high half
  /// of lines * key[0] is fetched while the children are counted. 0: there is none.
  std::uint64_t table_lines = 0;
  const void* table = nullptr;
};

/// A child of a position: what is reached by one move and the single replies after it (a position with just one legal
/// move is played through, up to kMostReplies of them).
struct alignas(64) ExpandedChild {
  std::uint64_t position[8];  ///< a Position
  std::uint64_t key[2];       ///< its zobrist_of
  std::uint16_t move;         ///< the first move: from, to << 6, promotion (Kind) << 12
  std::uint16_t moves;        ///< legal moves of the position; 0: the game is over there
  std::uint8_t result;        ///< then Result; else 0
  std::uint8_t plies;         ///< from the parent, 1 + single replies
  bool irreversible;          ///< one of the moves was a capture or a pawn's
  bool quiet;                 ///< no legal move of the position is a capture
  std::int8_t white_ahead;    ///< men that White has more than Black
};
inline constexpr int kMostReplies = 32;

/// Writes the child of every legal move and returns their number. Their order is the same on every level: that of the
/// rules, but promotions and en passant before the other moves of their set. Of the parent, position and key are read;
/// `children` has room for kMaxMoves (common/move.h). The counters of Positions are not read, and those written are not
/// to be.
using ExpandFunction = std::size_t (*)(const ExpandedChild& parent, const ExpandRules& rules, ExpandedChild* children);

/// That of the level in use (level_in_use, and its errors).
ExpandFunction expand_in_use();

/// That of the level of this name, which must be one that this machine runs; for tests of every level.
ExpandFunction expand_of_level(const char* name);

}  // namespace hecatomb
