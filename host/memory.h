// How much memory the machine has.
#pragma once
#include <unistd.h>

#include <cstdint>

namespace hecatomb {

/// Bytes.
inline std::uint64_t machine_memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace hecatomb
