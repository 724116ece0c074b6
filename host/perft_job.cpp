#include "host/perft_job.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/count.h"
#include "common/movegen.h"
#include "host/notation/fen.h"

namespace hecatomb {
namespace {

constexpr int kLeastDepth = 3;  // shallower units are not cut: their leaves are counted together

/// Into how many pieces a job of so many leaves is cut, roughly.
double pieces_for(double leaves) {
  constexpr double leaves_of_unit = 8e6, least = 64, most = 2048;
  return std::clamp(leaves / leaves_of_unit, least, most);
}

/// Leaves, roughly: both sides' moves now, in turn. (In horde they differ by factors.)
template <class V>
double estimate(const PerftItem& item) {
  Position passed = item.position;
  passed.side = other(item.position.us());
  passed.ep_west = passed.ep_east = 0;
  const double moves = count_moves<V>(item.position), replies = std::max(count_moves<V>(passed), 1);
  return std::pow(moves, (item.depth_plies + 1) / 2) * std::pow(replies, item.depth_plies / 2);
}

/// Cuts from the root down. A node's share of the whole is divided among its children by their numbers of moves, so
/// shares always add up to one and at most `pieces` nodes a ply are cut, however wrong an estimate of leaves would be.
template <class V>
class Cutter {
 public:
  Cutter(const RuleOptions& options, double pieces, std::vector<PerftUnitOf>& units)
      : options_(options), least_(1.0 / pieces), units_(units) {}

  void cut(std::size_t index, const PerftRequest& request, double share) {
    const PerftUnitOf root{index, -1, {request.position, request.depth_plies}};
    if (request.divide && request.depth_plies > 0) {
      children(root, share);
    } else {
      cut(root, share);
    }
  }

 private:
  void cut(const PerftUnitOf& unit, double share) {
    if (unit.item.depth_plies <= kLeastDepth || share <= least_) {
      units_.push_back(unit);
    } else {
      children(unit, share);
    }
  }

  void children(const PerftUnitOf& unit, double share) {
    MoveList list;
    list_moves<V>(unit.item.position, list);
    std::vector<Position> made;
    std::vector<int> moves;
    for (const Move& m : list) {
      made.push_back(make<V>(unit.item.position, m, options_));
      moves.push_back(count_moves<V>(made.back()));
    }
    const int all = std::max(std::accumulate(moves.begin(), moves.end(), 0), 1);
    for (std::size_t i = 0; i < made.size(); i++) {
      cut({unit.request, unit.move < 0 ? static_cast<int>(i) : unit.move, {made[i], unit.item.depth_plies - 1}},
          share * moves[i] / all);
    }
  }

  const RuleOptions& options_;
  double least_;
  std::vector<PerftUnitOf>& units_;
};

/// Puts the units' counts together and hands out requests in order.
class Collector {
 public:
  Collector(const PerftJob& job, const std::vector<PerftUnitOf>& units)
      : job_(job),
        units_(units),
        outcomes_(job.requests.size()),
        left_(job.requests.size()),
        left_of_move_(job.requests.size()) {
    for (std::size_t r = 0; r < outcomes_.size(); r++) {
      if (job.requests[r].divide) name_moves(r);
    }
    for (const PerftUnitOf& unit : units) {
      left_[unit.request]++;
      if (std::size_t* const left = left_below(unit)) ++*left;
    }
    hand_out();
  }

  void add(std::size_t index, const PerftAnswer& unit_answer) {
    const PerftUnitOf& unit = units_[index];
    PerftOutcome& outcome = outcomes_[unit.request];
    PerftAnswer& answer = outcome.answer;
    using Status = PerftAnswer::Status;
    if (unit_answer.status != Status::done) {
      if (answer.status != Status::differs) answer = unit_answer;
    } else {
      answer.leaves += unit_answer.leaves;
      if (answer.leaves > kMaxCount) answer.status = Status::overflow;
      if (std::size_t* const left = left_below(unit)) {
        outcome.divided[static_cast<std::size_t>(unit.move)].leaves += unit_answer.leaves;
        --*left;
      }
    }
    left_[unit.request]--;
    hand_out();
  }

  bool complete() const { return next_ == outcomes_.size(); }

  /// Of a job that was stopped: hands out what is complete, and what there is of requests that are not.
  void hand_out_rest() {
    for (; next_ < outcomes_.size(); next_++) {
      if (left_[next_] == 0) {
        hand_out(next_);
      } else if (job_.on_unfinished) {
        keep_whole_moves(next_);
        job_.on_unfinished(next_, outcomes_[next_]);
      }
    }
  }

 private:
  /// How many units are missing below the move of a divided request that a unit belongs to; null for others.
  std::size_t* left_below(const PerftUnitOf& unit) {
    std::vector<std::size_t>& left = left_of_move_[unit.request];
    return unit.move >= 0 && !left.empty() ? &left[static_cast<std::size_t>(unit.move)] : nullptr;
  }

  void keep_whole_moves(std::size_t r) {
    std::vector<PerftOutcome::Below> whole;
    for (std::size_t i = 0; i < outcomes_[r].divided.size(); i++) {
      if (left_of_move_[r][i] == 0) whole.push_back(outcomes_[r].divided[i]);
    }
    outcomes_[r].divided = std::move(whole);
  }

  void name_moves(std::size_t r) {
    with_variant(job_.variant, [&](auto v) {
      MoveList list;
      list_moves<decltype(v)>(job_.requests[r].position, list);
      if (job_.requests[r].depth_plies > 0) {
        for (const Move& move : list) outcomes_[r].divided.push_back({move, 0});
      }
    });
    left_of_move_[r].resize(outcomes_[r].divided.size());
    outcomes_[r].moves = static_cast<int>(outcomes_[r].divided.size());
  }

  void hand_out() {
    for (; next_ < outcomes_.size() && left_[next_] == 0; next_++) hand_out(next_);
  }

  void hand_out(std::size_t request) {
    PerftAnswer& answer = outcomes_[request].answer;
    if (answer.status == PerftAnswer::Status::pending) answer.status = PerftAnswer::Status::done;
    if (job_.on_request) job_.on_request(request, outcomes_[request]);
    outcomes_[request] = {};
  }

  const PerftJob& job_;
  const std::vector<PerftUnitOf>& units_;
  std::vector<PerftOutcome> outcomes_;
  std::vector<std::size_t> left_;                       // units still missing of each request,
  std::vector<std::vector<std::size_t>> left_of_move_;  // and below each of its moves, if it is divided
  std::size_t next_ = 0;                                // the next request to hand out
};

PerftAnswer done(u128 leaves) {
  PerftAnswer answer;
  answer.status = PerftAnswer::Status::done;
  answer.leaves = leaves;
  return answer;
}

}  // namespace

std::vector<PerftUnitOf> cut_into_units(VariantId variant, const RuleOptions& options,
                                        std::span<const PerftRequest> requests) {
  std::vector<PerftUnitOf> units;
  with_variant(variant, [&](auto v) {
    using V = decltype(v);
    std::vector<double> leaves;
    leaves.reserve(requests.size());
    for (const PerftRequest& r : requests) leaves.push_back(estimate<V>({r.position, r.depth_plies}));
    const double whole = std::accumulate(leaves.begin(), leaves.end(), 0.0);
    Cutter<V> cutter(options, pieces_for(whole), units);
    for (std::size_t r = 0; r < requests.size(); r++) cutter.cut(r, requests[r], leaves[r] / std::max(whole, 1.0));
  });
  return units;
}

bool run_perft(const PerftJob& job, Backend& backend) {
  const std::vector<PerftUnitOf> units = cut_into_units(job.variant, job.options, job.requests);
  if (job.on_units) job.on_units(units.size());
  Collector collector(job, units);
  std::vector<PerftItem> items;
  std::vector<std::size_t> unit_of_item;
  for (std::size_t u = 0; u < units.size(); u++) {
    const auto known = job.known ? job.known(u) : std::nullopt;
    if (known) {
      collector.add(u, done(*known));
    } else {
      items.push_back(units[u].item);
      unit_of_item.push_back(u);
    }
  }
  std::vector<PerftAnswer> answers(items.size());
  PerftBatch batch{job.variant, job.options, items, {}};
  batch.on_done = [&](std::size_t item, u128 leaves) {
    if (job.on_unit) job.on_unit(unit_of_item[item], leaves);
    collector.add(unit_of_item[item], done(leaves));
  };
  backend.perft(batch, answers);
  for (std::size_t i = 0; i < answers.size(); i++) {  // what was not done was not handed to on_done either
    using Status = PerftAnswer::Status;
    if (answers[i].status == Status::overflow || answers[i].status == Status::differs) {
      answers[i].fen = fen_of(items[i].position);
      answers[i].depth_plies = items[i].depth_plies;
      collector.add(unit_of_item[i], answers[i]);
    }
  }
  const bool complete = collector.complete();
  if (!complete) collector.hand_out_rest();
  return complete;
}

}  // namespace hecatomb
