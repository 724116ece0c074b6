#include "host/notation/input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "host/error.h"

namespace hecatomb {

namespace {

/// A descriptor that closes itself, unless it is stdin.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::shared_ptr<Descriptor> open_for_reading(const std::string& path, const std::string& what, Input& input) {
  if (path == "-") return std::make_shared<Descriptor>(STDIN_FILENO);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    const int fault = errno;
    const char* remedy = fault == ENOENT ? "Check the name" : fault == EACCES ? "Check its permissions" : "";
    throw EnvironmentError(path, "open for reading", fault, remedy);
  }
  auto descriptor = std::make_shared<Descriptor>(fd);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return descriptor;
  if (S_ISDIR(status.st_mode)) {
    throw EnvironmentError(path, "read " + what, "it is a directory", "Name the files in it, as in " + path + "/*.epd");
  }
  if (S_ISREG(status.st_mode)) input.size_bytes = static_cast<std::uint64_t>(status.st_size);
  return descriptor;
}

/// Waits until there is something to read, or the end; false if it was told to stop. A request to stop that comes just
/// before poll() is not lost, as its descriptor stays readable.
bool wait_for_input(int fd, const Waiting& waiting) {
  pollfd watched[] = {{fd, POLLIN, 0}, {waiting.stop_descriptor, POLLIN, 0}};  // poll() skips a descriptor of -1
  if (waiting.before && ::poll(watched, 2, 0) == 0) waiting.before();
  for (;;) {
    const int ready = ::poll(watched, 2, -1);
    if (ready > 0) return watched[1].revents == 0;
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return true;  // reading says what is wrong
  }
}

ByteReader reader_of(const std::shared_ptr<Descriptor>& descriptor, const std::string& name, Waiting waiting) {
  return [descriptor, name, waiting = std::move(waiting)](std::span<char> room) -> std::size_t {
    for (;;) {
      if (!wait_for_input(descriptor->get(), waiting)) return 0;
      const ssize_t n = ::read(descriptor->get(), room.data(), room.size());
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR && errno != EAGAIN) throw EnvironmentError(name, "read", errno, "");
    }
  };
}

}  // namespace

Input open_input(const std::string& path, const std::string& what, Waiting waiting) {
  Input input{path == "-" ? "stdin" : path, {}, 0};
  const auto descriptor = open_for_reading(path, what, input);
  input.read = reader_of(descriptor, input.name, std::move(waiting));
  return input;
}

bool is_readable(int descriptor) {
  pollfd watched{descriptor, POLLIN, 0};
  return descriptor >= 0 && ::poll(&watched, 1, 0) > 0;
}

}  // namespace hecatomb
