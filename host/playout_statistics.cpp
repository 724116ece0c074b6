#include "host/playout_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hecatomb {

namespace {

/// The least length that at least `percent` of all games do not pass.
std::size_t percentile(const std::vector<std::uint64_t>& lengths, std::uint64_t games, std::uint64_t percent) {
  // ceil(games * percent / 100) without a product that could wrap
  const std::uint64_t rank = games / 100 * percent + (games % 100 * percent + 99) / 100;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < lengths.size(); i++) {
    sum += lengths[i];
    if (sum >= rank) return i;
  }
  return 0;
}

}  // namespace

Interval Score::interval(double deviations) const {
  if (decided == 0) return {};
  const double half = deviations * std::sqrt(variance / static_cast<double>(decided));
  return {std::max(0.0, value - half), std::min(1.0, value + half)};
}

Interval Score::joint_interval(double deviations) const {
  if (decided == 0) return {};
  const auto n = static_cast<double>(decided);
  const double more = deviations * deviations, all = n + more;
  const double middle = (n * value + more / 2) / all;
  const double squares = n * (variance + value * value) + more / 2;
  const double half = deviations * std::sqrt(std::max(0.0, squares / all - middle * middle) / all);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Score score_of(const ResultCounts& results) {
  const auto games = [&](Result result) { return results[static_cast<std::size_t>(result)]; };
  Score score;
  score.decided = games(Result::white_wins) + games(Result::draw) + games(Result::black_wins);
  if (score.decided == 0) return score;
  const auto n = static_cast<double>(score.decided);
  const double wins = static_cast<double>(games(Result::white_wins)) / n;
  const double draws = static_cast<double>(games(Result::draw)) / n;
  score.value = wins + draws / 2;
  score.variance = std::max(0.0, wins + draws / 4 - score.value * score.value);
  return score;
}

double deviations_for(double confidence) {
  // erfc(z / sqrt 2) is the probability outside of +-z and falls with z.
  const double outside = 1 - confidence;
  double low = 0, high = 40;
  for (int i = 0; i < 200; i++) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > outside ? low : high) = middle;
  }
  return high;
}

double deviations_95() {
  static const double deviations = deviations_for(kConfidence);
  return deviations;
}

double deviations_for_all(std::size_t comparisons) {
  return deviations_for(std::pow(kConfidence, 1.0 / static_cast<double>(comparisons)));
}

LengthStatistics lengths_of(const PlayoutTally& tally) {
  LengthStatistics statistics;
  const std::uint64_t games = tally.games();
  if (games == 0) return statistics;
  statistics.mean = share(tally.plies(), games);
  double squares = 0;
  for (std::size_t i = 0; i < tally.lengths.size(); i++) {
    const double from_mean = static_cast<double>(i) - statistics.mean;
    squares += from_mean * from_mean * static_cast<double>(tally.lengths[i]);
    if (tally.lengths[i] != 0) statistics.max = i;
  }
  statistics.sd = std::sqrt(squares / static_cast<double>(games));
  statistics.p5 = percentile(tally.lengths, games, 5);
  statistics.p50 = percentile(tally.lengths, games, 50);
  statistics.p95 = percentile(tally.lengths, games, 95);
  return statistics;
}

double share(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::vector<std::uint64_t> alive_by_ply(const PlayoutTally& tally) {
  std::vector<std::uint64_t> alive(tally.lengths.empty() ? 0 : tally.lengths.size() - 1);
  std::uint64_t longer = 0;
  for (std::size_t ply = alive.size(); ply-- > 0;) alive[ply] = longer += tally.lengths[ply + 1];
  return alive;
}

std::vector<Rank> rank_all(std::span<const Score> scores) {
  std::vector<Rank> ranks(scores.size());
  if (scores.empty()) return ranks;
  const double deviations = deviations_for_all(scores.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto value = [&](std::size_t i) { return scores[i].decided != 0 ? scores[i].value : -1; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  std::vector<double> lows, highs;
  for (std::size_t i = 0; i < scores.size(); i++) {
    ranks[order[i]].rank = i + 1;
    ranks[i].interval = scores[i].joint_interval(deviations);
    lows.push_back(ranks[i].interval.low);
    highs.push_back(ranks[i].interval.high);
  }
  std::sort(lows.begin(), lows.end());
  std::sort(highs.begin(), highs.end());
  for (Rank& rank : ranks) {
    const auto above = lows.end() - std::upper_bound(lows.begin(), lows.end(), rank.interval.high);
    const auto below = std::lower_bound(highs.begin(), highs.end(), rank.interval.low) - highs.begin();
    rank.best = 1 + static_cast<std::size_t>(above);
    rank.worst = scores.size() - static_cast<std::size_t>(below);
  }
  return ranks;
}

}  // namespace hecatomb
