// AtomicFile: a file appears complete under its name, or not at all.
//
// The one idea: write PATH.part in the same directory, fsync, rename over PATH, fsync the directory. A reader of PATH
// sees the old file or the new one.
// Invariants
// - PATH is untouched until commit(); without commit() the .part is removed.
// - A process killed before its commit leaves its .part behind; the next one with the same PATH takes it over, so they
//   do not pile up. The .part is locked: two writers of one PATH are an error, not a mixture.
// - A PATH that is no regular file (/dev/stdout, a pipe) is written directly; a symbolic link stays one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/storage/file.h"

namespace hecatomb {

class AtomicFile {
 public:
  /// Opens the temporary file. Throws EnvironmentError, also if another process is writing the same path.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends; buffered. Errors of the disk come out here or in commit().
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(bytes_of(text)); }

  /// Makes the file visible and lasting. Nothing may be written afterwards. Throws EnvironmentError; PATH is then the
  /// old file, unless only the sync of the directory failed.
  void commit();

 private:
  void open_part(const std::string& part);
  void flush();

  std::string path_;  // where it will be, links resolved
  std::string part_;  // the temporary name; empty if written directly or committed
  File file_;
  std::vector<std::byte> buffer_;
};

/// Writes a whole file at once.
void write_atomically(const std::string& path, std::string_view text);

}  // namespace hecatomb
