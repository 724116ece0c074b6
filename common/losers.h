// Losers: kings are royal; among legal moves captures are compulsory; who is mated, stalemated or left with a bare
// king has won.
#pragma once
#include "common/chess.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct Losers : Chess {
  static constexpr VariantId id = VariantId::losers;
  static constexpr bool compulsory_capture = true;
  static constexpr NoMen no_men = NoMen::bare_king_wins;
  static constexpr NoMoves no_moves = NoMoves::mover_wins;
  static constexpr bool mated_wins = true;
  static constexpr bool has_restricted_ep = true;
  static constexpr bool insufficient_material = false;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
