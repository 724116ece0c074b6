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
#include "host/table_demand.h"

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
  u128 counted_here = 0;  ///< leaves, without those of a checkpoint
  double seconds = 0;
  std::uint64_t nps() const { return rate(counted_here, seconds); }
};

PerftRun count(const PerftRequest& request, const PerftOptions& options, const CommandContext& context,
               Backend& backend) {
  const VariantId variant = context.required_variant();
  PerftJob job{.variant = variant, .options = context.rules_for(variant), .requests = {&request, 1}};
  std::optional<PerftCheckpoint> checkpoint;
  if (options.checkpoint) {
    checkpoint.emplace(*options.checkpoint, variant, job.options, request.position, request.depth_plies,
                       request.divide);
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
    run.counted_here += leaves;
    progress->advance();
    if (checkpoint) {
      checkpoint->add(unit, leaves);
    } else {
      fault_point("after-unit", finished);
    }
  };
  const auto take = [&](std::size_t, const PerftOutcome& outcome) { run.outcome = outcome; };
  job.on_request = take;
  job.on_unfinished = take;
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

/// All that was asked for about one position, as far as a stop let it come.
struct PerftReport {
  PerftRun run;
  std::map<std::string, u128> divided;  // by UCI, sorted
  std::optional<Partial<PerftDetail>> detail;
  std::optional<Partial<std::vector<u128>>> unique;

  bool complete() const { return run.complete && (!detail || detail->complete) && (!unique || unique->complete); }
};

/// Of a stopped count `nodes` is null, so that nobody takes what is counted so far for the whole.
Json json_of(const PerftReport& report, const Position& p, const PerftOptions& options, const CommandContext& context,
             const Backend& backend, unsigned threads) {
  const PerftAnswer& answer = report.run.outcome.answer;
  Json out = {{"variant", variant_name(context.required_variant())},
              {"fen", fen_of(p)},
              {"depth", options.depth_plies},
              {"nodes", report.run.complete ? Json(decimal(answer.leaves)) : Json()},
              {"seconds", report.run.seconds},
              {"nps", report.run.nps()},
              {"backend", backend.name()},
              {"threads", threads},
              {"hash_bytes", backend.table_bytes()}};
  if (backend.table_bytes() != 0) out["hash_compares"] = "128-bit key";
  if (!report.complete()) out["stopped"] = true;
  if (!report.run.complete) out["nodes_so_far"] = decimal(answer.leaves);
  if (options.divide) {
    out["divide"] = Json::object();
    for (const auto& [move, leaves] : report.divided) out["divide"][move] = decimal(leaves);
  }
  if (report.detail) out["detail"] = json_of(report.detail->value);
  if (report.detail && !report.detail->complete) out["detail"]["moves_so_far"] = decimal(report.detail->value.nodes);
  if (report.unique) {
    out["unique"] = Json::array();
    for (const u128 n : report.unique->value) out["unique"].push_back(decimal(n));
  }
  return out;
}

void print_nodes(const PerftReport& report) {
  for (const auto& [move, leaves] : report.divided) std::cout << move << ": " << decimal(leaves) << '\n';
  if (!report.divided.empty()) std::cout << '\n';
  const PerftOutcome& outcome = report.run.outcome;
  if (report.run.complete) {
    std::cout << "Nodes searched: " << decimal(outcome.answer.leaves) << '\n';
    return;
  }
  std::cout << "stopped: " << decimal(outcome.answer.leaves) << " leaves so far";
  if (outcome.moves != 0) std::cout << ", " << report.divided.size() << " of " << outcome.moves << " moves finished";
  std::cout << '\n';
}

void print_text(const PerftReport& report, const PerftOptions& options, const CommandContext& context,
                const Backend& backend, unsigned threads) {
  print_nodes(report);
  if (report.detail) {
    std::cout << '\n';
    if (!report.detail->complete)
      std::cout << "stopped: of " << decimal(report.detail->value.nodes) << " moves of the last ply so far\n";
    const Json detail = json_of(report.detail->value);
    for (const auto& [name, value] : detail.items()) {
      std::cout << name << ": " << value.get<std::string>() << '\n';
    }
  }
  if (report.unique) {
    std::cout << '\n';
    const std::vector<u128>& plies = report.unique->value;
    for (std::size_t i = 0; i < plies.size(); i++) {
      std::cout << "distinct after ply " << i + 1 << ": " << decimal(plies[i]) << '\n';
    }
    if (!report.unique->complete)
      std::cout << "stopped: " << plies.size() << " of " << options.depth_plies << " plies finished\n";
  }
  if (context.quiet) return;
  std::cerr << format_duration(report.run.seconds) << ", " << format_si(static_cast<double>(report.run.nps()))
            << " leaves/s, " << backend.name() << ", " << counted(threads, "thread") << ", ";
  if (backend.table_bytes() == 0) {
    std::cerr << "no table\n";
  } else {
    std::cerr << "table of " << format_size(backend.table_bytes()) << " compared by 128-bit keys\n";
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
  Progress progress({"drill", "plies", static_cast<std::uint64_t>(options.depth_plies), 0},
                    ProgressOutput::standard_error(context.quiet));
  const DrillReport report =
      drill(p, options.depth_plies, variant, rules, backend, engine, [&progress] { progress.advance(); });
  progress.finish();
  if (context.json) {
    print_json(json_of(report));
  } else {
    std::cout << text_of(report, variant, rules);
  }
  return report.agrees() ? kExitDone : kExitRefused;
}

/// Tells a line how far a job is that is done in parts.
OnPartDone shown_on(Progress& line) {
  return [&line](std::uint64_t more, std::uint64_t all) {
    line.set_total(all);
    line.advance(more);
  };
}

/// What was asked for besides the count.
void add_details(PerftReport& report, const Position& p, const PerftOptions& options, const CommandContext& context,
                 WorkPool& pool) {
  const VariantId variant = context.required_variant();
  const RuleOptions rules = context.rules_for(variant);
  for (const auto& below : report.run.outcome.divided) report.divided[uci_of(below.move)] = below.leaves;
  if (options.detail && report.complete()) {
    report.detail.emplace();
    if (options.depth_plies > 0) {
      Progress line({"detail", "subtrees", 0, 0}, ProgressOutput::standard_error(context.quiet));
      report.detail = perft_detail(p, options.depth_plies, variant, rules, pool, shown_on(line));
    }
  }
  if (options.unique && report.complete()) {
    Progress line({"unique", "positions", 0, 0}, ProgressOutput::standard_error(context.quiet));
    report.unique = count_unique(p, options.depth_plies, variant, rules, shown_on(line));
  }
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
  const PerftRequest request{p, options.depth_plies, options.divide};
  WorkPool pool(context.threads);
  const std::unique_ptr<Backend> backend =
      make_backend(context.backend, pool,
                   context.backend_options(table_demand_bytes(variant, rules, {&request, 1}, options.table_bytes)));
  if (!options.drill.program.empty()) return drill_one(p, options, context, *backend);

  PerftReport report{.run = count(request, options, context, *backend), .divided = {}, .detail = {}, .unique = {}};
  const PerftAnswer& answer = report.run.outcome.answer;
  if (answer.status == PerftAnswer::Status::overflow || answer.status == PerftAnswer::Status::differs)
    return report_failure(answer, context);
  add_details(report, p, options, context, pool);
  if (context.json) {
    print_json(json_of(report, p, options, context, *backend, pool.threads()));
  } else {
    print_text(report, options, context, *backend, pool.threads());
  }
  return kExitDone;
}

/// Options that do not go together, and those that are missing.
void check_options(const PerftOptions& options, const CommandContext& context) {
  const bool is_suite = !options.suites.empty(), is_drill = !options.drill.program.empty();
  if (!is_drill && !options.drill.variant_name.empty()) throw UsageError("--drill-variant goes with --drill PROGRAM");
  if (options.table_is_given && options.table_bytes != 0 &&
      (context.backend == "reference" || context.backend == "cuda"))
    print_warning("--hash is of no use here: the backend " + context.backend + " has no table");
  if (is_suite) {
    for (const auto& [given, name] :
         {std::pair(options.fen.has_value(), "--fen"),
          std::pair(options.depth.has_value(), "--depth; --max-depth limits a suite"),
          std::pair(options.checkpoint.has_value(), "--checkpoint"), std::pair(options.divide, "--divide"),
          std::pair(options.detail, "--detail"), std::pair(options.unique, "--unique")}) {
      if (given) throw UsageError(std::string("--suite does not go with ") + name);
    }
    return;
  }
  if (options.most_nodes || options.most_depth) throw UsageError("--max-nodes and --max-depth are for --suite");
  if (is_drill && (options.divide || options.detail || options.unique || options.checkpoint.has_value())) {
    throw UsageError("--drill does not go with --divide, --detail, --unique or --checkpoint");
  }
  if (!options.depth) throw UsageError("no depth is given; add --depth D, or --suite FILE");
  if (is_drill && *options.depth == 0) throw UsageError("--drill needs a --depth of at least 1");
}

int perft(const PerftOptions& options, const CommandContext& context) {
  check_options(options, context);
  if (!options.suites.empty()) return run_suites(options, context);
  PerftOptions one = options;
  one.depth_plies = options.depth.value_or(0);
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
  add_size(command, "--hash", options->table_bytes, "limit of the table's memory (default 256M, 0: none)")
      ->each([options](const std::string&) { options->table_is_given = true; });
  command.add_option("--checkpoint", options->checkpoint, "file that keeps what is counted; resumes from it")
      ->type_name("FILE");
  command.add_option("--suite", options->suites, "EPD files to verify (see below)");
  command.add_option_function<std::string>(
      "--max-nodes",
      [options](const std::string& text) {
        options->most_nodes = parse_decimal(text);
        if (!options->most_nodes) throw UsageError("--max-nodes '" + text + "' is not a whole number");
      },
      "suite: skip checks that expect more");
  add_number(command, "--max-depth", options->most_depth, 0, kMostDepth,
             "suite: skip deeper checks; with --drill, how deep lines without a check go (default 3)");
  command.add_option_function<std::string>(
      "--drill",
      [options](const std::string& program) {
        if (program.empty()) throw UsageError("--drill '' names no engine; give the path or name of a UCI engine");
        options->drill.program = program;
      },
      "UCI engine (a path or a name in PATH, no arguments) to walk down with to the first difference");
  command.add_option("--drill-variant", options->drill.variant_name, "its name for the variant");
  command.footer(
      "A suite is a file, or '-' for stdin, with one position a line: FEN ;D1 20 ;D2 400, or FEN D1 20; D2 400;\n"
      "The counters of the FEN may be missing. Lines that begin with # are comments; these mean something for the\n"
      "lines that follow:\n"
      "  # variant: NAME        a name or alias (antichess, giveaway, losing chess, …), as after -v; -v goes before\n"
      "  # ep: restricted       --ep for these lines; also '# options: ep=restricted stalemate=stalemated-wins'\n"
      "  # stalemate: VALUE     --stalemate for these lines\n"
      "A new '# variant' after a position takes the rule options back. Operations of a line do the same for that line\n"
      "alone: variant horde; ep restricted; stalemate stalemated-wins; other operations (id, …) are left alone.\n"
      "With --drill every position is verified, and drilled as deep as its deepest check.");
}

}  // namespace hecatomb
