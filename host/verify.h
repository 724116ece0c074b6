// The rules core against the reference, on random reachable positions: every legal move in order, the position after
// it, every way to count, the result; perft and random games through the backends.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "host/backend.h"

namespace hecatomb {

struct VerifyRequest {
  VariantId variant = VariantId::chess;
  RuleOptions options;
  std::size_t positions = 1000;
  std::uint64_t seed = 1;
  int depth_plies = 3;  ///< of perft
};

struct VerifyReport {
  std::uint64_t positions = 0;    ///< compared
  std::uint64_t differences = 0;  ///< positions in which something differs
  bool complete = true;           ///< false if it was stopped
};

/// What differs between the core and the reference at `p` and its children; empty where nothing does. Compared: the
/// move list in the order of rules.md, the count, the n-th move, the FEN after each move, the result with its reason.
std::string difference_from_reference(const Position& p, VariantId variant, const RuleOptions& options);

/// Compares `request.positions` random positions; perft of each, and a random game (at most 200 plies) from every
/// fourth under each preset of draws in turn, by `backend`, which should be a check backend. Calls
/// on_difference(position, what) in the order of the positions, on_progress(n) when n more are done. A stopped one has
/// compared the first positions, and a few of those after them.
VerifyReport verify(const VerifyRequest& request, Backend& backend, WorkPool& pool,
                    const std::function<void(const Position&, std::string_view)>& on_difference,
                    const std::function<void(std::uint64_t)>& on_progress);

}  // namespace hecatomb
