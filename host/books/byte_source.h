// The bytes of a file, of stdin or of a pipe, unpacked on the way where they are gzip or zstd.
//
// The one idea: what the bytes are is told by their first four, never by a name, and nothing is ever sought: so a pipe,
// `-` and a file are the same. A packed stream that is cut or damaged ends early; what was read until then has been
// handed out, and `fault()` says what happened. Only what the machine refuses (no such file, a directory, a read error)
// is an EnvironmentError.
//
// Invariants
// - Several gzip members or zstd frames one behind the other are one stream, as gunzip and zstdcat read them.
// - Memory is two buffers of 64 KiB and the window of the unpacker (zstd: at most 128 MiB, what `zstd -d` grants).
// - After a Ctrl-C (stop_requested) the stream ends, also while a pipe is waited for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/notation/input.h"
#include "host/notation/result.h"

namespace hecatomb {

class ByteSource {
 public:
  using Reader = ByteReader;

  /// Opens a file for reading, "-" for stdin. Throws EnvironmentError for what cannot be opened or is a directory.
  /// `before_waiting` is called before every wait for a slow writer; it may be empty.
  static ByteSource open(const std::string& path, std::function<void()> before_waiting = {});

  /// Bytes from anywhere else (a text in a test). `name` is for messages.
  ByteSource(std::string name, Reader reader);
  ~ByteSource();
  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;

  /// Fills the span from its start and returns how much; 0 only at the end (or for an empty span).
  std::size_t read(std::span<char> room);

  /// After the end: why the stream ended before its time (kind `truncated`), or nothing.
  const std::optional<Error>& fault() const { return fault_; }

  /// The path, or "stdin".
  const std::string& name() const { return name_; }
  /// Bytes of the file itself (packed ones) so far, and in all; 0 where that is not known.
  std::uint64_t bytes_taken() const { return bytes_taken_; }
  std::uint64_t bytes_in_all() const { return bytes_in_all_; }

  /// Unpacks bytes: takes from `input`, fills `output`.
  class Unpacker;

 private:
  bool fill();
  std::size_t take_plain(std::span<char> room);
  std::size_t take_unpacked(std::span<char> room);
  void choose_unpacker();

  std::string name_;
  Reader reader_;
  std::uint64_t bytes_taken_ = 0, bytes_in_all_ = 0;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what is read and not used
  bool begun_ = false, ended_ = false;
  std::unique_ptr<Unpacker> unpacker_;
  std::optional<Error> fault_;
};

/// The libraries that unpack, with their versions.
std::vector<std::pair<std::string, std::string>> unpacking_libraries();

}  // namespace hecatomb
