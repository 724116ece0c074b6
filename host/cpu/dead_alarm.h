// Which positions of random games may be dead (rule 3): a look at all lanes at once that lets nearly all pass.
//
// The one idea: whether a position is dead takes a look two plies ahead (common/outcome.h), but what a dead position
// cannot have (a pawn, a man that can step somewhere) is a few words of all lanes. Only where it is missing the rule
// itself is asked.
#pragma once
#include "host/cpu/move_table.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// White men that can go somewhere, pawns by a step.
template <class W>
HECATOMB_HD W mobile_horde(const Board<W>& b) {
  const W white = b.men[kWhite], others = ~white;
  const W beside = leap<kWhite, -1, 0>(others) | leap<kWhite, 1, 0>(others);
  return (b.pawns & white & ~((white | b.men[kBlack]) >> 8)) | (b.knights & white & knight_attacks(others)) |
         (b.diagonal & white & ((beside << 8) | (beside >> 8))) |
         (b.orthogonal & white & (beside | (others << 8) | (others >> 8)));
}

/// A quick look: false only where dead_reason is none. (V is suicide, too, where it is antichess that is played.)
template <class V, Color us>
HECATOMB_HD Mask may_be_dead(const Board<Batch>& b) {
  const auto some = [](Batch x) { return common(x, x); };
  if constexpr (V::closed_position) {
    // A black move takes one man and stops one pawn (en passant), or stops two pawns (castling), never more: of three
    // white men that can move one still can. A piece that can step somewhere can until it is taken.
    if (us == kWhite) return mask_of(0);
    const Batch mobile = mobile_horde(b), but_one = mobile & decrement(mobile);
    return ~some(but_one & decrement(but_one));
  } else if constexpr (V::royal[kWhite]) {
    return ~some(b.pawns | b.orthogonal);
  } else {
    const Batch bishops = b.diagonal & ~b.orthogonal;
    return ~some(b.knights | b.orthogonal | b.kings | (((b.pawns & b.men[kWhite]) << 8) ^ (b.pawns & b.men[kBlack]))) &
           common(bishops, b.men[kWhite]) & common(bishops, b.men[kBlack]);
  }
}

/// Whether Black surely has a move after which White has one: one that ends neither on a mobile white man nor, if it
/// is a pawn, before or (en passant) behind it. The table has Black's moves.
template <class V>
bool is_surely_open(const MoveTable& table, int lane, const Position& p) {
  u64 targets = 0;
  for (int s = 0; s < kFirstCastle; s++) targets |= table.template set_of<V, kBlack>(s, lane);
  for (u64 men = mobile_horde(board_of(p)); men != 0; men &= men - 1) {
    const u64 man = men & (u64{0} - men), pawn = man & p.pawns;
    if ((targets & ~(man | pawn << 8 | pawn >> 8)) != 0) return true;
  }
  return false;
}

}  // namespace hecatomb::inline HECATOMB_TARGET
