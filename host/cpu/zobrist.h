// A 128-bit key for a position that follows from the key of the position before by what the move changed: the proof
// search's. The same on every machine. (Its table of random words is the host's alone, so it is not in common/.)
//
// The one idea: the key is the exclusive or of a random word for every man on its square and for the state, so two
// given positions have equal keys with a probability of 2^-128 over the choice of words (Zobrist 1970). What hash.h
// computes from the whole position, some forty cycles, costs three lines of a table here.
//
// A kind of man is a code of three bits, each of which is a set of squares (KindPlanes): 1 queen, 2 pawn, 3 knight,
// 4 bishop, 5 rook, 6 king; 0 is an empty square, whose word is 0, so that a capture needs no branch.
#pragma once
#include "common/hash.h"

namespace hecatomb::inline HECATOMB_TARGET {

HECATOMB_HD constexpr Key operator^(Key a, Key b) { return {a.low ^ b.low, a.high ^ b.high}; }

struct ZobristWords {
  Key man[2][64][8]{};  ///< color, square, code
  Key state[32]{};      ///< castling, side << 4
  Key en_passant[2][8]{};
};

/// Words by the generator splitmix64 (Steele, Lea and Flood 2014).
constexpr ZobristWords make_zobrist_words() {
  u64 counter = 0x243f6a8885a308d3;  // digits of pi
  const auto next = [&counter] {
    u64 x = counter += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  ZobristWords words;
  for (auto& of_color : words.man) {
    for (auto& of_square : of_color) {
      for (int code = 1; code <= 6; code++) of_square[code] = {next(), next()};
    }
  }
  for (Key& word : words.state) word = {next(), next()};
  for (auto& of_direction : words.en_passant) {
    for (Key& word : of_direction) word = {next(), next()};
  }
  return words;
}
alignas(64) inline constexpr ZobristWords kZobrist = make_zobrist_words();

/// The codes of all men of a position.
struct KindPlanes {
  u64 bit0, bit1, bit2;
  HECATOMB_HD u64 code(Square s) const { return (bit0 >> s & 1) | (bit1 >> s & 1) << 1 | (bit2 >> s & 1) << 2; }
};
HECATOMB_HD KindPlanes kind_planes(const Position& p) {
  return {p.knights | p.orthogonal, p.pawns | p.knights | p.kings, p.kings | (p.diagonal ^ p.orthogonal)};
}

HECATOMB_HD Key zobrist_of_state(const Position& p) {
  Key key = kZobrist.state[p.castling | p.side << 4];
  if ((p.ep_west | p.ep_east) != 0) {
    for (u64 files = p.ep_west; files != 0; files &= files - 1) key = key ^ kZobrist.en_passant[0][ctz(files)];
    for (u64 files = p.ep_east; files != 0; files &= files - 1) key = key ^ kZobrist.en_passant[1][ctz(files)];
  }
  return key;
}

/// The men on these squares.
HECATOMB_HD Key zobrist_of_men(const Position& p, u64 squares) {
  const KindPlanes kinds = kind_planes(p);
  Key key{0, 0};
  for (; squares != 0; squares &= squares - 1) {
    const Square s = ctz(squares);
    key = key ^ kZobrist.man[p.men[kBlack] >> s & 1][s][kinds.code(s)];
  }
  return key;
}

/// The key of a position: men, side, castling, en passant possibilities; counters apart.
HECATOMB_HD_NOINLINE Key zobrist_of(const Position& p) { return zobrist_of_men(p, p.occupied()) ^ zobrist_of_state(p); }

/// What a move that moves one man, and may take the man that stands on `to`, changes of the men. `kinds`: before it.
HECATOMB_HD Key zobrist_of_move(Color us, const KindPlanes& kinds, Square from, Square to) {
  const u64 code = kinds.code(from);
  const auto& ours = kZobrist.man[us];
  return ours[from][code] ^ ours[to][code] ^ kZobrist.man[other(us)][to][kinds.code(to)];
}

/// What any move changes of the key.
HECATOMB_HD_NOINLINE Key zobrist_change(const Position& before, const Position& after) {
  const u64 changed = (before.men[0] ^ after.men[0]) | (before.men[1] ^ after.men[1]) | (before.pawns ^ after.pawns) |
                      (before.knights ^ after.knights) | (before.diagonal ^ after.diagonal) |
                      (before.orthogonal ^ after.orthogonal) | (before.kings ^ after.kings);
  return zobrist_of_men(before, changed & before.occupied()) ^ zobrist_of_men(after, changed & after.occupied()) ^
         zobrist_of_state(before) ^ zobrist_of_state(after);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
