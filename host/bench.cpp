#include "host/bench.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>

#include "host/cpu/level.h"
#include "host/error.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/perft_job.h"
#include "host/random_games.h"
#include "host/storage/checksum.h"
#include "host/storage/file.h"

namespace hecatomb {
namespace {

struct Case {
  std::string name;
  VariantId variant;
  std::vector<PerftRequest> requests;
};

struct Single {
  VariantId variant;
  const char* what;
  const char* fen;                            // null: the start
  int depth_plies, deep_plies, device_plies;  ///< the last: deep ones on a device
};

// Middlegames: chess is Kiwipete (chessprogramming.org), the others stand in datasets/perft.
constexpr Single kSingles[] = {
    {VariantId::antichess, "start", nullptr, 7, 8, 10},
    {VariantId::antichess, "middlegame", "rnb2b1r/1p3pp1/7p/p1pP4/7P/NP6/P1PK1PP1/R4BNR w - - 0 12", 6, 7, 8},
    {VariantId::suicide, "start", nullptr, 6, 8, 9},
    {VariantId::losers, "start", nullptr, 6, 7, 9},
    {VariantId::losers, "middlegame", "r1b2bnr/p1p1pkpp/p4p2/8/8/1P1PPNP1/P6P/RNBQK2R w KQ - 1 10", 6, 7, 8},
    {VariantId::horde, "start", nullptr, 7, 8, 10},
    {VariantId::horde, "middlegame", "r1bqk2r/p1pp1ppp/np2p3/PPPP1PPP/2PPnPPP/PPPPPPPP/PPP1PPP1/PPPPPPPP b kq - 0 8", 6,
     6, 7},
    {VariantId::chess, "start", nullptr, 6, 7, 9},
    {VariantId::chess, "middlegame", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 6, 7},
};

std::vector<Case> perft_cases(const BenchRequest& request) {
  const auto wanted = [&](VariantId variant) { return !request.variant || *request.variant == variant; };
  std::vector<Case> cases;
  for (const Single& s : kSingles) {
    if (!wanted(s.variant)) continue;
    const std::string fen(s.fen != nullptr ? s.fen : start_fen(s.variant));
    const Position p = read_fen(fen, s.variant)->position;
    const int depth = !request.deep ? s.depth_plies : request.on_device ? s.device_plies : s.deep_plies;
    cases.push_back(
        {std::string(variant_name(s.variant)) + " " + s.what + " " + std::to_string(depth), s.variant, {{p, depth}}});
  }
  const std::size_t positions = request.deep ? 10000 : 2000;
  const int depth = request.deep ? 4 : 3;
  for (const VariantId variant : kAllVariants) {
    if (!wanted(variant)) continue;
    Case bulk{std::string(variant_name(variant)) + " bulk " + std::to_string(positions) + "x" + std::to_string(depth),
              variant,
              {}};
    for (const Position& p : random_positions(variant, {}, positions, 1)) bulk.requests.push_back({p, depth});
    cases.push_back(std::move(bulk));
  }
  return cases;
}

/// How many leaf parents a case has, and how many of them are made one by one. Not timed.
void look_at_leaf_parents(const Case& c, const LevelKernel& level, BenchResult& result) {
  for (const PerftRequest& r : c.requests) {
    Count128 leaves{};
    PerftUnit unit{&r.position, r.depth_plies - 1, static_cast<std::uint8_t>(c.variant), false, {}, stop_word(),
                   nullptr};
    if (level.perft(unit, &leaves) == UnitStatus::stopped) return;
    result.leaf_parents += leaves.low;
    unit.depth_plies = r.depth_plies;
    unit.made = &result.made;
    if (level.perft(unit, &leaves) == UnitStatus::stopped) return;
  }
}

/// What all cases run on: a level of the CPU with so many threads, or a device.
struct Machine {
  std::string level;
  unsigned threads;
  BackendOptions options;
};

std::vector<Machine> machines_of(const BenchRequest& request) {
  if (request.on_device) return {{"cuda", 1, request.device}};
  std::vector<Machine> machines;
  for (const LevelKernel* level : levels_of(request)) {
    for (const unsigned n : std::set<unsigned>{1, request.threads}) {
      machines.push_back({level->name, n, {.table_bytes = 0, .level = level->name}});
    }
  }
  return machines;
}

/// Runs a case once; false if it was stopped.
bool run_once(const Case& c, Backend& backend, BenchResult& result) {
  u128 work = 0;
  PerftJob job{.variant = c.variant, .options = {}, .requests = c.requests};
  job.on_request = [&](std::size_t, const PerftOutcome& outcome) { work += outcome.answer.leaves; };
  const auto begin = std::chrono::steady_clock::now();
  if (!run_perft(job, backend)) return false;
  result.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  result.work = work;
  return true;
}

}  // namespace

double BenchResult::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

double BenchResult::rate() const { return static_cast<double>(work) / std::max(median(), 1e-9); }

double BenchResult::spread() const {
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return (*most - *least) / std::max(median(), 1e-9);
}

double BenchResult::nanoseconds_per_leaf_parent() const {
  return 1e9 * median() / std::max(static_cast<double>(leaf_parents), 1.0);
}

double BenchResult::made_share() const {
  return static_cast<double>(made) / std::max(static_cast<double>(leaf_parents), 1.0);
}

std::vector<const LevelKernel*> levels_of(const BenchRequest& request) {
  std::vector<const LevelKernel*> levels;
  levels.reserve(request.levels.size() + 1);
  for (const std::string& name : request.levels) levels.push_back(&level_named(name.c_str(), "--levels"));
  if (levels.empty()) levels.push_back(&level_in_use());
  return levels;
}

BenchSignature bench_perft(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress) {
  const std::vector<Machine> machines = machines_of(request);
  const std::vector<Case> cases = perft_cases(request);
  const std::size_t all = cases.size() * machines.size() * static_cast<std::size_t>(request.runs);
  std::size_t done = 0;
  std::string counts;
  for (const Case& c : cases) {
    BenchResult first;  // with what was looked up and counted for this case
    if (!request.on_device) look_at_leaf_parents(c, *levels_of(request).front(), first);
    for (const Machine& machine : machines) {
      WorkPool pool(machine.threads);
      const char* const name = request.on_device ? "cuda" : "cpu";
      const std::unique_ptr<Backend> backend = make_backend(name, pool, machine.options);
      BenchResult result{c.name, machine.level, machine.threads, 0, {}, first.leaf_parents, first.made};
      for (int run = 0; run < request.runs; run++) {
        if (!run_once(c, *backend, result)) return std::nullopt;
        if (backend->name() != name)  // the CPU counted the rest, which is no benchmark
          throw EnvironmentError("CUDA device", "time " + c.name + " on it", "it failed", "See the warning above");
        done++;
        if (on_progress) on_progress(done, all);
      }
      if (first.work == 0) first.work = result.work;
      if (first.work != result.work)
        throw std::logic_error(c.name + ": " + machine.level + " counts " + decimal(result.work) + ", " +
                               machines.front().level + " " + decimal(first.work));
      on_result(result);
      fault_point("after-unit", done);
    }
    counts += c.name + "=" + decimal(first.work) + "\n";
  }
  return stop_requested() ? std::nullopt : BenchSignature(xxh3(bytes_of(counts)));
}

}  // namespace hecatomb
