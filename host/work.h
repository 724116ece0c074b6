// Work: the one thread pool, the stop flag and the fault points that every job shares.
//
// The one idea: a job is a number of units that do not depend on each other. Workers take the next unit from an atomic
// counter, so units of very different size keep all of them busy; whoever wants the job to end early sets one flag;
// units that are finished stay finished.
//
// Invariants
// - A unit is run at most once; without a stop, exception or abandoned unit, exactly once.
// - run() returns only after every worker has left the job: what a unit refers to may live on the caller's stack.
// - The worker number is below threads() and no two units run under the same number at once: index scratch space by it.
//   The calling thread is worker 0.
// - The order of units is not fixed. A job whose result must not depend on the thread count stores per unit index and
//   combines in index order afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hecatomb {

// ---- Stopping --------------------------------------------------------------------------------------------------

/// The process-wide stop flag: true once the job should end early. Loops may keep the reference and poll it (relaxed).
const std::atomic<bool>& stop_flag() noexcept;

/// The same flag for kernels that may not include standard headers: poll with
/// `__atomic_load_n(word, __ATOMIC_RELAXED)` (a plain or volatile read would be a data race).
const bool* stop_word() noexcept;

/// True once somebody asked to stop. Cheap enough for a loop of a microsecond a turn.
bool stop_requested() noexcept;

/// A descriptor that becomes readable when somebody asks to stop: for waits in poll(), which look at it beside what
/// they wait for and so cannot miss a request that comes just before the wait. Nobody reads or closes it. Throws
/// EnvironmentError if there is none left.
int stop_descriptor();

/// Asks every job of the process to stop; what a first Ctrl-C does. Async-signal-safe.
void request_stop() noexcept;

/// Takes the request back: for tests, and for hosts that run several jobs in one process (the Python module).
void reset_stop() noexcept;

/// While one exists, SIGINT and SIGTERM set the stop flag and end a system call that waits (EINTR); a signal that
/// arrives while the flag is already set kills the process the default way. The former handlers come back at the end.
/// At most one at a time (std::logic_error), made and destroyed by the main thread. SIGINT is taken over even where a
/// shell had it ignored (background jobs of scripts): a job that is told to stop by `kill -INT` should save and stop.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
};

// ---- The pool --------------------------------------------------------------------------------------------------

/// Cores this process may run on (sched_getaffinity), at least 1.
unsigned default_threads();

/// What run() did.
struct RunSummary {
  std::uint64_t units;     ///< asked for
  std::uint64_t finished;  ///< run to their end
  bool complete() const noexcept { return finished == units; }
};

/// A fixed set of threads. Make one per process and pass it to the jobs.
class WorkPool {
 public:
  /// `threads` counts the caller; 0 means default_threads(). Throws EnvironmentError if threads cannot be started.
  explicit WorkPool(unsigned threads = 0);
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  unsigned threads() const noexcept;

  /// Runs fn(index, worker) for every index below `count`, with std::uint64_t index and unsigned worker.
  /// fn returns void, or bool: false says that the unit gave up halfway (usually as the stop flag was set); it is then
  /// not counted as finished, and no new units are started.
  /// Once `stop` is set no new units are started; those that run are waited for.
  /// An exception of a unit keeps further units from starting and is rethrown here when all workers have left; of
  /// several, the first caught. One run() at a time: a nested or concurrent one is a bug (std::logic_error).
  template <typename Fn>
  RunSummary run(std::uint64_t count, Fn&& fn, const std::atomic<bool>& stop = stop_flag()) {
    using Target = std::remove_reference_t<Fn>;
    auto call = [](void* target, std::uint64_t index, unsigned worker) -> bool {
      Target& unit = *static_cast<Target*>(target);
      if constexpr (std::is_void_v<std::invoke_result_t<Target&, std::uint64_t, unsigned>>) {
        unit(index, worker);
        return true;
      } else {
        return unit(index, worker);
      }
    };
    void* target = const_cast<void*>(static_cast<const volatile void*>(std::addressof(fn)));
    return run_units(count, call, target, stop);
  }

 private:
  struct State;
  using Call = bool (*)(void* target, std::uint64_t index, unsigned worker);
  RunSummary run_units(std::uint64_t count, Call call, void* target, const std::atomic<bool>& stop);

  std::unique_ptr<State> state_;
};

// ---- Fault points ----------------------------------------------------------------------------------------------
//
// A test that kills a process at a fixed place and resumes it needs no clock and no luck. The environment variable
// HECATOMB_FAULT names one place:
//
//   value     = [ "interrupt-" ] point ":" count
//   point     = "after-unit" | "mid-record" | "before-rename"
//   count     = decimal digits, 1 to 18446744073709551615
//
//   after-unit     a unit of the job is finished and, if there is a journal, recorded; counts units, resumed ones too
//   mid-record     half of a journal record is written; counts records in the file, this one included
//   before-rename  a file is complete under its temporary name; counts the commits of this process
//
// The fault happens when the place is reached with a count of at least the one named. Without "interrupt-" the process
// dies as by kill -9: nothing is flushed, no destructor runs. With it, the stop flag is set, as by Ctrl-C at that
// place. An empty value means no fault; any other value that does not follow the grammar is an EnvironmentError.

/// The places that can fail, in the order of the grammar above.
inline constexpr std::string_view kFaultPoints[] = {"after-unit", "mid-record", "before-rename"};

/// A place, named by a literal that is checked while compiling.
class FaultPoint {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that one may write fault_point("after-unit", n)
  consteval FaultPoint(const char* name) : index_(index_of(name)) {}
  constexpr int index() const noexcept { return index_; }

 private:
  static consteval int index_of(std::string_view name) {
    int index = 0;
    for (std::string_view point : kFaultPoints) {
      if (point == name) return index;
      ++index;
    }
    throw "not in kFaultPoints";  // a compile-time error
  }
  int index_;
};

/// Reads HECATOMB_FAULT; main() calls it first. Throws EnvironmentError on a value that is not of the grammar.
void arm_faults_from_environment();

/// The same from a text; empty disarms.
void arm_faults(std::string_view value);

/// True if fault_point(point, count) would do something.
bool fault_armed(FaultPoint point, std::uint64_t count) noexcept;

/// Says that the job has reached `point` for the `count`-th time. Does nothing unless that fault is armed.
void fault_point(FaultPoint point, std::uint64_t count) noexcept;

}  // namespace hecatomb
