// Random reachable positions: what verification and benchmarks of bulk work are run on.
#pragma once
#include <cstdint>
#include <vector>

#include "common/variant.h"

namespace hecatomb {

/// `count` positions met in random games from the variant's start, every fourth ply of each game. The games are those
/// of rules.md with this seed (game 0, 1, …, opening 0), played until they are decided, for `most_plies` at the most.
/// Fewer once stop_requested().
std::vector<Position> random_positions(VariantId variant, const RuleOptions& options, std::size_t count,
                                       std::uint64_t seed, int most_plies = 400);

}  // namespace hecatomb
