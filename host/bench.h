// Benchmarks: fixed work, timed several times, and a signature of what was counted.
//
// The one idea: the work never changes, so times are comparable from version to version, and the signature (a checksum
// of all counts) must not change when only speed did.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/backend.h"
#include "host/cpu/level.h"

namespace hecatomb {

/// One line of a benchmark.
struct BenchResult {
  std::string name;   ///< "antichess start 7", "antichess games 75"
  std::string level;  ///< instruction set, or "cuda"
  unsigned threads = 1;
  u128 work = 0;                     ///< in `unit`
  std::vector<double> seconds = {};  ///< one a run
  u128 leaf_parents = 0;             ///< positions one ply above the leaves
  std::uint64_t made = 0;            ///< those of them that were made one by one, not counted two plies at once
  std::uint64_t games = 0;           ///< random games; else 0
  std::string_view unit = "leaves";  ///< of `work`: leaves, plies, expansions, positions or probes

  double median() const;
  double rate() const;                         ///< work a second, of the median
  double spread() const;                       ///< (slowest - fastest) / median
  double nanoseconds_per_leaf_parent() const;  ///< of all threads together
  double made_share() const;
};

/// What a benchmark is to run.
struct BenchRequest {
  unsigned threads = 1;  ///< each case runs on one thread and on so many
  int runs = 5;
  std::optional<VariantId> variant = {};  ///< only its cases
  std::vector<std::string> levels = {};   ///< instruction set levels; none: the one in use
  bool deep = false;                      ///< starts a ply or two deeper, 10,000 random positions to depth 4
  bool on_device = false;                 ///< on a CUDA device instead of the CPU: perft only, deep ones deeper still
  BackendOptions device = {};             ///< which, and how much of its memory
};

/// The levels to run, best first. Throws EnvironmentError for one that is not there.
std::vector<const LevelKernel*> levels_of(const BenchRequest& request);

/// A checksum of the counts of all cases; nothing if it was stopped.
using BenchSignature = std::optional<std::uint64_t>;

/// The perft benchmarks, without a table: the start, a middlegame and random positions of every variant. Calls
/// on_result for each case as it comes, on_progress(done, all) after each run. The signature is of the first level on
/// one thread; a level or number of threads that counts otherwise throws std::logic_error, a device that fails an
/// EnvironmentError.
BenchSignature bench_perft(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress = {});

/// The same for random games: 4,096 to 32,768 from the start of every variant (deep: 16 times as many), drawn after 75
/// moves, without and with the fifth occurrence. The signature is of all tallies.
BenchSignature bench_playout(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                             const std::function<void(std::size_t done, std::size_t all)>& on_progress = {});

/// The same for the proof search: fixed questions on one thread, `work` are expansions, which are the same every time;
/// more threads are not timed, their luck differs. Of the request only runs and variant count. The signature is of the
/// expansions.
BenchSignature bench_solve(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress = {});

/// Whether bench_solve has questions of that variant.
bool has_solve_cases(std::optional<VariantId> variant);

/// The same for endgame tables, on one thread: classes solved in memory (`work` are merged positions), and probes of
/// random positions of four men, distances from mapped files and win, draw or loss from memory. Of the request runs,
/// variant and deep (all classes of up to four men, 4 GB) count. The signature is of everything the tables hold and of
/// the values found. Makes a small set in the directory for temporary files: EnvironmentError.
BenchSignature bench_table(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress = {});

/// Whether bench_table has cases of that variant.
bool has_table_cases(std::optional<VariantId> variant);

}  // namespace hecatomb
