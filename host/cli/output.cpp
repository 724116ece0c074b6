#include "host/cli/output.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <string>

#include "host/cli/command.h"
#include "host/error.h"

namespace hecatomb {

namespace {

constexpr std::size_t kContextBytes = 120;  // of a text shown above a caret

/// Text for a terminal: one line, no control characters.
std::string shown(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

}  // namespace

std::string json_text(const Json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void print_json(const Json& document) { std::cout << json_text(document) << '\n'; }

Json json_number(std::uint64_t number) {
  constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;
  return number <= most_exact ? Json(number) : Json(std::to_string(number));
}

Json json_of(const Error& error) {
  return {{"kind", kind_name(error.kind)},
          {"field", error.field},
          {"column", error.column},
          {"ply", error.ply},
          {"message", error.message}};
}

Json json_of(const RuleOptions& options, VariantId variant) {
  Json out = Json::object();
  with_variant(variant, [&](auto v) {
    using V = decltype(v);
    if (V::has_restricted_ep) out["ep"] = options.restricted_ep ? "restricted" : "normal";
    if (V::has_stalemated_wins) out["stalemate"] = options.stalemated_wins ? "stalemated-wins" : "fewer-men";
  });
  return out;
}

Json json_of_warning(const Warning& warning) {
  return {{"kind", kind_name(warning.kind)},
          {"field", warning.field},
          {"column", warning.column},
          {"message", warning.message}};
}

std::string without_column(const Error& error) {
  const std::string column = "column " + std::to_string(error.column) + ": ";
  const std::string field(error.field);
  if (error.message.starts_with(column)) return error.message.substr(column.size());
  if (!field.empty() && error.message.starts_with(field + ", " + column))
    return field + ": " + error.message.substr(field.size() + 2 + column.size());
  return error.message;
}

void print_error(std::string_view message) { std::cerr << "hecatomb: error: " << message << std::endl; }
void print_warning(std::string_view message) { std::cerr << "hecatomb: warning: " << message << std::endl; }

void print_error_in(std::string_view text, const Error& error) {
  print_error(error.message);
  if (error.column <= 0) return;
  const std::size_t column = static_cast<std::size_t>(error.column) - 1;
  const std::size_t begin = column > kContextBytes / 2 ? std::min(column - kContextBytes / 2, text.size()) : 0;
  std::cerr << "  " << shown(text.substr(begin, kContextBytes)) << "\n  " << std::string(column - begin, ' ') << '^'
            << std::endl;
}

std::filesystem::path whole_path(const std::string& path) {
  std::error_code missing;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, missing), missing);
}

void refuse_output_over(std::string_view option, const std::string& output, const std::string& input) {
  if (output == "-" || input == "-") return;
  namespace fs = std::filesystem;
  std::error_code missing;
  const bool same = fs::equivalent(output, input, missing) || whole_path(output) == whole_path(input);
  if (same)
    throw UsageError(std::string(option) + " " + output + " is " + input + ", which is used; write to another file");
}

void flush_output() {
  const bool lost = !std::cout;
  std::cout.clear();
  errno = 0;
  if (lost) std::cout.put('\n');  // where a write has failed, one more fails for the same reason, which is known then
  if (std::cout.flush() && !lost) return;
  const int fault = errno == 0 ? EIO : errno;
  throw EnvironmentError("stdout", "write", fault, fault == EPIPE ? "The reader has gone" : "");
}

}  // namespace hecatomb
