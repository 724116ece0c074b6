// The questions a text format asks the rules, with the variant known at run time only.
//
// The one idea: the templates of common/ are instantiated here once for all of the host's text code, which asks about
// one position at a time and need not be fast.
#pragma once
#include "common/outcome.h"

namespace hecatomb {

/// All legal moves in the order of the rules; none once the game is over by men or for want of moves.
void list_legal(const Position& p, VariantId variant, MoveList& list);

/// The position after a legal move.
Position after_move(const Position& p, Move move, VariantId variant, const RuleOptions& options);

/// Whether the game is over by rule 1 or 2 (men; no legal move), and how.
Outcome decided_outcome(const Position& p, VariantId variant, const RuleOptions& options);

/// Whether the side to move has a royal king that is attacked.
bool is_check(const Position& p, VariantId variant);

/// Whether a legal move captures, en passant included.
bool is_capture(const Position& p, Move move);

}  // namespace hecatomb
