// The small words of the trade: colours, kinds of men, squares. a1 = 0, b1 = 1, … h8 = 63.
#pragma once
#include "common/hd.h"

namespace hecatomb::inline HECATOMB_TARGET {

enum Color : u8 { kWhite = 0, kBlack = 1 };
HECATOMB_HD constexpr Color other(Color c) { return c == kWhite ? kBlack : kWhite; }

enum class Kind : u8 { none, pawn, knight, bishop, rook, queen, king };

enum class VariantId : u8 { antichess, suicide, losers, horde, chess };
inline constexpr int kVariants = 5;

/// The rule options of rules.md that change which moves are legal or who has won; all off by default.
struct RuleOptions {
  bool restricted_ep = false;    ///< suicide, losers: no en passant while another legal capture exists
  bool stalemated_wins = false;  ///< suicide: the side without a legal move wins
  friend constexpr bool operator==(const RuleOptions&, const RuleOptions&) = default;
};

/// Who profits when the side to move cannot move.
enum class NoMoves : u8 { draw, mover_wins, fewer_men_wins };
/// Which loss of men ends the game.
enum class NoMen : u8 { nothing, wins, bare_king_wins, white_loses };

using Square = int;  ///< 0 … 63
HECATOMB_HD constexpr u64 bit(Square s) { return u64{1} << s; }
HECATOMB_HD constexpr int file_of(Square s) { return s & 7; }
HECATOMB_HD constexpr int rank_of(Square s) { return s >> 3; }  ///< 0 … 7

}  // namespace hecatomb::inline HECATOMB_TARGET
