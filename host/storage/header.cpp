#include "host/storage/header.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "host/storage/checksum.h"

namespace hecatomb {
namespace {

constexpr std::string_view kMagic = "hecatomb-file ";
constexpr std::string_view kLayoutVersion = "1";
constexpr std::size_t kSizeDigits = 8;
constexpr std::size_t kFirstLineBytes = kMagic.size() + kLayoutVersion.size() + 1 + kSizeDigits + 1;
constexpr std::string_view kChecksumKey = "xxh3=";
constexpr std::size_t kChecksumLineBytes = kChecksumKey.size() + 16 + 1;
constexpr std::size_t kAlignmentBytes = 64;

// ---- Writing ----

const std::string& checked_name(const std::string& name) {
  const bool fine =
      !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") == std::string::npos;
  if (!fine) throw std::invalid_argument("file header: '" + name + "' is no name");
  return name;
}

std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c != '%' && code >= 0x20 && code != 0x7F) {
      text.push_back(c);
      continue;
    }
    char hex[4];
    std::snprintf(hex, sizeof hex, "%%%02X", unsigned{code});
    text.append(hex);
  }
  return text;
}

void append_map(std::string& text, std::string_view prefix, const std::map<std::string, std::string>& map) {
  for (const auto& [name, value] : map)
    text.append(prefix).append(checked_name(name)).append("=").append(escaped(value)).append("\n");
}

std::string checksum_line(std::uint64_t checksum) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(checksum));
  return std::string(kChecksumKey) + digits + "\n";
}

// ---- Reading ----

// Takes the text up to the next newline off `text`; nothing if there is no newline.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

template <typename Number>
bool parse_number(std::string_view digits, Number& number, int base = 10) {
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return code == std::errc{} && end == digits.data() + digits.size();
}

std::string unescaped(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '%' && i + 2 < text.size() && parse_number(text.substr(i + 1, 2), code, 16)) {
      value.push_back(static_cast<char>(code));
      i += 2;
    } else {
      value.push_back(text[i]);
    }
  }
  return value;
}

// Reads one KEY=VALUE line into the header; a line that means nothing is ignored here and noticed by the comparison
// with the canonical bytes.
void read_field(std::string_view line, FileHeader& header) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view key = line.substr(0, equals);
  const std::string value = unescaped(line.substr(equals + 1));
  constexpr std::string_view option_key = "option.";
  constexpr std::string_view param_key = "param.";
  if (key == "kind") {
    const std::size_t blank = value.find(' ');
    header.kind = value.substr(0, blank);
    if (blank != std::string::npos) parse_number(std::string_view(value).substr(blank + 1), header.version);
  } else if (key == "job") {
    header.job = value;
  } else if (key == "variant") {
    header.variant = value;
  } else if (key.starts_with(option_key)) {
    header.options[std::string(key.substr(option_key.size()))] = value;
  } else if (key.starts_with(param_key)) {
    header.params[std::string(key.substr(param_key.size()))] = value;
  }
}

[[noreturn]] void refuse(Refusal refusal, const std::string& path, std::string reason, std::string remedy) {
  throw FileRefusedError(refusal, path, "use this file", std::move(reason), std::move(remedy));
}

[[noreturn]] void refuse_damaged(const std::string& path, std::string reason) {
  refuse(Refusal::kDamaged, path, "its header is damaged (" + std::move(reason) + ")",
         "Restore it from a copy, or delete it and run the job again");
}

// Reads the first line; returns the size of the header in bytes.
std::size_t read_first_line(const File& file) {
  std::string line(kFirstLineBytes, '\0');
  line.resize(file.read_at(0, std::as_writable_bytes(std::span(line))));
  const std::string& path = file.path();
  if (!line.starts_with(kMagic)) {
    if (line.empty()) refuse(Refusal::kDamaged, path, "it is empty", "Delete it and make it again");
    refuse(Refusal::kNotOurs, path, "it is not a file of hecatomb", "Check the name");
  }
  std::string_view rest = std::string_view(line).substr(kMagic.size());
  const std::string_view version = rest.substr(0, rest.find(' '));
  std::uint32_t number = 0;
  const bool is_number = parse_number(version, number);  // else it is damage, and nobody wants to see the bytes
  if (version != kLayoutVersion && is_number && version.size() < rest.size())
    refuse(Refusal::kVersion, path,
           "its header is of version " + std::string(version) + ", this program reads version " +
               std::string(kLayoutVersion),
           "Use the version of hecatomb that wrote it, or delete it and run the job again");
  if (line.size() < kFirstLineBytes || version.size() == rest.size())
    refuse_damaged(path, "its first line is not whole");
  if (version != kLayoutVersion) refuse_damaged(path, "its version is no number");
  std::size_t size_bytes = 0;
  if (!parse_number(rest.substr(version.size() + 1, kSizeDigits), size_bytes) || size_bytes > kMaxHeaderBytes ||
      size_bytes < kFirstLineBytes + kChecksumLineBytes || size_bytes % kAlignmentBytes != 0)
    refuse_damaged(path, "its size is not possible");
  return size_bytes;
}

std::string list_differences(const std::map<std::string, std::string>& found,
                             const std::map<std::string, std::string>& expected) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& there, const std::string& wanted) {
    if (!text.empty()) text.append("; ");
    text.append(name).append(" is ").append(there).append(", expected ").append(wanted);
  };
  const auto quoted = [](const std::string& value) { return "'" + escaped(value) + "'"; };
  for (const auto& [name, value] : found) {
    const auto other = expected.find(name);
    if (other == expected.end()) {
      add(name, quoted(value), "none");
    } else if (other->second != value) {
      add(name, quoted(value), quoted(other->second));
    }
  }
  for (const auto& [name, value] : expected)
    if (!found.contains(name)) add(name, "not there", quoted(value));
  return text;
}

}  // namespace

std::string encode_header(const FileHeader& header) {
  std::string body;
  body.append("kind=").append(checked_name(header.kind)).append(" ").append(std::to_string(header.version));
  body.append("\njob=").append(checked_name(header.job));
  body.append("\nvariant=").append(header.variant.empty() ? header.variant : checked_name(header.variant)).append("\n");
  append_map(body, "option.", header.options);
  append_map(body, "param.", header.params);

  const std::size_t least_bytes = kFirstLineBytes + body.size() + 1 + kChecksumLineBytes;
  const std::size_t size_bytes = (least_bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  if (size_bytes > kMaxHeaderBytes) throw std::invalid_argument("file header: too long");
  std::string digits = std::to_string(size_bytes);
  digits.insert(0, kSizeDigits - digits.size(), '0');

  std::string text;
  text.append(kMagic).append(kLayoutVersion).append(" ").append(digits).append("\n").append(body);
  text.append(size_bytes - least_bytes, ' ').append("\n");
  return text + checksum_line(xxh3(bytes_of(text)));
}

StoredHeader read_header(const File& file) {
  std::string text(read_first_line(file), '\0');
  if (file.read_at(0, std::as_writable_bytes(std::span(text))) != text.size())
    refuse_damaged(file.path(), "it ends too early");
  const std::string_view covered = std::string_view(text).substr(0, text.size() - kChecksumLineBytes);
  const std::uint64_t checksum = xxh3(bytes_of(covered));
  if (std::string_view(text).substr(covered.size()) != checksum_line(checksum))
    refuse_damaged(file.path(), "its checksum is wrong");

  StoredHeader stored{.header = {}, .size_bytes = text.size(), .checksum = checksum};
  std::string_view rest = covered;
  take_line(rest);
  for (;;) {
    const auto line = take_line(rest);
    if (!line) break;
    read_field(*line, stored.header);
  }
  bool canonical = false;
  try {
    canonical = encode_header(stored.header) == text;
  } catch (const std::invalid_argument&) {
    canonical = false;
  }
  if (!canonical) refuse_damaged(file.path(), "it has fields that this program does not write");
  return stored;
}

void require_header(const FileHeader& found, const FileHeader& expected, const std::string& path,
                    ParamsMustMatch params) {
  const std::string holds = "it holds a " + found.kind + (found.job == found.kind ? "" : " of " + found.job) +
                            (found.variant.empty() ? std::string() : " for " + found.variant);
  if (found.kind != expected.kind)
    refuse(Refusal::kKind, path, holds + ", expected a " + expected.kind, "Name another file");
  if (found.version != expected.version)
    refuse(Refusal::kVersion, path,
           holds + " in format version " + std::to_string(found.version) + ", this program reads version " +
               std::to_string(expected.version),
           "Use the version of hecatomb that wrote it, or delete it and run the job again");
  if (found.job != expected.job)
    refuse(Refusal::kJob, path, holds + ", expected one of " + expected.job, "Name another file");
  if (found.variant != expected.variant)
    refuse(Refusal::kVariant, path, holds + ", expected " + expected.variant,
           "Run with --variant " + found.variant + ", or name another file");
  if (found.options != expected.options)
    refuse(Refusal::kOptions, path, holds + " under other rules: " + list_differences(found.options, expected.options),
           "Run with the rule options of the file, or name another file");
  if (params == ParamsMustMatch::kYes && found.params != expected.params)
    refuse(Refusal::kParams, path, holds + " with other parameters: " + list_differences(found.params, expected.params),
           "Run with the parameters of the file, or name another file");
}

}  // namespace hecatomb
