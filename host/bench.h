// Benchmarks: fixed work, timed several times, and a signature of what was counted.
//
// The one idea: the work never changes, so times are comparable from version to version, and the signature (a checksum
// of all counts) must not change when only speed did.
#pragma once
#include <cstdint>
#include <functional>
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

/// The perft benchmarks, without a table: the start, a middlegame and 2,000 random positions of every variant, each on
/// one thread and on `threads`. Calls on_result as they come. Returns the signature; stops early with a signature of
/// what was done once stop_requested().
std::uint64_t bench_perft(unsigned threads, int runs, const std::function<void(const BenchResult&)>& on_result);

}  // namespace hecatomb
