// The figures that every form of a playout report shows (text, JSON, CSV, HTML): made once, so that no two forms
// differ.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host/cli/playout.h"
#include "host/playout_statistics.h"

namespace hecatomb {

/// A first move with its games.
struct FirstMove {
  std::string uci, san;
  ResultCounts results{};
};

/// All legal first moves of an opening, in the order of the rules.
std::vector<FirstMove> first_moves_of(const PlayoutReport& report, std::size_t opening);

/// The interval of a first move's score (ci95_of_all) that holds together with those of all others with 95 %.
Interval interval_of_all(const FirstMove& move, const std::vector<FirstMove>& moves);

std::uint64_t games_of(const ResultCounts& results);
inline std::uint64_t count_of(const ResultCounts& results, Result result) {
  return results[static_cast<std::size_t>(result)];
}

/// White's score of every opening.
std::vector<Score> scores_of(const PlayoutReport& report);
/// All openings as one.
PlayoutTally sum_of(const PlayoutReport& report);

/// "of 829 openings" has more than one.
inline bool is_book(const PlayoutReport& report) { return report.book.openings.size() > 1; }

/// How many games ended for a reason.
struct EndCount {
  std::string reason;
  std::uint64_t games;
};
/// Only reasons that there were, in the order of the rules.
std::vector<EndCount> ends_of(const PlayoutTally& tally);

/// A share in percent: "49.28 %".
std::string percent(double value, int digits = 2);
std::string fixed(double value, int digits);

/// "antichess, clock 75, repetition 5, dead on, at most 10000 plies, seed 1"
std::string rules_text(const PlayoutReport& report);
/// What an opening is called, or else its FEN.
std::string name_of(const PlayoutReport& report, std::size_t opening);

}  // namespace hecatomb
