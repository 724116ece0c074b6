// The words for variants, results and reasons, as users type them and as every command prints them.
//
// The one idea: names are compared without case, blanks, hyphens and underscores, so "Losing Chess", "losing-chess" and
// "LOSINGCHESS" are one name; what is printed is always the canonical id.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/outcome.h"
#include "host/notation/result.h"

namespace hecatomb {

/// All variants, in the order of VariantId.
inline constexpr VariantId kAllVariants[kVariants] = {VariantId::antichess, VariantId::suicide, VariantId::losers,
                                                      VariantId::horde, VariantId::chess};

/// The canonical id: antichess, suicide, losers, horde, chess.
std::string_view variant_name(VariantId variant);

/// Whether two names are the same but for case, blanks, hyphens and underscores.
bool is_same_name(std::string_view a, std::string_view b);

/// The variant of an id or alias ("giveaway", "Losing Chess", "standard", …), or nothing.
std::optional<VariantId> find_variant(std::string_view name);

/// The known name (id or alias) nearest to an unknown one by edit distance, or empty where nothing is near.
std::string_view nearest_variant_name(std::string_view name);

/// find_variant with an error of kind `unknown-variant` that suggests the nearest name and lists the ids.
Expected<VariantId> read_variant(std::string_view name);

/// The FEN a game of the variant begins with, and the position itself.
std::string_view start_fen(VariantId variant);
Position start_position(VariantId variant);

/// "*", "1-0", "0-1" or "1/2-1/2".
std::string_view result_text(Result result);

/// "no-pieces", "75-moves", …; empty for Reason::none.
std::string_view reason_text(Reason reason);

}  // namespace hecatomb
