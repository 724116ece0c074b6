// Locks: at most one process works on a file.
//
// The one idea: flock(2), which the kernel releases when the process dies, however it dies; so there are no stale
// locks and nothing to clean up.
// Invariants: a lock is never waited for; a lock file is never deleted (deleting races with the next owner); destroying
// a lock in a forked child leaves that of the parent alone.
#pragma once

#include <string>

#include "host/storage/file.h"

namespace hecatomb {

/// Takes the exclusive lock of an open file; it is held until the file is closed. Throws EnvironmentError ("in use by
/// another process") if someone else has it, another File of this process included.
void lock_exclusively(const File& file);

/// Takes part in a piece of work on a directory or device by holding the lock of a file that exists only for that.
class FileLock {
 public:
  /// Opens or makes `path` and locks it; errors as above.
  explicit FileLock(const std::string& path) : file_(File::open_or_create(path)) { lock_exclusively(file_); }
  const std::string& path() const noexcept { return file_.path(); }

 private:
  File file_;
};

}  // namespace hecatomb
