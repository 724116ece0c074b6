// A move in 32 bits: where from, where to, into what, and the few kinds that move more than one man.
#pragma once
#include "common/types.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// `double_step` is one that may give an en passant square (horde's double step from rank 1 is `normal`).
enum class MoveKind : u8 { normal, double_step, en_passant, castle_king, castle_queen };

struct Move {
  u8 from = 0, to = 0;
  Kind promotion = Kind::none;
  MoveKind kind = MoveKind::normal;
  friend constexpr bool operator==(const Move&, const Move&) = default;
};
static_assert(sizeof(Move) == 4);

/// No position of ours has more legal moves. Up to 16 men: 27 each. Horde's White has m <= 36 men and 64 - m targets,
/// each reached by at most 8 lines, 8 knights and, with 4 promotions, 3 pawns: at most 640 + 72.
inline constexpr int kMaxMoves = 768;

/// A list with room for every legal move of a position.
struct MoveList {
  int size = 0;
  Move moves[kMaxMoves];
  HECATOMB_HD void add(Move m) { moves[size++] = m; }
  HECATOMB_HD const Move* begin() const { return moves; }
  HECATOMB_HD const Move* end() const { return moves + size; }
};

}  // namespace hecatomb::inline HECATOMB_TARGET
