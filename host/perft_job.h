// Perft as a job: many requests (a position, a depth) become units of like size, a backend counts them, and the counts
// are added up again.
//
// The one idea: one huge position and ten thousand small ones are the same job once they are cut into subtrees none of
// which is more than a small share of the whole. So every backend sees a flat batch, all cores stay busy to the end,
// and a unit is what a checkpoint remembers.
//
// Invariants: the units depend on the requests alone (not on threads or backend), so that a checkpoint fits later; a
// request's answer comes out as soon as its last unit is in, in the order of the requests.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/move.h"
#include "host/backend.h"

namespace hecatomb {

struct PerftRequest {
  Position position;
  int depth_plies;
  bool divide = false;  ///< also say how much is below each move
};

struct PerftOutcome {
  PerftAnswer answer;
  struct Below {
    Move move;
    u128 leaves;
  };
  std::vector<Below> divided;  ///< in the order of the moves; only if asked for
  int moves = 0;               ///< at the position; only if `divided` was asked for
};

/// A subtree: part of request `request`, below its move number `move`.
struct PerftUnitOf {
  std::size_t request;
  int move;
  PerftItem item;
};

/// Cuts requests into units, in depth-first order. Units deeper than 3 plies are cut while their share of the whole is
/// more than 1/64, of large jobs (some 10^10 leaves) 1/2048: cutting is done by one thread, and counts less well in
/// small units. Shares are estimated by moves to the power of depth, and handed down by numbers of moves.
std::vector<PerftUnitOf> cut_into_units(VariantId variant, const RuleOptions& options,
                                        std::span<const PerftRequest> requests);

struct PerftJob {
  VariantId variant = VariantId::chess;
  RuleOptions options = {};
  std::span<const PerftRequest> requests = {};

  /// What is known of a unit from a checkpoint; may be empty.
  std::function<std::optional<u128>(std::size_t unit)> known = {};
  /// Called when the units are cut: how many there are. May be empty.
  std::function<void(std::size_t units)> on_units = {};
  /// Called for each unit that is newly counted, one at a time. May be empty.
  std::function<void(std::size_t unit, u128 leaves)> on_unit = {};
  /// Called for each request in order when its answer is complete. A stopped job calls it for those that are, at its
  /// end, past those that are not.
  std::function<void(std::size_t request, const PerftOutcome&)> on_request = {};
  /// Called at the end of a stopped job for each request that is not complete: its status is `pending`, its leaves are
  /// those of the units that are finished, and `divided` holds the moves whose count is whole. May be empty.
  std::function<void(std::size_t request, const PerftOutcome&)> on_unfinished = {};
};

/// Runs the job. Returns false if it was stopped before all requests were answered.
bool run_perft(const PerftJob& job, Backend& backend);

}  // namespace hecatomb
