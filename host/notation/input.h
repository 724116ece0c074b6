// The bytes of a file, of stdin or of a pipe, for whatever reads them.
//
// The one idea: what reads text asks for bytes and knows nothing of descriptors, slow writers and stops; all of that is
// settled here once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace hecatomb {

/// Fills the span from its start and returns how much; 0 at the end. May throw EnvironmentError.
using ByteReader = std::function<std::size_t(std::span<char>)>;

/// What a wait for more bytes looks at.
struct Waiting {
  int stop_descriptor = -1;           ///< once it is readable the bytes end; -1: nothing ends them early
  std::function<void()> before = {};  ///< called before every wait for a slow writer; may be empty
};

struct Input {
  std::string name;  ///< the path, or "stdin"
  ByteReader read;
  std::uint64_t size_bytes = 0;  ///< of a regular file; 0 where it is not known
};

/// Opens a file for reading, "-" for stdin. Throws EnvironmentError for what cannot be opened or is a directory;
/// `what` is said then ("lines", "games"). A FIFO is opened at once; its first bytes wait for a writer.
Input open_input(const std::string& path, const std::string& what, Waiting waiting = {});

/// Whether the descriptor has something to read now; false for -1.
bool is_readable(int descriptor);

}  // namespace hecatomb
