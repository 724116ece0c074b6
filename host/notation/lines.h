// The lines of a file, of stdin or of a pipe, one at a time and in constant memory.
//
// The one idea: a reader of lines never fails because of what a file holds. A line that is too long or no text is
// handed out as an error with its number, and the next one follows. Only what the machine refuses (no such file, no
// permission, a directory, a read error) is an EnvironmentError, as everywhere in the program.
//
// Invariants: lines are numbered from 1; text has no line end (LF or CRLF) and no byte order mark at its start, and is
// valid until the next call; the last line needs no line end; memory is the buffer and at most one line of `limit`.
// Bytes >= 0x80 are text (UTF-8, Latin-1), nobody checks them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/notation/input.h"
#include "host/notation/result.h"

namespace hecatomb {

struct Line {
  std::string_view text;       ///< empty where there is an error
  std::uint64_t number = 0;    ///< from 1
  std::optional<Error> error;  ///< kind `line`; kind `empty` for an input without a byte
};

class LineSource {
 public:
  using Reader = ByteReader;
  static constexpr std::size_t kDefaultLimit = std::size_t{1} << 20;

  /// Opens a file for reading, "-" for stdin. Throws EnvironmentError for what cannot be opened or is a directory. A
  /// FIFO is opened at once; its first line waits for a writer.
  static LineSource open(const std::string& path, std::size_t limit_bytes = kDefaultLimit, Waiting waiting = {});

  /// Lines of anything else that gives bytes (a decompressor, a text in a test). `name` is for messages.
  LineSource(std::string name, Reader reader, std::size_t limit_bytes = kDefaultLimit, int stop_descriptor = -1);

  /// The next line; nothing after the last. Once the stop descriptor is readable there is no next line that would have
  /// to be waited for, and a line that has come in part is dropped.
  std::optional<Line> next();

  /// The path, or "stdin".
  const std::string& name() const { return name_; }

 private:
  bool fill();
  bool take_rest_of_line(std::string_view& text);
  Line judged(std::string_view text);

  std::string name_;
  Reader reader_;
  std::size_t limit_bytes_;
  int stop_descriptor_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what is read and not handed out
  std::string long_line_;            // a line that did not fit into the rest of the buffer
  std::uint64_t number_ = 0;
  bool any_ = false, ended_ = false, too_long_ = false;
};

}  // namespace hecatomb
