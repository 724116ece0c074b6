// The first step of reading a FEN: fields, letters and numbers, from the left to the right.
#include <optional>
#include <vector>

#include "host/notation/fen.h"
#include "host/notation/text.h"

namespace hecatomb {

namespace {

struct Field {
  std::string_view text;
  int column;  // of its first byte
};

int column_at(std::size_t offset) { return static_cast<int>(offset) + 1; }

std::vector<Field> fields_of(std::string_view text) {
  std::vector<Field> fields;
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_blank(text[i])) {
      i++;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i])) i++;
    fields.push_back({text.substr(begin, i - begin), column_at(begin)});
  }
  return fields;
}

/// One rank while it is read from the a-file on.
struct RankReader {
  Setup& setup;
  int rank;
  int file = 0;
  bool after_digit = false;

  Error wrong(ErrorKind kind, int column, const std::string& text) const {
    return error_at(kind, "board", column, "rank " + std::to_string(rank + 1) + " " + text);
  }

  std::optional<Error> take(char c, int column) {
    if (is_digit(c)) {
      if (c == '0' || c == '9') {
        return wrong(ErrorKind::rank_width, column, "has the digit " + quoted({&c, 1}) + ", expected 1 to 8");
      }
      if (after_digit) {
        return wrong(ErrorKind::rank_width, column, "has two digits side by side; write their sum as one");
      }
      file += c - '0';
    } else {
      if (kind_of_letter(upper_of(c)) == Kind::none) {
        return wrong(ErrorKind::piece, column, "has " + quoted({&c, 1}) + ", expected one of PNBRQK pnbrqk or a digit");
      }
      if (file < 8) {
        const std::size_t square = 8 * static_cast<std::size_t>(rank) + static_cast<std::size_t>(file);
        setup.men[square] = c;
        setup.man_columns[square] = column;
      }
      file++;
    }
    after_digit = is_digit(c);
    if (file > 8) return wrong(ErrorKind::rank_width, column, "has more than 8 squares; take some away here");
    return std::nullopt;
  }

  void next_rank() {
    rank--;
    file = 0;
    after_digit = false;
  }

  std::optional<Error> end(int column) const {
    if (file == 8) return std::nullopt;
    const std::string text = "has " + std::to_string(file) + " squares, expected 8; add " + std::to_string(8 - file);
    return wrong(ErrorKind::rank_width, column, text + " here");
  }
};

std::optional<Error> read_board(const Field& field, Setup& setup) {
  setup.board_column = field.column;
  std::size_t ranks = 1;
  for (const char c : field.text) ranks += c == '/' ? 1 : 0;
  if (ranks != 8) {
    return error_at(ErrorKind::ranks, "board", field.column,
                    "found " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") + " in " + quoted(field.text) +
                        ", expected 8 with '/' between them");
  }
  RankReader reader{setup, 7};
  for (std::size_t i = 0; i <= field.text.size(); i++) {
    const int column = field.column + static_cast<int>(i);
    const bool at_end = i == field.text.size() || field.text[i] == '/';
    std::optional<Error> error = at_end ? reader.end(column) : reader.take(field.text[i], column);
    if (error) return error;
    if (at_end) reader.next_rank();
  }
  return std::nullopt;
}

std::optional<Error> read_side(const Field& field, Setup& setup) {
  setup.side_column = field.column;
  if (field.text != "w" && field.text != "b") {
    return error_at(ErrorKind::side, "side", field.column,
                    "found " + quoted(field.text) + " as the side to move, expected 'w' or 'b'");
  }
  setup.side = field.text == "w" ? kWhite : kBlack;
  return std::nullopt;
}

std::optional<Error> read_castling(const Field& field, Setup& setup) {
  if (field.text == "-") return std::nullopt;
  for (std::size_t i = 0; i < field.text.size(); i++) {
    const int column = field.column + static_cast<int>(i);
    const std::size_t right = std::string_view("KQkq").find(field.text[i]);
    if (right == std::string_view::npos) {
      return error_at(ErrorKind::castling_chars, "castling", column,
                      "found " + quoted(field.text.substr(i, 1)) + " in " + quoted(field.text) +
                          ", expected letters of KQkq or \"-\"");
    }
    if (setup.castling & (1u << right)) {
      return error_at(ErrorKind::castling_chars, "castling", column,
                      "found " + quoted(field.text.substr(i, 1)) + " twice; write each letter once");
    }
    setup.castling |= static_cast<u8>(1u << right);
    setup.castling_columns[right] = column;
  }
  return std::nullopt;
}

std::optional<Error> read_en_passant(const Field& field, Setup& setup) {
  setup.en_passant_column = field.column;
  if (field.text == "-") return std::nullopt;
  setup.en_passant = read_square(field.text);
  if (setup.en_passant >= 0 && (rank_of(setup.en_passant) == 2 || rank_of(setup.en_passant) == 5)) return std::nullopt;
  return error_at(ErrorKind::ep_field, "en-passant", field.column,
                  "found " + quoted(field.text) + ", expected \"-\" or a square on rank 3 or 6");
}

std::optional<Error> read_counter(const Field& field, std::string_view name, int& counter) {
  bool good = field.text.size() <= 4;
  int value = 0;
  for (const char c : field.text) {
    good = good && is_digit(c);
    if (good) value = 10 * value + (c - '0');
  }
  if (!good) {
    return error_at(ErrorKind::counter, name, field.column,
                    "found " + quoted(field.text) + ", expected a number from 0 to 9999");
  }
  counter = value;
  return std::nullopt;
}

std::optional<Error> read_field(std::size_t i, const Field& field, Setup& setup) {
  switch (i) {
    case 0:
      return read_board(field, setup);
    case 1:
      return read_side(field, setup);
    case 2:
      return read_castling(field, setup);
    case 3:
      return read_en_passant(field, setup);
    case 4:
      return read_counter(field, "halfmove", setup.halfmove);
    case 5:
      return read_counter(field, "fullmove", setup.fullmove);
    default:
      return error_at(ErrorKind::trailing, "", field.column,
                      "found " + quoted(field.text) + " after the six fields; remove it");
  }
}

}  // namespace

Expected<Setup> read_setup(std::string_view text) {
  const std::vector<Field> fields = fields_of(text);
  if (fields.empty())
    return error_at(ErrorKind::empty, "board", 1, "no FEN is given; expected at least board and side");
  Setup setup;
  for (std::size_t i = 0; i < fields.size(); i++) {
    if (std::optional<Error> error = read_field(i, fields[i], setup)) return std::move(*error);
  }
  if (fields.size() == 1) {
    const int column = fields[0].column + static_cast<int>(fields[0].text.size());
    return error_at(ErrorKind::no_side, "side", column, "the side to move is missing; add ' w' or ' b'");
  }
  if (setup.fullmove == 0) setup.fullmove = 1;
  return setup;
}

}  // namespace hecatomb
