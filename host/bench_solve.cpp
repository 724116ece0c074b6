#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/bench.h"
#include "host/cpu/level.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/solver/solver.h"
#include "host/storage/checksum.h"
#include "host/storage/file.h"

namespace hecatomb {
namespace {

struct Question {
  VariantId variant;
  const char* name;
  const char* fen;
  Color prover;
  const char* profile;
  std::uint64_t most_expansions;
};

// 1.e3 g6 with the two kinds of leaves, and two questions that are not answered: full trees of other rules.
constexpr Question kQuestions[] = {
    {VariantId::antichess, "e3 g6", "rnbqkbnr/pppppp1p/6p1/8/8/4P3/PPPP1PPP/RNBQKBNR w - - 0 2", kWhite, "balanced",
     400'000},
    {VariantId::antichess, "e3 g6 plain", "rnbqkbnr/pppppp1p/6p1/8/8/4P3/PPPP1PPP/RNBQKBNR w - - 0 2", kWhite, "plain",
     400'000},
    {VariantId::losers, "start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", kWhite, "balanced",
     100'000},
    {VariantId::horde, "start", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", kBlack,
     "balanced", 50'000},
};

bool is_wanted(const Question& question, std::optional<VariantId> variant) {
  return !variant || *variant == question.variant;
}

/// Runs a question once; false if it was stopped.
bool run_once(const Question& question, BenchResult& result) {
  SolveRequest request;
  request.problem.variant = question.variant;
  request.problem.root = read_fen(question.fen, question.variant)->position;
  request.problem.prover = question.prover;
  request.profiles = {find_search_profile(question.profile)};
  request.most_expansions = question.most_expansions;
  request.hash_bytes = std::uint64_t{64} << 20;
  const SolveReport report = solve(request);
  if (report.stopped) return false;
  if (!result.seconds.empty() && result.work != report.expansions)
    throw std::logic_error(result.name + ": the search did something else the second time");
  result.seconds.push_back(report.seconds);
  result.work = report.expansions;
  return true;
}

}  // namespace

bool has_solve_cases(std::optional<VariantId> variant) {
  return std::any_of(std::begin(kQuestions), std::end(kQuestions),
                     [&](const Question& question) { return is_wanted(question, variant); });
}

BenchSignature bench_solve(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress) {
  const auto cases = std::count_if(std::begin(kQuestions), std::end(kQuestions),
                                   [&](const Question& question) { return is_wanted(question, request.variant); });
  const std::size_t all = static_cast<std::size_t>(cases) * static_cast<std::size_t>(request.runs);
  std::size_t done = 0;
  std::string counts;
  for (const Question& question : kQuestions) {
    if (!is_wanted(question, request.variant)) continue;
    BenchResult result;
    result.name = std::string(variant_name(question.variant)) + " solve " + question.name;
    result.level = level_in_use().name;
    result.unit = "expansions";
    for (int run = 0; run < request.runs; run++) {
      if (!run_once(question, result)) return std::nullopt;
      if (on_progress) on_progress(++done, all);
    }
    on_result(result);
    counts += result.name + "=" + decimal(result.work) + "\n";
  }
  return stop_requested() ? std::nullopt : BenchSignature(xxh3(bytes_of(counts)));
}

}  // namespace hecatomb
