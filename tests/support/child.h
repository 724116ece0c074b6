// A forked child that runs something, and how it ended.
//
// Children are forked while the parent has no other threads (ThreadSanitizer) and leave by _exit().
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace hecatomb {

/// How a child that runs `body` ends, as waitpid() says it; an exception is exit code 99.
inline int status_of_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      body();
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

inline bool killed_by(int status, int number) { return WIFSIGNALED(status) && WTERMSIG(status) == number; }
inline int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

}  // namespace hecatomb
