#include "host/notation/move_error.h"

#include <string>

#include "host/notation/legal.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"

namespace hecatomb {

namespace {

constexpr int kMovesNamed = 4;

/// "e2e4, e2e3, ..."; empty if `wanted` takes none.
template <class Wanted>
std::string some_moves(const MoveList& moves, Wanted wanted) {
  std::string text;
  int named = 0;
  for (const Move m : moves) {
    if (!wanted(m)) continue;
    if (named == kMovesNamed) return text + ", ...";
    if (named++ > 0) text += ", ";
    text += uci_of(m);
  }
  return text;
}

std::string man_at(const Position& p, Square square) {
  std::string text(p.men[kWhite] & bit(square) ? "white " : "black ");
  text += name_of(p.kind_at(square));
  return text;
}

/// Why no legal move starts there; empty if some do.
std::string fault_of_origin(const Position& p, const MoveList& legal, Square from) {
  const u64 b = bit(from);
  if ((p.occupied() & b) == 0) return square_name(from) + " is empty";
  std::string text = "the " + man_at(p, from) + " on " + square_name(from);
  if (p.men[other(p.us())] & b) return text + " may not move, " + std::string(name_of(p.us())) + " is to move";
  const std::string moves = some_moves(legal, [&](Move m) { return m.from == from; });
  return moves.empty() ? text + " has no legal move" : text + " may play " + moves;
}

bool captures_only(VariantId variant, const Position& p, const MoveList& legal) {
  const bool compulsory = with_variant(variant, [](auto v) { return decltype(v)::compulsory_capture; });
  return compulsory && is_capture(p, legal.moves[0]);
}

}  // namespace

Error after_end(const Position& p, std::string_view text, VariantId variant) {
  const bool by_men =
      with_variant(variant, [&](auto v) { return decided_by_men<decltype(v)>(p).result != Result::ongoing; });
  std::string message = "move " + quoted(text) + " comes after the end of the game: ";
  message += by_men ? "a side has lost its men" : std::string(name_of(p.us())) + " has no legal move";
  return {ErrorKind::after_end, "", 0, 0, message + "; remove it"};
}

Error unreadable_move(std::string_view text) {
  std::string message = text.empty() ? "no move is given" : quoted(text) + " is no move";
  if (text == "0000" || text == "--" || text == "Z0") message += " (a null move cannot be played)";
  return {ErrorKind::unreadable_move, "", 0, 0, message + "; expected UCI (e2e4, e7e8q) or SAN (Nf3, exd5, O-O)"};
}

Error illegal_move(const Position& p, std::string_view text, VariantId variant, const MoveList& legal, Square from,
                   Square to) {
  std::string message = "move " + quoted(text) + " is not legal for " + std::string(name_of(p.us())) + ": ";
  const bool to_enemy = to >= 0 && (p.men[other(p.us())] & bit(to)) != 0;
  const bool ours = from < 0 || (p.men[p.us()] & bit(from)) != 0;
  if (captures_only(variant, p, legal) && !to_enemy && ours) {
    message += "a capture is compulsory; play " + some_moves(legal, [](Move) { return true; });
  } else if (from >= 0) {
    message += fault_of_origin(p, legal, from);
  } else {
    const std::string moves = some_moves(legal, [to](Move m) { return m.to == to; });
    if (to < 0) {
      message += "castling is not possible here";
    } else {
      message += moves.empty() ? "no legal move ends on " + square_name(to) : "to this square go " + moves;
    }
  }
  return {ErrorKind::illegal_move, "", 0, 0, std::move(message)};
}

Error ambiguous_move(std::string_view text, const MoveList& fitting) {
  std::string message = "move " + quoted(text) + " may be " + some_moves(fitting, [](Move) { return true; });
  const Move first = fitting.moves[0];
  bool same_origin = true;
  for (const Move m : fitting) same_origin = same_origin && m.from == first.from;
  message += same_origin ? "; name the piece the pawn becomes" : "; add the file or rank of the origin";
  return {ErrorKind::ambiguous_move, "", 0, 0, std::move(message)};
}

}  // namespace hecatomb
