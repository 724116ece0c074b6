#include "host/work.h"

#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "host/error.h"

namespace hecatomb {
namespace {

// ---- Stopping ----

constinit std::atomic<bool> g_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");
static_assert(std::is_standard_layout_v<std::atomic<bool>> && sizeof(std::atomic<bool>) == sizeof(bool),
              "stop_word() hands out its first and only member");

// What stop_descriptor() hands out, or -1 before the first call. It is made after, and looked at after, the flag is
// looked at or set: so one of the two sides sees the other, whichever comes first.
constinit std::atomic<int> g_stop_descriptor{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads it");

// Async-signal-safe; leaves errno as it was.
void wake_waiters() noexcept {
  const int descriptor = g_stop_descriptor.load();
  if (descriptor < 0) return;
  const int error = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(descriptor, &one, sizeof one);  // it cannot fail but for being full
  errno = error;
}

int make_stop_descriptor() {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0)
    throw EnvironmentError("eventfd", "watch for Ctrl-C", errno, "Raise the limit on open files (ulimit -n)");
  g_stop_descriptor.store(descriptor);
  if (g_stop.load()) wake_waiters();
  return descriptor;
}

constexpr int kStopSignals[] = {SIGINT, SIGTERM};
struct sigaction g_former_actions[2];
std::atomic<bool> g_signals_taken{false};

extern "C" void hecatomb_on_stop_signal(int number) {
  if (!g_stop.exchange(true)) return wake_waiters();
  // The second time: the user is tired of waiting. The signal is blocked here and kills when the handler returns.
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

const std::atomic<bool>& stop_flag() noexcept { return g_stop; }
const bool* stop_word() noexcept { return reinterpret_cast<const bool*>(&g_stop); }
bool stop_requested() noexcept { return g_stop.load(std::memory_order_relaxed); }
int stop_descriptor() {
  static const int descriptor = make_stop_descriptor();
  return descriptor;
}
void request_stop() noexcept {
  g_stop.store(true);
  wake_waiters();
}
void reset_stop() noexcept {
  g_stop.store(false);
  std::uint64_t count = 0;
  const int descriptor = g_stop_descriptor.load();
  if (descriptor >= 0) static_cast<void>(!::read(descriptor, &count, sizeof count));
}

StopSignals::StopSignals() {
  if (g_signals_taken.exchange(true)) throw std::logic_error("StopSignals: one at a time");
  struct sigaction action = {};
  action.sa_handler = hecatomb_on_stop_signal;
  action.sa_flags = 0;  // a wait is to end; who must not be interrupted repeats the call (host/storage/file.cpp)
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < 2; ++i) sigaction(kStopSignals[i], &action, &g_former_actions[i]);
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < 2; ++i) sigaction(kStopSignals[i], &g_former_actions[i], nullptr);
  g_signals_taken.store(false);
}

// ---- The pool ----

unsigned default_threads() {
  // The fixed cpu_set_t ends at 1024 CPUs; the kernel answers EINVAL as long as the set is too small for the machine.
  for (std::size_t cpus = 1024; cpus <= (std::size_t{1} << 20); cpus *= 2) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    if (set == nullptr) break;
    const std::size_t size_bytes = CPU_ALLOC_SIZE(cpus);
    const int rc = sched_getaffinity(0, size_bytes, set);
    const int error = errno;
    const int count = rc == 0 ? CPU_COUNT_S(size_bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return static_cast<unsigned>(count);
    if (error != EINVAL) break;
  }
  const unsigned hardware = std::thread::hardware_concurrency();
  return hardware == 0 ? 1 : hardware;
}

namespace {

// One call of run(): lives on the caller's stack until all workers have left it.
struct Job {
  bool (*call)(void*, std::uint64_t, unsigned);
  void* target;
  std::uint64_t count;
  const std::atomic<bool>& stop;

  alignas(64) std::atomic<std::uint64_t> next{0};  // on a line of its own: every worker writes it
  alignas(64) std::atomic<bool> halted{false};     // an exception, or a unit that gave up
  std::atomic<std::uint64_t> finished{0};
  std::mutex error_mutex{};
  std::exception_ptr error{};

  void work(unsigned worker) noexcept {
    std::uint64_t done = 0;
    try {
      while (!halted.load(std::memory_order_relaxed) && !stop.load(std::memory_order_relaxed)) {
        const std::uint64_t index = next.fetch_add(1, std::memory_order_relaxed);
        if (index >= count) break;
        if (!call(target, index, worker)) {
          halted.store(true, std::memory_order_relaxed);
          break;
        }
        ++done;
      }
    } catch (...) {
      halted.store(true, std::memory_order_relaxed);
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
    }
    finished.fetch_add(done, std::memory_order_relaxed);
  }
};

}  // namespace

struct WorkPool::State {
  std::atomic<bool> busy{false};
  std::mutex mutex;
  std::condition_variable job_changed;  // a job is there, or the pool ends
  std::condition_variable worker_left;  // `inside` fell
  Job* job = nullptr;                   // guarded by mutex, like the rest
  std::uint64_t generation = 0;         // counts jobs: a worker takes part in each at most once
  unsigned inside = 0;                  // workers in the job
  bool ending = false;
  unsigned threads = 1;
  std::vector<std::jthread> workers;

  void serve(unsigned worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      job_changed.wait(lock, [&] { return ending || (job != nullptr && generation != seen); });
      if (ending) return;
      seen = generation;
      Job& current = *job;
      ++inside;
      lock.unlock();
      current.work(worker);
      lock.lock();
      if (--inside == 0) worker_left.notify_one();
    }
  }

  ~State() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
    }
    job_changed.notify_all();
    workers.clear();  // joins
  }
};

WorkPool::WorkPool(unsigned threads) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.threads = threads == 0 ? default_threads() : threads;
  try {
    for (unsigned worker = 1; worker < state.threads; ++worker)
      state.workers.emplace_back([&state, worker] { state.serve(worker); });
  } catch (const std::system_error& error) {
    throw EnvironmentError("--threads " + std::to_string(state.threads), "start that many threads",
                           error.code().message(), "Ask for fewer with --threads, or raise `ulimit -u`");
  }
}

WorkPool::~WorkPool() = default;

unsigned WorkPool::threads() const noexcept { return state_->threads; }

RunSummary WorkPool::run_units(std::uint64_t count, Call call, void* target, const std::atomic<bool>& stop) {
  State& state = *state_;
  if (state.busy.exchange(true)) throw std::logic_error("WorkPool::run: nested or concurrent call");
  Job job{.call = call, .target = target, .count = count, .stop = stop};
  if (count > 1 && state.threads > 1) {
    {
      const std::lock_guard lock(state.mutex);
      state.job = &job;
      ++state.generation;
    }
    state.job_changed.notify_all();
  }
  job.work(0);
  {
    std::unique_lock lock(state.mutex);
    state.job = nullptr;  // a worker that wakes up only now finds nothing
    state.worker_left.wait(lock, [&] { return state.inside == 0; });
  }
  state.busy.store(false);
  if (job.error) std::rethrow_exception(job.error);
  return {.units = count, .finished = job.finished.load(std::memory_order_relaxed)};
}

// ---- Fault points ----

namespace {

// Index of the armed point, or -1; written before the workers of a job start.
std::atomic<int> g_fault_point{-1};
std::atomic<std::uint64_t> g_fault_count{0};
std::atomic<bool> g_fault_interrupts{false};

[[noreturn]] void refuse_fault(std::string_view value, std::string_view reason) {
  std::string remedy = "It is [interrupt-]POINT:COUNT with COUNT from 1 and POINT one of";
  for (std::string_view point : kFaultPoints) remedy.append(" ").append(point);
  throw EnvironmentError("HECATOMB_FAULT", "use the value '" + std::string(value) + "'", std::string(reason),
                         std::move(remedy) + "; unset it to run without faults");
}

}  // namespace

void arm_faults(std::string_view value) {
  g_fault_point.store(-1);
  if (value.empty()) return;
  constexpr std::string_view interrupt_prefix = "interrupt-";
  std::string_view rest = value;
  const bool interrupts = rest.starts_with(interrupt_prefix);
  if (interrupts) rest.remove_prefix(interrupt_prefix.size());
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) refuse_fault(value, "it has no ':'");
  const std::string_view name = rest.substr(0, colon);
  const std::string_view digits = rest.substr(colon + 1);
  int index = -1;
  for (int i = 0; i < static_cast<int>(std::size(kFaultPoints)); ++i)
    if (kFaultPoints[i] == name) index = i;
  if (index < 0) refuse_fault(value, "no fault point is called '" + std::string(name) + "'");
  std::uint64_t count = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (code != std::errc{} || end != digits.data() + digits.size() || count == 0)
    refuse_fault(value, "'" + std::string(digits) + "' is not a count");
  g_fault_count.store(count);
  g_fault_interrupts.store(interrupts);
  g_fault_point.store(index);
}

void arm_faults_from_environment() {
  const char* value = std::getenv("HECATOMB_FAULT");
  arm_faults(value == nullptr ? std::string_view{} : std::string_view{value});
}

bool fault_armed(FaultPoint point, std::uint64_t count) noexcept {
  return g_fault_point.load(std::memory_order_relaxed) == point.index() &&
         count >= g_fault_count.load(std::memory_order_relaxed);
}

void fault_point(FaultPoint point, std::uint64_t count) noexcept {
  if (!fault_armed(point, count)) return;
  if (g_fault_interrupts.load(std::memory_order_relaxed)) {
    request_stop();
    return;
  }
  raise(SIGKILL);
  _exit(128 + SIGKILL);  // not reached
}

}  // namespace hecatomb
