// hecatomb perft --suite: thousands of positions with expected counts, verified in bulk.
//
// Entries of one variant and one set of rules become one job, and what is known of an entry is printed as soon as
// everything before it is: memory is a chunk of entries, however long the file.
#include <algorithm>
#include <chrono>
#include <deque>
#include <iostream>
#include <memory>

#include "host/books/book.h"
#include "host/cli/perft.h"
#include "host/cli/suite_lines.h"
#include "host/error.h"
#include "host/notation/fen.h"
#include "host/perft_job.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/table_demand.h"

namespace hecatomb {

namespace {

constexpr std::size_t kChunkChecks = 16384;
constexpr int kDrillDepth = 3;  // of positions without a check

struct Totals {
  std::uint64_t positions = 0, checks = 0, failed = 0, refused = 0, drilled = 0;
  std::uint64_t unfinished = 0;        ///< positions with checks that a stop left open
  std::uint64_t unreadable_files = 0;  ///< that could not be opened
  u128 nodes = 0;
};

std::uint64_t saturated(u128 count) {
  return count > ~std::uint64_t{0} ? ~std::uint64_t{0} : static_cast<std::uint64_t>(count);
}

class Suite {
 public:
  Suite(const PerftOptions& options, const CommandContext& context)
      : options_(options),
        context_(context),
        pool_(context.threads),
        progress_({is_drill() ? "drill" : "perft", is_drill() ? "positions" : "leaves", 0, 0},
                  ProgressOutput::standard_error(context.quiet)) {
    use_table(0);
  }

  void read(const std::string& path);
  void run_chunk();
  int finish();

 private:
  bool is_drill() const { return !options_.drill.program.empty(); }
  void use_table(std::uint64_t size_bytes);
  std::optional<Book> open(const std::string& path);
  void add(SuiteEntry entry);
  std::vector<PerftRequest> requests() const;
  bool count(const std::vector<PerftRequest>& requests);
  void keep_finished_checks();
  void refuse_file(const std::string& path, const EnvironmentError& error);
  void print_complete();
  void print_refused(const SuiteEntry& entry, const Error& error);
  void print(const SuiteEntry& entry, const DrillReport* drilled = nullptr);
  void print_json_line(const SuiteEntry& entry, bool ok, const DrillReport* drilled);
  void print_failures(const SuiteEntry& entry);
  std::string command_for(const SuiteEntry& entry, const SuiteCheck& check) const;
  void drill_chunk();
  bool drill_entry(const SuiteEntry& entry);
  void print_summary();
  void print_warnings() const;

  const PerftOptions& options_;
  const CommandContext& context_;
  WorkPool pool_;
  std::unique_ptr<Backend> backend_;
  std::uint64_t table_bytes_ = 0;
  std::unique_ptr<UciEngine> engine_;  // of --drill, once it is needed
  Progress progress_;
  u128 expected_ = 0;  // leaves, of what has been read; the total of the progress line
  Totals totals_;
  SuiteNotes notes_;
  std::deque<SuiteEntry> entries_;  // not printed yet, in the order of the lines
  std::size_t checks_ = 0;          // in entries_
  VariantId variant_ = VariantId::chess;
  RuleOptions rules_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Makes the backend, with a table of at least that size; a larger one stays.
void Suite::use_table(std::uint64_t size_bytes) {
  if (backend_ && size_bytes <= table_bytes_) return;
  table_bytes_ = size_bytes;
  backend_.reset();  // its memory first
  backend_ = make_backend(context_.backend, pool_, context_.backend_options(size_bytes));
}

void Suite::add(SuiteEntry entry) {
  const bool other_rules = !entry.refused && (entry.variant != variant_ || !(entry.rules == rules_));
  if (checks_ >= kChunkChecks || other_rules || entries_.size() > 4 * kChunkChecks) run_chunk();
  if (!entry.refused) {
    variant_ = entry.variant;
    rules_ = entry.rules;
  }
  checks_ += entry.checks.size();
  for (const SuiteCheck& check : entry.checks) expected_ += check.expected;
  entries_.push_back(std::move(entry));
}

void Suite::refuse_file(const std::string& path, const EnvironmentError& error) {
  progress_.message(std::string("hecatomb: error: ") + error.what());
  totals_.unreadable_files++;
  if (!context_.json) return;
  print_json({{"file", path},
              {"line", 0},
              {"ok", false},
              {"error", {{"kind", "file"}, {"field", ""}, {"column", 0}, {"ply", 0}, {"message", error.what()}}}});
}

/// Nothing for a file that cannot be opened, which is said: it does not keep the others from being verified.
std::optional<Book> Suite::open(const std::string& path) {
  const auto before_waiting = [this] {
    run_chunk();
    flush_output();
  };
  try {
    return Book::open(path, {context_.variant, context_.rules}, before_waiting);
  } catch (const EnvironmentError& error) {
    run_chunk();
    refuse_file(path, error);
    return std::nullopt;
  }
}

void Suite::read(const std::string& path) {
  std::optional<Book> book = open(path);
  if (!book) return;
  SuiteFile file(book->name(), options_, notes_,
                 [this](const std::string& text) { progress_.message("hecatomb: warning: " + text); });
  BookItem item;
  while (book->next(item)) {
    if (stop_requested()) return;
    add(file.read(read_item(std::move(item))));
  }
}

std::vector<PerftRequest> Suite::requests() const {
  std::vector<PerftRequest> requests;
  for (const SuiteEntry& entry : entries_) {
    for (const SuiteCheck& check : entry.checks) requests.push_back({entry.position, check.depth_plies});
  }
  return requests;
}

/// Counts and prints what has been read.
void Suite::run_chunk() {
  const bool complete = count(requests());
  if (!complete) keep_finished_checks();
  if (is_drill() && complete) drill_chunk();
  print_complete();
  entries_.clear();
  checks_ = 0;
}

/// Answers the checks of all entries; false if it was stopped before.
bool Suite::count(const std::vector<PerftRequest>& requests) {
  std::vector<std::pair<SuiteEntry*, SuiteCheck*>> owners;
  for (SuiteEntry& entry : entries_) {
    for (SuiteCheck& check : entry.checks) owners.emplace_back(&entry, &check);
  }
  use_table(table_demand_bytes(variant_, rules_, requests, options_.table_bytes));
  PerftJob job{.variant = variant_, .options = rules_, .requests = requests};
  if (is_drill()) {
    progress_.set_total(totals_.positions + entries_.size());
  } else {
    progress_.set_total(saturated(expected_));
    job.on_unit = [&](std::size_t, u128 leaves) { progress_.advance(saturated(leaves)); };
  }
  job.on_request = [&](std::size_t i, const PerftOutcome& outcome) {
    owners[i].second->answer = outcome.answer;
    if (--owners[i].first->open_checks == 0 && !is_drill()) print_complete();
  };
  return run_perft(job, *backend_);
}

/// After a stop: an entry is what was counted of it, or nothing.
void Suite::keep_finished_checks() {
  for (SuiteEntry& entry : entries_) {
    if (entry.open_checks == 0) continue;
    totals_.unfinished++;
    std::erase_if(entry.checks, [](const SuiteCheck& c) { return c.answer.status == PerftAnswer::Status::pending; });
    if (!entry.checks.empty()) entry.open_checks = 0;
  }
  std::erase_if(entries_, [](const SuiteEntry& entry) { return entry.open_checks != 0; });
}

void Suite::print_complete() {
  for (; !entries_.empty() && entries_.front().open_checks == 0; entries_.pop_front()) print(entries_.front());
}

void Suite::print_refused(const SuiteEntry& entry, const Error& error) {
  totals_.refused++;
  progress_.message("hecatomb: error: " + entry.file + ":" + std::to_string(entry.line) + ":" +
                    std::to_string(std::max(error.column, 1)) + ": " + without_column(error));
  if (!context_.json) return;
  print_json({{"file", entry.file}, {"line", entry.line}, {"ok", false}, {"error", json_of(error)}});
}

void Suite::print(const SuiteEntry& entry, const DrillReport* drilled) {
  if (entry.refused) return print_refused(entry, *entry.refused);
  totals_.positions++;
  bool ok = drilled == nullptr || drilled->agrees();
  totals_.failed += !ok;
  for (const SuiteCheck& check : entry.checks) {
    totals_.checks++;
    totals_.nodes += check.answer.leaves;
    totals_.failed += !check.ok();
    ok = ok && check.ok();
  }
  print_failures(entry);
  if (context_.json) return print_json_line(entry, ok, drilled);
  if (drilled != nullptr && !drilled->agrees())
    std::cout << entry.file << ':' << entry.line << ": " << text_of(*drilled, entry.variant, entry.rules);
}

/// Why a check that was not counted was not; empty for others.
std::string fault_of(const SuiteCheck& check) {
  using Status = PerftAnswer::Status;
  if (check.answer.status == Status::differs) return "backends differ: " + check.answer.note;
  return check.answer.status == Status::overflow ? "the count passes 2^120" : "";
}

void Suite::print_json_line(const SuiteEntry& entry, bool ok, const DrillReport* drilled) {
  Json checks = Json::array();
  std::string again;
  for (const SuiteCheck& check : entry.checks) {
    const std::string fault = fault_of(check);
    checks.push_back({{"depth", check.depth_plies},
                      {"expected", decimal(check.expected)},
                      {"nodes", fault.empty() ? Json(decimal(check.answer.leaves)) : Json()},
                      {"ok", check.ok()}});
    if (!fault.empty()) checks.back()["note"] = fault;
    if (!check.ok() && again.empty()) again = command_for(entry, check);
  }
  Json line = {{"file", entry.file},
               {"line", entry.line},
               {"fen", fen_of(entry.position)},
               {"ok", ok},
               {"checks", std::move(checks)}};
  if (!again.empty()) line["reproduce"] = again;
  if (is_drill()) line["drilled"] = drilled != nullptr;
  if (drilled != nullptr) line["drill"] = json_of(*drilled);
  print_json(line);
}

/// The command that shows a failed check again.
std::string Suite::command_for(const SuiteEntry& entry, const SuiteCheck& check) const {
  const bool differs = check.answer.status == PerftAnswer::Status::differs;
  const std::string fen = differs ? check.answer.fen : fen_of(entry.position);
  return perft_command(entry.variant, entry.rules, fen, differs ? check.answer.depth_plies : check.depth_plies) +
         (differs ? " --backend " + context_.backend : "");
}

void Suite::print_failures(const SuiteEntry& entry) {
  for (const SuiteCheck& check : entry.checks) {
    if (check.ok()) continue;
    const std::string fault = fault_of(check);
    const std::string text = entry.file + ":" + std::to_string(entry.line) + ": depth " +
                             std::to_string(check.depth_plies) + ": expected " + decimal(check.expected) + ", " +
                             (fault.empty() ? "counted " + decimal(check.answer.leaves) : fault) +
                             "\n  to reproduce: " + command_for(entry, check);
    if (context_.json) {
      progress_.message(text);
    } else {
      std::cout << text << '\n';
    }
  }
}

/// Compares every position with the engine and prints it; a stop leaves the rest of the chunk unfinished.
void Suite::drill_chunk() {
  while (!entries_.empty()) {
    const SuiteEntry& entry = entries_.front();
    if (entry.refused) {
      print(entry);
    } else if (!drill_entry(entry)) {
      totals_.unfinished += entries_.size();
      entries_.clear();
      return;
    }
    entries_.pop_front();
    progress_.advance();
  }
}

/// False if it was stopped.
bool Suite::drill_entry(const SuiteEntry& entry) {
  int depth = entry.checks.empty() ? options_.most_depth.value_or(kDrillDepth) : 0;
  for (const SuiteCheck& check : entry.checks) depth = std::max(depth, check.depth_plies);
  if (!engine_) engine_ = std::make_unique<UciEngine>(options_.drill);
  const DrillReport report = drill(entry.position, depth, entry.variant, entry.rules, *backend_, *engine_);
  if (report.status == DrillReport::Status::stopped) return false;
  totals_.drilled++;
  print(entry, &report);
  return true;
}

void Suite::print_summary() {
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
                  {"skipped", notes_.skipped},
                  {"unchecked", notes_.unchecked},
                  {"drilled", totals_.drilled},
                  {"unreadable_files", totals_.unreadable_files},
                  {"stopped", stop_requested()},
                  {"unfinished", totals_.unfinished}}}});
    return;
  }
  std::cout << counted(totals_.positions, "position") << ", " << counted(totals_.checks, "check");
  if (is_drill()) std::cout << ", " << totals_.drilled << " drilled";
  std::cout << ", " << totals_.failed << " failed, " << totals_.refused << " refused";
  if (notes_.skipped != 0) std::cout << ", " << notes_.skipped << " skipped";
  std::cout << "; " << decimal(totals_.nodes) << " leaves in " << format_duration(seconds) << " ("
            << format_si(static_cast<double>(nps)) << " leaves/s, " << backend_->name() << ", "
            << counted(pool_.threads(), "thread") << ")" << std::endl;
}

void Suite::print_warnings() const {
  if (notes_.unchecked != 0 && !is_drill()) {
    print_warning(counted(notes_.unchecked, "position") + " without a count to verify; write one as ;D1 20");
  }
  if (notes_.dropped_castling != 0) {
    print_warning(counted(notes_.dropped_castling, "position") +
                  " with castling rights that the rules or the men do not give; these rights were dropped");
  }
  if (stop_requested()) {
    print_warning("stopped: of what was read, " + counted(totals_.unfinished, "position") +
                  " not finished; the rest was not read");
  }
}

int Suite::finish() {
  progress_.finish();
  print_summary();
  print_warnings();
  if (totals_.unreadable_files != 0) return kExitEnvironment;
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
