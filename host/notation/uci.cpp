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
  const char word[5] = {static_cast<char>('a' + file_of(move.from)), static_cast<char>('1' + rank_of(move.from)),
                        static_cast<char>('a' + file_of(move.to)), static_cast<char>('1' + rank_of(move.to)),
                        lower_of(letter_of(move.promotion))};
  text.append(word, move.promotion == Kind::none ? 4 : 5);
}

bool has_uci_shape(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return false;
  if (read_square(text.substr(0, 2)) < 0 || read_square(text.substr(2, 2)) < 0) return false;
  const char promotion = text.size() == 5 ? text[4] : 'q';
  return promotion == 'q' || promotion == 'r' || promotion == 'b' || promotion == 'n' || promotion == 'k';
}

Expected<Move> read_uci(const Position& p, std::string_view text, VariantId variant) {
  text = trimmed(text);
  const bool has_shape = has_uci_shape(text);
  const Square from = has_shape ? read_square(text.substr(0, 2)) : -1;
  const Square to = has_shape ? read_square(text.substr(2, 2)) : -1;
  if (has_shape) {
    const Kind promotion = text.size() == 5 ? kind_of_letter(upper_of(text[4])) : Kind::none;
    if (const Move move = find_legal(p, from, to, promotion, variant); is_found(move)) return move;
  }
  MoveList legal;
  list_legal(p, variant, legal);
  if (legal.size == 0) return after_end(p, text, variant);
  return has_shape ? illegal_move(p, text, variant, legal, from, to) : unreadable_move(text);
}

}  // namespace hecatomb
