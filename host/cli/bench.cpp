// hecatomb bench: fixed work, the median of several runs, a signature; compared with an older run.
#include "host/bench.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <sstream>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/cpu/level.h"
#include "host/error.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/storage/atomic_file.h"
#include "host/storage/checksum.h"

namespace hecatomb {

namespace {

struct BenchOptions {
  std::string suite = "all";
  std::optional<std::string> csv, compare;
  std::string levels;
  int runs = 5;
  bool deep = false;
};

constexpr std::string_view kCsvHeader =
    "case,level,threads,work,median_seconds,rate,spread,signature,ns_per_leaf_parent,made_share";
constexpr std::size_t kCsvColumns = 10;

std::string signature_text(std::uint64_t signature) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << signature;
  return text.str();
}

std::string key_of(const std::string& name, const std::string& level, const std::string& threads) {
  return name + "," + level + "," + threads;
}
std::string key_of(const BenchResult& r) { return key_of(r.name, r.level, std::to_string(r.threads)); }

constexpr std::string_view kStopped = "stopped";  // in place of the signature of a bench that was

/// An older CSV: its rates by case, level and threads, its work by case, and its signature.
struct OldBench {
  std::map<std::string, double> rates;
  std::map<std::string, std::string> work;
  std::string signature;
};

OldBench read_old(const std::string& path) {
  std::ifstream file(path);
  const auto refuse = [&](const std::string& why) {
    return EnvironmentError(path, "compare with it", why, "Give a file that bench --csv has written.");
  };
  if (!file) throw refuse("it cannot be opened");
  std::string line;
  if (!std::getline(file, line) || line != kCsvHeader)
    throw refuse("it does not begin with '" + std::string(kCsvHeader) + "'");
  OldBench old;
  for (int number = 2; std::getline(file, line); number++) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    char* end = nullptr;
    if (cells.size() != kCsvColumns)
      throw refuse("line " + std::to_string(number) + " has not " + std::to_string(kCsvColumns) + " columns");
    const double rate = std::strtod(cells[5].c_str(), &end);
    if (*end != '\0' || cells[5].empty()) throw refuse("line " + std::to_string(number) + " has no rate");
    old.rates[key_of(cells[0], cells[1], cells[2])] = rate;
    old.work[cells[0]] = cells[3];
    old.signature = cells[7];
  }
  return old;
}

void print_result(const BenchResult& r, const OldBench& old) {
  std::cout << std::left << std::setw(26) << r.name << std::right << std::setw(8) << r.level << std::setw(4)
            << r.threads << std::setw(16) << decimal(r.work) << std::setw(10) << std::fixed << std::setprecision(3)
            << r.median() << " s" << std::setw(8) << format_si(r.rate()) << "/s  +-" << std::setw(3)
            << std::setprecision(0) << 50 * r.spread() << " %";
  if (r.games != 0) {
    std::cout << std::setw(8) << format_si(static_cast<double>(r.games) / r.median()) << " games/s";
  } else if (r.leaf_parents != 0) {
    std::cout << std::setw(8) << std::setprecision(2) << r.nanoseconds_per_leaf_parent() << " ns a leaf parent, "
              << std::setw(3) << std::setprecision(0) << 100 * r.made_share() << " % made";
  }
  const auto before = old.rates.find(key_of(r));
  if (before != old.rates.end()) std::cout << "  x" << std::setprecision(2) << r.rate() / before->second;
  std::cout << std::endl;
}

Json json_of(const BenchResult& r) {
  Json out = {{"case", r.name}, {"level", r.level},      {"threads", r.threads}, {"work", decimal(r.work)},
              {"unit", r.unit}, {"seconds", r.median()}, {"rate", r.rate()},     {"spread", r.spread()}};
  if (r.games != 0) {
    out["games"] = r.games;
    out["games_per_second"] = static_cast<double>(r.games) / r.median();
  } else {
    out["leaf_parents"] = decimal(r.leaf_parents);
    out["ns_per_leaf_parent"] = r.nanoseconds_per_leaf_parent();
    out["made_share"] = r.made_share();
  }
  return out;
}

std::string csv_of(const std::vector<BenchResult>& results, const std::string& signature) {
  std::ostringstream csv;
  csv << kCsvHeader << '\n' << std::setprecision(6);
  for (const BenchResult& r : results) {
    csv << r.name << ',' << r.level << ',' << r.threads << ',' << decimal(r.work) << ',' << r.median() << ','
        << r.rate() << ',' << r.spread() << ',' << signature << ','
        << (r.games != 0 ? 0 : r.nanoseconds_per_leaf_parent()) << ',' << r.made_share() << '\n';
  }
  return csv.str();
}

/// What of this bench an older one has in part, as a warning; empty if it has all.
std::string not_compared(const std::vector<BenchResult>& results, const OldBench& old) {
  std::size_t counts = 0, rates = 0;
  for (const BenchResult& r : results) {
    counts += !old.work.contains(r.name);
    rates += !old.rates.contains(key_of(r));
  }
  if (counts == results.size()) return "";  // which is told as a difference
  if (counts != 0) return "of " + counted(counts, "case") + " it has no count";
  return rates == 0 ? "" : "of " + counted(rates, "case") + " it has no rate on this level and so many threads";
}

/// What was counted differently than in an older bench, by case; and by the signature, if both ran the same cases.
std::vector<std::string> differences(const std::vector<BenchResult>& results, const std::string& signature,
                                     const OldBench& old) {
  std::vector<std::string> found;
  std::size_t common = 0;
  const bool has_any =
      std::any_of(results.begin(), results.end(), [&old](const BenchResult& r) { return old.work.contains(r.name); });
  if (!old.work.empty() && !results.empty() && !has_any) found.emplace_back("it has none of these cases");
  for (const BenchResult& r : results) {
    const auto before = old.work.find(r.name);  // the same on every level and number of threads
    if (before == old.work.end()) continue;
    common += old.rates.contains(key_of(r));
    if (before->second != decimal(r.work))
      found.push_back(r.name + " counts " + decimal(r.work) + " " + std::string(r.unit) + ", it was " + before->second);
  }
  const bool same_cases = common == old.rates.size() && common == results.size();
  const bool both_whole = signature != kStopped && old.signature != kStopped;
  if (found.empty() && same_cases && both_whole && old.signature != signature)
    found.push_back("the signature is " + signature + ", it was " + old.signature);
  return found;
}

void check_options(const BenchOptions& options, const CommandContext& context) {
  if (options.csv && options.compare) refuse_output_over("--csv", *options.csv, *options.compare);
  context.refuse_rules("the work of a bench is fixed, under the default rules; leave it away");
  if (context.backend == "cuda") {
    if (options.suite != "perft") throw UsageError("bench --backend cuda times perft only; add --suite perft");
    if (!options.levels.empty()) throw UsageError("--levels are the CPU's; leave it away with --backend cuda");
    return;
  }
  context.require_cpu_backend("bench times the cpu backend, or cuda; leave it away");
}

/// "all", or names with commas between.
std::vector<std::string> levels_of(const std::string& text) {
  std::vector<std::string> names;
  if (text == "all") {
    const LevelKernel* levels[8];
    const std::size_t n = usable_levels(levels, 8);
    for (std::size_t i = 0; i < n; i++) names.emplace_back(levels[i]->name);
  } else {
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  }
  return names;
}

/// A suite of benchmarks, and whether it has cases of a variant (nothing: of any).
struct Suite {
  std::string_view name;
  BenchSignature (*run)(const BenchRequest&, const std::function<void(const BenchResult&)>&,
                        const std::function<void(std::size_t, std::size_t)>&);
  bool (*has_cases)(std::optional<VariantId>);
};

constexpr bool has_all_cases(std::optional<VariantId> /*variant*/) { return true; }

constexpr Suite kSuites[] = {{"perft", bench_perft, has_all_cases},
                             {"playout", bench_playout, has_all_cases},
                             {"solve", bench_solve, has_solve_cases},
                             {"table", bench_table, has_table_cases}};

/// Runs one suite or all; the signature of several is one of their signatures.
BenchSignature run_suites(const std::string& name, const BenchRequest& request,
                          const std::function<void(const BenchResult&)>& on_result, Progress& progress) {
  std::vector<std::uint64_t> signatures;
  std::size_t before = 0;  // runs of the suites that are finished
  for (const Suite& suite : kSuites) {
    if ((name != "all" && name != suite.name) || !suite.has_cases(request.variant)) continue;
    std::size_t of_suite = 0;
    const BenchSignature signature = suite.run(request, on_result, [&](std::size_t, std::size_t all) {
      of_suite = all;
      progress.set_total(before + all);
      progress.advance();
    });
    if (!signature || stop_requested()) return std::nullopt;
    signatures.push_back(*signature);
    before += of_suite;
  }
  if (signatures.empty())
    throw UsageError("--suite " + name + ": there is no question of that variant; give another -v");
  return signatures.size() == 1 ? signatures[0] : xxh3(std::as_bytes(std::span(signatures)));
}

int bench(const BenchOptions& options, const CommandContext& context) {
  check_options(options, context);
  const OldBench old = options.compare ? read_old(*options.compare) : OldBench{};
  const unsigned threads = context.threads != 0 ? context.threads : default_threads();
  std::vector<BenchResult> results;
  Json lines = Json::array();
  Progress progress({"bench", "runs", 0, 0}, ProgressOutput::standard_error(context.quiet));
  const BenchRequest request{threads,
                             options.runs,
                             context.variant,
                             levels_of(options.levels),
                             options.deep,
                             context.backend == "cuda",
                             context.backend_options()};
  const auto on_result = [&](const BenchResult& r) {
    results.push_back(r);
    lines.push_back(json_of(r));
    if (!context.json) print_result(r, old);
  };
  const BenchSignature whole = run_suites(options.suite, request, on_result, progress);
  progress.finish();
  const std::string signature = whole ? signature_text(*whole) : std::string(kStopped);
  if (options.csv) write_atomically(*options.csv, csv_of(results, signature));
  if (context.json) {
    print_json({{"suite", options.suite},
                {"results", lines},
                {"signature", whole ? Json(signature) : Json()},
                {"stopped", !whole.has_value()}});
  } else {
    std::cout << "signature " << signature << '\n';
  }
  if (!whole) print_warning("stopped: " + counted(results.size(), "case") + " finished, no signature");
  const std::string missing = options.compare ? not_compared(results, old) : "";
  if (!missing.empty()) print_warning("compared with " + options.compare.value_or("") + ": " + missing);
  const std::vector<std::string> found = differences(results, signature, old);
  for (const std::string& what : found) print_error("compared with " + options.compare.value_or("") + ": " + what);
  return found.empty() ? kExitDone : kExitRefused;
}

}  // namespace

void add_bench(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command = add_command(app, context, "bench", "time fixed work; compare with an older version",
                                  [options](const CommandContext& c) { return bench(*options, c); });
  add_choice(command, "--suite", options->suite, {"perft", "playout", "solve", "table", "all"},
             "which benchmarks: perft, playout, solve, table or all (default); -v V: only those of V");
  add_number(command, "--runs", options->runs, 1, 1000, "runs of each case (default 5)");
  command.add_option("--levels", options->levels,
                     "instruction set levels, as avx2,scalar, or all (default: the one in use)");
  command.add_flag("--deep", options->deep,
                   "starts a ply or two deeper, 10,000 random positions to depth 4, all tables of four men (minutes)");
  command.add_option("--csv", options->csv, "also write the results to this file")->type_name("FILE");
  command.add_option("--compare", options->compare, "a file of --csv: print speed ratios, check the signature")
      ->type_name("FILE");
}

}  // namespace hecatomb
