#include "host/notation/uci.h"

#include "host/notation/legal.h"
#include "host/notation/move_error.h"
#include "host/notation/text.h"

namespace hecatomb {

std::string uci_of(Move move) {
  std::string text;
  append_uci(text, move);
  return text;
}

void append_uci(std::string& text, Move move) {
  for (const Square square : {move.from, move.to}) {
    text += static_cast<char>('a' + file_of(square));
    text += static_cast<char>('1' + rank_of(square));
  }
  if (move.promotion != Kind::none) text += lower_of(letter_of(move.promotion));
}

bool has_uci_shape(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return false;
  if (read_square(text.substr(0, 2)) < 0 || read_square(text.substr(2, 2)) < 0) return false;
  const char promotion = text.size() == 5 ? text[4] : 'q';
  return promotion == 'q' || promotion == 'r' || promotion == 'b' || promotion == 'n' || promotion == 'k';
}

Expected<Move> read_uci(const Position& p, std::string_view text, VariantId variant) {
  text = trimmed(text);
  MoveList legal;
  list_legal(p, variant, legal);
  if (legal.size == 0) return after_end(p, text, variant);
  if (!has_uci_shape(text)) return unreadable_move(text);
  const Square from = read_square(text.substr(0, 2)), to = read_square(text.substr(2, 2));
  const Kind promotion = text.size() == 5 ? kind_of_letter(upper_of(text[4])) : Kind::none;
  for (const Move m : legal) {
    if (m.from == from && m.to == to && m.promotion == promotion) return m;
  }
  return illegal_move(p, text, variant, legal, from, to);
}

}  // namespace hecatomb
