// The table of variants.
#include "host/reference/variant.h"

#include <stdexcept>

namespace hecatomb::reference {

namespace {

constexpr const char* kNoRightsStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
constexpr const char* kChessStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kHordeStart = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";

constexpr std::array<VariantFacts, 5> kFacts = {{
    // name, start, compulsory, royal W, royal B, castles W, castles B, rank-1 pawns, white men, promotions
    {"antichess", kNoRightsStart, true, false, false, false, false, false, 16, "qrbnk"},
    {"suicide", kNoRightsStart, true, false, false, false, false, false, 16, "qrbnk"},
    {"losers", kChessStart, true, true, true, true, true, false, 16, "qrbn"},
    {"horde", kHordeStart, false, false, true, false, true, true, 36, "qrbn"},
    {"chess", kChessStart, false, true, true, true, true, false, 16, "qrbn"},
}};

}  // namespace

const VariantFacts& facts(Variant variant) { return kFacts[static_cast<std::size_t>(variant)]; }

std::string variant_name(Variant variant) { return facts(variant).name; }

Variant variant_from_name(std::string_view name) {
  for (const Variant variant : kAllVariants) {
    if (name == facts(variant).name) return variant;
  }
  throw std::invalid_argument("no such variant: " + std::string(name));
}

bool has_options(const Rules& rules) {
  const bool suicide = rules.variant == Variant::kSuicide;
  if (rules.restricted_ep && !suicide && rules.variant != Variant::kLosers) return false;
  return !rules.stalemated_wins || suicide;
}

Position start_position(Variant variant) { return read_fen(Rules{variant}, facts(variant).start_fen).position; }

}  // namespace hecatomb::reference
