#include "host/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "host/error.h"

namespace hecatomb {

std::uint64_t machine_memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t available_memory_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  while (info >> word) {
    std::uint64_t kilobytes = 0;
    if (word == "MemAvailable:" && info >> kilobytes) return kilobytes << 10;
  }
  return machine_memory_bytes();
}

TableMemory::TableMemory(std::uint64_t size_bytes, const std::string& remedy) : size_bytes_(size_bytes) {
  const std::string attempted = "get " + std::to_string(size_bytes) + " bytes of memory for the table";
  const std::uint64_t machine = machine_memory_bytes();
  // The mapping below would be granted, and the process killed when it fills up.
  if (size_bytes > machine)
    throw EnvironmentError("--hash", attempted, "the machine has " + std::to_string(machine), remedy);
  data_ = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data_ == MAP_FAILED) throw EnvironmentError("--hash", attempted, errno, remedy);
  madvise(data_, size_bytes, MADV_HUGEPAGE);
}

TableMemory::~TableMemory() { munmap(data_, size_bytes_); }

void TableMemory::clear() { madvise(data_, size_bytes_, MADV_DONTNEED); }

}  // namespace hecatomb
