// hecatomb verify: two backends compared on random reachable positions.
#include "host/verify.h"

#include <chrono>
#include <iostream>
#include <memory>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/cli/perft.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/report/progress.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

struct VerifyOptions {
  std::string backends = "cpu,reference";
  VerifyRequest request;
};

constexpr std::uint64_t kMostPositions = 10'000'000;
constexpr int kMostVerifyDepth = 8;
constexpr std::uint64_t kPrintedDifferences = 10;

/// The command that shows a difference again: what the backends count, or what the rules say of the position.
std::string command_for(const VerifyRequest& request, const std::string& backends, const Position& p,
                        std::string_view what) {
  if (what.starts_with("perft")) {
    return perft_command(request.variant, request.options, fen_of(p), request.depth_plies) +
           " --backend check:" + backends;
  }
  return "hecatomb show -v " + std::string(variant_name(request.variant)) +
         (request.options.restricted_ep ? " --ep restricted" : "") +
         (request.options.stalemated_wins ? " --stalemate stalemated-wins" : "") + " --fen '" + fen_of(p) + "'";
}

int verify_backends(const VerifyOptions& options, const CommandContext& context) {
  VerifyRequest request = options.request;
  request.variant = context.required_variant();
  request.options = context.rules_for(request.variant);
  if (context.backend != "auto") {
    throw UsageError("--backend is for one backend; verify compares two: --backends cpu,reference");
  }
  const std::string name = "check:" + options.backends;
  if (!is_backend_name(name)) {
    throw UsageError("--backends '" + options.backends +
                     "' is not two different ones of cpu, cuda, reference; write --backends cpu,reference");
  }
  WorkPool pool(context.threads);
  const std::unique_ptr<Backend> backend = make_backend(name, pool, context.backend_options());
  Progress progress({"verify", "positions", request.positions, 0}, ProgressOutput::standard_error(context.quiet));
  std::uint64_t printed = 0;
  std::string reproduce;  // of the first difference
  const auto begin = std::chrono::steady_clock::now();
  const VerifyReport report = verify(
      request, *backend, pool,
      [&](const Position& p, std::string_view what) {
        const std::string again = command_for(request, options.backends, p, what);
        if (reproduce.empty()) reproduce = again;
        if (context.json) {
          progress.message("hecatomb: difference: " + fen_of(p) + ": " + std::string(what));
        } else if (printed++ < kPrintedDifferences) {
          std::cout << fen_of(p) << "\n  " << what << "\n  to reproduce: " << again << '\n';
        }
      },
      [&](std::uint64_t n) { progress.advance(n); });
  progress.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (context.json) {
    const std::size_t comma = options.backends.find(',');
    Json out = {{"variant", variant_name(request.variant)},
                {"backends", {options.backends.substr(0, comma), options.backends.substr(comma + 1)}},
                {"positions", report.positions},
                {"seed", json_number(request.seed)},
                {"differences", report.differences},
                {"seconds", seconds},
                {"stopped", !report.complete}};
    if (!reproduce.empty()) out["reproduce"] = reproduce;
    print_json(out);
  } else {
    std::cout << variant_name(request.variant) << ": " << counted(report.positions, "random position") << " (seed "
              << request.seed << ", perft depth " << request.depth_plies << "), " << options.backends << ": "
              << counted(report.differences, "difference") << " in " << format_duration(seconds)
              << (report.complete ? "" : ", stopped") << '\n';
  }
  if (!report.complete) {
    print_warning("stopped with " + std::to_string(report.positions) + " of " + std::to_string(request.positions) +
                  " positions compared; the differences are those among them");
  }
  return report.differences != 0 ? kExitRefused : kExitDone;
}

}  // namespace

void add_verify(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command = add_command(app, context, "verify", "compare backends on random reachable positions",
                                  [options](const CommandContext& c) { return verify_backends(*options, c); });
  command.add_option("--backends", options->backends, "the two to compare (default: cpu,reference)");
  add_number(command, "--positions", options->request.positions, 1, kMostPositions, "how many (default 1000)");
  add_number(command, "--seed", options->request.seed, 0, ~std::uint64_t{0}, "of the random games (default 1)");
  add_number(command, "--depth", options->request.depth_plies, 0, kMostVerifyDepth, "of perft (default 3)");
}

}  // namespace hecatomb
