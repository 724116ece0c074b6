#include "host/notation/lines.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "host/error.h"
#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

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

std::shared_ptr<Descriptor> open_for_reading(const std::string& path) {
  if (path == "-") return std::make_shared<Descriptor>(STDIN_FILENO);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    const int fault = errno;
    const char* remedy = fault == ENOENT ? "Check the name" : fault == EACCES ? "Check its permissions" : "";
    throw EnvironmentError(path, "open for reading", fault, remedy);
  }
  auto descriptor = std::make_shared<Descriptor>(fd);
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw EnvironmentError(path, "read lines", "it is a directory", "Name the files in it, as in " + path + "/*.epd");
  }
  return descriptor;
}

bool is_readable(int fd) {
  pollfd watched{fd, POLLIN, 0};
  return fd >= 0 && ::poll(&watched, 1, 0) > 0;
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

LineSource::Reader reader_of(const std::shared_ptr<Descriptor>& descriptor, const std::string& name, Waiting waiting) {
  return [descriptor, name, waiting = std::move(waiting)](std::span<char> room) -> std::size_t {
    for (;;) {
      if (!wait_for_input(descriptor->get(), waiting)) return 0;
      const ssize_t n = ::read(descriptor->get(), room.data(), room.size());
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR && errno != EAGAIN) throw EnvironmentError(name, "read", errno, "");
    }
  };
}

/// Bytes that no text format has: control characters other than blanks and the end mark of old systems (0x1a).
constexpr bool is_binary(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 && !is_blank(c) && byte != 0x1a;
}

std::optional<Error> fault_of_bytes(std::string_view text, std::uint64_t number) {
  std::size_t at = 0;
  while (at < text.size() && !is_binary(text[at])) at++;
  if (at == text.size()) return std::nullopt;
  const bool utf16 = number == 1 && (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"));
  return error_at(ErrorKind::line, "", static_cast<int>(at) + 1,
                  "the byte " + quoted(text.substr(at, 1)) + " belongs to no text" +
                      (utf16 ? "; the file is UTF-16, save it as UTF-8" : "; is this a binary or compressed file?"));
}

}  // namespace

LineSource LineSource::open(const std::string& path, std::size_t limit_bytes, Waiting waiting) {
  const auto descriptor = open_for_reading(path);
  std::string name = path == "-" ? "stdin" : path;
  const int stop_descriptor = waiting.stop_descriptor;
  Reader reader = reader_of(descriptor, name, std::move(waiting));
  return {std::move(name), std::move(reader), limit_bytes, stop_descriptor};
}

LineSource::LineSource(std::string name, Reader reader, std::size_t limit_bytes, int stop_descriptor)
    : name_(std::move(name)),
      reader_(std::move(reader)),
      limit_bytes_(limit_bytes),
      stop_descriptor_(stop_descriptor),
      buffer_(kBufferBytes) {}

bool LineSource::fill() {
  begin_ = 0;
  end_ = reader_(buffer_);
  any_ = any_ || end_ > 0;
  ended_ = end_ == 0;
  return !ended_;
}

/// Finds the rest of the line; false if the input ended before there was a byte of it.
bool LineSource::take_rest_of_line(std::string_view& text) {
  long_line_.clear();
  too_long_ = false;
  bool any = false;
  for (;;) {
    if (begin_ == end_ && !fill()) break;
    any = true;
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    const std::size_t newline = rest.find('\n');
    const std::string_view part = rest.substr(0, newline);
    begin_ += part.size() + (newline == std::string_view::npos ? 0 : 1);
    too_long_ = too_long_ || long_line_.size() + part.size() > limit_bytes_;
    if (newline != std::string_view::npos && long_line_.empty()) {
      text = part;
      return true;
    }
    if (!too_long_) long_line_ += part;
    if (newline != std::string_view::npos) break;
  }
  text = long_line_;
  return any;
}

Line LineSource::judged(std::string_view text) {
  Line line;
  line.number = ++number_;
  if (too_long_) {
    line.error = error_at(
        ErrorKind::line, "", static_cast<int>(limit_bytes_ + 1),
        "the line is longer than " + std::to_string(limit_bytes_) + " bytes and is skipped; is a line end missing?");
    return line;
  }
  if (text.ends_with('\r')) text.remove_suffix(1);
  text = without_bom(text);
  line.error = fault_of_bytes(text, line.number);
  if (!line.error) line.text = text;
  return line;
}

std::optional<Line> LineSource::next() {
  std::string_view text;
  const bool taken = take_rest_of_line(text);
  if (ended_ && is_readable(stop_descriptor_)) return std::nullopt;
  if (taken) return judged(text);
  if (any_ || number_ > 0) return std::nullopt;
  Line line;
  line.number = ++number_;
  line.error = error_at(ErrorKind::empty, "", 0, name_ + " is empty; expected at least one line");
  return line;
}

}  // namespace hecatomb
