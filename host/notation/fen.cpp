// The second step of reading a FEN (what the rules allow), and writing one.
#include "host/notation/fen.h"

#include <algorithm>
#include <array>
#include <optional>

#include "common/make.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

constexpr int kLargestCounter = 9999;
constexpr std::size_t kLongestFen =
    71 + 2 + 5 + 3 + 5 + 5;                       // a man on every square, all rights, counters of four digits
constexpr Square kRookHomes[4] = {7, 0, 63, 56};  // K Q k q
constexpr std::string_view kCastlingLetters = "KQkq";

/// The board of a setup, without castling and en passant.
Position men_of(const Setup& setup) {
  Position p{};
  for (Square s = 0; s < 64; s++) {
    const char letter = setup.men[static_cast<std::size_t>(s)];
    if (letter == 0) continue;
    p.men[is_upper(letter) ? kWhite : kBlack] |= bit(s);
    const Kind kind = kind_of_letter(upper_of(letter));
    if (kind == Kind::pawn) p.pawns |= bit(s);
    if (kind == Kind::knight) p.knights |= bit(s);
    if (kind == Kind::bishop || kind == Kind::queen) p.diagonal |= bit(s);
    if (kind == Kind::rook || kind == Kind::queen) p.orthogonal |= bit(s);
    if (kind == Kind::king) p.kings |= bit(s);
  }
  p.side = setup.side;
  p.halfmove = static_cast<u16>(setup.halfmove);
  p.fullmove = static_cast<u16>(setup.fullmove);
  return p;
}

/// The column of the n-th man of a set in the text (from 0), or of the board if there are fewer.
int column_of_nth(const Setup& setup, u64 men, int n) {
  std::vector<int> columns;
  for (; men != 0; men &= men - 1) columns.push_back(setup.man_columns[static_cast<std::size_t>(ctz(men))]);
  std::sort(columns.begin(), columns.end());
  const auto i = static_cast<std::size_t>(n);
  return i < columns.size() ? columns[i] : setup.board_column;
}

/// Exactly one king where it is royal; none for a side that has none (horde's White).
template <class V>
std::optional<Error> fault_of_kings(const Setup& setup, const Position& p) {
  constexpr bool any_royal = V::royal[kWhite] || V::royal[kBlack];
  if constexpr (!any_royal) return std::nullopt;
  for (const Color c : {kBlack, kWhite}) {
    const u64 kings = p.kings & p.men[c];
    const int expected = V::royal[c] ? 1 : 0, found = popcount(kings);
    if (found == expected) continue;
    std::string text(name_of(c));
    text += " has " + std::to_string(found) + (found == 1 ? " king, in " : " kings, in ") +
            std::string(variant_name(V::id)) + " it must have " + (expected == 1 ? "exactly one" : "none");
    const bool reversed = !V::royal[kWhite] && (p.kings & p.men[kBlack]) == 0 && (p.kings & p.men[kWhite]) != 0;
    if (reversed) text += "; horde with colours reversed is not played, let the horde be White";
    return error_at(ErrorKind::kings, "board", column_of_nth(setup, kings, expected), text);
  }
  return std::nullopt;
}

template <class V>
std::optional<Error> fault_of_numbers(const Setup& setup, const Position& p) {
  for (const Color c : {kWhite, kBlack}) {
    const int found = popcount(p.men[c]);
    if (found <= V::max_men[c]) continue;
    return error_at(ErrorKind::too_many_men, "board", column_of_nth(setup, p.men[c], V::max_men[c]),
                    std::string(name_of(c)) + " has " + std::to_string(found) + " men, expected at most " +
                        std::to_string(V::max_men[c]));
  }
  return std::nullopt;
}

template <class V>
std::optional<Error> fault_of_pawns(const Setup& setup, const Position& p) {
  const bool first_rank_allowed = (V::double_step_from[kWhite] & rank_mask(0)) != 0;
  const u64 first = first_rank_allowed ? rank_mask(0) & ~p.men[kWhite] : rank_mask(0);
  const u64 wrong = p.pawns & (first | rank_mask(7));
  if (wrong == 0) return std::nullopt;
  const int column = column_of_nth(setup, wrong, 0);
  Square square = 0;
  while (setup.man_columns[static_cast<std::size_t>(square)] != column) square++;
  return error_at(ErrorKind::pawn_rank, "board", column,
                  std::string(p.men[kWhite] & bit(square) ? "a white" : "a black") + " pawn stands on " +
                      square_name(square) + "; pawns cannot stand there");
}

/// A double step must have been possible: over the square, to the one in front, from the one behind.
std::optional<Error> fault_of_en_passant(const Setup& setup, const Position& p) {
  if (setup.en_passant < 0) return std::nullopt;
  const Color us = p.us();
  const Square square = setup.en_passant;
  const int forward = us == kWhite ? -8 : 8;  // of the side that stepped
  std::string text;
  if (rank_of(square) != (us == kWhite ? 5 : 2)) {
    text = "is on the wrong rank: with " + std::string(name_of(us)) + " to move it must be on rank " +
           (us == kWhite ? "6" : "3");
  } else if ((p.occupied() & bit(square)) != 0) {
    text = "is not empty";
  } else if ((p.pawns & p.men[other(us)] & bit(square + forward)) == 0) {
    text = "has no " + std::string(us == kWhite ? "black" : "white") + " pawn on " + square_name(square + forward);
  } else if ((p.occupied() & bit(square - forward)) != 0) {
    text = "could not be passed: " + square_name(square - forward) + " is not empty";
  } else {
    return std::nullopt;
  }
  return error_at(ErrorKind::ep_square, "en-passant", setup.en_passant_column,
                  square_name(square) + " " + text + "; write \"-\"");
}

template <class V>
std::optional<Error> fault_of_check(const Setup& setup, const Position& p) {
  const Color us = p.us(), them = other(us);
  if (!V::royal[them]) return std::nullopt;
  const u64 king = p.kings & p.men[them];
  const bool attacked = them == kWhite ? is_attacked<kWhite>(p, king, p.occupied(), p.men[us])
                                       : is_attacked<kBlack>(p, king, p.occupied(), p.men[us]);
  if (!attacked) return std::nullopt;
  return error_at(ErrorKind::opposite_check, "side", setup.side_column,
                  std::string(name_of(us)) + " is to move and could take the king on " + square_name(ctz(king)) +
                      "; let " + std::string(name_of(them)) + " move or take the check away");
}

template <class V>
std::optional<Error> fault_of(const Setup& setup, const Position& p) {
  if (p.occupied() == 0) {
    return error_at(ErrorKind::empty_board, "board", setup.board_column, "there are no men; place at least one");
  }
  if (auto error = fault_of_kings<V>(setup, p)) return error;
  if (auto error = fault_of_numbers<V>(setup, p)) return error;
  if (auto error = fault_of_pawns<V>(setup, p)) return error;
  if (auto error = fault_of_en_passant(setup, p)) return error;
  return fault_of_check<V>(setup, p);
}

/// Keeps the rights that the variant has and for which king and rook stand; a warning for each of the others.
template <class V>
void set_castling(const Setup& setup, FenReading& reading) {
  Position& p = reading.position;
  for (std::size_t i = 0; i < 4; i++) {
    const u8 right = static_cast<u8>(1u << i);
    if ((setup.castling & right) == 0) continue;
    const Color c = i < 2 ? kWhite : kBlack;
    const u64 king = p.kings & p.men[c] & bit(c == kWhite ? 4 : 60);
    const u64 rook = p.orthogonal & ~p.diagonal & p.men[c] & bit(kRookHomes[i]);
    std::string text = "the right " + quoted(kCastlingLetters.substr(i, 1)) + " is dropped: ";
    if ((V::castling & right) == 0) {
      text += std::string(name_of(c)) + " cannot castle in " + std::string(variant_name(V::id));
    } else if (king == 0) {
      text += "the king is not on " + square_name(c == kWhite ? 4 : 60);
    } else if (rook == 0) {
      text += "no rook is on " + square_name(kRookHomes[i]);
    } else {
      p.castling |= right;
      continue;
    }
    reading.warnings.push_back(error_at(ErrorKind::castling_right, "castling", setup.castling_columns[i], text));
  }
}

template <class V>
Expected<FenReading> checked(const Setup& setup, const RuleOptions& options) {
  FenReading reading{men_of(setup), {}};
  Position& p = reading.position;
  if (auto error = fault_of<V>(setup, p)) return std::move(*error);
  set_castling<V>(setup, reading);
  if (setup.en_passant >= 0) {
    if (p.side == kWhite) {
      set_en_passant<V, kWhite>(p, file_of(setup.en_passant), options);
    } else {
      set_en_passant<V, kBlack>(p, file_of(setup.en_passant), options);
    }
  }
  return reading;
}

/// The letters of all men by square, 0 on empty ones: set by set, since a question per square costs a guess each.
std::array<char, 64> letters_of(const Position& p) {
  std::array<char, 64> letters{};
  const auto put = [&letters](u64 set, char letter) {
    for (; set != 0; set &= set - 1) letters[static_cast<std::size_t>(ctz(set))] = letter;
  };
  for (const Color side : {kWhite, kBlack}) {
    const u64 men = p.men[side];
    const std::string_view letter = side == kWhite ? "PNBRQK" : "pnbrqk";
    put(men & p.pawns, letter[0]);
    put(men & p.knights, letter[1]);
    put(men & p.diagonal & ~p.orthogonal, letter[2]);
    put(men & p.orthogonal & ~p.diagonal, letter[3]);
    put(men & p.diagonal & p.orthogonal, letter[4]);
    put(men & p.kings, letter[5]);
  }
  return letters;
}

std::string board_text(const Position& p) {
  const std::array<char, 64> letters = letters_of(p);
  std::string text;
  text.reserve(kLongestFen);
  for (int rank = 7; rank >= 0; rank--) {
    int gap = 0;
    for (int file = 0; file < 8; file++) {
      const Square s = 8 * rank + file;
      const char letter = letters[static_cast<std::size_t>(s)];
      if (letter == 0) {
        gap++;
        continue;
      }
      if (gap > 0) text += static_cast<char>('0' + gap);
      gap = 0;
      text += letter;
    }
    if (gap > 0) text += static_cast<char>('0' + gap);
    if (rank > 0) text += '/';
  }
  return text;
}

}  // namespace

Expected<FenReading> check_setup(const Setup& setup, VariantId variant, const RuleOptions& options) {
  return with_variant(variant, [&](auto v) { return checked<decltype(v)>(setup, options); });
}

Expected<FenReading> read_fen(std::string_view text, VariantId variant, const RuleOptions& options) {
  const Expected<Setup> setup = read_setup(text);
  if (!setup) return setup.error();
  return check_setup(*setup, variant, options);
}

std::string fen_of(const Position& p) {
  std::string text = board_text(p);
  text += p.side == kWhite ? " w " : " b ";
  for (std::size_t i = 0; i < 4; i++) {
    if (p.castling & (1u << i)) text += kCastlingLetters[i];
  }
  if (p.castling == 0) text += '-';
  const Square en_passant = p.en_passant_square();
  text.append(" ").append(en_passant < 0 ? "-" : square_name(en_passant));
  text.append(" ").append(std::to_string(std::min<int>(p.halfmove, kLargestCounter)));
  text.append(" ").append(std::to_string(std::min<int>(p.fullmove, kLargestCounter)));
  return text;
}

}  // namespace hecatomb
