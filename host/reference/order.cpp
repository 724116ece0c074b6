// The order of moves in which random games number them: (class; direction; target square; promotion).
#include "host/reference/board.h"
#include "host/reference/reference.h"

namespace hecatomb::reference {

namespace {

// Of the pawns: capture towards the a-file, capture towards the h-file, one step, two steps. Files are the same for
// both sides; ranks count in the direction in which the side to move goes.
constexpr std::array<Step, 4> kPawnSteps = {{{-1, 1}, {1, 1}, {0, 1}, {0, 2}}};

constexpr int kPawns = 0;
constexpr int kKnights = 1;
constexpr int kDiagonals = 2;
constexpr int kOrthogonals = 3;
constexpr int kKings = 4;
constexpr int kCastling = 5;

template <std::size_t kCount>
int index_of(const std::array<Step, kCount>& steps, int file, int rank) {
  int index = 0;
  for (const Step& step : steps) {
    if (step.file == file && step.rank == rank) return index;
    ++index;
  }
  return index;
}

int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

int promotion_index(char promotion) {
  return promotion == 0 ? 0 : static_cast<int>(std::string_view("qrbnk").find(promotion));
}

}  // namespace

std::array<int, 4> order_key(const Position& position, const Move& move) {
  const int files = file_of(move.to) - file_of(move.from);
  const int ranks = (rank_of(move.to) - rank_of(move.from)) * forward(position.white_to_move);
  if (move.castling) return {kCastling, files > 0 ? 0 : 1, move.to, 0};
  switch (lower(man_on(position.board, move.from))) {
    case 'p':
      return {kPawns, index_of(kPawnSteps, files, ranks), move.to, promotion_index(move.promotion)};
    case 'n':
      return {kKnights, index_of(kKnightSteps, files, ranks), move.to, 0};
    case 'k':
      return {kKings, index_of(kKingSteps, files, ranks), move.to, 0};
    default:  // bishop, rook, queen: by the line the move follows
      if (files != 0 && ranks != 0) return {kDiagonals, index_of(kDiagonalSteps, sign(files), sign(ranks)), move.to, 0};
      return {kOrthogonals, index_of(kOrthogonalSteps, sign(files), sign(ranks)), move.to, 0};
  }
}

}  // namespace hecatomb::reference
