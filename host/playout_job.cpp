#include "host/playout_job.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/playout_statistics.h"

namespace hecatomb {

namespace {

constexpr std::uint64_t kMostUnits = 65536;  // of a job, where it cannot be 1024 games each
constexpr std::uint64_t kUnitsAhead = 64;    // of one opening, before its interval is looked at again

class Player {
 public:
  Player(const PlayoutJob& job, Backend& backend)
      : job_(job),
        backend_(backend),
        units_at_once_(backend.playout_items_at_once(most_games(job))),
        narrow_(job.half_width.value_or(0)) {
    result_.openings.resize(job.openings.size());
  }

  PlayoutResult play() {
    if (job_.half_width) {
      play_until_narrow();
    } else {
      play_all();
    }
    return std::move(result_);
  }

 private:
  bool goes_on() const { return result_.complete && !result_.difference; }

  /// Every opening's games, opening by opening; units are added as they come.
  void play_all() {
    const std::uint64_t unit_games = kGamesBetweenLooks * (1 + most_games(job_) / (kGamesBetweenLooks * kMostUnits));
    std::vector<PlayoutRange> ranges;
    for (std::uint32_t opening = 0; opening < job_.openings.size(); opening++) {
      for (std::uint64_t begun = 0; begun < job_.games[opening]; begun += unit_games) {
        if (!goes_on()) return;
        ranges.push_back(range(opening, begun, std::min(unit_games, job_.games[opening] - begun)));
        if (ranges.size() == units_at_once_) add_all(ranges);
      }
    }
    if (goes_on()) add_all(ranges);
  }

  void add_all(std::vector<PlayoutRange>& ranges) {
    const std::vector<PlayoutAnswer> answers = answer(ranges);
    for (std::size_t i = 0; i < ranges.size(); i++) {
      if (answers[i].status == PlayoutAnswer::Status::done) result_.openings[ranges[i].opening].add(answers[i].tally);
    }
    ranges.clear();
  }

  /// All openings in turn, some units each, until all are narrow.
  void play_until_narrow() {
    std::vector<std::uint32_t> open(job_.openings.size());
    std::iota(open.begin(), open.end(), 0U);
    while (!open.empty() && goes_on()) {
      std::vector<std::uint32_t> still_open;
      for (std::size_t begin = 0; begin < open.size() && goes_on();) {
        std::vector<PlayoutRange> ranges;
        for (; begin < open.size() && ranges.size() < units_at_once_; begin++) plan(open[begin], ranges);
        add_in_order(ranges, still_open);
      }
      open = std::move(still_open);
    }
  }

  /// The next units of an opening: as many as it will surely need, at least one, where it has games left.
  void plan(std::uint32_t opening, std::vector<PlayoutRange>& ranges) const {
    const std::uint64_t begun = result_.openings[opening].games(), most = job_.games[opening];
    std::uint64_t units = 1;
    const double half = half_width(opening);
    if (begun != 0 && half > 0) {
      const double ratio = half / narrow_, needed = static_cast<double>(begun) * ratio * ratio;
      const double more = 0.9 * (needed - static_cast<double>(begun)) / static_cast<double>(kGamesBetweenLooks);
      units = static_cast<std::uint64_t>(std::clamp(more, 1.0, static_cast<double>(kUnitsAhead)));
    }
    for (std::uint64_t at = begun; units > 0 && at < most; units--, at += kGamesBetweenLooks) {
      ranges.push_back(range(opening, at, std::min(kGamesBetweenLooks, most - at)));
    }
  }

  double half_width(std::uint32_t opening) const {
    return score_of(result_.openings[opening].results).interval(deviations_95()).half_width();
  }

  /// Adds units game by game in order, up to where their opening is narrow enough; what was played beyond is dropped.
  void add_in_order(const std::vector<PlayoutRange>& ranges, std::vector<std::uint32_t>& still_open) {
    const std::vector<PlayoutAnswer> answers = answer(ranges);
    for (std::size_t i = 0; i < ranges.size();) {
      const std::uint32_t opening = ranges[i].opening;
      PlayoutTally& tally = result_.openings[opening];
      bool closed = false, lacks_one = false;
      for (; i < ranges.size() && ranges[i].opening == opening; i++) {
        lacks_one = lacks_one || answers[i].status != PlayoutAnswer::Status::done;
        if (closed || lacks_one) continue;
        tally.add(answers[i].tally);
        const bool narrow = tally.games() % kGamesBetweenLooks == 0 && half_width(opening) <= narrow_;
        closed = narrow || tally.games() == job_.games[opening];
      }
      if (!closed) still_open.push_back(opening);
    }
  }

  PlayoutRange range(std::uint32_t opening, std::uint64_t begun, std::uint64_t games) const {
    return {opening, static_cast<std::uint32_t>(job_.first_game + begun), static_cast<std::uint32_t>(games)};
  }

  /// The tallies of some units: known ones, and the others by the backend.
  std::vector<PlayoutAnswer> answer(const std::vector<PlayoutRange>& ranges) {
    std::vector<PlayoutAnswer> all(ranges.size());
    std::vector<PlayoutItem> items;
    std::vector<std::size_t> range_of_item;
    for (std::size_t i = 0; i < ranges.size(); i++) {
      const PlayoutRange& r = ranges[i];
      const PlayoutTally* const known = job_.known ? job_.known(r) : nullptr;
      if (known != nullptr) {
        all[i].status = PlayoutAnswer::Status::done;
        all[i].tally = *known;
      } else {
        items.push_back({job_.openings[r.opening], job_.first_opening + r.opening, r.first_game, r.games});
        range_of_item.push_back(i);
      }
    }
    std::vector<PlayoutAnswer> answers(items.size());
    PlayoutBatch batch{job_.variant, job_.rules, job_.seed, job_.by_ply, items, {}};
    if (job_.on_unit) {
      batch.on_done = [&](std::size_t item, const PlayoutTally& tally) {
        job_.on_unit(ranges[range_of_item[item]], tally);
      };
    }
    backend_.playout(batch, answers);
    for (std::size_t item = 0; item < items.size(); item++) {
      PlayoutAnswer& answer = answers[item];
      if (answer.status == PlayoutAnswer::Status::pending) result_.complete = false;
      if (answer.status == PlayoutAnswer::Status::differs && !result_.difference)
        result_.difference = {ranges[range_of_item[item]].opening, answer.game, answer.note};
      all[range_of_item[item]] = std::move(answer);
    }
    return all;
  }

  const PlayoutJob& job_;
  Backend& backend_;
  const std::size_t units_at_once_;  // given to the backend
  const double narrow_;              // half_width, if there is one
  PlayoutResult result_;
};

}  // namespace

std::uint64_t most_games(const PlayoutJob& job) {
  return std::accumulate(job.games.begin(), job.games.end(), std::uint64_t{0});
}

std::uint64_t split_games(std::uint64_t games, std::uint64_t openings, std::uint64_t opening) {
  return games / openings + (opening < games % openings ? 1 : 0);
}

PlayoutResult run_playouts(const PlayoutJob& job, Backend& backend) { return Player(job, backend).play(); }

}  // namespace hecatomb
