#include "host/storage/checksum.h"

#define XXH_INLINE_ALL  // compiled in: the binary depends on no libxxhash.so
#include <xxhash.h>

namespace hecatomb {

std::uint64_t xxh3(std::span<const std::byte> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace hecatomb
