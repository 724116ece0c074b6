// Benchmarks of the proof search: fixed questions, one thread, and a signature of the expansions they took.
//
// The one idea: with one thread the search does the same every time, so the number of expansions is what a change of
// speed alone must not change; the rate is expansions a second. More threads are not timed: their luck differs.
#pragma once
#include <functional>
#include <optional>

#include "host/bench.h"

namespace hecatomb {

/// Whether there are questions of that variant.
bool has_solve_cases(std::optional<VariantId> variant);

/// As bench_perft: `work` are expansions. Of the request only runs and variant count.
BenchSignature bench_solve(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress = {});

}  // namespace hecatomb
