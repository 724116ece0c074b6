// Suicide: antichess in which a side without a move has won only if it has fewer men.
#pragma once
#include "common/antichess.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct Suicide : Antichess {
  static constexpr VariantId id = VariantId::suicide;
  static constexpr NoMoves no_moves = NoMoves::fewer_men_wins;
  static constexpr bool has_restricted_ep = true;
  static constexpr bool has_stalemated_wins = true;
  static constexpr bool insufficient_material = false;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
