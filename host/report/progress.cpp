#include "host/report/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "host/report/si.h"

namespace hecatomb {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

// Carriage return and "erase to the end of the line" (ECMA-48 EL).
constexpr std::string_view kClearLine = "\r\x1b[K";

double seconds_of(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// Rounded down, so that 100% means done.
std::uint64_t percent(std::uint64_t done, std::uint64_t total) {
  return done >= total ? 100
                       : static_cast<std::uint64_t>(100.0 * static_cast<double>(done) / static_cast<double>(total));
}

}  // namespace

ProgressOutput ProgressOutput::standard_error(bool quiet) {
  ProgressOutput output;
  output.stream = &std::cerr;
  output.is_terminal = ::isatty(STDERR_FILENO) != 0;
  output.quiet = quiet;
  struct winsize size = {};
  if (output.is_terminal && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    output.columns = size.ws_col;
  return output;
}

struct Progress::Display {
  ProgressOutput output;
  TimePoint start;
  bool visible;  // whether there is ever a line

  std::mutex mutex;  // guards the stream and the rest
  std::condition_variable_any wake;
  TimePoint next_line;
  bool line_shown = false;
  bool finished = false;
  std::jthread ticker;  // last: stops before the rest goes

  explicit Display(ProgressOutput where)
      : output(std::move(where)),
        start(output.now()),
        visible(output.stream != nullptr && output.is_terminal && !output.quiet),
        next_line(start + kQuietStart) {}

  void write(std::string_view text) {
    if (output.stream != nullptr) *output.stream << text << std::flush;
  }

  void clear_line() {
    if (line_shown) write(kClearLine);
    line_shown = false;
  }
};

Progress::Progress(ProgressJob job, ProgressOutput output)
    : job_(std::move(job)),
      total_(job_.total),
      done_(job_.already_done),
      display_(std::make_unique<Display>(std::move(output))) {
  Display& display = *display_;
  if (!display.visible || display.output.tick == std::chrono::milliseconds::zero()) return;
  display.ticker = std::jthread([this, &display](const std::stop_token& stop) {
    std::unique_lock lock(display.mutex);
    while (!stop.stop_requested()) {
      display.wake.wait_for(lock, stop, display.output.tick, [] { return false; });
      if (stop.stop_requested()) return;
      lock.unlock();
      refresh();
      lock.lock();
    }
  });
}

Progress::~Progress() { finish(); }

void Progress::refresh() {
  Display& display = *display_;
  if (!display.visible) return;
  const std::lock_guard lock(display.mutex);
  const TimePoint now = display.output.now();
  if (display.finished || now < display.next_line) return;
  display.next_line = now + kLeastInterval;
  // The last column stays free: some terminals wrap as soon as it is written.
  const std::string text = line().substr(0, std::max<std::size_t>(display.output.columns, 2) - 1);
  display.write(std::string(kClearLine) + text);
  display.line_shown = true;
}

void Progress::message(std::string_view text) {
  Display& display = *display_;
  const std::lock_guard lock(display.mutex);
  const bool redraw = display.line_shown;
  display.clear_line();
  display.write(std::string(text) + "\n");
  if (redraw) display.next_line = display.output.now();
}

void Progress::finish() {
  Display& display = *display_;
  if (display.ticker.joinable()) {
    display.ticker.request_stop();
    display.ticker.join();
  }
  const std::lock_guard lock(display.mutex);
  display.clear_line();
  display.finished = true;
}

std::string Progress::line() const {
  const std::uint64_t done_units = done();
  const std::uint64_t total = total_.load(std::memory_order_relaxed);
  const double elapsed = seconds_of(display_->output.now() - display_->start);
  const double rate = elapsed > 0 ? static_cast<double>(done_units - job_.already_done) / elapsed : 0.0;

  std::string text = job_.label + ": " + format_count(done_units);
  if (total > 0) text.append("/").append(format_count(total));
  text.append(" ").append(job_.unit);
  if (total > 0) text.append(" (").append(std::to_string(percent(done_units, total))).append("%)");
  text.append(", ").append(format_si(rate)).append("/s");
  if (total > done_units) {
    const double left = rate > 0 ? static_cast<double>(total - done_units) / rate : -1.0;  // "?" before the first
    text.append(", ").append(format_duration(left)).append(" left");
  }
  return text;
}

}  // namespace hecatomb
