// The rule options as users say them, before and after a variant is known.
//
// The one idea: which words are right depends on the variant, and the variant may come later (a batch line, a suite).
// So what was said is kept as said, and judged when the variant is known.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/variant.h"
#include "host/notation/result.h"

namespace hecatomb {

/// What was said; nothing where nothing was.
struct RuleChoice {
  std::optional<bool> restricted_ep;    ///< "ep": normal | restricted
  std::optional<bool> stalemated_wins;  ///< "stalemate": fewer-men | stalemated-wins

  /// What is said here, and what `defaults` say where nothing is.
  RuleChoice over(const RuleChoice& defaults) const;
};

/// The names of the rule options, in the order of the documentation.
inline constexpr std::string_view kRuleOptionNames[] = {"ep", "stalemate"};

/// Whether a name is one of them.
bool is_rule_option(std::string_view name);

/// Sets one option by its name and value. An error of kind `option` names the nearest word.
std::optional<Error> choose_rule(RuleChoice& choice, std::string_view name, std::string_view value);

/// What chooses these options again: names and values of those that are not the default.
std::vector<std::pair<std::string_view, std::string_view>> names_of(const RuleOptions& options);

/// The options for a variant. An error of kind `option` names the variants that have it, if this one has not.
Expected<RuleOptions> rule_options_of(const RuleChoice& choice, VariantId variant);

}  // namespace hecatomb
