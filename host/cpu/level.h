// The CPU backend's inner loops, compiled once per instruction set (level.cpp) and chosen at run time (levels.cpp).
//
// The one idea: a level is a table of functions over plain memory. Only this header crosses the border between code
// built with different instruction sets, so it holds no inline function and no class of the core: a position is its 64
// bytes. One binary thus runs everywhere and as fast as the machine allows.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hecatomb {

/// An unsigned 128-bit count.
struct Count128 {
  std::uint64_t low, high;
};

/// Memory of a perft table: `buckets` (a power of two, or 0: no table) times 64 bytes, zeroed before the first use.
/// Threads share it without locks; see perft_table.h.
struct PerftTable {
  std::uint64_t* words = nullptr;
  std::uint64_t buckets = 0;
};

/// One subtree to count.
struct PerftUnit {
  const void* position;  ///< a Position, aligned to 64 bytes
  int depth_plies;       ///< >= 0
  std::uint8_t variant;  ///< VariantId
  bool restricted_ep;    ///< RuleOptions::restricted_ep
  PerftTable table;
  const bool* stop;               ///< polled; may be null
  std::uint64_t* made = nullptr;  ///< if given, gets the number of leaf parents that were made one by one, not counted
                                  ///< two plies at once (two_plies.h), added
};

enum class UnitStatus { done, stopped, overflow };  // overflow: 2^120 leaves or more

struct LevelKernel {
  const char* name;
  int lanes;  ///< positions a vector
  /// Counts the leaves below a position.
  UnitStatus (*perft)(const PerftUnit& unit, Count128* leaves);
  /// counts[i] = legal moves of positions[i]; all have the same side to move. (Tests compare every lane.)
  void (*count_each)(const void* positions, std::size_t n, std::uint8_t variant, std::uint32_t* counts);
};

/// The levels that this machine can run, best first; the last is always `scalar`.
std::size_t usable_levels(const LevelKernel** levels, std::size_t room);

/// The level of this name. Throws EnvironmentError if it is unknown or this machine does not run it; `asked_by` says
/// who named it.
const LevelKernel& level_named(const char* name, const char* asked_by);

/// The level in use: the best one, or the one that the environment variable HECATOMB_ISA names. Throws EnvironmentError
/// if that one is unknown or this machine does not run it.
const LevelKernel& level_in_use();

}  // namespace hecatomb
