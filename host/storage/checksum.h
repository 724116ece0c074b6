// The checksum of every file of ours: XXH3-64.
//
// The one idea: it is faster than the disk, so every byte of every file is covered. It guards against accidents (torn
// writes, flipped bits, wrong files), not against forgery.
// Invariant: the values are part of the file formats; they do not depend on machine or instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hecatomb {

/// XXH3-64 of `bytes` with `seed` (https://xxhash.com; XXH3_64bits_withSeed).
std::uint64_t xxh3(std::span<const std::byte> bytes, std::uint64_t seed = 0) noexcept;

}  // namespace hecatomb
