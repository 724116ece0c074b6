// Random games from many openings: cut into units, played by a backend, added up.
//
// The one idea: a unit is a range of games of one opening. Sums of units are sums of integers, so how the games are cut
// and in which order units end changes nothing; only where a width of the intervals ends the play are units taken in
// order, so that every opening stops after the same game everywhere.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/backend.h"

namespace hecatomb {

/// Games of an opening are numbered in 32 bits.
inline constexpr std::uint64_t kMostGames = 0xffff'ffff;

/// After how many games of an opening its interval is looked at.
inline constexpr std::uint64_t kGamesBetweenLooks = 1024;

/// A range of games of one opening (by its index in the job).
struct PlayoutRange {
  std::uint32_t opening = 0, first_game = 0, games = 0;
  friend auto operator<=>(const PlayoutRange&, const PlayoutRange&) = default;
};

struct PlayoutJob {
  VariantId variant = VariantId::chess;
  PlayoutRules rules = {};
  std::uint64_t seed = 1;
  bool by_ply = false;
  std::span<const Position> openings = {};
  std::span<const std::uint64_t> games = {};  ///< of each opening, at most kMostGames (less first_game)
  std::uint32_t first_opening = 0;            ///< the number of the first, for the random numbers
  std::uint32_t first_game = 0;
  /// Each opening is played until the half width of the 95 % interval of its score is at most this, looked at after
  /// multiples of kGamesBetweenLooks games; `games` is then the most.
  std::optional<double> half_width = {};

  std::function<const PlayoutTally*(const PlayoutRange&)> known = {};  ///< a unit of a checkpoint; null: to be played
  std::function<void(const PlayoutRange&, const PlayoutTally&)> on_unit = {};  ///< one that was played; one at a time
};

/// Two backends that play a game differently.
struct PlayoutDifference {
  std::uint32_t opening = 0;  ///< index in the job
  std::uint32_t game = 0;     ///< its number
  std::string note;
};

struct PlayoutResult {
  std::vector<PlayoutTally> openings;
  bool complete = true;  ///< false if it was stopped: tallies are of the units that were finished
  std::optional<PlayoutDifference> difference;
};

/// Games of the job in all, at most.
std::uint64_t most_games(const PlayoutJob& job);

/// Games of opening i of k where `games` are shared out (--split).
std::uint64_t split_games(std::uint64_t games, std::uint64_t openings, std::uint64_t opening);

/// Plays the job. Throws EnvironmentError.
PlayoutResult run_playouts(const PlayoutJob& job, Backend& backend);

}  // namespace hecatomb
