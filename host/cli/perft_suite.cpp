// hecatomb perft --suite: thousands of positions with expected counts, verified in bulk.
//
// Lines become entries, entries of one variant and one set of rules become one job, and what is known of an entry is
// printed as soon as everything before it is: memory is a chunk of entries, however long the file.
#include <algorithm>
#include <chrono>
#include <deque>
#include <iostream>
#include <memory>

#include "host/cli/perft.h"
#include "host/error.h"
#include "host/notation/epd.h"
#include "host/notation/fen.h"
#include "host/notation/lines.h"
#include "host/notation/rule_choice.h"
#include "host/notation/variant_name.h"
#include "host/perft_job.h"
#include "host/report/progress.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

constexpr std::size_t kChunkChecks = 16384;

struct Check {
  int depth_plies;
  u128 expected;
  PerftAnswer answer;
  bool ok() const { return answer.status == PerftAnswer::Status::done && answer.leaves == expected; }
};

/// One line of a suite: a position with its checks, or why it was refused.
struct Entry {
  std::string file;
  std::uint64_t line = 0;
  std::optional<Error> refused;
  Position position{};
  std::vector<Check> checks;
  std::size_t open_checks = 0;
};

struct Totals {
  std::uint64_t positions = 0, checks = 0, failed = 0, refused = 0, drilled = 0;
  std::uint64_t skipped = 0;     ///< checks, by --max-nodes and --max-depth
  std::uint64_t unchecked = 0;   ///< positions whose line has no check
  std::uint64_t unfinished = 0;  ///< positions with checks that a stop left open
  u128 nodes = 0;
};

/// What a file's comments have said so far: "# variant: horde", "# options: ep=restricted".
struct FileRules {
  std::optional<VariantId> variant;
  RuleChoice choice;
};

class Suite {
 public:
  Suite(const PerftOptions& options, const CommandContext& context)
      : options_(options),
        context_(context),
        pool_(context.threads),
        backend_(make_backend(context.backend, pool_, {options.table_bytes})),
        progress_({"perft", "subtrees", 0, 0}, ProgressOutput::standard_error(context.quiet)) {}

  void read(const std::string& path);
  void run_chunk();
  int finish();

 private:
  void read_line(const Line& line, const std::string& file, FileRules& rules);
  void read_comment(const Line& line, const std::string& file, FileRules& rules);
  void add(Entry entry, VariantId variant, const RuleOptions& rules);
  std::optional<Error> read_checks(Entry& entry, const std::vector<EpdOp>& ops);
  void keep_finished_checks();
  bool is_wanted(const Check& check) const;
  void refuse(const std::string& file, const Line& line, Error error);
  void print_complete();
  void print(const Entry& entry);
  void print_failures(const Entry& entry);
  void drill_chunk();

  const PerftOptions& options_;
  const CommandContext& context_;
  WorkPool pool_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<UciEngine> engine_;  // of --drill, once it is needed
  Progress progress_;
  std::uint64_t units_ = 0;
  int unreadable_files_ = 0;
  Totals totals_;
  std::deque<Entry> entries_;  // not printed yet, in the order of the lines
  std::size_t checks_ = 0;     // in entries_
  VariantId variant_ = VariantId::chess;
  RuleOptions rules_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

bool Suite::is_wanted(const Check& check) const {
  return (!options_.most_nodes || check.expected <= *options_.most_nodes) &&
         (!options_.most_depth || check.depth_plies <= *options_.most_depth);
}

/// The operations D1, D2, … of a line.
std::optional<Error> Suite::read_checks(Entry& entry, const std::vector<EpdOp>& ops) {
  bool any = false;
  for (const EpdOp& op : ops) {
    const bool is_check = op.opcode.size() >= 2 && (op.opcode[0] == 'D' || op.opcode[0] == 'd') &&
                          op.opcode[1] >= '0' && op.opcode[1] <= '9';
    if (!is_check) continue;
    any = true;
    const std::optional<u128> depth = parse_decimal(std::string_view(op.opcode).substr(1));
    const std::optional<u128> expected = op.operands.size() == 1 ? parse_decimal(op.operands[0].text) : std::nullopt;
    if (!depth || *depth > kMostDepth || !expected) {
      return error_at(ErrorKind::trailing, "", op.column,
                      op.opcode + " " + op.text() + " is no check; write it as D1 20, with depths up to " +
                          std::to_string(kMostDepth));
    }
    const Check check{static_cast<int>(*depth), *expected, {}};
    if (is_wanted(check)) {
      entry.checks.push_back(check);
    } else {
      totals_.skipped++;
    }
  }
  totals_.unchecked += !any;
  entry.open_checks = entry.checks.size();
  return std::nullopt;
}

void Suite::refuse(const std::string& file, const Line& line, Error error) {
  Entry entry;
  entry.file = file;
  entry.line = line.number;
  entry.refused = std::move(error);
  entries_.push_back(std::move(entry));
}

void Suite::read_comment(const Line& line, const std::string& file, FileRules& rules) {
  if (const auto name = variant_of_comment(line.text)) {
    const Expected<VariantId> variant = read_variant(*name);
    if (variant) {
      rules = {*variant, {}};
    } else {
      rules = {};  // what follows must not be judged by the rules of what went before
      refuse(file, line, variant.error());
    }
  }
  constexpr std::string_view key = "# options:";
  if (!line.text.starts_with(key)) return;
  std::string_view rest = line.text.substr(key.size());
  while (!rest.empty()) {
    const std::size_t begin = rest.find_first_not_of(" \t");
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    const std::size_t equals = word.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    if (auto error = choose_rule(rules.choice, word.substr(0, equals), value)) refuse(file, line, std::move(*error));
  }
}

void Suite::read_line(const Line& line, const std::string& file, FileRules& rules) {
  if (line.error) return refuse(file, line, *line.error);
  if (is_epd_comment(line.text)) return read_comment(line, file, rules);
  const std::optional<VariantId> variant = context_.variant ? context_.variant : rules.variant;
  Expected<EpdPosition> read = read_epd(line.text, variant);
  if (!read) return refuse(file, line, read.error());
  const Expected<RuleOptions> chosen = rule_options_of(context_.rules.over(rules.choice), read->variant);
  if (!chosen) return refuse(file, line, chosen.error());
  if (!(*chosen == RuleOptions{})) {  // options change what a position is: read it again under them
    read = read_epd(line.text, variant, *chosen);
    if (!read) return refuse(file, line, read.error());
  }
  Entry entry;
  entry.file = file;
  entry.line = line.number;
  entry.position = read->position;
  if (auto error = read_checks(entry, read->ops)) return refuse(file, line, std::move(*error));
  add(std::move(entry), read->variant, *chosen);
}

void Suite::add(Entry entry, VariantId variant, const RuleOptions& rules) {
  if (checks_ >= kChunkChecks || variant != variant_ || !(rules == rules_)) run_chunk();
  variant_ = variant;
  rules_ = rules;
  checks_ += entry.checks.size();
  entries_.push_back(std::move(entry));
}

void Suite::read(const std::string& path) {
  std::optional<LineSource> source;
  try {
    source.emplace(LineSource::open(path));
  } catch (const EnvironmentError& error) {  // one missing file does not keep the others from being verified
    progress_.message(std::string("hecatomb: error: ") + error.what());
    unreadable_files_++;
    return;
  }
  FileRules rules;
  LineSource& lines = *source;
  while (const std::optional<Line> line = lines.next()) {
    if (stop_requested()) return;
    read_line(*line, lines.name(), rules);
    if (entries_.size() > 4 * kChunkChecks) run_chunk();  // a file of refused lines, or of positions without checks
  }
}

/// Counts and prints what has been read.
void Suite::run_chunk() {
  if (!options_.drill.program.empty()) return drill_chunk();
  std::vector<PerftRequest> requests;
  std::vector<std::pair<Entry*, Check*>> owners;
  for (Entry& entry : entries_) {
    for (Check& check : entry.checks) {
      requests.push_back({entry.position, check.depth_plies});
      owners.emplace_back(&entry, &check);
    }
  }
  PerftJob job{.variant = variant_, .options = rules_, .requests = requests};
  job.on_units = [&](std::size_t units) { progress_.set_total(units_ += units); };
  job.on_unit = [&](std::size_t, u128) { progress_.advance(); };
  job.on_request = [&](std::size_t i, const PerftOutcome& outcome) {
    owners[i].second->answer = outcome.answer;
    if (--owners[i].first->open_checks == 0) print_complete();
  };
  if (!run_perft(job, *backend_)) keep_finished_checks();
  print_complete();
  entries_.clear();
  checks_ = 0;
}

/// After a stop: an entry is what was counted of it, or nothing.
void Suite::keep_finished_checks() {
  for (Entry& entry : entries_) {
    if (entry.open_checks == 0) continue;
    totals_.unfinished++;
    std::erase_if(entry.checks, [](const Check& c) { return c.answer.status == PerftAnswer::Status::pending; });
    if (!entry.checks.empty()) entry.open_checks = 0;
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.open_checks != 0; });
}

void Suite::print_complete() {
  for (; !entries_.empty() && entries_.front().open_checks == 0; entries_.pop_front()) print(entries_.front());
}

void Suite::print(const Entry& entry) {
  if (entry.refused) {
    totals_.refused++;
    const std::string where =
        entry.file + ":" + std::to_string(entry.line) + ":" + std::to_string(std::max(entry.refused->column, 1)) + ": ";
    progress_.message("hecatomb: error: " + where + entry.refused->message);
    if (context_.json) print_json({{"file", entry.file}, {"line", entry.line}, {"error", json_of(*entry.refused)}});
    return;
  }
  totals_.positions++;
  Json checks = Json::array();
  bool ok = true;
  for (const Check& check : entry.checks) {
    totals_.checks++;
    totals_.nodes += check.answer.leaves;
    totals_.failed += !check.ok();
    ok = ok && check.ok();
    if (context_.json) {
      checks.push_back({{"depth", check.depth_plies},
                        {"expected", decimal(check.expected)},
                        {"nodes", decimal(check.answer.leaves)},
                        {"ok", check.ok()}});
    }
  }
  if (!ok) print_failures(entry);
  if (context_.json) {
    print_json({{"file", entry.file},
                {"line", entry.line},
                {"fen", fen_of(entry.position)},
                {"ok", ok},
                {"checks", std::move(checks)}});
  }
}

void Suite::print_failures(const Entry& entry) {
  for (const Check& check : entry.checks) {
    if (check.ok()) continue;
    std::string text = entry.file + ":" + std::to_string(entry.line) + ": depth " + std::to_string(check.depth_plies) +
                       ": expected " + decimal(check.expected) + ", ";
    using Status = PerftAnswer::Status;
    const bool differs = check.answer.status == Status::differs;
    text += differs                                   ? "backends differ: " + check.answer.note
            : check.answer.status == Status::overflow ? "the count passes 2^120"
                                                      : "counted " + decimal(check.answer.leaves);
    const std::string fen = differs ? check.answer.fen : fen_of(entry.position);
    const int depth = differs ? check.answer.depth_plies : check.depth_plies;
    text += "\n  to reproduce: " + perft_command(variant_, rules_, fen, depth);
    if (differs) text += " --backend " + context_.backend;
    if (context_.json) {
      progress_.message(text);
    } else {
      std::cout << text << '\n';
    }
  }
}

/// Compares every position with the engine, as deep as its deepest check.
void Suite::drill_chunk() {
  for (Entry& entry : entries_) {
    if (stop_requested()) break;
    if (!entry.refused && !entry.checks.empty()) {
      const auto deeper = [](const Check& a, const Check& b) { return a.depth_plies < b.depth_plies; };
      const int depth = std::max_element(entry.checks.begin(), entry.checks.end(), deeper)->depth_plies;
      if (!engine_) engine_ = std::make_unique<UciEngine>(options_.drill);
      const DrillReport report = drill(entry.position, depth, variant_, rules_, *backend_, *engine_);
      if (report.status == DrillReport::Status::stopped) break;
      totals_.drilled++;
      totals_.failed += !report.agrees();
      if (context_.json) {
        print_json({{"file", entry.file}, {"line", entry.line}, {"drill", json_of(report)}});
      } else if (!report.agrees()) {
        std::cout << entry.file << ':' << entry.line << ": " << text_of(report, variant_, rules_);
      }
      totals_.positions++;
    } else if (entry.refused) {
      print(entry);
    }
  }
  entries_.clear();
  checks_ = 0;
}

int Suite::finish() {
  progress_.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const std::uint64_t nps = rate(totals_.nodes, seconds);
  if (context_.json) {
    print_json({{"summary",
                 {{"positions", totals_.positions},
                  {"checks", totals_.checks},
                  {"failed", totals_.failed},
                  {"refused", totals_.refused},
                  {"seconds", seconds},
                  {"nps", nps},
                  {"skipped", totals_.skipped},
                  {"unchecked", totals_.unchecked},
                  {"drilled", totals_.drilled},
                  {"stopped", stop_requested()},
                  {"unfinished", totals_.unfinished}}}});
  } else {
    std::cout << totals_.positions << " positions, ";
    if (options_.drill.program.empty()) {
      std::cout << totals_.checks << " checks";
    } else {
      std::cout << totals_.drilled << " drilled";
    }
    std::cout << ", " << totals_.failed << " failed, " << totals_.refused << " refused";
    if (totals_.skipped != 0) std::cout << ", " << totals_.skipped << " skipped";
    std::cout << "; " << decimal(totals_.nodes) << " leaves in " << format_duration(seconds) << " ("
              << format_si(static_cast<double>(nps)) << " leaves/s, " << backend_->name() << ", " << pool_.threads()
              << (pool_.threads() == 1 ? " thread)" : " threads)") << std::endl;
  }
  if (totals_.unchecked != 0) {
    print_warning(std::to_string(totals_.unchecked) + " positions have no count to verify; write one as ;D1 20");
  }
  if (stop_requested()) {
    print_warning("stopped: " + std::to_string(totals_.unfinished) +
                  " positions that were read are not finished, and the rest was not read");
  }
  if (unreadable_files_ != 0) return kExitEnvironment;
  return totals_.failed != 0 || totals_.refused != 0 ? kExitRefused : kExitDone;
}

}  // namespace

int run_suites(const PerftOptions& options, const CommandContext& context) {
  Suite suite(options, context);
  for (const std::string& path : options.suites) suite.read(path);
  suite.run_chunk();
  return suite.finish();
}

}  // namespace hecatomb
