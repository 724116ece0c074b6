// Streams of gzip members (zlib) and zstd frames (libzstd) behind one interface. Inside this folder.
//
// The one idea: an unpacker is asked for bytes again and again; it says what it took and gave, and whether the stream
// may end here. It knows nothing of files.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/books/byte_source.h"

namespace hecatomb {

class ByteSource::Unpacker {
 public:
  struct Step {
    std::size_t taken = 0;  ///< bytes of the input
    std::size_t given = 0;  ///< bytes of the output
    std::string fault;      ///< why it cannot go on; empty: all is well
  };
  Unpacker() = default;
  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Takes bytes from the front of `input` and fills the front of `output`. With an empty input: what is left inside.
  virtual Step step(std::span<const char> input, std::span<char> output) = 0;
  /// Whether a member or frame is begun and not finished: the input may not end here.
  virtual bool is_inside() const = 0;
  /// "gzip" or "zstd".
  virtual std::string_view format() const = 0;
};

/// The unpacker for a stream that begins with these bytes; null for what is not packed.
std::unique_ptr<ByteSource::Unpacker> unpacker_for(std::string_view first_bytes);

/// The name of a packed format that is known and not read ("bzip2", "xz", "zip", …), or empty.
std::string_view unread_format(std::string_view first_bytes);

}  // namespace hecatomb
