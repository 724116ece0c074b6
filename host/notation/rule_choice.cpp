#include "host/notation/rule_choice.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "host/notation/nearest_word.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

struct RuleOption {
  std::string_view name;
  std::vector<std::string> values;  // the default, the other
  std::optional<bool> RuleChoice::*chosen;
};

const std::vector<RuleOption>& rule_options() {
  static const std::vector<RuleOption> options = {
      {kRuleOptionNames[0], {"normal", "restricted"}, &RuleChoice::restricted_ep},
      {kRuleOptionNames[1], {"fewer-men", "stalemated-wins"}, &RuleChoice::stalemated_wins},
  };
  return options;
}

Error option_error(std::string message) { return {ErrorKind::option, "", 0, 0, std::move(message)}; }

bool has_option(VariantId id, std::optional<bool> RuleChoice::*chosen) {
  return with_variant(id, [&](auto v) {
    return chosen == &RuleChoice::restricted_ep ? decltype(v)::has_restricted_ep : decltype(v)::has_stalemated_wins;
  });
}

std::string variants_with(std::optional<bool> RuleChoice::*chosen) {
  std::string text;
  for (const VariantId id : kAllVariants) {
    if (!has_option(id, chosen)) continue;
    if (!text.empty()) text += ", ";
    text += variant_name(id);
  }
  return text;
}

}  // namespace

RuleChoice RuleChoice::over(const RuleChoice& defaults) const {
  return {restricted_ep ? restricted_ep : defaults.restricted_ep,
          stalemated_wins ? stalemated_wins : defaults.stalemated_wins};
}

bool is_rule_option(std::string_view name) {
  return std::find(std::begin(kRuleOptionNames), std::end(kRuleOptionNames), name) != std::end(kRuleOptionNames);
}

std::optional<Error> choose_rule(RuleChoice& choice, std::string_view name, std::string_view value) {
  for (const RuleOption& option : rule_options()) {
    if (option.name != name) continue;
    if (value != option.values[0] && value != option.values[1]) {
      return option_error("the option " + quoted(name) + " cannot be " + quoted(value) +
                          suggestion(value, option.values));
    }
    choice.*option.chosen = value == option.values[1];
    return std::nullopt;
  }
  return option_error("there is no option " + quoted(name) +
                      suggestion(name, {std::begin(kRuleOptionNames), std::end(kRuleOptionNames)}));
}

std::vector<std::pair<std::string_view, std::string_view>> names_of(const RuleOptions& options) {
  const bool is_chosen[] = {options.restricted_ep, options.stalemated_wins};
  std::vector<std::pair<std::string_view, std::string_view>> names;
  for (std::size_t i = 0; i < std::size(is_chosen); i++) {
    if (is_chosen[i]) names.emplace_back(rule_options()[i].name, rule_options()[i].values[1]);
  }
  return names;
}

Expected<RuleOptions> rule_options_of(const RuleChoice& choice, VariantId variant) {
  for (const RuleOption& option : rule_options()) {
    if (!(choice.*option.chosen) || has_option(variant, option.chosen)) continue;
    return option_error(std::string(variant_name(variant)) + " has no option " + quoted(option.name) +
                        "; variants that have it: " + variants_with(option.chosen));
  }
  return RuleOptions{choice.restricted_ep.value_or(false), choice.stalemated_wins.value_or(false)};
}

}  // namespace hecatomb
