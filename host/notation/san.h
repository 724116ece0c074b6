// Moves as people write them (SAN), written in one canonical form and read in all the usual ones.
//
// The one idea: a text is a pattern (man, parts of the origin, target, promotion) that must match exactly one legal
// move. So superfluous disambiguation costs nothing, and a long form ("e2-e4", "Ng1f3") is only a fuller pattern.
//
// Written: as little of the origin as tells it from the other legal moves of such men; "=Q" … "=K"; "#" when the move
// decides the game for either side, else "+" when a royal king is checked.
// Read besides: any suffix of + # ! ? and "e.p.", 0-0, f8K, f8(K), f8/K, lower-case promotions, ":" and "-". A sign of
// capture is believed: it must be one. Without an origin a pawn comes from its own file.
#pragma once
#include <string>
#include <string_view>

#include "common/move.h"
#include "common/variant.h"
#include "host/notation/result.h"

namespace hecatomb {

/// The canonical SAN of a legal move.
std::string san_of(const Position& p, Move move, VariantId variant, const RuleOptions& options = {});

/// The one legal move that the text means. Errors: after-end (over by men or for want of moves), unreadable-move,
/// illegal-move, ambiguous-move (also a promotion that does not name the piece).
Expected<Move> read_san(const Position& p, std::string_view text, VariantId variant);

/// UCI or SAN: a text with the shape of UCI is read as UCI.
Expected<Move> read_move(const Position& p, std::string_view text, VariantId variant);

}  // namespace hecatomb
