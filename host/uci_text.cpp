#include "host/uci_text.h"

#include <algorithm>

#include "host/notation/text.h"
#include "host/notation/uci.h"

namespace hecatomb {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_of(c);
  return result;
}

/// "12", "12.", "12)": the number of a line.
bool is_line_number(std::string_view word) {
  if (word.ends_with('.') || word.ends_with(')')) word.remove_suffix(1);
  return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

/// Whether words such as "Nodes searched" announce the number of all leaves. ("Moves" may be the number of moves.)
bool announces_total(const std::vector<std::string_view>& words) {
  bool total = false;
  for (const std::string_view word : words) {
    const std::string text = lower(word);
    const bool noun = text == "nodes" || text == "total" || text == "leaves" || text == "perft";
    if (!noun && text != "searched" && text != "leaf" && text != "count" && text != "all") return false;
    total |= noun;
  }
  return total;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  const auto is_separator = [separators](char c) {
    return c == ' ' || c == '\t' || c == '\r' || separators.find(c) != std::string_view::npos;
  };
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && !is_separator(line[end])) end++;
    if (end > i) words.push_back(line.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

std::optional<std::vector<std::string>> read_variant_option(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 5 || words[0] != "option" || words[1] != "name" || lower(words[2]) != "uci_variant" ||
      words[3] != "type") {
    return std::nullopt;
  }
  std::vector<std::string> values;
  bool in_value = false;
  for (std::size_t i = 5; i < words.size(); i++) {
    if (words[i] == "var") {
      values.emplace_back();
      in_value = true;
    } else if (words[i] == "default") {
      in_value = false;
    } else if (in_value) {
      if (!values.back().empty()) values.back() += ' ';
      values.back() += words[i];
    }
  }
  std::erase(values, "");
  return values;
}

CountLine read_count_line(std::string_view line) {
  std::vector<std::string_view> words = words_of(line, ":=-");
  if (words.empty()) return {};
  if (words[0] == "bestmove") return {CountLine::Kind::searching, {}, 0};
  if (words[0] == "info") {
    const bool scored = std::find(words.begin(), words.end(), "score") != words.end() && words[1] != "string";
    return {scored ? CountLine::Kind::searching : CountLine::Kind::other, {}, 0};
  }
  const std::optional<u128> leaves = parse_decimal(words.back());
  if (!leaves) return {};
  words.pop_back();
  if (words.size() == 2 && is_line_number(words[0])) words.erase(words.begin());
  if (words.size() == 1) {
    const std::string move = lower(words[0]);
    if (has_uci_shape(move)) return {CountLine::Kind::count, move, *leaves};
  }
  if (announces_total(words)) return {CountLine::Kind::total, {}, *leaves};
  return {};
}

}  // namespace hecatomb
