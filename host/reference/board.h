// Small words about squares and men that every file of the reference uses. The idea: a step is a change of (file,
// rank), and stepping off the board is noticed by the numbers themselves, so no table and no padding is needed.
#pragma once

#include <array>
#include <cstddef>

namespace hecatomb::reference {

using Board = std::array<char, 64>;

struct Step {
  int file;
  int rank;
};

inline constexpr char kEmpty = '.';
inline constexpr int kNoSquare = -1;

inline constexpr std::array<Step, 8> kKnightSteps = {
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
inline constexpr std::array<Step, 4> kDiagonalSteps = {{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};
inline constexpr std::array<Step, 4> kOrthogonalSteps = {{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
inline constexpr std::array<Step, 8> kKingSteps = {
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

inline int file_of(int square) { return square % 8; }
inline int rank_of(int square) { return square / 8; }
inline int square_at(int file, int rank) {
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? kNoSquare : 8 * rank + file;
}
inline int step_from(int square, Step step) {
  return square_at(file_of(square) + step.file, rank_of(square) + step.rank);
}

inline char man_on(const Board& board, int square) { return board[static_cast<std::size_t>(square)]; }
inline void put(Board& board, int square, char man) { board[static_cast<std::size_t>(square)] = man; }

inline bool is_white(char man) { return man >= 'A' && man <= 'Z'; }
inline bool is_black(char man) { return man >= 'a' && man <= 'z'; }
inline bool is_of(char man, bool white) { return white ? is_white(man) : is_black(man); }
inline char lower(char letter) { return is_white(letter) ? static_cast<char>(letter - 'A' + 'a') : letter; }
/// The letter of a kind of man ('p', 'n', ...) in the colour of a side.
inline char of_side(char kind, bool white) { return white ? static_cast<char>(kind - 'a' + 'A') : kind; }
/// The direction in which the pawns of a side go, in ranks.
inline int forward(bool white) { return white ? 1 : -1; }

/// The number of men of a side, or of one letter.
inline int count_men(const Board& board, bool white) {
  int count = 0;
  for (const char man : board) count += is_of(man, white) ? 1 : 0;
  return count;
}
inline int count_letter(const Board& board, char letter) {
  int count = 0;
  for (const char man : board) count += man == letter ? 1 : 0;
  return count;
}

/// Whether any man of the side `by_white` attacks the square (defined beside the moves).
bool is_attacked(const Board& board, int square, bool by_white);

}  // namespace hecatomb::reference
