// hecatomb perft: the leaves below one position; divide, detail, distinct positions, checkpoint, drill.
#include "host/cli/perft.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <unordered_map>

#include "host/notation/fen.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/perft_detail.h"
#include "host/perft_job.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/storage/journal.h"

namespace hecatomb {

namespace {

/// The finished units of a perft, in a journal: what --checkpoint names.
class PerftCheckpoint {
 public:
  PerftCheckpoint(const std::string& path, VariantId variant, const RuleOptions& rules, const Position& p, int depth,
                  bool divide)
      : journal_(path, header(variant, rules, p, depth, divide), [this](auto bytes) { take(bytes); }) {
    if (journal_.report().dropped_bytes != 0) print_warning(path + ": dropped a record that was written in part");
  }

  std::optional<u128> known(std::size_t unit) const {
    const auto found = known_.find(unit);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  std::size_t size() const { return known_.size(); }

  void add(std::size_t unit, u128 leaves) {
    const std::uint64_t record[3] = {unit, static_cast<std::uint64_t>(leaves),
                                     static_cast<std::uint64_t>(leaves >> 64)};
    const std::uint64_t records = journal_.append(std::as_bytes(std::span(record)));
    fault_point("after-unit", records);
  }

 private:
  static FileHeader header(VariantId variant, const RuleOptions& rules, const Position& p, int depth, bool divide) {
    FileHeader header{
        .kind = "journal", .job = "perft", .variant = std::string(variant_name(variant)), .options = {}, .params = {}};
    header.options["ep"] = rules.restricted_ep ? "restricted" : "normal";
    header.options["stalemate"] = rules.stalemated_wins ? "stalemated-wins" : "fewer-men";
    header.params = {{"fen", fen_of(p)}, {"depth", std::to_string(depth)}, {"divide", divide ? "yes" : "no"}};
    return header;
  }

  void take(std::span<const std::byte> bytes) {
    std::uint64_t record[3];
    if (bytes.size() != sizeof record) throw std::runtime_error("a perft record of another size");
    std::memcpy(record, bytes.data(), sizeof record);
    known_[record[0]] = static_cast<u128>(record[2]) << 64 | record[1];
  }

  std::unordered_map<std::size_t, u128> known_;
  Journal journal_;
};

struct PerftRun {
  PerftOutcome outcome;
  bool complete = false;
  double seconds = 0;
};

PerftRun count(const Position& p, const PerftOptions& options, const CommandContext& context, Backend& backend) {
  const VariantId variant = context.required_variant();
  const PerftRequest request{p, options.depth_plies, options.divide};
  PerftJob job{.variant = variant, .options = context.rules_for(variant), .requests = {&request, 1}};
  std::optional<PerftCheckpoint> checkpoint;
  if (options.checkpoint) {
    checkpoint.emplace(*options.checkpoint, variant, job.options, p, request.depth_plies, request.divide);
    job.known = [&](std::size_t unit) { return checkpoint->known(unit); };
  }
  PerftRun run;
  std::optional<Progress> progress;
  std::uint64_t finished = checkpoint ? checkpoint->size() : 0, all = 0;
  job.on_units = [&](std::size_t units) {
    all = units;
    progress.emplace(ProgressJob{"perft", "subtrees", units, finished}, ProgressOutput::standard_error(context.quiet));
  };
  job.on_unit = [&](std::size_t unit, u128 leaves) {
    finished++;
    progress->advance();
    if (checkpoint) checkpoint->add(unit, leaves);
  };
  job.on_request = [&](std::size_t, const PerftOutcome& outcome) { run.outcome = outcome; };
  const auto begin = std::chrono::steady_clock::now();
  run.complete = run_perft(job, backend);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  progress.reset();
  if (!run.complete) {
    print_warning("stopped with " + std::to_string(finished) + " of " + std::to_string(all) + " subtrees counted" +
                  (checkpoint ? "; the same command goes on from there" : "; --checkpoint FILE would keep them"));
  }
  return run;
}

Json json_of(const PerftDetail& d) {
  return {{"captures", decimal(d.captures)}, {"en_passant", decimal(d.en_passant)},
          {"castles", decimal(d.castles)},   {"promotions", decimal(d.promotions)},
          {"checks", decimal(d.checks)},     {"mates", decimal(d.mates)},
          {"ends", decimal(d.ends)}};
}

/// All that was asked for about one position.
struct PerftReport {
  PerftRun run;
  std::map<std::string, u128> divided;  // by UCI, sorted
  std::optional<PerftDetail> detail;
  std::optional<std::vector<u128>> unique;
};

Json json_of(const PerftReport& report, const Position& p, const PerftOptions& options, const CommandContext& context,
             const Backend& backend, unsigned threads) {
  const PerftAnswer& answer = report.run.outcome.answer;
  Json out = {{"variant", variant_name(context.required_variant())},
              {"fen", fen_of(p)},
              {"depth", options.depth_plies},
              {"nodes", decimal(answer.leaves)},
              {"seconds", report.run.seconds},
              {"nps", rate(answer.leaves, report.run.seconds)},
              {"backend", backend.name()},
              {"threads", threads},
              {"hash_bytes", backend.table_bytes()}};
  if (backend.table_bytes() != 0) out["hash_compares"] = "128-bit key";
  if (options.divide) {
    out["divide"] = Json::object();
    for (const auto& [move, leaves] : report.divided) out["divide"][move] = decimal(leaves);
  }
  if (report.detail) out["detail"] = json_of(*report.detail);
  if (report.unique) {
    out["unique"] = Json::array();
    for (const u128 n : *report.unique) out["unique"].push_back(decimal(n));
  }
  return out;
}

void print_text(const PerftReport& report, const CommandContext& context, const Backend& backend, unsigned threads) {
  for (const auto& [move, leaves] : report.divided) std::cout << move << ": " << decimal(leaves) << '\n';
  if (!report.divided.empty()) std::cout << '\n';
  std::cout << "Nodes searched: " << decimal(report.run.outcome.answer.leaves) << '\n';
  if (report.detail) {
    std::cout << '\n';
    const Json detail = json_of(*report.detail);
    for (const auto& [name, value] : detail.items()) {
      std::cout << name << ": " << value.get<std::string>() << '\n';
    }
  }
  if (report.unique) {
    std::cout << '\n';
    for (std::size_t i = 0; i < report.unique->size(); i++) {
      std::cout << "distinct after ply " << i + 1 << ": " << decimal((*report.unique)[i]) << '\n';
    }
  }
  if (context.quiet) return;
  const auto nps = static_cast<double>(rate(report.run.outcome.answer.leaves, report.run.seconds));
  std::cerr << format_duration(report.run.seconds) << ", " << format_si(nps) << " leaves/s, " << backend.name() << ", "
            << threads << (threads == 1 ? " thread, " : " threads, ");
  if (backend.table_bytes() == 0) {
    std::cerr << "no table\n";
  } else {
    std::cerr << "table of " << (backend.table_bytes() >> 10) << " KiB compared by 128-bit keys\n";
  }
}

/// What was refused or differs, said to people and machines; the exit code.
int report_failure(const PerftAnswer& answer, const CommandContext& context) {
  const VariantId variant = context.required_variant();
  const std::string again = perft_command(variant, context.rules_for(variant), answer.fen, answer.depth_plies);
  const bool differs = answer.status == PerftAnswer::Status::differs;
  const std::string message = differs ? "the backends differ (" + answer.note + ") below " + answer.fen
                                      : "the count passes 2^120; use a smaller --depth";
  if (context.json) {
    print_json(
        {{"error", {{"kind", differs ? "difference" : "overflow"}, {"message", message}, {"reproduce", again}}}});
  }
  print_error(message + (differs ? "\nto reproduce: " + again + " --backend " + context.backend : ""));
  return kExitRefused;
}

int drill_one(const Position& p, const PerftOptions& options, const CommandContext& context, Backend& backend) {
  const VariantId variant = context.required_variant();
  const RuleOptions rules = context.rules_for(variant);
  UciEngine engine(options.drill);
  const DrillReport report = drill(p, options.depth_plies, variant, rules, backend, engine);
  if (context.json) {
    print_json(json_of(report));
  } else {
    std::cout << text_of(report, variant, rules);
  }
  return report.agrees() ? kExitDone : kExitRefused;
}

int perft_one(const PerftOptions& options, const CommandContext& context) {
  const VariantId variant = context.required_variant();
  const RuleOptions rules = context.rules_for(variant);
  const std::string fen = options.fen.value_or(std::string(start_fen(variant)));
  const Expected<FenReading> read = read_fen(fen, variant, rules);
  if (!read) {
    if (context.json) print_json({{"error", hecatomb::json_of(read.error())}});
    if (!context.json) print_error_in(fen, read.error());
    return kExitRefused;
  }
  for (const Warning& warning : read->warnings) print_warning(warning.message);
  const Position& p = read->position;
  WorkPool pool(context.threads);
  const std::unique_ptr<Backend> backend = make_backend(context.backend, pool, {options.table_bytes});
  if (!options.drill.program.empty()) return drill_one(p, options, context, *backend);

  PerftReport report{.run = count(p, options, context, *backend), .divided = {}, .detail = {}, .unique = {}};
  const PerftOutcome& outcome = report.run.outcome;
  if (!report.run.complete) return kExitInterrupted;
  if (outcome.answer.status != PerftAnswer::Status::done) return report_failure(outcome.answer, context);
  for (const auto& below : outcome.divided) report.divided[uci_of(below.move)] = below.leaves;
  if (options.detail) {
    report.detail =
        options.depth_plies == 0 ? PerftDetail{} : perft_detail(p, options.depth_plies, variant, rules, pool);
    if (!report.detail) return kExitInterrupted;
  }
  if (options.unique) {
    report.unique = count_unique(p, options.depth_plies, variant, rules);
    if (!report.unique) return kExitInterrupted;
  }
  if (context.json) {
    print_json(json_of(report, p, options, context, *backend, pool.threads()));
  } else {
    print_text(report, context, *backend, pool.threads());
  }
  return kExitDone;
}

int perft(const PerftOptions& options, const CommandContext& context) {
  if (!options.suites.empty()) {
    for (const auto& [given, name] :
         {std::pair(options.fen.has_value(), "--fen"),
          std::pair(options.depth.has_value(), "--depth; --max-depth limits a suite"),
          std::pair(options.checkpoint.has_value(), "--checkpoint"), std::pair(options.divide, "--divide"),
          std::pair(options.detail, "--detail"), std::pair(options.unique, "--unique")}) {
      if (given) throw UsageError(std::string("--suite does not go with ") + name);
    }
    return run_suites(options, context);
  }
  if (options.most_nodes || options.most_depth) throw UsageError("--max-nodes and --max-depth are for --suite");
  if (!options.drill.program.empty() &&
      (options.divide || options.detail || options.unique || options.checkpoint.has_value())) {
    throw UsageError("--drill does not go with --divide, --detail, --unique or --checkpoint");
  }
  if (!options.depth) throw UsageError("no depth is given; add --depth D, or --suite FILE");
  if (!options.drill.program.empty() && *options.depth == 0) throw UsageError("--drill needs a --depth of at least 1");
  if (options.drill.program.empty() && !options.drill.variant_name.empty())
    throw UsageError("--drill-variant goes with --drill PROGRAM");
  PerftOptions one = options;
  one.depth_plies = *options.depth;
  return perft_one(one, context);
}

}  // namespace

std::uint64_t rate(u128 leaves, double seconds) {
  const double per_second = static_cast<double>(leaves) / std::max(seconds, 1e-9);
  return per_second < 1.8e19 ? static_cast<std::uint64_t>(per_second) : ~std::uint64_t{0};
}

std::string perft_command(VariantId variant, const RuleOptions& rules, const std::string& fen, int depth_plies) {
  return "hecatomb perft -v " + std::string(variant_name(variant)) + (rules.restricted_ep ? " --ep restricted" : "") +
         (rules.stalemated_wins ? " --stalemate stalemated-wins" : "") + " --fen '" + fen + "' --depth " +
         std::to_string(depth_plies) + " --divide";
}

void add_perft(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<PerftOptions>();
  CLI::App& command = add_command(app, context, "perft", "count move sequences; verify suites; compare with an engine",
                                  [options](const CommandContext& c) { return perft(*options, c); });
  command.add_option("--fen", options->fen, "position (default: the variant's start)");
  add_number(command, "--depth", options->depth, 0, kMostDepth, "plies");
  command.add_flag("--divide", options->divide, "also say how many are below each move");
  command.add_flag("--detail", options->detail, "also count captures, promotions, checks … of the last ply");
  command.add_flag("--unique", options->unique, "also count the distinct positions after each ply");
  add_size(command, "--hash", options->table_bytes, "memory of the table (default 256M, 0: none)");
  command.add_option("--checkpoint", options->checkpoint, "file that keeps what is counted; resumes from it");
  command.add_option("--suite", options->suites, "EPD files to verify: FEN ;D1 20 ;D2 400");
  command.add_option_function<std::string>(
      "--max-nodes",
      [options](const std::string& text) {
        options->most_nodes = parse_decimal(text);
        if (!options->most_nodes) throw UsageError("--max-nodes '" + text + "' is not a whole number");
      },
      "suite: skip checks that expect more");
  add_number(command, "--max-depth", options->most_depth, 0, kMostDepth, "suite: skip deeper checks");
  command.add_option_function<std::string>(
      "--drill",
      [options](const std::string& program) {
        if (program.empty()) throw UsageError("--drill '' names no engine; give the path or name of a UCI engine");
        options->drill.program = program;
      },
      "UCI engine to walk down with to the first difference");
  command.add_option("--drill-variant", options->drill.variant_name, "its name for the variant");
}

}  // namespace hecatomb
