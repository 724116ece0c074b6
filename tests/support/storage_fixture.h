// What the tests of host/storage share: a directory of their own, a sample header, files in use or too large.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "host/storage/header.h"
#include "host/work.h"
#include "tests/support/child.h"
#include "tests/support/directory.h"

namespace hecatomb {

inline bool was_killed(int status) { return killed_by(status, SIGKILL); }

// Every test has a directory of its own.
class StorageTest : public testing::Test {
 protected:
  void SetUp() override { directory_ = new_directory(); }
  void TearDown() override {
    fs::remove_all(directory_);
    arm_faults("");
    reset_stop();
  }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(directory_)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string directory_;
};

inline FileHeader sample_header() {
  return {.kind = "journal",
          .version = 1,
          .job = "perft",
          .variant = "antichess",
          .options = {{"stalemate", "stalemated-wins"}, {"ep", "restricted"}},
          .params = {{"fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1"}, {"depth", "5"}, {"odd", "50%\n=\x7F\t"}}};
}

// What opening or reading a file was refused for, and the text; nothing if it was accepted.
struct FileOutcome {
  std::optional<Refusal> refusal;
  std::string text;
};

inline FileOutcome outcome_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const FileRefusedError& error) {
    return {error.refusal(), error.what()};
  }
  return {};
}

// Limits the size of files, as a full disk would; for children only.
inline void limit_file_size(std::uint64_t size_bytes) {
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit = {size_bytes, size_bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

// Whether `body` fails as the file is in use.
inline bool is_in_use(const std::function<void()>& body) {
  try {
    body();
  } catch (const EnvironmentError& error) {
    return error.reason() == "it is in use by another process";
  }
  return false;
}

}  // namespace hecatomb
