// The benchmarks of random games: from the start of every variant, with and without repetition.
#include <chrono>
#include <set>
#include <stdexcept>

#include "host/bench.h"
#include "host/cpu/level.h"
#include "host/notation/variant_name.h"
#include "host/playout_job.h"
#include "host/storage/checksum.h"

namespace hecatomb {
namespace {

struct Case {
  std::string name;
  VariantId variant;
  DrawRules draws;
  std::uint64_t games;
};

/// Games of about a tenth of a second.
std::uint64_t games_of(VariantId variant) {
  switch (variant) {
    case VariantId::antichess:
    case VariantId::suicide:
      return 32768;
    case VariantId::losers:
      return 8192;
    case VariantId::horde:
    case VariantId::chess:
      break;
  }
  return 4096;
}

std::vector<Case> playout_cases(const BenchRequest& request) {
  std::vector<Case> cases;
  for (const VariantId variant : kAllVariants) {
    if (request.variant && *request.variant != variant) continue;
    const std::uint64_t games = games_of(variant) * (request.deep ? 16 : 1);
    const std::string name = std::string(variant_name(variant)) + " games ";
    cases.push_back({name + "75", variant, {150, 0, false}, games});
    cases.push_back({name + "75 rep5", variant, {150, 5, false}, games});
  }
  return cases;
}

/// The tally of a case; nothing if it was stopped.
std::optional<PlayoutTally> run_once(const Case& c, Backend& backend, BenchResult& result) {
  const Position start = start_position(c.variant);
  const PlayoutJob job{.variant = c.variant, .rules = {{}, c.draws}, .openings = {&start, 1}, .games = {&c.games, 1}};
  const auto begin = std::chrono::steady_clock::now();
  PlayoutResult played = run_playouts(job, backend);
  result.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (!played.complete) return std::nullopt;
  return std::move(played.openings[0]);
}

}  // namespace

BenchSignature bench_playout(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                             const std::function<void(std::size_t done, std::size_t all)>& on_progress) {
  const std::vector<const LevelKernel*> levels = levels_of(request);
  const std::vector<Case> cases = playout_cases(request);
  const std::set<unsigned> thread_counts{1, request.threads};
  const std::size_t all = cases.size() * levels.size() * thread_counts.size() * static_cast<std::size_t>(request.runs);
  std::size_t done = 0;
  std::vector<std::byte> tallies;
  for (const Case& c : cases) {
    std::optional<PlayoutTally> first;
    for (const LevelKernel* level : levels) {
      for (const unsigned n : thread_counts) {
        WorkPool pool(n);
        const std::unique_ptr<Backend> backend = make_backend("cpu", pool, {.table_bytes = 0, .level = level->name});
        BenchResult result{.name = c.name, .level = level->name, .threads = n, .games = c.games, .unit = "plies"};
        for (int run = 0; run < request.runs; run++) {
          const std::optional<PlayoutTally> tally = run_once(c, *backend, result);
          if (!tally) return std::nullopt;
          if (!first) first = tally;
          if (*first != *tally)
            throw std::logic_error(c.name + ": " + level->name + " plays other games than " + levels.front()->name +
                                   ": " + first_difference(*tally, *first));
          done++;
          if (on_progress) on_progress(done, all);
        }
        result.work = first->plies();
        on_result(result);
        fault_point("after-unit", done);
      }
    }
    append_tally(tallies, *first);
  }
  return stop_requested() ? std::nullopt : BenchSignature(xxh3(tallies));
}

}  // namespace hecatomb
