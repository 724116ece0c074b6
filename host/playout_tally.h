// What the random games from one opening add up to.
//
// The one idea: integers only, so sums are the same whatever the number of threads, the size of batches and the order
// in which games end. No game is kept; means, intervals and percentiles follow from the sums (playout_statistics.h).
//
// Invariant: vectors end with something other than zero, so equal sums are equal tallies.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/outcome.h"

namespace hecatomb {

/// Games by Result; Result::ongoing are unfinished ones.
using ResultCounts = std::array<std::uint64_t, 4>;

struct PlayoutTally {
  ResultCounts results{};
  std::array<std::uint64_t, kReasons> ends{};  ///< games by Reason
  // Summed over all plies of all games:
  std::uint64_t legal_moves = 0;
  std::uint64_t forced = 0;           ///< plies with one legal move
  std::uint64_t forced_captures = 0;  ///< plies in which a capture had to be played
  std::uint64_t promotions = 0;
  std::vector<std::uint64_t> lengths;       ///< games by plies
  std::vector<ResultCounts> first_moves;    ///< by the number of the first move
  std::vector<std::uint64_t> moves_by_ply;  ///< legal moves by ply; empty where nobody asked

  std::uint64_t games() const;
  std::uint64_t plies() const;
  std::uint64_t count(Result result) const { return results[static_cast<std::size_t>(result)]; }

  void add(const PlayoutTally& other);
  /// Drops zeros at the ends of the vectors.
  void trim();
  friend bool operator==(const PlayoutTally&, const PlayoutTally&) = default;
};

/// The first thing in which two tallies differ, with both numbers: "games of 17 plies: 3 and 4"; empty if nothing does.
std::string first_difference(const PlayoutTally& a, const PlayoutTally& b);

/// A tally as bytes (numbers of 7 bits a byte, lowest first), and back. False for bytes that are no tally.
void append_tally(std::vector<std::byte>& bytes, const PlayoutTally& tally);
bool read_tally(std::span<const std::byte> bytes, PlayoutTally& tally);

}  // namespace hecatomb
