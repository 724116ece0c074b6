#include "host/notation/legal.h"

#include <type_traits>

#include "common/moves_to.h"

namespace hecatomb {

namespace {

/// Calls ask(V{}, us) with the variant and the side to move as types.
template <class Ask>
decltype(auto) with_side(const Position& p, VariantId variant, Ask&& ask) {
  return with_variant(variant, [&](auto v) {
    if (p.side == kWhite) return ask(v, std::integral_constant<Color, kWhite>{});
    return ask(v, std::integral_constant<Color, kBlack>{});
  });
}

}  // namespace

void list_legal(const Position& p, VariantId variant, MoveList& list) {
  with_variant(variant, [&](auto v) { list_moves<decltype(v)>(p, list); });
}

u64 legal_origins(const Position& p, Kind man, Square to, u64 from, VariantId variant) {
  return with_side(p, variant,
                   [&](auto v, auto us) { return origins_of<decltype(v), decltype(us)::value>(p, man, to, from); });
}

Move find_legal(const Position& p, const MoveWanted& wanted, VariantId variant) {
  return with_side(p, variant, [&](auto v, auto us) {
    using V = decltype(v);
    constexpr Color side = decltype(us)::value;
    if (!is_promotion_right<V>(wanted.man, wanted.to, wanted.promotion)) return kNoMove;
    const u64 from = origins_of<V, side>(p, wanted.man, wanted.to, wanted.from);
    if (from == 0 || (from & (from - 1)) != 0) return kNoMove;
    return ordinary_move<side>(p, ctz(from), wanted.to, wanted.promotion);
  });
}

Move find_legal(const Position& p, Square from, Square to, Kind promotion, VariantId variant) {
  const Kind man = p.kind_at(from);
  if (man == Kind::king && rank_of(from) == rank_of(to) && (to - from == 2 || to - from == -2)) {
    if (promotion != Kind::none || (p.men[p.us()] & bit(from)) == 0) return kNoMove;
    const Move castling = find_castling(p, to > from ? MoveKind::castle_king : MoveKind::castle_queen, variant);
    return castling.from == from ? castling : kNoMove;
  }
  return find_legal(p, {man, bit(from), to, promotion}, variant);
}

Move find_castling(const Position& p, MoveKind side, VariantId variant) {
  const int home = p.side == kWhite ? 0 : 56, to = home + (side == MoveKind::castle_king ? 6 : 2);
  const u64 targets =
      with_side(p, variant, [&](auto v, auto us) { return castling_targets<decltype(v), decltype(us)::value>(p); });
  if ((targets & bit(to)) == 0) return kNoMove;
  return Move{static_cast<u8>(home + 4), static_cast<u8>(to), Kind::none, side};
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
