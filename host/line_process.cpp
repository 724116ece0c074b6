#include "host/line_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "host/error.h"
#include "host/work.h"

namespace hecatomb {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = LineProcess::Milliseconds;

/// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

[[noreturn]] void fail_to_start(const std::string& program, int error) {
  std::string remedy = "Try again when the machine is less busy";
  if (error == ENOENT) {
    remedy = program.find(' ') != std::string::npos
                 ? "It is started as one program without arguments; put a command with arguments into a script"
             : program.find('/') != std::string::npos
                 ? "Check the path; of a script, also the interpreter in its first line"
                 : "It is not in PATH: install it, or give its path (./" + program + " for one that is here)";
  } else if (error == EACCES || error == EPERM) {
    remedy = "Check that it is a file and executable (chmod +x)";
  } else if (error == ENOEXEC) {
    remedy = "It is no program for this machine; a script needs a first line such as #!/bin/sh";
  } else if (error == EMFILE || error == ENFILE) {
    remedy = "Raise the limit on open files (ulimit -n)";
  }
  throw EnvironmentError(program, "start this engine", error, remedy);
}

/// The two ends of a channel, close-on-exec, the near one (ours) non-blocking, neither a standard descriptor.
struct Channel {
  Descriptor near, far;
};

Channel make_channel(const std::string& program, int made, const int (&ends)[2]) {
  if (made != 0) fail_to_start(program, errno);
  const Descriptor raw[2] = {Descriptor(ends[0]), Descriptor(ends[1])};
  Channel channel{Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, 3)), Descriptor(::fcntl(ends[1], F_DUPFD_CLOEXEC, 3))};
  if (channel.near.get() < 0 || channel.far.get() < 0 || ::fcntl(channel.near.get(), F_SETFL, O_NONBLOCK) != 0) {
    fail_to_start(program, errno);
  }
  return channel;
}

/// What posix_spawn is to do in the child, freed with its owner.
struct SpawnPlan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnPlan(int standard_input, int standard_output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, standard_output, STDOUT_FILENO);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&defaults, number);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    constexpr int flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

enum class Waited { ready, timeout, stopped };

/// Waits until `fd` has `events`, or `other` (a descriptor, or -1) is readable.
Waited wait_for(int fd, short events, int other, Clock::time_point deadline) {
  pollfd watched[] = {{stop_descriptor(), POLLIN, 0}, {fd, events, 0}, {other, POLLIN, 0}};
  for (;;) {
    const auto left = std::max(std::chrono::ceil<Milliseconds>(deadline - Clock::now()), Milliseconds{0});
    const int longest = std::numeric_limits<int>::max();
    const int ready =
        ::poll(watched, std::size(watched), static_cast<int>(std::min<std::int64_t>(left.count(), longest)));
    if (stop_requested()) return Waited::stopped;
    if (ready > 0) return Waited::ready;
    // An error (EINTR above all) is no answer: look at the clock again.
    if (left <= Milliseconds{0}) return Waited::timeout;
  }
}

/// The time `timeout` from now, also where that is beyond the clock's range.
Clock::time_point deadline_after(Milliseconds timeout) {
  constexpr Milliseconds longest = std::chrono::hours(24 * 365);
  return Clock::now() + std::min(timeout, longest);
}

}  // namespace

LineProcess::LineProcess(const std::string& program, const std::vector<std::string>& arguments) {
  if (program.empty()) fail_to_start(program, ENOENT);
  int ends[2];
  const int socket_made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  Channel in = make_channel(program, socket_made, ends);
  const int pipe_made = ::pipe2(ends, O_CLOEXEC);
  Channel out = make_channel(program, pipe_made, ends);

  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnPlan plan(in.far.get(), out.far.get());
  const int error = ::posix_spawnp(&pid_, program.c_str(), &plan.actions, &plan.attributes, argv.data(), environ);
  if (error != 0) fail_to_start(program, error);
  input_ = in.near.release();
  output_ = out.near.release();
  exited_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));  // close-on-exec; glibc 2.36 lacks the name for C++
}

LineProcess::~LineProcess() {
  // It has not been reaped yet, so its number still means it and its group.
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(input_);
  ::close(output_);
  if (exited_ >= 0) ::close(exited_);
}

LineProcess::Write LineProcess::write_line(std::string_view text, Milliseconds timeout) {
  const std::string line = std::string(text) + '\n';
  const Clock::time_point deadline = deadline_after(timeout);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::send(input_, line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (has_exited()) return Write::gone;
      const Waited waited = wait_for(input_, POLLOUT, exited_, deadline);
      if (waited == Waited::stopped) return Write::stopped;
      if (waited == Waited::timeout) return Write::timeout;
    } else if (errno != EINTR) {
      return Write::gone;
    }
  }
  return Write::done;
}

LineProcess::Read LineProcess::read_line(std::string& line, Milliseconds timeout) {
  const Clock::time_point deadline = deadline_after(timeout);
  for (;;) {
    std::size_t end = buffer_.find('\n', std::max(taken_, scanned_));
    if (end == std::string::npos && ended_ && taken_ < buffer_.size()) end = buffer_.size();  // the last, without end
    if ((end == std::string::npos ? buffer_.size() : end) - taken_ > kLongestLine) return Read::too_long;
    if (end != std::string::npos) {
      line.assign(buffer_, taken_, end - taken_);
      if (line.ends_with('\r')) line.pop_back();
      taken_ = std::min(end + 1, buffer_.size());
      return Read::line;
    }
    if (ended_) return Read::end;
    buffer_.erase(0, taken_);
    taken_ = 0;
    scanned_ = buffer_.size();

    const Waited waited = wait_for(output_, POLLIN, exited_, deadline);
    if (waited == Waited::stopped) return Read::stopped;
    if (waited == Waited::timeout) return Read::timeout;
    const bool exited = has_exited();  // asked before the read: what it wrote is then all there
    char chunk[1 << 16];
    const ssize_t n = ::read(output_, chunk, sizeof chunk);
    if (n > 0) {
      buffer_.append(chunk, static_cast<std::size_t>(n));
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
      ended_ = true;
    } else {
      ended_ = exited && errno != EINTR;
    }
  }
}

bool LineProcess::has_exited() const {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

std::string LineProcess::ending() const {
  // Its pipes close a moment before it can be waited for.
  constexpr int moment_ms = 300;
  pollfd watched{exited_, POLLIN, 0};
  ::poll(&watched, 1, moment_ms);
  siginfo_t info = {};
  const bool known = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
  if (!known || info.si_pid != pid_) return "it closed its output";
  if (info.si_code == CLD_EXITED) return "it exited with status " + std::to_string(info.si_status);
  const char* signal_name = ::sigabbrev_np(info.si_status);
  return "it was killed by signal " + std::to_string(info.si_status) +
         (signal_name == nullptr ? "" : " (SIG" + std::string(signal_name) + ")");
}

}  // namespace hecatomb
