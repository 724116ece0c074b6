// File: an open file descriptor that closes itself and whose every failure is an EnvironmentError with the path.
//
// The one idea: nobody above this file sees errno, short reads, short writes or EINTR.
// Invariants: descriptors are close-on-exec; a moved-from File is closed; reads and writes at an offset leave the file
// position alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hecatomb {

/// The bytes of a text, for the functions below.
inline std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

class File {
 public:
  File() noexcept = default;
  /// Opens for reading; the file must be there.
  static File open_read(const std::string& path);
  /// Opens for reading and writing; makes an empty file (mode 0666 less the umask) if there is none.
  static File open_or_create(const std::string& path);
  /// The same for a name of our own making: refuses to follow a link that somebody put there.
  static File open_scratch(const std::string& path);
  /// Opens for writing what is no regular file: a terminal, a pipe, /dev/null.
  static File open_special(const std::string& path);

  ~File() { close(); }
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  bool is_open() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }
  const std::string& path() const noexcept { return path_; }

  std::uint64_t size_bytes() const;
  /// Reads into `bytes` from `offset`; returns the bytes read, fewer than asked for only at the end of the file.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Writes at the file position and moves it: the only way to write to pipes.
  void write_next(std::span<const std::byte> bytes);
  void truncate(std::uint64_t size_bytes);
  /// Returns when the data is on the disk. Does nothing where that has no meaning (pipes, terminals).
  void sync();
  void close() noexcept;

 private:
  File(std::string path, int flags, std::string_view attempted);

  std::string path_;
  int descriptor_ = -1;
};

/// Makes the name of `path` last: a new or renamed file survives a power cut only after its directory is synced.
void sync_directory_of(const std::string& path);

/// The directory part of a path; "." where it has none.
std::string directory_of(const std::string& path);

}  // namespace hecatomb
