#include "host/notation/legal.h"

namespace hecatomb {

void list_legal(const Position& p, VariantId variant, MoveList& list) {
  with_variant(variant, [&](auto v) { list_moves<decltype(v)>(p, list); });
}

Position after_move(const Position& p, Move move, VariantId variant, const RuleOptions& options) {
  return with_variant(variant, [&](auto v) { return make<decltype(v)>(p, move, options); });
}

Outcome decided_outcome(const Position& p, VariantId variant, const RuleOptions& options) {
  return with_variant(variant, [&](auto v) { return decided<decltype(v)>(p, options); });
}

bool is_check(const Position& p, VariantId variant) {
  return with_variant(variant, [&](auto v) { return in_check<decltype(v)>(p); });
}

bool is_capture(const Position& p, Move move) {
  return move.kind == MoveKind::en_passant || (p.men[other(p.us())] & bit(move.to)) != 0;
}

}  // namespace hecatomb
