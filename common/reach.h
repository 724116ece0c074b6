// Where the men of the side to move may go, as sets, for one board or for several at once.
//
// The one idea: two sliders never reach a square in the same direction, nor two knights, kings or pawns by the same
// step. So one set of target squares a direction says everything about all men of a class: its population is the
// number of moves, a target and its direction give the origin. All legal moves follow from some 27 sets, without a
// branch, a table or a loop over men, and the very same code counts one board in a GPU thread and eight in a SIMD
// register. A rule is written here once; counting (count.h), listing and choosing (movegen.h) only read the sets.
//
// Royal kings: the king's ray in direction d and the fill of the enemy's sliders in direction -d meet on a pinned man.
// A pinned man moves along its pin only, which for whole directions is a mask on the men that start.
#pragma once
#include "common/variant.h"
#include "common/word.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// A position as eight words, in the order of Position's bytes (or several positions, lane by lane).
template <class W>
struct Board {
  W men[2], pawns, knights, diagonal, orthogonal, kings;
  W state;  ///< bits 0-7 ep_west, 8-15 ep_east, 16-19 castling, …: Position's last eight bytes, lowest first
};

HECATOMB_HD Board<u64> board_of(const Position& p) {
  u64 state;
  __builtin_memcpy(&state, &p.ep_west, sizeof state);
  return {{p.men[0], p.men[1]}, p.pawns, p.knights, p.diagonal, p.orthogonal, p.kings, state};
}

// ---- directions. dr counts in the mover's forward direction; the file is never mirrored.

template <Color us, int df, int dr>
inline constexpr int kStep = df + (us == kWhite ? 8 : -8) * dr;

/// Squares that a step of df files can end on.
template <int df>
inline constexpr u64 kLanding = df == 0    ? ~u64{0}
                                : df == 1  ? ~kFileA
                                : df == 2  ? ~(kFileA | kFileA << 1)
                                : df == -1 ? ~kFileH
                                           : ~(kFileH | kFileH >> 1);

template <Color us, int df, int dr, class W>
HECATOMB_HD W leap(W from) {
  if constexpr (df == 0) {
    return shift<kStep<us, df, dr>>(from);
  } else {
    return shift<kStep<us, df, dr>>(from & splat(Type<W>{}, kLanding<-df>));
  }
}

template <Color us, int df, int dr, class W>
HECATOMB_HD W slide(W from, W empty) {
  if constexpr (df == 0) {
    return ray<kStep<us, df, dr>>(from, empty);
  } else {
    const W landing = splat(Type<W>{}, kLanding<df>);
    return ray<kStep<us, df, dr>>(from, empty & landing) & landing;
  }
}

/// The eight lines in the order of rules.md: 0-3 diagonal, 4-7 orthogonal; i ^ 2 is the opposite of i.
template <Color us, class W>
HECATOMB_HD void slide_all(const W (&from)[8], W empty, W (&to)[8]) {
  to[0] = slide<us, 1, 1>(from[0], empty);
  to[1] = slide<us, 1, -1>(from[1], empty);
  to[2] = slide<us, -1, -1>(from[2], empty);
  to[3] = slide<us, -1, 1>(from[3], empty);
  to[4] = slide<us, 0, 1>(from[4], empty);
  to[5] = slide<us, 1, 0>(from[5], empty);
  to[6] = slide<us, 0, -1>(from[6], empty);
  to[7] = slide<us, -1, 0>(from[7], empty);
}

/// One step along each of the eight lines.
template <Color us, class W>
HECATOMB_HD void line_steps(const W (&from)[8], W (&to)[8]) {
  to[0] = leap<us, 1, 1>(from[0]);
  to[1] = leap<us, 1, -1>(from[1]);
  to[2] = leap<us, -1, -1>(from[2]);
  to[3] = leap<us, -1, 1>(from[3]);
  to[4] = leap<us, 0, 1>(from[4]);
  to[5] = leap<us, 1, 0>(from[5]);
  to[6] = leap<us, 0, -1>(from[6]);
  to[7] = leap<us, -1, 0>(from[7]);
}

/// The eight steps of knights and of kings, in the order of rules.md.
template <Color us, class W>
HECATOMB_HD void knight_steps(W from, W (&to)[8]) {
  to[0] = leap<us, 1, 2>(from);
  to[1] = leap<us, 2, 1>(from);
  to[2] = leap<us, 2, -1>(from);
  to[3] = leap<us, 1, -2>(from);
  to[4] = leap<us, -1, -2>(from);
  to[5] = leap<us, -2, -1>(from);
  to[6] = leap<us, -2, 1>(from);
  to[7] = leap<us, -1, 2>(from);
}
template <Color us, class W>
HECATOMB_HD void king_steps(W from, W (&to)[8]) {
  to[0] = leap<us, 0, 1>(from);
  to[1] = leap<us, 1, 1>(from);
  to[2] = leap<us, 1, 0>(from);
  to[3] = leap<us, 1, -1>(from);
  to[4] = leap<us, 0, -1>(from);
  to[5] = leap<us, -1, -1>(from);
  to[6] = leap<us, -1, 0>(from);
  to[7] = leap<us, -1, 1>(from);
}

template <class W>
HECATOMB_HD W knight_attacks(W n) {
  const W l1 = (n >> 1) & splat(Type<W>{}, kLanding<-1>), r1 = (n << 1) & splat(Type<W>{}, kLanding<1>);
  const W l2 = (n >> 2) & splat(Type<W>{}, kLanding<-2>), r2 = (n << 2) & splat(Type<W>{}, kLanding<2>);
  const W near = l1 | r1, far = l2 | r2;
  return (near << 16) | (near >> 16) | (far << 8) | (far >> 8);
}

template <class W>
HECATOMB_HD W king_attacks(W k) {
  const W sides = ((k >> 1) & splat(Type<W>{}, kLanding<-1>)) | ((k << 1) & splat(Type<W>{}, kLanding<1>));
  const W row = k | sides;
  return sides | (row << 8) | (row >> 8);
}

// ---- royal kings

/// What the enemy's men mean for a royal king. Axes: 0 file, 1 rank, 2 parallel to a1-h8, 3 parallel to h1-a8.
template <class W>
struct Safety {
  W pinned[4];   ///< own men pinned on each axis
  W pinned_any;  ///< the union
  W checkers;
  W evasions;  ///< where a man other than the king answers the check; everywhere without a check
  W danger;    ///< where the king would be attacked
  // By line as White sees them (slide_all), through empty squares; nothing on lines for which the enemy has no slider.
  W ray[8];   ///< the king's
  W fill[8];  ///< the enemy's sliders'
};

/// One axis of a safety computation, both directions of it. `enemy` are the enemy's sliders of that axis.
template <int axis, int df, int dr, class W>
HECATOMB_HD void look_along(Safety<W>& s, W king, W own, W enemy, W empty, W& lines) {
  const W zero = splat(Type<W>{}, 0);
  const W ray_up = slide<kWhite, df, dr>(king, empty), ray_down = slide<kWhite, -df, -dr>(king, empty);
  const W fill_up = slide<kWhite, df, dr>(enemy, empty), fill_down = slide<kWhite, -df, -dr>(enemy, empty);
  constexpr int up = axis < 2 ? 4 + axis : axis - 2;
  s.ray[up] = ray_up;
  s.ray[up + 2] = ray_down;
  s.fill[up] = fill_up;
  s.fill[up + 2] = fill_down;
  const W checker_up = ray_up & enemy, checker_down = ray_down & enemy;
  s.pinned[axis] = own & ((ray_up & fill_down) | (ray_down & fill_up));
  s.pinned_any = s.pinned_any | s.pinned[axis];
  s.checkers = s.checkers | checker_up | checker_down;
  lines = lines | select(checker_up, ray_up, zero) | select(checker_down, ray_down, zero);
  // A king in check may not step back on the line: only the square right behind him matters.
  const W behind =
      select(checker_up, leap<kWhite, -df, -dr>(king), zero) | select(checker_down, leap<kWhite, df, dr>(king), zero);
  s.danger = s.danger | fill_up | fill_down | behind;
}

template <Color us, class W>
HECATOMB_HD Safety<W> safety_of(const Board<W>& b) {
  constexpr Color them = other(us);
  const W own = b.men[us], enemy = b.men[them], empty = ~(own | enemy), zero = splat(Type<W>{}, 0);
  const W king = b.kings & own, pawns = b.pawns & enemy, knights = b.knights & enemy;
  const W diagonal = b.diagonal & enemy, orthogonal = b.orthogonal & enemy;
  Safety<W> s;
  s.pinned_any = s.checkers = s.danger = zero;
  HECATOMB_UNROLL
  for (int i = 0; i < 4; i++) s.pinned[i] = zero;
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) s.ray[i] = s.fill[i] = zero;
  W lines = zero;
  if (!kSkipRare<W> || any(orthogonal)) {
    look_along<0, 0, 1>(s, king, own, orthogonal, empty, lines);
    look_along<1, 1, 0>(s, king, own, orthogonal, empty, lines);
  }
  if (!kSkipRare<W> || any(diagonal)) {
    look_along<2, 1, 1>(s, king, own, diagonal, empty, lines);
    look_along<3, 1, -1>(s, king, own, diagonal, empty, lines);
  }
  s.danger = s.danger | leap<them, -1, 1>(pawns) | leap<them, 1, 1>(pawns) | knight_attacks(knights) |
             king_attacks(b.kings & enemy);
  s.checkers = s.checkers | (knight_attacks(king) & knights) | ((leap<us, -1, 1>(king) | leap<us, 1, 1>(king)) & pawns);
  const W is_double = s.checkers & decrement(s.checkers);
  s.evasions = select(s.checkers, select(is_double, zero, lines | s.checkers), ~zero);
  return s;
}

/// Whether a man of the side other than `us` attacks the single square `target` when `occupied` are all men and only
/// the men of `attackers` count. (For rare questions: one board, eight rays.)
template <Color us>
HECATOMB_HD_NOINLINE bool is_attacked(const Position& p, u64 target, u64 occupied, u64 attackers) {
  const u64 empty = ~occupied, orthogonal = p.orthogonal & attackers, diagonal = p.diagonal & attackers;
  u64 hits = knight_attacks(target) & p.knights & attackers;
  hits |= king_attacks(target) & p.kings & attackers;
  hits |= (leap<us, -1, 1>(target) | leap<us, 1, 1>(target)) & p.pawns & attackers;
  hits |= (slide<us, 0, 1>(target, empty) | slide<us, 0, -1>(target, empty) | slide<us, 1, 0>(target, empty) |
           slide<us, -1, 0>(target, empty)) &
          orthogonal;
  hits |= (slide<us, 1, 1>(target, empty) | slide<us, 1, -1>(target, empty) | slide<us, -1, 1>(target, empty) |
           slide<us, -1, -1>(target, empty)) &
          diagonal;
  return hits != 0;
}

// ---- all moves

/// The sets of all moves of one side. Arrays are in the order of rules.md; `targets` and `king_targets` hold all that
/// is the same for every set (own men, compulsion, checks): a set means `set & targets`.
template <class W>
struct Reach {
  W strike_west, strike_east;  ///< what pawns attack, occupied or not
  W pawn_west, pawn_east;      ///< captures, on enemy men only
  W push, double_step;     ///< on empty squares only
  W knight[8];
  W line[8];   ///< sliders, in the order of slide_all
  W king[8];   ///< each direction; means `king[i] & king_targets`
  W king_all;  ///< their union (enough for a single king)
  W targets, king_targets;
  W ep_west, ep_east;           ///< the target square of a legal en passant capture, or nothing; not in `targets`
  W castle_king, castle_queen;  ///< the king's target square, or nothing
  W captures;                   ///< squares on which a legal capture exists, en passant included
};

/// The target square of the legal en passant captures, if any.
template <Color us>
HECATOMB_HD u64 en_passant_targets(const Position& p) {
  return (u64{p.ep_west} | p.ep_east) << (us == kWhite ? 40 : 16);
}

/// All ones in boards that are not over by men (rule 1 of "When a game is over").
template <class V, Color us, class W>
HECATOMB_HD W alive_by_men(const Board<W>& b) {
  const W zero = splat(Type<W>{}, 0), all = ~zero;
  if constexpr (V::no_men == NoMen::bare_king_wins) {
    return select(b.men[0] ^ (b.kings & b.men[0]), select(b.men[1] ^ (b.kings & b.men[1]), all, zero), zero);
  } else if constexpr (V::no_men == NoMen::wins || (V::no_men == NoMen::white_loses && us == kBlack)) {
    return select(b.men[other(us)], all, zero);  // a side to move without men has no moves anyway
  } else {
    return all;
  }
}

template <class V, Color us, class W>
HECATOMB_HD void reach_castling(Reach<W>& r, const Board<W>& b, W occupied, W danger) {
  constexpr int home = us == kWhite ? 0 : 56, king_right = us == kWhite ? 16 : 18, queen_right = king_right + 1;
  constexpr u64 rights = V::castling & (us == kWhite ? 3 : 12);
  const W zero = splat(Type<W>{}, 0);
  r.castle_king = r.castle_queen = zero;
  if constexpr (rights != 0) {
    if (kSkipRare<W> && !any(b.state & splat(Type<W>{}, rights << 16))) return;
    const auto squares = [](u64 set) { return splat(Type<W>{}, set << home); };
    const W king_blocked = (occupied & squares(0x60)) | (danger & squares(0x70));
    const W queen_blocked = (occupied & squares(0x0e)) | (danger & squares(0x1c));
    const W king_side = shift<home + 6 - king_right>(b.state & splat(Type<W>{}, u64{1} << king_right));
    const W queen_side = shift<home + 2 - queen_right>(b.state & splat(Type<W>{}, u64{1} << queen_right));
    r.castle_king = select(king_blocked, zero, king_side) & r.king_targets;
    r.castle_queen = select(queen_blocked, zero, queen_side) & r.king_targets;
  }
}

/// The pieces that leap or slide: classes two to five.
template <Color us, class W>
HECATOMB_HD void reach_pieces(Reach<W>& r, W knights, const W (&diagonal)[2], const W (&orthogonal)[2], W kings,
                              W empty) {
  knight_steps<us>(knights, r.knight);
  // The axis of (1,1) seen from Black is that of (1,-1) seen from White.
  constexpr int rising = us == kWhite ? 0 : 1, falling = 1 - rising;
  const W sliders[8] = {diagonal[rising], diagonal[falling], diagonal[rising], diagonal[falling],
                        orthogonal[0],    orthogonal[1],     orthogonal[0],    orthogonal[1]};
  slide_all<us>(sliders, empty, r.line);
  king_steps<us>(kings, r.king);
  r.king_all = king_attacks(kings);
}

/// Squares that some man other than a king reaches, before `targets`.
template <class W>
HECATOMB_HD W reached(const Reach<W>& r) {
  W all = r.pawn_west | r.pawn_east;
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) all = all | r.knight[i] | r.line[i];
  return all;
}

/// All legal moves of the side `us`, to move, as sets. `s` is safety_of<us>(b) where its king is royal, else unused.
template <class V, Color us, class W>
HECATOMB_HD Reach<W> reach_of(const Board<W>& b, const Safety<W>& s) {
  constexpr bool royal = V::royal[us];
  const W zero = splat(Type<W>{}, 0);
  const W own = b.men[us], enemy = b.men[other(us)], occupied = own | enemy, empty = ~occupied;
  W pawns_push = b.pawns & own, pawns_west = pawns_push, pawns_east = pawns_push, knights = b.knights & own;
  W diagonal[2] = {b.diagonal & own, b.diagonal & own}, orthogonal[2] = {b.orthogonal & own, b.orthogonal & own};
  const W kings = b.kings & own;
  W evasions = ~zero, danger = zero;
  if constexpr (royal) {
    constexpr int west_axis = us == kWhite ? 3 : 2, east_axis = 5 - west_axis;
    pawns_push = pawns_push & ~(s.pinned_any ^ s.pinned[0]);
    pawns_west = pawns_west & ~(s.pinned_any ^ s.pinned[west_axis]);
    pawns_east = pawns_east & ~(s.pinned_any ^ s.pinned[east_axis]);
    knights = knights & ~s.pinned_any;
    for (int i = 0; i < 2; i++) {
      orthogonal[i] = orthogonal[i] & ~(s.pinned_any ^ s.pinned[i]);
      diagonal[i] = diagonal[i] & ~(s.pinned_any ^ s.pinned[2 + i]);
    }
    evasions = s.evasions;
    danger = s.danger;
  }
  Reach<W> r;
  r.strike_west = leap<us, -1, 1>(pawns_west);
  r.strike_east = leap<us, 1, 1>(pawns_east);
  r.pawn_west = r.strike_west & enemy;
  r.pawn_east = r.strike_east & enemy;
  r.push = leap<us, 0, 1>(pawns_push) & empty;
  r.double_step = leap<us, 0, 1>(r.push & splat(Type<W>{}, us == kWhite ? V::double_step_from[us] << 8
                                                                        : V::double_step_from[us] >> 8)) &
                  empty;
  reach_pieces<us>(r, knights, diagonal, orthogonal, kings, empty);
  constexpr int ep_rank_shift = us == kWhite ? 40 : 16;
  r.ep_west = shift<ep_rank_shift>(b.state & splat(Type<W>{}, 0xff));
  r.ep_east = shift<ep_rank_shift - 8>(b.state & splat(Type<W>{}, 0xff00));
  const W alive = alive_by_men<V, us>(b);
  r.captures = (((reached(r) & evasions) | (r.king_all & ~danger)) & enemy & alive) | r.ep_west | r.ep_east;
  const W allowed = (V::compulsory_capture ? select(r.captures, enemy, empty) : ~own) & alive;
  r.targets = allowed & evasions;
  r.king_targets = allowed & ~danger;
  reach_castling<V, us>(r, b, occupied, danger);
  return r;
}

template <class V, Color us, class W>
HECATOMB_HD Reach<W> reach_of(const Board<W>& b) {
  if constexpr (V::royal[us]) {
    return reach_of<V, us>(b, safety_of<us>(b));
  } else {
    return reach_of<V, us>(b, Safety<W>{});
  }
}

}  // namespace hecatomb::inline HECATOMB_TARGET
