#include "host/cli/suite_lines.h"

#include <utility>

#include "host/cli/show.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

/// "KEY: VALUE" of a comment "# KEY: VALUE", the key in lower case; an empty key in other comments.
std::pair<std::string, std::string_view> key_and_value(std::string_view comment) {
  comment = trimmed(trimmed(without_bom(comment)).substr(1));
  const std::size_t colon = comment.find(':');
  if (colon == std::string_view::npos) return {};
  std::string key;
  for (const char c : trimmed(comment.substr(0, colon))) key += lower_of(c);
  return {std::move(key), trimmed(comment.substr(colon + 1))};
}

bool is_rule_option(std::string_view name) {
  for (const std::string_view option : kRuleOptionNames) {
    if (name == option) return true;
  }
  return false;
}

/// "ep=restricted stalemate=stalemated-wins"
std::optional<Error> choose_rules(RuleChoice& choice, std::string_view words) {
  for (const std::string_view word : words_of(words)) {
    const std::size_t equals = word.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    if (auto error = choose_rule(choice, word.substr(0, equals), value)) return error;
  }
  return std::nullopt;
}

bool is_check(std::string_view opcode) {
  return opcode.size() >= 2 && lower_of(opcode[0]) == 'd' && is_digit(opcode[1]);
}

}  // namespace

bool SuiteFile::is_wanted(const SuiteCheck& check) const {
  return (!options_.most_nodes || check.expected <= *options_.most_nodes) &&
         (!options_.most_depth || check.depth_plies <= *options_.most_depth);
}

void SuiteFile::warn_of_other_variant(std::uint64_t line, std::string_view said) {
  if (std::exchange(warned_, true)) return;
  warn_(name_ + ":" + std::to_string(line) + ": the file says '" + std::string(said) + "', -v " +
        std::string(variant_name(context_.required_variant())) + " goes before");
}

std::optional<Error> SuiteFile::read_comment(const Line& line) {
  if (trimmed(line.text).empty()) return std::nullopt;
  const auto [key, value] = key_and_value(line.text);
  const bool is_variant = key == "variant";
  if (!is_variant && key != "options" && !is_rule_option(key)) return std::nullopt;
  if (is_variant && std::exchange(any_position_, false)) choice_ = {};
  if (!is_variant) return key == "options" ? choose_rules(choice_, value) : choose_rule(choice_, key, value);
  variant_.reset();  // what follows must not be judged by the rules of what went before
  const Expected<VariantId> variant = read_variant(value);
  if (!variant) return variant.error();
  variant_ = *variant;
  if (context_.variant && context_.variant != variant_)
    warn_of_other_variant(line.number, "variant: " + std::string(value));
  return std::nullopt;
}

/// The rule options of a line, its own operations included.
Expected<RuleOptions> SuiteFile::rules_of(const EpdPosition& read) const {
  RuleChoice own;
  for (const EpdOp& op : read.ops) {
    if (!is_rule_option(op.opcode)) continue;
    if (auto error = choose_rule(own, op.opcode, op.text()))
      return error_at(ErrorKind::option, "", op.column, error->message);
  }
  return rule_options_of(context_.rules.over(own.over(choice_)), read.variant);
}

/// The operations D1, D2, … of a line.
std::optional<Error> SuiteFile::read_checks(SuiteEntry& entry, const std::vector<EpdOp>& ops) {
  bool any = false;
  for (const EpdOp& op : ops) {
    if (!is_check(op.opcode)) continue;
    any = true;
    const std::optional<u128> depth = parse_decimal(std::string_view(op.opcode).substr(1));
    const std::optional<u128> expected = op.operands.size() == 1 ? parse_decimal(op.operands[0].text) : std::nullopt;
    if (!depth || *depth > kMostDepth || !expected) {
      return error_at(ErrorKind::trailing, "", op.column,
                      op.opcode + " " + op.text() + " is no check; write it as D1 20, with depths up to " +
                          std::to_string(kMostDepth));
    }
    const SuiteCheck check{static_cast<int>(*depth), *expected};
    if (is_wanted(check)) {
      entry.checks.push_back(check);
    } else {
      notes_.skipped++;
    }
  }
  notes_.unchecked += !any;
  entry.open_checks = entry.checks.size();
  return std::nullopt;
}

std::optional<Error> SuiteFile::read_position(const Line& line, SuiteEntry& entry) {
  any_position_ = true;
  const std::optional<VariantId> variant = context_.variant ? context_.variant : variant_;
  Expected<EpdPosition> read = read_epd(line.text, variant);
  if (!read) return read.error();
  const Expected<RuleOptions> rules = rules_of(*read);
  if (!rules) return rules.error();
  if (!(*rules == RuleOptions{})) {  // options change what a position is: read it again under them
    read = read_epd(line.text, variant, *rules);
    if (!read) return read.error();
  }
  if (read->variant_differs && context_.variant)
    warn_of_other_variant(line.number, "variant " + read->find("variant")->text());
  for (const Warning& warning : read->warnings) {
    if (warning.kind != ErrorKind::castling_right) continue;
    notes_.dropped_castling++;
    break;
  }
  entry.position = read->position;
  entry.variant = read->variant;
  entry.rules = *rules;
  return read_checks(entry, read->ops);
}

std::optional<SuiteEntry> SuiteFile::read(const Line& line) {
  SuiteEntry entry{.file = name_, .line = line.number};
  if (line.error) {
    entry.refused = line.error;
    return entry;
  }
  if (is_epd_comment(line.text)) {
    entry.refused = read_comment(line);
    return entry.refused ? std::optional(std::move(entry)) : std::nullopt;
  }
  entry.refused = read_position(line, entry);
  return entry;
}

}  // namespace hecatomb
