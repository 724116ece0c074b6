// A position in 64 bytes: one cache line, one vector register, copied and changed but never undone.
//
// A queen stands in `diagonal` and in `orthogonal`, a bishop in one, a rook in the other. Invariants (setup.h builds
// such positions, make.h keeps them):
// - `men` are disjoint, and every man is in exactly one kind;
// - `ep_west`, `ep_east` say which en passant captures are *legal* now, after all rules and options: the file of the
//   target square, one bit of eight, in the byte of each direction (towards the a-file, towards the h-file, for both
//   colours) in which a pawn may take. So generators need no test for en passant, and positions with the same men,
//   side, castling rights and en passant possibilities have the same first 60 bytes;
// - `castling` holds only rights for which king and rook still stand.
#pragma once
#include "common/bitboard.h"

namespace hecatomb::inline HECATOMB_TARGET {

enum CastlingRight : u8 { kWhiteKingSide = 1, kWhiteQueenSide = 2, kBlackKingSide = 4, kBlackQueenSide = 8 };

struct alignas(64) Position {
  u64 men[2];  ///< by Color
  u64 pawns;
  u64 knights;
  u64 diagonal;    ///< bishops and queens
  u64 orthogonal;  ///< rooks and queens
  u64 kings;
  u8 ep_west;
  u8 ep_east;
  u8 castling;   ///< of CastlingRight
  u8 side;       ///< Color to move
  u16 halfmove;  ///< plies since the last capture or pawn move; stays at 65535
  u16 fullmove;  ///< from 1; stays at 65535

  HECATOMB_HD Color us() const { return static_cast<Color>(side); }
  HECATOMB_HD u64 occupied() const { return men[0] | men[1]; }
  HECATOMB_HD Kind kind_at(Square s) const {
    const u64 b = bit(s);
    if (pawns & b) return Kind::pawn;
    if (knights & b) return Kind::knight;
    if (kings & b) return Kind::king;
    if (diagonal & b) return orthogonal & b ? Kind::queen : Kind::bishop;
    return orthogonal & b ? Kind::rook : Kind::none;
  }
  /// The square behind the pawn that can be taken en passant, or -1 where no such capture is legal.
  HECATOMB_HD Square en_passant_square() const {
    const u64 files = static_cast<u64>(ep_west | ep_east);
    return files == 0 ? -1 : ctz(files) + (side == kWhite ? 40 : 16);
  }
};

// Batches of positions are read as eight words each by the set-wise counters and by the GPU.
static_assert(sizeof(Position) == 64);
static_assert(alignof(Position) == 64);
static_assert(__is_trivially_copyable(Position) && __is_standard_layout(Position));
static_assert(__builtin_offsetof(Position, men) == 0 && __builtin_offsetof(Position, pawns) == 16);
static_assert(__builtin_offsetof(Position, knights) == 24 && __builtin_offsetof(Position, diagonal) == 32);
static_assert(__builtin_offsetof(Position, orthogonal) == 40 && __builtin_offsetof(Position, kings) == 48);
static_assert(__builtin_offsetof(Position, ep_west) == 56 && __builtin_offsetof(Position, ep_east) == 57);
static_assert(__builtin_offsetof(Position, castling) == 58 && __builtin_offsetof(Position, side) == 59);
static_assert(__builtin_offsetof(Position, halfmove) == 60 && __builtin_offsetof(Position, fullmove) == 62);

/// The same position in the sense of repetition and of books: men, side, castling, en passant; counters apart.
HECATOMB_HD bool same_position(const Position& a, const Position& b) {
  return a.men[0] == b.men[0] && a.men[1] == b.men[1] && a.pawns == b.pawns && a.knights == b.knights &&
         a.diagonal == b.diagonal && a.orthogonal == b.orthogonal && a.kings == b.kings && a.ep_west == b.ep_west &&
         a.ep_east == b.ep_east && a.castling == b.castling && a.side == b.side;
}

}  // namespace hecatomb::inline HECATOMB_TARGET
