// Progress: one line on the terminal that says how far a job is and when it will be done.
//
// The one idea: workers only add to a counter; a thread of the line's own looks at it five times a second. So a worker
// pays one atomic addition, and the line moves even while a unit takes minutes.
//
// Invariants
// - Nothing is written unless the output is a terminal and not quiet, and nothing in the first two seconds of a job.
// - The line is cleared at the end, so that what stays on the terminal are results, warnings and errors.
// - Rate and time left count only what was done here, not what a resumed job brought along.
// - A failing terminal never fails the job.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace hecatomb {

/// Where a progress line goes. Tests make their own; everybody else takes standard_error().
struct ProgressOutput {
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  std::ostream* stream = nullptr;  ///< must outlive the Progress; nullptr: nothing is ever written
  bool is_terminal = false;
  bool quiet = false;
  std::size_t columns = 80;  ///< of the terminal; the line is cut to fit
  Clock now = [] { return std::chrono::steady_clock::now(); };
  /// How often the thread of the line looks; zero: there is no thread and the owner calls refresh().
  std::chrono::milliseconds tick{200};

  static ProgressOutput standard_error(bool quiet);
};

/// What a job tells about itself.
struct ProgressJob {
  std::string label;               ///< "perft"
  std::string unit;                ///< plural: "positions"
  std::uint64_t total = 0;         ///< in units; 0: not known
  std::uint64_t already_done = 0;  ///< brought along from a checkpoint
};

class Progress {
 public:
  static constexpr std::chrono::milliseconds kQuietStart{2000};
  static constexpr std::chrono::milliseconds kLeastInterval{200};

  Progress(ProgressJob job, ProgressOutput output);
  /// As finish().
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Counts `units` as done. Any thread, any time; one relaxed atomic addition.
  void advance(std::uint64_t units = 1) noexcept { done_.fetch_add(units, std::memory_order_relaxed); }
  /// For jobs that learn how much there is while they work.
  void set_total(std::uint64_t total) noexcept { total_.store(total, std::memory_order_relaxed); }
  std::uint64_t done() const noexcept { return done_.load(std::memory_order_relaxed); }

  /// Writes the line anew if it is time to. Any thread.
  void refresh();

  /// Writes a warning above the line, or just writes it where there is no line (also when quiet: `message` is for what
  /// must be seen). Any thread.
  void message(std::string_view text);

  /// Stops the thread and clears the line. Afterwards nothing but message() writes.
  void finish();

  /// The line as it would be now, without control characters: "perft: 1.20M/3.40M positions (35%), 512k/s, 1m 05s
  /// left".
  std::string line() const;

 private:
  struct Display;

  ProgressJob job_;
  std::atomic<std::uint64_t> total_;
  alignas(64) std::atomic<std::uint64_t> done_;
  alignas(64) std::unique_ptr<Display> display_;
};

}  // namespace hecatomb
