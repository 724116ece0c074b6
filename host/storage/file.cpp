#include "host/storage/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "host/error.h"

namespace hecatomb {
namespace {

std::string remedy_for(int error, const std::string& path) {
  switch (error) {
    case ENOENT:
      return "Check the name; its directory " + directory_of(path) + " must exist";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Check the permissions of the file and of its directory, or name another place";
    case ENOSPC:
    case EDQUOT:
      return "Free some space and run the same command again; what was finished before is kept";
    case EFBIG:
      return "Raise the limit on file sizes (ulimit -f), or use a file system with larger files";
    case EIO:
      return "The disk may be failing; look at the kernel log (dmesg) and copy your data elsewhere";
    case EMFILE:
    case ENFILE:
      return "Raise the limit on open files (ulimit -n)";
    default:
      return {};
  }
}

[[noreturn]] void fail(const std::string& path, std::string_view attempted) {
  const int error = errno;
  throw EnvironmentError(path, std::string(attempted), error, remedy_for(error, path));
}

// Repeats a call that a signal interrupted.
template <typename Call>
auto retried(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// Writes all of `bytes` by write_some(data, size, done), which returns as write(2) does.
template <typename WriteSome>
void write_all(const std::string& path, std::span<const std::byte> bytes, WriteSome write_some) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = retried([&] { return write_some(bytes.data() + done, bytes.size() - done, done); });
    if (n < 0) fail(path, "write");
    done += static_cast<std::size_t>(n);
  }
}

// Some descriptors cannot be synced (EINVAL: pipes, some network directories); there is then nothing to wait for.
void sync_descriptor(int descriptor, const std::string& path) {
  if (retried([&] { return ::fsync(descriptor); }) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail(path, "flush to the disk");
}

}  // namespace

File::File(std::string path, int flags, std::string_view attempted)
    : path_(std::move(path)), descriptor_(retried([&] { return ::open(path_.c_str(), flags | O_CLOEXEC, 0666); })) {
  if (descriptor_ < 0) fail(path_, attempted);
}

File File::open_read(const std::string& path) { return {path, O_RDONLY, "open for reading"}; }
File File::open_or_create(const std::string& path) { return {path, O_RDWR | O_CREAT, "open for writing"}; }
File File::open_scratch(const std::string& path) { return {path, O_RDWR | O_CREAT | O_NOFOLLOW, "open for writing"}; }
File File::open_special(const std::string& path) { return {path, O_WRONLY | O_NOCTTY, "open for writing"}; }

File::File(File&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    close();
    path_ = std::move(other.path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

std::uint64_t File::size_bytes() const {
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail(path_, "ask for the size");
  return static_cast<std::uint64_t>(status.st_size);
}

std::size_t File::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = retried([&] {
      return ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    });
    if (n < 0) fail(path_, "read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void File::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  write_all(path_, bytes, [&](const std::byte* data, std::size_t size, std::size_t done) {
    return ::pwrite(descriptor_, data, size, static_cast<off_t>(offset + done));
  });
}

void File::write_next(std::span<const std::byte> bytes) {
  write_all(path_, bytes,
            [&](const std::byte* data, std::size_t size, std::size_t) { return ::write(descriptor_, data, size); });
}

void File::truncate(std::uint64_t size_bytes) {
  if (retried([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size_bytes)); }) != 0)
    fail(path_, "change the size");
}

void File::sync() { sync_descriptor(descriptor_, path_); }

void File::close() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void sync_directory_of(const std::string& path) {
  const std::string directory = directory_of(path);
  const int descriptor = retried([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) {
    if (errno == EACCES) return;  // a directory one may write to but not list; the data itself is synced
    fail(directory, "open the directory");
  }
  try {
    sync_descriptor(descriptor, directory);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

}  // namespace hecatomb
