#include "host/storage/lock.h"

#include <sys/file.h>

#include <cerrno>

#include "host/error.h"

namespace hecatomb {

void lock_exclusively(const File& file) {
  while (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK)
      throw EnvironmentError(file.path(), "lock", "it is in use by another process",
                             "Wait for it to end, or name another file; `fuser " + file.path() + "` shows who it is");
    throw EnvironmentError(file.path(), "lock", errno, "The file system may not support locks; name another place");
  }
}

}  // namespace hecatomb
