// The progress line under a clock of the test's own, and numbers as text.
#include "host/report/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <sstream>
#include <streambuf>
#include <string>
#include <thread>
#include <vector>

#include "host/report/si.h"

namespace hecatomb {
namespace {

using std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

const std::string kClear = "\r\x1b[K";

// A terminal that is a string, a clock that moves when told.
class ProgressTest : public testing::Test {
 protected:
  ProgressOutput output() {
    ProgressOutput out;
    out.stream = &stream_;
    out.is_terminal = true;
    out.now = [this] { return TimePoint(milliseconds(now_ms_.load())); };
    out.tick = milliseconds::zero();
    return out;
  }
  void wait(int ms) { now_ms_ += ms; }
  // What was written since the last call.
  std::string written() {
    std::string text = stream_.str();
    stream_.str("");
    return text;
  }

  std::ostringstream stream_;
  std::atomic<std::int64_t> now_ms_{1'000'000};
};

const ProgressJob kJob = {.label = "perft", .unit = "positions", .total = 40'000};

TEST_F(ProgressTest, SaysHowFarHowFastAndHowLong) {
  Progress progress(kJob, output());
  progress.advance(10'000);
  wait(4000);
  EXPECT_EQ(progress.line(), "perft: 10.0k/40.0k positions (25%), 2.50k/s, 12s left");
  progress.refresh();
  EXPECT_EQ(written(), kClear + progress.line());
  progress.advance(30'000);
  EXPECT_EQ(progress.line(), "perft: 40.0k/40.0k positions (100%), 10.0k/s");
}

TEST_F(ProgressTest, SaysNothingInTheFirstTwoSeconds) {
  Progress progress(kJob, output());
  wait(1999);
  progress.refresh();
  EXPECT_EQ(written(), "");
  wait(1);
  progress.refresh();
  EXPECT_NE(written(), "");
}

TEST_F(ProgressTest, AShortJobLeavesNoTrace) {
  {
    Progress progress(kJob, output());
    progress.advance(40'000);
    progress.refresh();
  }
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressTest, WritesAtMostFiveTimesASecond) {
  Progress progress(kJob, output());
  wait(2000);
  int lines = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    progress.refresh();
    lines += written().empty() ? 0 : 1;
    wait(1);
  }
  EXPECT_EQ(lines, 5);
}

TEST_F(ProgressTest, ClearsTheLineAtTheEndAndThenIsSilent) {
  Progress progress(kJob, output());
  wait(3000);
  progress.refresh();
  written();
  progress.finish();
  EXPECT_EQ(written(), kClear);
  wait(3000);
  progress.refresh();
  progress.finish();
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressTest, IsSilentWithoutATerminalOrWhenQuiet) {
  for (const bool quiet : {false, true}) {
    ProgressOutput out = output();
    out.is_terminal = quiet;
    out.quiet = quiet;
    Progress progress(kJob, out);
    wait(5000);
    progress.refresh();
    progress.finish();
    EXPECT_EQ(written(), "");
  }
  ProgressOutput nowhere = output();
  nowhere.stream = nullptr;
  Progress progress(kJob, nowhere);
  wait(5000);
  progress.refresh();
  progress.message("lost");
}

TEST_F(ProgressTest, MessagesStandAboveTheLine) {
  Progress progress(kJob, output());
  progress.message("early");
  EXPECT_EQ(written(), "early\n");
  wait(3000);
  progress.refresh();
  written();
  progress.message("suite.epd:3: bad FEN");
  EXPECT_EQ(written(), kClear + "suite.epd:3: bad FEN\n");
  progress.refresh();
  EXPECT_EQ(written(), kClear + progress.line()) << "the line comes back at once";
  ProgressOutput file = output();
  file.is_terminal = false;
  Progress(kJob, file).message("to a file");
  EXPECT_EQ(written(), "to a file\n");
}

TEST_F(ProgressTest, RateAndTimeLeftCountOnlyWhatWasDoneHere) {
  ProgressJob job = kJob;
  job.already_done = 20'000;
  Progress progress(job, output());
  wait(2000);
  EXPECT_EQ(progress.line(), "perft: 20.0k/40.0k positions (50%), 0.00/s, ? left");
  progress.advance(200);
  EXPECT_EQ(progress.done(), 20'200U);
  EXPECT_EQ(progress.line(), "perft: 20.2k/40.0k positions (50%), 100/s, 3m 18s left");
}

TEST_F(ProgressTest, WorksWithoutATotalAndLearnsIt) {
  ProgressJob job = kJob;
  job.total = 0;
  Progress progress(job, output());
  progress.advance(3);
  wait(2000);
  EXPECT_EQ(progress.line(), "perft: 3 positions, 1.50/s");
  progress.set_total(6);
  EXPECT_EQ(progress.line(), "perft: 3/6 positions (50%), 1.50/s, 2.0s left");
}

TEST_F(ProgressTest, HundredPercentMeansDone) {
  ProgressJob job = kJob;
  job.total = 1'000'000;
  job.already_done = 999'999;
  Progress progress(job, output());
  EXPECT_NE(progress.line().find("(99%)"), std::string::npos) << progress.line();
  progress.advance();
  EXPECT_NE(progress.line().find("(100%)"), std::string::npos) << progress.line();
}

TEST_F(ProgressTest, IsCutToTheTerminal) {
  ProgressOutput out = output();
  out.columns = 20;
  Progress progress(kJob, out);
  wait(2000);
  progress.refresh();
  EXPECT_EQ(written(), kClear + "perft: 0/40.0k posi");
}

TEST_F(ProgressTest, CountsFromManyThreads) {
  Progress progress({.label = "x", .unit = "units", .total = 40'000}, output());
  wait(2000);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) {
          progress.advance();
          if (i % 100 == 0) progress.refresh();
          if (i % 1000 == 0) progress.message("m");
        }
      });
    }
  }
  EXPECT_EQ(progress.done(), 40'000U);
}

// A stream one can wait for.
class AwaitedBuffer : public std::streambuf {
 public:
  void await_text(const std::string& text) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return text_.find(text) != std::string::npos; });
  }

 protected:
  int overflow(int c) override {
    const char character = static_cast<char>(c);
    xsputn(&character, 1);
    return c;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    const std::lock_guard lock(mutex_);
    text_.append(data, static_cast<std::size_t>(size));
    changed_.notify_all();
    return size;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
};

TEST_F(ProgressTest, TheLineMovesByItselfWhileAUnitTakesLong) {
  AwaitedBuffer buffer;
  std::ostream stream(&buffer);
  ProgressOutput out = output();
  out.stream = &stream;
  out.tick = milliseconds(1);
  Progress progress(kJob, out);
  wait(2000);
  buffer.await_text("0/40.0k");  // hangs if the thread of the line does not write
  progress.advance(8'000);
  wait(2000);
  buffer.await_text("8.00k/40.0k positions (20%), 2.00k/s, 16s left");
}

TEST(SiTest, CountsHaveThreeDigits) {
  const std::vector<std::pair<std::uint64_t, std::string>> cases = {
      {0, "0"},
      {7, "7"},
      {999, "999"},
      {1000, "1.00k"},
      {1234, "1.23k"},
      {9994, "9.99k"},
      {9996, "10.0k"},
      {12'345'678, "12.3M"},
      {99'949'999, "99.9M"},
      {99'960'000, "100M"},
      {999'499'999, "999M"},
      {999'500'000, "1.00G"},
      {1'234'567'890'123, "1.23T"},
      {5'000'000'000'000'000, "5.00P"},
      {std::numeric_limits<std::uint64_t>::max(), "18.4E"}};
  for (const auto& [count, text] : cases) EXPECT_EQ(format_count(count), text) << count;
}

TEST(SiTest, RatesBelowOneAreSeen) {
  EXPECT_EQ(format_si(0), "0.00");
  EXPECT_EQ(format_si(0.25), "0.25");
  EXPECT_EQ(format_si(7.5), "7.50");
  EXPECT_EQ(format_si(9.996), "10.0");
  EXPECT_EQ(format_si(999.6), "1.00k");
  EXPECT_EQ(format_si(-1), "?");
  EXPECT_EQ(format_si(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(format_si(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(SiTest, NounsFollowTheirCount) {
  EXPECT_EQ(counted(0, "position"), "0 positions");
  EXPECT_EQ(counted(1, "position"), "1 position");
  EXPECT_EQ(counted(12345, "check"), "12345 checks");
}

TEST(SiTest, SizesAreWritten) {
  EXPECT_EQ(format_size(1), "1 byte");
  EXPECT_EQ(format_size(64), "64 bytes");
  EXPECT_EQ(format_size(1023), "1023 bytes");
  EXPECT_EQ(format_size(1024), "1 KiB");
  EXPECT_EQ(format_size(1536), "1.5 KiB");
  EXPECT_EQ(format_size(std::uint64_t{256} << 20), "256 MiB");
  EXPECT_EQ(format_size(std::uint64_t{8} << 30), "8 GiB");
  EXPECT_EQ(format_size(~std::uint64_t{0}), "16 EiB");
}

TEST(SiTest, DurationsHaveTwoUnits) {
  const std::vector<std::pair<double, std::string>> cases = {{0, "0.00s"},
                                                             {0.254, "0.25s"},
                                                             {0.996, "1.0s"},
                                                             {3.24, "3.2s"},
                                                             {9.96, "10s"},
                                                             {59.4, "59s"},
                                                             {59.6, "1m 00s"},
                                                             {65, "1m 05s"},
                                                             {3599.4, "59m 59s"},
                                                             {3599.6, "1h 00m"},
                                                             {7380, "2h 03m"},
                                                             {86'399, "1d 00h"},
                                                             {3 * 86'400 + 4 * 3600.0, "3d 04h"},
                                                             {2000 * 86'400.0, "2000d"},
                                                             {1e30, "?"},
                                                             {-1, "?"},
                                                             {std::numeric_limits<double>::infinity(), "?"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(format_duration(seconds), text) << seconds;
}

TEST(SiTest, SizesAreRead) {
  const std::vector<std::pair<std::string, std::uint64_t>> cases = {{"0", 0},
                                                                    {"17", 17},
                                                                    {"4096B", 4096},
                                                                    {"1k", 1024},
                                                                    {"256M", 256ULL << 20},
                                                                    {"8G", 8ULL << 30},
                                                                    {"8g", 8ULL << 30},
                                                                    {"8GB", 8ULL << 30},
                                                                    {"8GiB", 8ULL << 30},
                                                                    {"2T", 2ULL << 40},
                                                                    {"1P", 1ULL << 50},
                                                                    {"15E", 15ULL << 60},
                                                                    {"18446744073709551615", ~0ULL},
                                                                    {"17179869183G", 17179869183ULL << 30}};
  for (const auto& [text, bytes] : cases) EXPECT_EQ(parse_size(text), bytes) << text;
  for (const char* text : {"", "M", "-1", "+1", " 1", "1 ", "1 M", "1.5G", "0x10", "1Q", "1MM", "1Mi", "1iB", "1KiBB",
                           "1BB", "18446744073709551616", "16E", "17179869184G", "1e3"})
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hecatomb
