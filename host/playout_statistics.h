// What tallies of random games say, and how sure that is.
//
// The one idea: a score of random games is an estimate, so it never stands without its interval; and where many
// openings are compared, their intervals are widened until all of them hold together with 95 %, so that the best of
// eight hundred by chance is not taken for good.
//
// Methods: the interval of a score is the normal one from the variance of the outcomes 1, 1/2, 0 (divided by n). Of k
// openings, whose games are independent, each interval is taken at 0.95^(1/k) (Sidak 1967), which makes 0.95 for all
// at once; and as the normal one is far too narrow where games are few (five games that end alike would have no width,
// and of eight hundred openings some do), it is taken with z^2 games more, half of them won and half lost (Agresti and
// Coull 1998), z being the number of deviations. With many games that makes no difference. An opening's possible ranks
// follow from those intervals: it is behind those that lie wholly above it and before those wholly below it (Klein,
// Wright, Wieczorek, "A joint confidence region for an overall ranking of populations", 2020); so the ranks, too, hold
// together with 95 %.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/playout_tally.h"

namespace hecatomb {

inline constexpr double kConfidence = 0.95;

struct Interval {
  double low = 0, high = 1;
  double half_width() const { return (high - low) / 2; }
};

/// White's score: (white + draws / 2) / decided games.
struct Score {
  std::uint64_t decided = 0;  ///< games that are not unfinished
  double value = 0;           ///< of no meaning if decided is 0
  double variance = 0;        ///< of the outcome of one game
  /// At a confidence given as standard deviations, cut to [0, 1]; [0, 1] if nothing is decided.
  Interval interval(double deviations) const;
  /// The same for one of many that are to hold together: also where games are few.
  Interval joint_interval(double deviations) const;
};
Score score_of(const ResultCounts& results);

/// How many standard deviations around the mean of a normal distribution hold the probability `confidence`.
double deviations_for(double confidence);
/// The same for 95 %, and for 95 % of `comparisons` > 0 intervals together.
double deviations_95();
double deviations_for_all(std::size_t comparisons);

/// The lengths of games in plies. Percentiles by nearest rank; `sd` over all games, not a sample of them.
struct LengthStatistics {
  double mean = 0, sd = 0;
  std::size_t p5 = 0, p50 = 0, p95 = 0, max = 0;
};
LengthStatistics lengths_of(const PlayoutTally& tally);

/// numerator / denominator, 0 where there is none.
double share(std::uint64_t numerator, std::uint64_t denominator);

/// Games that play a ply, by ply from 0 (so as many as the longest game has).
std::vector<std::uint64_t> alive_by_ply(const PlayoutTally& tally);

/// The place of an opening among all of a book by White's score.
struct Rank {
  std::size_t rank = 0;             ///< from 1, by score; equal scores in the order of the book
  std::size_t best = 0, worst = 0;  ///< possible ones, for all openings together with 95 %
  Interval interval;                ///< of the score, for all openings together with 95 %
};
std::vector<Rank> rank_all(std::span<const Score> scores);

}  // namespace hecatomb
