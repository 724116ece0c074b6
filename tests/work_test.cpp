// The pool, the stop flag and the fault points. Nothing here looks at a clock: threads wait for each other with
// latches, and processes are told apart by how they ended.
#include "host/work.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <barrier>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <latch>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "host/error.h"
#include "tests/support/child.h"

namespace hecatomb {
namespace {

bool exited_with(int status, int code) { return exit_code(status) == code; }

class WorkTest : public testing::Test {
 protected:
  void SetUp() override { reset_stop(); }
  void TearDown() override {
    reset_stop();
    arm_faults("");
  }
};

TEST_F(WorkTest, EveryUnitRunsExactlyOnce) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    WorkPool pool(threads);
    ASSERT_EQ(pool.threads(), threads);
    for (const std::uint64_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> runs(count + 1);
      const RunSummary summary = pool.run(count, [&](std::uint64_t index, unsigned worker) {
        EXPECT_LT(worker, threads);
        ++runs[index];
      });
      EXPECT_EQ(summary.units, count);
      EXPECT_EQ(summary.finished, count);
      EXPECT_TRUE(summary.complete());
      for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(runs[i], 1) << threads << " threads, unit " << i;
      EXPECT_EQ(runs[count], 0);
    }
  }
}

TEST_F(WorkTest, ResultsOfUnitsAreVisibleToTheCaller) {
  WorkPool pool(4);
  std::vector<std::uint64_t> squares(5000);  // plain memory: ThreadSanitizer would object to a missing order
  for (int round = 0; round < 20; ++round) {
    pool.run(squares.size(), [&](std::uint64_t i, unsigned) { squares[i] += i * i; });
  }
  for (std::uint64_t i = 0; i < squares.size(); ++i) ASSERT_EQ(squares[i], 20 * i * i);
}

TEST_F(WorkTest, WorkersTakePartAtTheSameTimeUnderDifferentNumbers) {
  constexpr unsigned thread_count = 5;
  WorkPool pool(thread_count);
  std::latch all_inside(thread_count);  // no unit ends before all five are being run: hangs if any worker stays away
  std::mutex mutex;
  std::set<unsigned> workers;
  std::set<std::thread::id> threads;
  std::thread::id caller;
  pool.run(thread_count, [&](std::uint64_t, unsigned worker) {
    all_inside.arrive_and_wait();
    const std::lock_guard lock(mutex);
    workers.insert(worker);
    threads.insert(std::this_thread::get_id());
    if (worker == 0) caller = std::this_thread::get_id();
  });
  EXPECT_EQ(workers.size(), thread_count);
  EXPECT_EQ(threads.size(), thread_count);
  EXPECT_EQ(caller, std::this_thread::get_id()) << "the caller takes part, as worker 0";
}

TEST_F(WorkTest, ALongUnitDoesNotKeepOthersWaiting) {
  WorkPool pool(2);
  std::latch others(99);  // unit 0 ends only after the 99 others have: the other worker has to take them all
  pool.run(100, [&](std::uint64_t index, unsigned) {
    if (index == 0) {
      others.wait();
    } else {
      others.count_down();
    }
  });
  EXPECT_TRUE(others.try_wait());
}

TEST_F(WorkTest, AnExceptionReachesTheCallerAndStopsTheRest) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    WorkPool pool(threads);
    std::atomic<std::uint64_t> started{0};
    try {
      pool.run(1'000'000'000, [&](std::uint64_t index, unsigned) {
        ++started;
        if (index == 10) throw std::runtime_error("unit 10");
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "unit 10");
    }
    EXPECT_GE(started, 11U);
    EXPECT_LT(started, 1'000'000'000U);
    EXPECT_EQ(pool.run(50, [](std::uint64_t, unsigned) {}).finished, 50U) << "the pool is usable afterwards";
  }
}

TEST_F(WorkTest, OfSeveralExceptionsExactlyOneArrives) {
  constexpr unsigned thread_count = 4;
  WorkPool pool(thread_count);
  std::barrier together(thread_count);
  std::atomic<int> thrown{0};
  EXPECT_THROW(pool.run(thread_count,
                        [&](std::uint64_t, unsigned) {
                          together.arrive_and_wait();
                          ++thrown;
                          throw std::out_of_range("unit");
                        }),
               std::out_of_range);
  EXPECT_EQ(thrown, 4);
}

TEST_F(WorkTest, StoppingLeavesFinishedUnitsFinished) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    reset_stop();
    WorkPool pool(threads);
    std::vector<std::atomic<int>> begun(1000);
    std::vector<std::atomic<int>> ended(1000);
    const RunSummary summary = pool.run(1000, [&](std::uint64_t index, unsigned) {
      ++begun[index];
      if (index == 100) request_stop();
      ++ended[index];
    });
    const auto total = [](const std::vector<std::atomic<int>>& counts) {
      return std::accumulate(
          counts.begin(), counts.end(), std::uint64_t{0},
          [](std::uint64_t sum, const std::atomic<int>& n) { return sum + static_cast<unsigned>(n); });
    };
    EXPECT_EQ(total(begun), total(ended)) << "a unit that runs is waited for";
    EXPECT_EQ(summary.finished, total(ended));
    for (std::size_t i = 0; i <= 100; ++i) ASSERT_EQ(ended[i], 1) << "taken before the stop: unit " << i;
    if (threads == 1) {
      EXPECT_EQ(summary.finished, 101U);
    }
    EXPECT_EQ(pool.run(10, [](std::uint64_t, unsigned) { FAIL(); }).finished, 0U) << "the request stays";
  }
}

TEST_F(WorkTest, AUnitThatGivesUpIsNotFinished) {
  WorkPool pool(1);
  const RunSummary summary = pool.run(1000, [](std::uint64_t index, unsigned) { return index != 7; });
  EXPECT_EQ(summary.finished, 7U);
  EXPECT_FALSE(summary.complete());
}

TEST_F(WorkTest, AJobCanHaveAStopFlagOfItsOwn) {
  WorkPool pool(1);
  request_stop();
  const std::atomic<bool> never{false};
  EXPECT_TRUE(pool.run(
                      3, [](std::uint64_t, unsigned) {}, never)
                  .complete());
}

TEST_F(WorkTest, NestedRunsAreRefused) {
  WorkPool pool(2);
  EXPECT_THROW(pool.run(1, [&](std::uint64_t, unsigned) { pool.run(1, [](std::uint64_t, unsigned) {}); }),
               std::logic_error);
  EXPECT_TRUE(pool.run(1, [](std::uint64_t, unsigned) {}).complete());
}

TEST_F(WorkTest, AMutableFunctionObjectKeepsItsState) {
  WorkPool pool(1);
  struct Counter {
    int calls = 0;
    void operator()(std::uint64_t, unsigned) { ++calls; }
  } counter;
  pool.run(5, counter);
  EXPECT_EQ(counter.calls, 5);
}

TEST_F(WorkTest, DefaultThreadsHonourTheAffinity) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(default_threads(), static_cast<unsigned>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(default_threads(), 1U);
  EXPECT_EQ(WorkPool().threads(), 1U);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST_F(WorkTest, TheStopWordIsTheStopFlag) {
  EXPECT_FALSE(__atomic_load_n(stop_word(), __ATOMIC_RELAXED));
  request_stop();
  EXPECT_TRUE(__atomic_load_n(stop_word(), __ATOMIC_RELAXED));
  EXPECT_TRUE(stop_flag().load());
  reset_stop();
  EXPECT_FALSE(__atomic_load_n(stop_word(), __ATOMIC_RELAXED));
}

bool is_readable(int fd) {
  pollfd watched{fd, POLLIN, 0};
  return poll(&watched, 1, 0) == 1;
}

TEST_F(WorkTest, TheStopDescriptorIsReadableWhileThereIsARequest) {
  EXPECT_FALSE(is_readable(stop_descriptor()));
  request_stop();
  EXPECT_TRUE(is_readable(stop_descriptor()));
  reset_stop();
  EXPECT_FALSE(is_readable(stop_descriptor()));
}

TEST_F(WorkTest, ASignalJustBeforeAWaitEndsIt) {
  EXPECT_TRUE(exited_with(status_of_child([] {
                            const StopSignals signals;
                            pollfd watched{stop_descriptor(), POLLIN, 0};
                            raise(SIGINT);
                            _exit(poll(&watched, 1, -1) == 1 ? 42 : 43);
                          }),
                          42));
}

TEST_F(WorkTest, TheFirstSignalStopsAndTheSecondKills) {
  for (const int number : {SIGINT, SIGTERM}) {
    EXPECT_TRUE(exited_with(status_of_child([number] {
                              const StopSignals signals;
                              raise(number);
                              _exit(stop_requested() ? 42 : 43);
                            }),
                            42));
    EXPECT_TRUE(killed_by(status_of_child([number] {
                            const StopSignals signals;
                            raise(number);
                            raise(number);
                          }),
                          number));
  }
  EXPECT_TRUE(killed_by(status_of_child([] {
                          const StopSignals signals;
                          raise(SIGINT);
                          raise(SIGTERM);
                        }),
                        SIGTERM));
}

TEST_F(WorkTest, SignalsAreGivenBack) {
  {
    const StopSignals signals;
    EXPECT_THROW(StopSignals(), std::logic_error);
  }
  EXPECT_TRUE(killed_by(status_of_child([] {
                          { const StopSignals signals; }
                          raise(SIGINT);
                        }),
                        SIGINT));
}

TEST_F(WorkTest, ASignalStopsARunningPool) {
  EXPECT_TRUE(exited_with(status_of_child([] {
                            const StopSignals signals;
                            WorkPool pool(3);
                            const RunSummary summary = pool.run(1'000'000'000, [](std::uint64_t index, unsigned) {
                              if (index == 50) kill(getpid(), SIGINT);
                            });
                            _exit(summary.finished >= 51 && !summary.complete() ? 42 : 43);
                          }),
                          42));
}

TEST_F(WorkTest, FaultsKillAtTheirCount) {
  arm_faults("after-unit:3");
  EXPECT_FALSE(fault_armed("after-unit", 2));
  EXPECT_TRUE(fault_armed("after-unit", 3));
  EXPECT_TRUE(fault_armed("after-unit", 4)) << "a count that was jumped over still fires";
  EXPECT_FALSE(fault_armed("mid-record", 3));
  fault_point("after-unit", 2);
  fault_point("before-rename", 3);
  EXPECT_TRUE(killed_by(status_of_child([] { fault_point("after-unit", 3); }), SIGKILL));
  arm_faults("");
  fault_point("after-unit", 3);
}

TEST_F(WorkTest, InterruptFaultsSetTheStopFlag) {
  arm_faults("interrupt-after-unit:3");
  fault_point("after-unit", 2);
  EXPECT_FALSE(stop_requested());
  fault_point("after-unit", 3);
  EXPECT_TRUE(stop_requested());
}

TEST_F(WorkTest, MalformedFaultsAreRefused) {
  for (const char* value : {"after-unit", "after-unit:", "after-unit:0", "after-unit:x", "after-unit:1x",
                            "after-unit:-1", "after-unit: 1", "after-unit:18446744073709551616", "after:1", ":1",
                            "interrupt-:1", "interrupt-interrupt-after-unit:1", "After-unit:1", " after-unit:1"}) {
    try {
      arm_faults(value);
      FAIL() << value;
    } catch (const EnvironmentError& error) {
      EXPECT_NE(std::string(error.what()).find("HECATOMB_FAULT"), std::string::npos);
      EXPECT_NE(error.remedy().find("after-unit mid-record before-rename"), std::string::npos) << error.what();
    }
    EXPECT_FALSE(fault_armed("after-unit", 1)) << value;
  }
  for (const char* value : {"after-unit:1", "mid-record:18446744073709551615", "interrupt-before-rename:7"})
    EXPECT_NO_THROW(arm_faults(value)) << value;
}

TEST_F(WorkTest, TheEnvironmentArmsFaults) {
  ASSERT_EQ(setenv("HECATOMB_FAULT", "mid-record:2", 1), 0);
  arm_faults_from_environment();
  EXPECT_TRUE(fault_armed("mid-record", 2));
  ASSERT_EQ(unsetenv("HECATOMB_FAULT"), 0);
  arm_faults_from_environment();
  EXPECT_FALSE(fault_armed("mid-record", 2));
}

TEST(EnvironmentErrorTest, SaysWhereWhatWhyAndWhatToDo) {
  const EnvironmentError error("a/b", "open for writing", EACCES, "Check the permissions");
  EXPECT_STREQ(error.what(), "a/b: cannot open for writing: Permission denied. Check the permissions");
  EXPECT_EQ(error.path(), "a/b");
  EXPECT_EQ(error.attempted(), "open for writing");
  EXPECT_EQ(error.reason(), "Permission denied");
  EXPECT_EQ(error.remedy(), "Check the permissions");
}

}  // namespace
}  // namespace hecatomb
