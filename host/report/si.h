// Numbers as people read and write them: counts, rates, durations and sizes.
//
// The one idea: three significant digits tell a person all there is; exact numbers go to stdout or JSON, never here.
// Invariants: no locale, no exception; formatted numbers are at most six characters, "1000M" is never written for
// "1.00G".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hecatomb {

/// "999", "1.00k", "12.3M", "18.4E": three digits and a decimal prefix. Below 1000 exact.
std::string format_count(std::uint64_t count);

/// "1 position", "2 positions": all digits, and the noun in its form. (No noun of ours is irregular.)
std::string counted(std::uint64_t count, std::string_view noun);

/// 64 "64 bytes", 1536 "1.5 KiB", 268435456 "256 MiB": at most two decimals.
std::string format_size(std::uint64_t size_bytes);

/// format_count for a rate or another non-negative quantity: "0.25", "7.50", "12.3M"; "?" for what is not a finite
/// number.
std::string format_si(double value);

/// "0.00s", "3.2s", "42s", "1m 05s", "2h 03m", "3d 04h", "1234d": two units at most; "?" for negative or not finite.
std::string format_duration(double seconds);

/// Reads a size in bytes: digits, then nothing or one of K M G T P E (any case, powers of 1024), then nothing, "B" or
/// "iB". "0", "256M", "8G", "8GiB". Nothing if the text is anything else or passes 2^64 - 1.
std::optional<std::uint64_t> parse_size(std::string_view text) noexcept;

}  // namespace hecatomb
