// The questions a text format asks the rules, with the variant known at run time only.
//
// The one idea: the templates of common/ are instantiated here once for all of the host's text code, which asks about
// one position at a time.
#pragma once
#include "common/outcome.h"

namespace hecatomb {

/// All legal moves in the order of the rules; none once the game is over by men or for want of moves.
void list_legal(const Position& p, VariantId variant, MoveList& list);

/// The men of a kind among the squares `from` that can legally go to the square `to`, castling apart.
u64 legal_origins(const Position& p, Kind man, Square to, u64 from, VariantId variant);

/// What a text says of a move that is not castling.
struct MoveWanted {
  Kind man = Kind::none;  ///< which must be named
  u64 from = ~u64{0};     ///< the squares it may come from
  Square to = 0;
  Kind promotion = Kind::none;  ///< none: it is not one
};

/// What a search gives that finds no move: nothing goes from a square to itself.
inline constexpr Move kNoMove{};
constexpr bool is_found(Move m) { return m.from != m.to; }

/// The one legal move that is wanted; kNoMove where there is none or there are several.
Move find_legal(const Position& p, const MoveWanted& wanted, VariantId variant);

/// The legal move from one square to another, castling as the king's move, or kNoMove.
Move find_legal(const Position& p, Square from, Square to, Kind promotion, VariantId variant);

/// Castling to that side (castle_king or castle_queen), or kNoMove where it is not legal.
Move find_castling(const Position& p, MoveKind side, VariantId variant);

/// The position after a legal move.
Position after_move(const Position& p, Move move, VariantId variant, const RuleOptions& options);

/// Whether the game is over by rule 1 or 2 (men; no legal move), and how.
Outcome decided_outcome(const Position& p, VariantId variant, const RuleOptions& options);

/// Whether the side to move has a royal king that is attacked.
bool is_check(const Position& p, VariantId variant);

/// Whether a legal move captures, en passant included.
bool is_capture(const Position& p, Move move);

}  // namespace hecatomb
