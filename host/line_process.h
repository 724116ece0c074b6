// A child process that is spoken to in lines of text.
//
// The one idea: nothing the child does may hang, kill or bloat us. Every wait has a limit and ends with a request to
// stop; a child that is gone is an answer (`Read::end`) and no SIGPIPE, at once and also where it has left a process
// behind that holds its output open; a line has a greatest length.
//
// Invariants: the child is started without a shell, in a process group of its own, with the default signal actions; our
// descriptors are closed in it. stderr is ours. The whole group is killed and the child reaped when the LineProcess is
// gone.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace hecatomb {

class LineProcess {
 public:
  using Milliseconds = std::chrono::milliseconds;
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;  ///< in bytes

  enum class Read { line, end, too_long, timeout, stopped };
  enum class Write { done, gone, timeout, stopped };

  /// `program` is a path or a name in PATH. Throws EnvironmentError if it cannot be started.
  LineProcess(const std::string& program, const std::vector<std::string>& arguments);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Sends the text and an end of line.
  Write write_line(std::string_view text, Milliseconds timeout);

  /// Takes the next line, without its end (LF or CR LF).
  Read read_line(std::string& line, Milliseconds timeout);

  /// After Read::end or Write::gone: what became of it, as in "it exited with status 3".
  std::string ending() const;

 private:
  bool has_exited() const;

  int pid_ = -1;
  int exited_ = -1;  // readable once it has exited (pidfd); -1 where the system has none
  int input_ = -1;   // we write, it reads: a socket, since only send() can do without SIGPIPE
  int output_ = -1;  // it writes, we read
  std::string buffer_;
  std::size_t taken_ = 0;    // of buffer_: handed out already
  std::size_t scanned_ = 0;  // of buffer_: known to hold no end of line from taken_ on
  bool ended_ = false;
};

}  // namespace hecatomb
