// Counts of leaves: 128 bits, since perft passes 2^64 at depths that a table makes easy.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hecatomb {

__extension__ using u128 = unsigned __int128;

/// Backends refuse to count further than this: sums of a few counts then never wrap.
inline constexpr u128 kMaxCount = u128{1} << 120;

/// All decimal digits.
inline std::string decimal(u128 count) {
  char digits[40];
  char* p = digits + sizeof digits;
  do {
    *--p = static_cast<char>('0' + static_cast<int>(count % 10));
    count /= 10;
  } while (count != 0);
  return {p, digits + sizeof digits};
}

/// The reverse: digits only, at most kMaxCount.
inline std::optional<u128> parse_decimal(std::string_view text) {
  u128 count = 0;
  if (text.empty()) return std::nullopt;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    count = 10 * count + static_cast<unsigned>(c - '0');
    if (count > kMaxCount) return std::nullopt;
  }
  return count;
}

}  // namespace hecatomb
