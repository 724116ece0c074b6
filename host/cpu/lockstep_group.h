// The games of one register: as many as it has lanes, each at its own ply (lockstep.h plays them).
//
// The one idea: everything is kept word by word, one word of all lanes after the other, so that a ply loads and stores
// whole registers; a lane's position is put together only for what is rare.
#pragma once
#include "host/cpu/key_ring.h"
#include "host/cpu/move_table.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// As many games as a register has lanes. Arrays are by lane.
struct alignas(64) LockstepGroup {
  u64 words[8][kBatch] = {};  ///< the positions: those of Position
  u64 playing[kBatch] = {};   ///< 1, or 0 in lanes that wait
  u64 ply[kBatch] = {};
  u64 deadline[kBatch] = {};    ///< the ply at which the clock or the limit on plies ends the game; 0: it has to be
                                ///< looked at, as the position may be dead or is repeated
  u64 reversible[kBatch] = {};  ///< plies since the last capture or pawn move
  u64 random[4][kBatch] = {};   ///< the random numbers of four plies
  u64 number[kBatch] = {};      ///< of the game
  u64 first_move[kBatch] = {};
  u64 salt[kBatch] = {};  ///< of keys: no position of one game is taken for one of another
  // What choose() has found: the number of moves, the move's set and its number in it, the target.
  u64 moves[kBatch] = {}, set[kBatch] = {}, k[kBatch] = {}, index[kBatch] = {}, to[kBatch] = {};
  u64 from[kBatch] = {};
  // Lanes as bits.
  u32 waiting = (1u << kBatch) - 1;
  u32 moving = 0;    ///< a move is played in this ply
  u32 special = 0;   ///< and it is a promotion, castling or perhaps en passant
  u32 repeated = 0;  ///< the position has occurred often enough
  MoveTable table;
  KeyRing keys;

  HECATOMB_HD Board<Batch> board() const {
    return {{load_word(words[0]), load_word(words[1])},
            load_word(words[2]),
            load_word(words[3]),
            load_word(words[4]),
            load_word(words[5]),
            load_word(words[6]),
            load_word(words[7])};
  }
  Position position(int lane) const {
    u64 p[8];
    for (int w = 0; w < 8; w++) p[w] = words[w][lane];
    Position position;
    __builtin_memcpy(&position, p, sizeof p);
    return position;
  }
  void set_position(int lane, const Position& p) {
    u64 whole[8];
    __builtin_memcpy(whole, &p, sizeof whole);
    for (int w = 0; w < 8; w++) words[w][lane] = whole[w];
  }
};

}  // namespace hecatomb::inline HECATOMB_TARGET
