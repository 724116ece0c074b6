// Benchmarks: fixed work, timed several times, and a signature of what was counted.
//
// The one idea: the work never changes, so times are comparable from version to version, and the signature (a checksum
// of all counts) must not change when only speed did.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/backend.h"

namespace hecatomb {

/// One line of a benchmark.
struct BenchResult {
  std::string name;   ///< "antichess start 7"
  std::string level;  ///< instruction set
  unsigned threads = 1;
  u128 work = 0;                ///< leaves
  std::vector<double> seconds;  ///< one a run

  double median() const;
  double rate() const;    ///< work a second, of the median
  double spread() const;  ///< (slowest - fastest) / median
};

/// What a benchmark is to run.
struct BenchRequest {
  unsigned threads = 1;  ///< each case runs on one thread and on so many
  int runs = 5;
  std::optional<VariantId> variant;  ///< only its cases
};

/// A checksum of the counts of all cases; nothing if it was stopped.
using BenchSignature = std::optional<std::uint64_t>;

/// The perft benchmarks, without a table: the start, a middlegame and 2,000 random positions of every variant. Calls
/// on_result for each case as it comes, on_progress(done, all) after each run.
BenchSignature bench_perft(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress = {});

}  // namespace hecatomb
