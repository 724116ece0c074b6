#include "host/report/si.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace hecatomb {
namespace {

constexpr std::string_view kPrefixes = "kMGTPE";

std::string with_decimals(double value, int decimals) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
  return {text, result.ptr};
}

// Three significant digits of a value below 999.5.
std::string three_digits(double value) {
  // The bounds are where rounding reaches the next power of ten.
  return with_decimals(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string two_units(std::uint64_t value, std::uint64_t part, char value_unit, char part_unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%llu%c %02llu%c", static_cast<unsigned long long>(value), value_unit,
                static_cast<unsigned long long>(part), part_unit);
  return text;
}

}  // namespace

std::string format_si(double value) {
  if (!std::isfinite(value) || value < 0) return "?";
  if (value < 999.5) return three_digits(value);
  std::size_t prefix = 0;
  value /= 1000;
  while (value >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  return three_digits(value) + kPrefixes[prefix];
}

std::string format_count(std::uint64_t count) {
  return count < 1000 ? std::to_string(count) : format_si(static_cast<double>(count));
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string format_size(std::uint64_t size_bytes) {
  constexpr std::string_view units = "KMGTPE";
  if (size_bytes < 1024) return counted(size_bytes, "byte");
  double value = static_cast<double>(size_bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); unit++) value /= 1024;
  std::string text = with_decimals(value, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + " " + units[unit] + "iB";
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.995) return with_decimals(seconds, 2) + "s";
  if (seconds < 9.95) return with_decimals(seconds, 1) + "s";
  if (seconds >= 1e15) return "?";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + "s";
  if (whole < 3600) return two_units(whole / 60, whole % 60, 'm', 's');
  const std::uint64_t minutes = (whole + 30) / 60;
  if (minutes < 24 * 60) return two_units(minutes / 60, minutes % 60, 'h', 'm');
  const std::uint64_t hours = (whole + 1800) / 3600;
  if (hours < 1000 * 24) return two_units(hours / 24, hours % 24, 'd', 'h');
  return std::to_string(hours / 24) + "d";
}

std::optional<std::uint64_t> parse_size(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{}) return std::nullopt;
  std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  unsigned shift = 0;
  if (!suffix.empty()) {
    constexpr std::string_view prefixes = "kmgtpe";
    const std::size_t power = prefixes.find(lower(suffix.front()));
    if (power != std::string_view::npos) {
      shift = static_cast<unsigned>(power + 1) * 10;
      suffix.remove_prefix(1);
      if (suffix.size() == 2 && lower(suffix.front()) == 'i') suffix.remove_prefix(1);
    }
    if (suffix.size() > 1 || (suffix.size() == 1 && lower(suffix.front()) != 'b')) return std::nullopt;
  }
  if (shift > 0 && value > (UINT64_MAX >> shift)) return std::nullopt;
  return value << shift;
}

}  // namespace hecatomb
