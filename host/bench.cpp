#include "host/bench.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "host/cpu/level.h"
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
  const char* fen;  // null: the start
  int depth_plies;
};

// Middlegames: chess is Kiwipete (chessprogramming.org), the others stand in datasets/perft.
constexpr Single kSingles[] = {
    {VariantId::antichess, "start", nullptr, 7},
    {VariantId::antichess, "middlegame", "rnb2b1r/1p3pp1/7p/p1pP4/7P/NP6/P1PK1PP1/R4BNR w - - 0 12", 6},
    {VariantId::suicide, "start", nullptr, 6},
    {VariantId::losers, "start", nullptr, 6},
    {VariantId::losers, "middlegame", "r1b2bnr/p1p1pkpp/p4p2/8/8/1P1PPNP1/P6P/RNBQK2R w KQ - 1 10", 6},
    {VariantId::horde, "start", nullptr, 7},
    {VariantId::horde, "middlegame", "r1bqk2r/p1pp1ppp/np2p3/PPPP1PPP/2PPnPPP/PPPPPPPP/PPP1PPP1/PPPPPPPP b kq - 0 8",
     6},
    {VariantId::chess, "start", nullptr, 6},
    {VariantId::chess, "middlegame", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
};

constexpr std::size_t kBulkPositions = 2000;
constexpr int kBulkDepth = 3;

std::vector<Case> perft_cases() {
  std::vector<Case> cases;
  for (const Single& s : kSingles) {
    const std::string fen(s.fen != nullptr ? s.fen : start_fen(s.variant));
    const Position p = read_fen(fen, s.variant)->position;
    cases.push_back({std::string(variant_name(s.variant)) + " " + s.what + " " + std::to_string(s.depth_plies),
                     s.variant,
                     {{p, s.depth_plies}}});
  }
  for (const VariantId variant : kAllVariants) {
    Case bulk{std::string(variant_name(variant)) + " bulk " + std::to_string(kBulkPositions) + "x" +
                  std::to_string(kBulkDepth),
              variant,
              {}};
    for (const Position& p : random_positions(variant, {}, kBulkPositions, 1)) bulk.requests.push_back({p, kBulkDepth});
    cases.push_back(std::move(bulk));
  }
  return cases;
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

BenchSignature bench_perft(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress) {
  std::vector<Case> cases = perft_cases();
  std::erase_if(cases, [&](const Case& c) { return request.variant && c.variant != *request.variant; });
  const std::set<unsigned> thread_counts{1, request.threads};
  const std::size_t all = cases.size() * thread_counts.size() * static_cast<std::size_t>(request.runs);
  std::size_t done = 0;
  std::string counts;
  for (const Case& c : cases) {
    for (const unsigned n : thread_counts) {
      WorkPool pool(n);
      const std::unique_ptr<Backend> backend = make_backend("cpu", pool);
      BenchResult result{c.name, level_in_use().name, n, 0, {}};
      for (int run = 0; run < request.runs; run++) {
        if (!run_once(c, *backend, result)) return std::nullopt;
        done++;
        if (on_progress) on_progress(done, all);
      }
      on_result(result);
      if (n == 1) counts += c.name + "=" + decimal(result.work) + "\n";
      fault_point("after-unit", done);
    }
  }
  return stop_requested() ? std::nullopt : BenchSignature(xxh3(bytes_of(counts)));
}

}  // namespace hecatomb
