#include "host/storage/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "host/error.h"
#include "host/storage/lock.h"
#include "host/work.h"

namespace hecatomb {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

// Commits of this process, for the fault point.
std::atomic<std::uint64_t> g_commits{0};

// True if the name still leads to the open file; false if its former owner has renamed or removed it meanwhile.
bool still_named(const File& file, const std::string& path) {
  struct stat open_status = {};
  struct stat name_status = {};
  return ::fstat(file.descriptor(), &open_status) == 0 && ::lstat(path.c_str(), &name_status) == 0 &&
         open_status.st_dev == name_status.st_dev && open_status.st_ino == name_status.st_ino;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw EnvironmentError(path, "open for writing", EISDIR, "Name a file in it");
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = File::open_special(path);
    return;
  }
  if (exists) {
    std::error_code code;
    const std::filesystem::path resolved = std::filesystem::canonical(path, code);
    if (!code) path_ = resolved.string();
  }
  open_part(path_ + ".part");
  if (exists) ::fchmod(file_.descriptor(), status.st_mode & 07777);  // keep it as private as it was, if we may
}

void AtomicFile::open_part(const std::string& part) {
  do {
    file_ = File::open_scratch(part);
    lock_exclusively(file_);
  } while (!still_named(file_, part));
  part_ = part;  // from here on it is ours to remove
  file_.truncate(0);
}

AtomicFile::~AtomicFile() {
  if (!part_.empty()) ::unlink(part_.c_str());  // before the lock goes with the file
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    file_.write_next(bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void AtomicFile::flush() {
  file_.write_next(buffer_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  file_.sync();
  fault_point("before-rename", g_commits.fetch_add(1) + 1);
  if (!part_.empty()) {
    if (::rename(part_.c_str(), path_.c_str()) != 0)
      throw EnvironmentError(path_, "rename " + part_ + " to it", errno, "Check the permissions of its directory");
    part_.clear();
    sync_directory_of(path_);
  }
  file_.close();
}

void write_atomically(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace hecatomb
