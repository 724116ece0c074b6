#include "host/notation/variant_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "host/notation/fen.h"
#include "host/notation/text.h"

namespace hecatomb {

namespace {

struct Name {
  std::string_view text;  // as it is suggested
  VariantId variant;
};

// Ids first, in the order of VariantId.
constexpr Name kNames[] = {
    {"antichess", VariantId::antichess},
    {"suicide", VariantId::suicide},
    {"losers", VariantId::losers},
    {"horde", VariantId::horde},
    {"chess", VariantId::chess},
    {"giveaway", VariantId::antichess},
    {"losing chess", VariantId::antichess},
    {"suicide chess", VariantId::suicide},
    {"losers chess", VariantId::losers},
    {"horde chess", VariantId::horde},
    {"standard", VariantId::chess},
};

constexpr std::string_view kReasonNames[kReasons] = {
    "",
    "no-pieces",
    "no-moves",
    "stalemate-count",
    "bare-king",
    "mate",
    "stalemate",
    "horde-destroyed",
    "insufficient-material",
    "closed-position",
    "fivefold",
    "75-moves",
    "threefold",
    "50-moves",
    "unfinished",
};

constexpr std::size_t kLongestName = 32;  // what is longer is no slip of the finger

constexpr bool is_filler(char c) { return is_blank(c) || c == '-' || c == '_'; }

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (!is_filler(c)) out += lower_of(c);
  }
  return out;
}

/// Levenshtein's distance with one row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); j++) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); i++) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view variant_name(VariantId variant) { return kNames[static_cast<std::size_t>(variant)].text; }

bool is_same_name(std::string_view a, std::string_view b) {
  for (;;) {
    while (!a.empty() && is_filler(a[0])) a.remove_prefix(1);
    while (!b.empty() && is_filler(b[0])) b.remove_prefix(1);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (lower_of(a[0]) != lower_of(b[0])) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

std::optional<VariantId> find_variant(std::string_view name) {
  for (const Name& known : kNames) {
    if (is_same_name(known.text, name)) return known.variant;
  }
  return std::nullopt;
}

std::string_view nearest_variant_name(std::string_view name) {
  const std::string wanted = folded(name.substr(0, kLongestName));
  std::string_view best;
  std::size_t best_distance = 4;
  for (const Name& known : kNames) {
    const std::size_t distance = edit_distance(wanted, folded(known.text));
    if (distance < best_distance && 2 * distance < known.text.size()) {
      best = known.text;
      best_distance = distance;
    }
  }
  return best;
}

Expected<VariantId> read_variant(std::string_view name) {
  if (const auto variant = find_variant(name)) return *variant;
  std::string text = "unknown variant " + quoted(name);
  const std::string_view nearest = nearest_variant_name(name);
  if (!nearest.empty()) text += "; did you mean " + quoted(nearest) + "?";
  text += nearest.empty() ? "; expected " : " (known: ";
  for (const VariantId variant : kAllVariants) {
    if (variant != kAllVariants[0]) text += ", ";
    text += variant_name(variant);
  }
  if (!nearest.empty()) text += ')';
  return error_at(ErrorKind::unknown_variant, "", 0, text);
}

std::string_view start_fen(VariantId variant) {
  switch (variant) {
    case VariantId::antichess:
    case VariantId::suicide:
      return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    case VariantId::horde:
      return "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
    case VariantId::losers:
    case VariantId::chess:
      break;
  }
  return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
}

Position start_position(VariantId variant) {
  static const auto positions = [] {
    std::array<Position, kVariants> starts{};
    for (const VariantId id : kAllVariants)
      starts[static_cast<std::size_t>(id)] = read_fen(start_fen(id), id)->position;
    return starts;
  }();
  return positions[static_cast<std::size_t>(variant)];
}

std::string_view result_text(Result result) {
  switch (result) {
    case Result::white_wins:
      return "1-0";
    case Result::black_wins:
      return "0-1";
    case Result::draw:
      return "1/2-1/2";
    case Result::ongoing:
      break;
  }
  return "*";
}

std::string_view reason_text(Reason reason) { return kReasonNames[static_cast<std::size_t>(reason)]; }

}  // namespace hecatomb
