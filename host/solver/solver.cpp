#include "host/solver/solver.h"

#include <chrono>

#include "host/notation/legal.h"
#include "host/solver/checkpoint.h"
#include "host/solver/disproof.h"
#include "host/solver/leaf.h"

namespace hecatomb {
namespace {

constexpr std::uint64_t kBytesOfWalkedPosition = 192, kBytesOfProofPosition = 128;

class Job {
 public:
  explicit Job(const SolveRequest& request)
      : request_(request),
        problem_(request.problem),
        profiles_(request.profiles.empty() ? std::vector{&search_profiles().front()} : request.profiles),
        spill_(request.spill_path),
        table_(request.hash_bytes / 4 * 3) {
    table_.on_evict = [this](const NodeImage& image) { spill_.add(image); };
    if (!request.checkpoint_path.empty()) checkpoint_.emplace(request.checkpoint_path, problem_, table_);
    control_.most_expansions = request.most_expansions;
    control_.on_unit = [this](std::uint64_t more) { return end_unit(more); };
    if (checkpoint_) control_.on_solved = [this](Key key, const NodeEntry& entry) { checkpoint_->add(key, entry); };
    if (profiles_.size() > 1) control_.presence = std::make_unique<Presence>();
    for (const SearchProfile* profile : profiles_) {
      searches_.push_back(std::make_unique<ProofSearch>(problem_, *profile, table_, control_));
    }
  }

  void run(const ExpandedChild& root, SolveReport& report) {
    ChildState known;
    if (take_known(root, problem_, known)) {  // by a table
      report.numbers = known.numbers;
      if (known.numbers.proved()) collect(report);
      if (known.numbers.disproved()) report.status = SolveStatus::disproved;
      return;
    }
    do {
      search(root);
      report.numbers = numbers_of(root);
      if (report.numbers.proved()) {
        collect(report);
        break;
      }
      if (report.numbers.disproved() && conclude_disproof(root, report)) break;
    } while (!control_.stop.load());
    report.expansions = control_.expansions.load();
    report.stopped = stop_requested();
    if (report.status == SolveStatus::unknown && report.numbers.disproved()) report.numbers = {kMost, 1};
    if (checkpoint_ && control_.expansions != 0) checkpoint_->finish();
  }

 private:
  bool end_unit(std::uint64_t more) {
    if (checkpoint_) checkpoint_->flush();
    if (request_.on_expansions) request_.on_expansions(more);
    const std::uint64_t units = units_.fetch_add(1) + 1;
    fault_point("after-unit", units);
    return request_.is_time_up && request_.is_time_up();
  }

  /// All threads from the root, until one has solved it.
  void search(const ExpandedChild& root) {
    if (searches_.size() == 1) {
      searches_[0]->search(root);
      return;
    }
    if (!pool_) pool_.emplace(static_cast<unsigned>(searches_.size()));
    std::atomic<bool> is_solved{false};
    pool_->run(searches_.size(), [&](std::uint64_t index, unsigned) {
      const ProofSearch::Found found = searches_[index]->search(root);
      if (found.numbers.solved()) is_solved.store(true);
      control_.stop.store(true);
    });
    // The first to solve the root stops the others, which is no stop from outside.
    if (is_solved.load() && !stop_requested()) control_.stop.store(false);
  }

  ProofNumbers numbers_of(const ExpandedChild& root) const {
    const NodeEntry entry = table_.probe(key_of(root));
    return entry.kind == NodeEntry::Kind::none ? first_numbers(root, problem_) : entry.numbers;
  }

  void collect(SolveReport& report) {
    unsigned nodes = 1;
    for (const SearchProfile* profile : profiles_) nodes = std::max(nodes, profile->mini_nodes);
    MiniSearch mini(problem_, nodes);
    const auto extract = [&](std::uint64_t bytes) {
      return extract_proof(problem_, table_, spill_, *searches_[0], mini, bytes / kBytesOfProofPosition);
    };
    ProofExtraction extraction = extract(request_.hash_bytes / 4);
    if (extraction.is_too_large) {  // the table makes room
      table_.spill_all();
      extraction = extract(request_.hash_bytes);
    }
    report.note = extraction.fault;
    if (!extraction.fault.empty()) return;
    report.status = SolveStatus::proved;
    report.proof = std::move(extraction.proof);
  }

  /// True if there is no more to be done.
  bool conclude_disproof(const ExpandedChild& root, SolveReport& report) {
    if (table_.probe(key_of(root)).kind == NodeEntry::Kind::disproved) {
      report.status = SolveStatus::disproved;
      return true;
    }
    switch (close_disproof(root, problem_, table_, *searches_[0], control_,
                           request_.hash_bytes / 4 / kBytesOfWalkedPosition)) {
      case DisproofVerdict::closed:
        report.status = SolveStatus::disproved;
        return true;
      case DisproofVerdict::open:
        table_.forget_cuts();
        if (++attempts_ < kMostAttempts) return false;
        report.note = "no win was found; that there is none could not be shown for every path";
        return true;
      case DisproofVerdict::too_many:
        report.note = "no win was found; that there is none rests on repetitions in more positions than --hash allows";
        return true;
      case DisproofVerdict::stopped:
        break;
    }
    return true;
  }

  static constexpr int kMostAttempts = 64;

  const SolveRequest& request_;
  const ProofProblem& problem_;
  std::vector<const SearchProfile*> profiles_;
  Spill spill_;
  NodeTable table_;
  SearchControl control_;
  std::optional<SolverCheckpoint> checkpoint_;
  std::vector<std::unique_ptr<ProofSearch>> searches_;
  std::optional<WorkPool> pool_;
  std::atomic<std::uint64_t> units_{0};
  int attempts_ = 0;
};

/// A root at which the game is over.
bool is_over(const ProofProblem& problem, SolveReport& report) {
  const Outcome outcome = decided_outcome(problem.root, problem.variant, problem.options);
  if (outcome.result == Result::ongoing) return false;
  const bool won = outcome.result == (problem.prover == kWhite ? Result::white_wins : Result::black_wins);
  report.status = won ? SolveStatus::proved : SolveStatus::disproved;
  report.numbers = won ? kProved : kDisproved;
  return true;
}

}  // namespace

SolveReport solve(const SolveRequest& request) {
  SolveReport report;
  const auto begin = std::chrono::steady_clock::now();
  if (!is_over(request.problem, report)) {
    MoveList legal;
    list_legal(request.problem.root, request.problem.variant, legal);
    Job job(request);
    job.run(root_child(request.problem.root, legal.size), report);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace hecatomb
