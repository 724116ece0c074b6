// How large a transposition table a perft can fill.
//
// The one idea: the counter keeps one entry for each node that stands three plies or more above the leaves. So the
// nodes of the tree down to there, which are few beside its leaves, are a bound that costs next to nothing to count,
// and a table larger than that would only be memory to clear and to miss the caches with.
#pragma once
#include <cstdint>
#include <span>

#include "host/perft_job.h"

namespace hecatomb {

/// Bytes of a table in which every node of the requests that the CPU backend may remember has room with as much left
/// free, a power of two; at most `limit_bytes`, and 0 where there is no such node.
std::uint64_t table_demand_bytes(VariantId variant, const RuleOptions& options, std::span<const PerftRequest> requests,
                                 std::uint64_t limit_bytes);

}  // namespace hecatomb
