// What to say about a move text that is refused, so that its writer sees why.
//
// The one idea: the rules of these variants surprise people (captures are compulsory), so a refusal names the reason it
// can find in the position and the legal moves that are nearest.
#pragma once
#include <string_view>

#include "common/move.h"
#include "common/variant.h"
#include "host/notation/result.h"

namespace hecatomb {

/// Kind after-end: nothing may be played any more.
Error after_end(const Position& p, std::string_view text, VariantId variant);

/// Kind unreadable-move: the text has no form of a move.
Error unreadable_move(std::string_view text);

/// Kind illegal-move. `from` is the origin if the text names it, else -1; `to` the target, or -1 (castling).
Error illegal_move(const Position& p, std::string_view text, VariantId variant, const MoveList& legal, Square from,
                   Square to);

/// Kind ambiguous-move; `fitting` are the legal moves that the text may mean.
Error ambiguous_move(std::string_view text, const MoveList& fitting);

}  // namespace hecatomb
