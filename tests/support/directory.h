// Directories and files for tests.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace hecatomb {

namespace fs = std::filesystem;

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void spit(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

/// A new directory; who makes it removes it. In memory where possible: on a disk thousands of fsyncs take most of the
/// time of some tests.
inline std::string new_directory() {
  std::string name = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : fs::temp_directory_path().string() + "/";
  name += "hecatomb_test_XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a directory like " + name);
  return name;
}

}  // namespace hecatomb
