// hecatomb bench: fixed work, the median of several runs, a signature; compared with an older run.
#include "host/bench.h"

#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/error.h"
#include "host/report/si.h"
#include "host/storage/atomic_file.h"

namespace hecatomb {

namespace {

struct BenchOptions {
  std::string suite = "all";
  std::optional<std::string> csv, compare;
  int runs = 5;
};

constexpr std::string_view kCsvHeader = "case,level,threads,work,median_seconds,rate,spread,signature";

std::string signature_text(std::uint64_t signature) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << signature;
  return text.str();
}

std::string key_of(const std::string& name, const std::string& threads) { return name + "," + threads; }

/// The rates of an older CSV by case and threads, and its signature.
struct OldBench {
  std::map<std::string, double> rates;
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
    if (cells.size() != 8) throw refuse("line " + std::to_string(number) + " has not 8 columns");
    const double rate = std::strtod(cells[5].c_str(), &end);
    if (*end != '\0' || cells[5].empty()) throw refuse("line " + std::to_string(number) + " has no rate");
    old.rates[key_of(cells[0], cells[2])] = rate;
    old.signature = cells[7];
  }
  return old;
}

void print_result(const BenchResult& r, const OldBench& old) {
  std::cout << std::left << std::setw(26) << r.name << std::right << std::setw(8) << r.level << std::setw(4)
            << r.threads << std::setw(16) << decimal(r.work) << std::setw(10) << std::fixed << std::setprecision(3)
            << r.median() << " s" << std::setw(8) << format_si(r.rate()) << "/s  +-" << std::setw(3)
            << std::setprecision(0) << 50 * r.spread() << " %";
  const auto before = old.rates.find(key_of(r.name, std::to_string(r.threads)));
  if (before != old.rates.end()) std::cout << "  x" << std::setprecision(2) << r.rate() / before->second;
  std::cout << std::endl;
}

Json json_of(const BenchResult& r) {
  return {{"case", r.name},        {"level", r.level}, {"threads", r.threads}, {"work", decimal(r.work)},
          {"seconds", r.median()}, {"rate", r.rate()}, {"spread", r.spread()}};
}

std::string csv_of(const std::vector<BenchResult>& results, const std::string& signature) {
  std::ostringstream csv;
  csv << kCsvHeader << '\n' << std::setprecision(6);
  for (const BenchResult& r : results) {
    csv << r.name << ',' << r.level << ',' << r.threads << ',' << decimal(r.work) << ',' << r.median() << ','
        << r.rate() << ',' << r.spread() << ',' << signature << '\n';
  }
  return csv.str();
}

int bench(const BenchOptions& options, const CommandContext& context) {
  const OldBench old = options.compare ? read_old(*options.compare) : OldBench{};
  const unsigned threads = context.threads != 0 ? context.threads : default_threads();
  std::vector<BenchResult> results;
  Json lines = Json::array();
  const std::string signature = signature_text(bench_perft(threads, options.runs, [&](const BenchResult& r) {
    results.push_back(r);
    if (context.json) {
      lines.push_back(json_of(r));
    } else {
      print_result(r, old);
    }
  }));
  if (stop_requested()) return kExitInterrupted;
  if (options.csv) write_atomically(*options.csv, csv_of(results, signature));
  if (context.json) {
    print_json({{"suite", "perft"}, {"results", lines}, {"signature", signature}});
  } else {
    std::cout << "signature " << signature << '\n';
  }
  if (!old.signature.empty() && old.signature != signature) {
    print_error("the signature differs from that of " + options.compare.value_or("") + " (" + old.signature +
                "): something was counted differently");
    return kExitRefused;
  }
  return kExitDone;
}

}  // namespace

void add_bench(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command = add_command(app, context, "bench", "time fixed work; compare with an older version",
                                  [options](const CommandContext& c) { return bench(*options, c); });
  add_choice(command, "--suite", options->suite, {"perft", "all"}, "which benchmarks: perft or all (default)");
  add_number(command, "--runs", options->runs, 1, 1000, "runs of each case (default 5)");
  command.add_option("--csv", options->csv, "also write the results to this file");
  command.add_option("--compare", options->compare, "a file of --csv: print speed ratios, check the signature");
}

}  // namespace hecatomb
