// Moves as engines write them: origin, target, promotion letter. Castling is the king's step: e1g1.
//
// The one idea: a text is not interpreted, it is compared with the legal moves.
#pragma once
#include <string>
#include <string_view>

#include "common/move.h"
#include "common/variant.h"
#include "host/notation/result.h"

namespace hecatomb {

/// "e2e4", "e7e8q", "e1g1", "f7g8k".
std::string uci_of(Move move);
/// The same behind a text, for those who write millions.
void append_uci(std::string& text, Move move);

/// Whether the text has the shape of a UCI move: two squares and perhaps one of q r b n k.
bool has_uci_shape(std::string_view text);

/// The legal move that is written so. Errors: after-end (over by men or for want of moves), unreadable-move (also the
/// null move 0000), illegal-move.
Expected<Move> read_uci(const Position& p, std::string_view text, VariantId variant);

}  // namespace hecatomb
