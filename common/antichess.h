// Antichess: captures are compulsory, the king is a man like any other, and who has no men or no move has won.
#pragma once
#include "common/chess.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct Antichess : Chess {
  static constexpr VariantId id = VariantId::antichess;
  static constexpr bool compulsory_capture = true;
  static constexpr bool royal[2] = {false, false};
  static constexpr bool king_promotion = true;
  static constexpr u8 castling = 0;
  static constexpr NoMen no_men = NoMen::wins;
  static constexpr NoMoves no_moves = NoMoves::mover_wins;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
