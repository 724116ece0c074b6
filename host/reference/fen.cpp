// FEN, read and written as rules.md says. Reading goes field by field; each step returns the kind of the fault it found
// or an empty text, so that the order of the checks is the order of the lines.
#include <algorithm>

#include "host/reference/board.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

constexpr std::string_view kMen = "PNBRQKpnbrqk";
constexpr std::string_view kCastlingLetters = "KQkq";

std::vector<std::string> split(std::string_view text, const char* separators, bool keep_empty) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin || keep_empty) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string read_rank(const std::string& text, int rank, Board& board) {
  int file = 0;
  bool after_digit = false;
  for (const char letter : text) {
    const bool digit = letter >= '0' && letter <= '9';
    if (digit) {
      if (letter == '0' || letter == '9' || after_digit) return "rank-width";
      file += letter - '0';
    } else {
      if (kMen.find(letter) == std::string_view::npos) return "piece";
      if (file > 7) return "rank-width";
      put(board, square_at(file, rank), letter);
      ++file;
    }
    after_digit = digit;
  }
  return file == 8 ? "" : "rank-width";
}

std::string read_board(const std::string& field, Board& board) {
  board.fill(kEmpty);
  const std::vector<std::string> ranks = split(field, "/", true);
  if (ranks.size() != 8) return "ranks";
  for (int row = 0; row < 8; ++row) {
    std::string fault = read_rank(ranks[static_cast<std::size_t>(row)], 7 - row, board);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string read_castling(const std::string& field, std::array<bool, 4>& castling) {
  castling.fill(false);
  if (field == "-") return "";
  for (const char letter : field) {
    const std::size_t right = kCastlingLetters.find(letter);
    if (right == std::string_view::npos || castling[right]) return "castling-chars";
    castling[right] = true;
  }
  return "";
}

std::string read_ep(const std::string& field, int& ep_square) {
  ep_square = kNoSquare;
  if (field == "-") return "";
  ep_square = square_from_text(field);
  if (ep_square == kNoSquare || (rank_of(ep_square) != 2 && rank_of(ep_square) != 5)) return "ep-field";
  return "";
}

std::string read_counter(const std::string& field, int& counter) {
  if (field.size() > 4) return "counter";
  counter = 0;
  for (const char digit : field) {
    if (digit < '0' || digit > '9') return "counter";
    counter = 10 * counter + (digit - '0');
  }
  return "";
}

/// Drops each right for which king and rook do not stand, or which the variant does not know; returns their letters.
std::string drop_castling_rights(const Rules& rules, Position& position) {
  constexpr std::array<int, 4> rook_homes = {7, 0, 63, 56};
  std::string dropped;
  for (std::size_t right = 0; right < 4; ++right) {
    const bool white = right < 2;
    const bool known = white ? facts(rules.variant).white_castles : facts(rules.variant).black_castles;
    const bool held = known && man_on(position.board, white ? 4 : 60) == of_side('k', white) &&
                      man_on(position.board, rook_homes[right]) == of_side('r', white);
    if (position.castling[right] && !held) {
      position.castling[right] = false;
      dropped += kCastlingLetters[right];
    }
  }
  return dropped;
}

bool kings_are_wrong(const Rules& rules, const Board& board) {
  const int white = count_letter(board, 'K');
  const int black = count_letter(board, 'k');
  if (king_is_royal(rules, false) && black != 1) return true;
  if (king_is_royal(rules, true)) return white != 1;
  return rules.variant == Variant::kHorde && white != 0;
}

bool pawn_on_last_rank(const Rules& rules, const Board& board) {
  for (int file = 0; file < 8; ++file) {
    const char low = man_on(board, square_at(file, 0));
    if (lower(man_on(board, square_at(file, 7))) == 'p' || low == 'p') return true;
    if (low == 'P' && !facts(rules.variant).pawns_on_white_rank_one) return true;
  }
  return false;
}

/// Whether the side that just moved can have jumped over the en passant square.
bool double_step_is_possible(const Position& position) {
  const bool mover_is_white = !position.white_to_move;
  const int square = position.ep_square;
  if (rank_of(square) != (mover_is_white ? 2 : 5)) return false;
  const int origin = step_from(square, {0, -forward(mover_is_white)});
  const int target = step_from(square, {0, forward(mover_is_white)});
  return man_on(position.board, square) == kEmpty && man_on(position.board, origin) == kEmpty &&
         man_on(position.board, target) == of_side('p', mover_is_white);
}

std::string check_position(const Rules& rules, const Position& position) {
  const int white = count_men(position.board, true);
  const int black = count_men(position.board, false);
  if (white + black == 0) return "empty-board";
  if (kings_are_wrong(rules, position.board)) return "kings";
  if (white > facts(rules.variant).most_white_men || black > 16) return "too-many-men";
  if (pawn_on_last_rank(rules, position.board)) return "pawn-rank";
  if (position.ep_square != kNoSquare && !double_step_is_possible(position)) return "ep-square";
  if (in_check(rules, position, !position.white_to_move)) return "opposite-check";
  return "";
}

std::string read_fields(const std::vector<std::string>& fields, Position& position) {
  if (fields.empty()) return "empty";
  if (fields.size() > 6) return "trailing";
  const auto field = [&fields](std::size_t index, const char* missing) {
    return index < fields.size() ? fields[index] : std::string(missing);
  };
  std::string fault = read_board(field(0, ""), position.board);
  if (!fault.empty()) return fault;
  if (fields.size() < 2) return "no-side";
  if (fields[1] != "w" && fields[1] != "b") return "side";
  position.white_to_move = fields[1] == "w";
  fault = read_castling(field(2, "-"), position.castling);
  if (fault.empty()) fault = read_ep(field(3, "-"), position.ep_square);
  if (fault.empty()) fault = read_counter(field(4, "0"), position.halfmove_clock);
  if (fault.empty()) fault = read_counter(field(5, "1"), position.fullmove_number);
  if (position.fullmove_number == 0) position.fullmove_number = 1;
  return fault;
}

std::string write_board(const Board& board) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int gap = 0;
    for (int file = 0; file < 8; ++file) {
      const char man = man_on(board, square_at(file, rank));
      if (man == kEmpty) {
        ++gap;
        continue;
      }
      if (gap > 0) text += std::to_string(gap);
      gap = 0;
      text += man;
    }
    if (gap > 0) text += std::to_string(gap);
    if (rank > 0) text += '/';
  }
  return text;
}

std::string write_castling(const std::array<bool, 4>& castling) {
  std::string text;
  for (std::size_t right = 0; right < 4; ++right) {
    if (castling[right]) text += kCastlingLetters[right];
  }
  return text.empty() ? "-" : text;
}

}  // namespace

FenReading read_fen(const Rules& rules, std::string_view text) {
  FenReading reading;
  reading.error = read_fields(split(text, " \t\r\n", false), reading.position);
  if (!reading.error.empty()) return reading;
  reading.dropped_castling = drop_castling_rights(rules, reading.position);
  reading.error = check_position(rules, reading.position);
  return reading;
}

std::string write_fen(const Rules& rules, const Position& position) {
  const int ep_square = usable_ep_square(rules, position);
  return write_board(position.board) + (position.white_to_move ? " w " : " b ") + write_castling(position.castling) +
         ' ' + (ep_square == kNoSquare ? "-" : square_text(ep_square)) + ' ' + std::to_string(position.halfmove_clock) +
         ' ' + std::to_string(position.fullmove_number);
}

std::string square_text(int square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

int square_from_text(std::string_view text) {
  if (text.size() != 2) return kNoSquare;
  return square_at(text[0] - 'a', text[1] - '1');
}

}  // namespace hecatomb::reference
