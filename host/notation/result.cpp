#include "host/notation/result.h"

#include <cstddef>

namespace hecatomb {

namespace {

constexpr std::string_view kKindNames[kErrorKinds] = {
    "empty",
    "ranks",
    "rank-width",
    "piece",
    "no-side",
    "side",
    "castling-chars",
    "ep-field",
    "ep-square",
    "counter",
    "pawn-rank",
    "kings",
    "opposite-check",
    "empty-board",
    "too-many-men",
    "trailing",
    "illegal-move",
    "ambiguous-move",
    "unreadable-move",
    "after-end",
    "unknown-variant",
    "json",
    "variant",
    "option",
    "line",
    "tag",
    "movetext",
    "truncated",
    "castling-right",
    "result-mismatch",
    "after-draw",
};

}  // namespace

std::string_view kind_name(ErrorKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Error error_at(ErrorKind kind, std::string_view field, int column, std::string_view text) {
  std::string message(field);
  if (column > 0) {
    if (!message.empty()) message += ", ";
    message += "column " + std::to_string(column);
  }
  if (!message.empty()) message += ": ";
  message += text;
  return {kind, field, column, 0, std::move(message)};
}

}  // namespace hecatomb
