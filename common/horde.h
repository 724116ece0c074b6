// Horde: 36 white pawns without a king against Black's army. White mates, or Black takes everything.
#pragma once
#include "common/chess.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct Horde : Chess {
  static constexpr VariantId id = VariantId::horde;
  static constexpr bool royal[2] = {false, true};
  static constexpr u64 double_step_from[2] = {rank_mask(0) | rank_mask(1), rank_mask(6)};
  static constexpr u8 castling = kBlackKingSide | kBlackQueenSide;
  static constexpr NoMen no_men = NoMen::white_loses;
  static constexpr bool insufficient_material = false;
  static constexpr bool closed_position = true;
  static constexpr int max_men[2] = {36, 16};
};

}  // namespace hecatomb::inline HECATOMB_TARGET
