// Chess: here because every peer can be measured on it. The other variants are deltas from it.
#pragma once
#include "common/position.h"

namespace hecatomb::inline HECATOMB_TARGET {

struct Chess {
  static constexpr VariantId id = VariantId::chess;
  static constexpr bool compulsory_capture = false;
  static constexpr bool royal[2] = {true, true};
  static constexpr bool king_promotion = false;
  static constexpr u64 double_step_from[2] = {rank_mask(1), rank_mask(6)};
  static constexpr u8 castling = kWhiteKingSide | kWhiteQueenSide | kBlackKingSide | kBlackQueenSide;
  static constexpr NoMen no_men = NoMen::nothing;
  static constexpr NoMoves no_moves = NoMoves::draw;
  static constexpr bool mated_wins = false;
  static constexpr bool has_restricted_ep = false;
  static constexpr bool has_stalemated_wins = false;
  static constexpr bool insufficient_material = true;
  static constexpr bool closed_position = false;
  static constexpr int max_men[2] = {16, 16};
};

}  // namespace hecatomb::inline HECATOMB_TARGET
