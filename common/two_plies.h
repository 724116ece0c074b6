// The number of positions two plies on, counted for most moves of a position at once without making any of them.
//
// The one idea: after a quiet move from f to t the opponent has the replies that he would have if the mover had passed
// (M), but for what f opens and t blocks. Where f opens nothing, the difference is a sum over t alone: pawns that may
// now take on t, pawns that may no longer push to or past t, squares behind t that sliders lose. So the total over all
// such moves is M times their number plus a sum over squares of (moves that end there) times (difference there), and
// both factors are bit planes (count.h): products of planes are intersections. Where captures are compulsory a reply
// is a capture or none is: if the opponent could take after a pass, every move leaves him M captures and the attackers
// of t (a slider that is interposed takes on t instead of behind it: the two cancel); if not, he has the attackers of
// t, or, where t is not attacked, his quiet moves but for the blocked pushes.
//
// The moves for which this does not hold are left over, as sets, for the caller to make and count one by one: captures
// and promotions, castling, double steps that allow en passant, moves of men that the opponent attacks or whose pawns
// they block, and all that could change what a royal king of the opponent may do or which men it pins (`KingWatch`).
// Where captures are free, more is counted: captures (the men taken lose their replies, the men that guard them gain
// one), and pawns that leave an attacked square or one before a pawn.
//
// Invariant: what is counted and what is left over are together all moves, exactly (two_plies_test, against making
// every move; level_test, against the reference). Gains: host/cpu/README.md.
#pragma once
#include "common/count.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// A sum of products of two numbers given as bit planes, square by square.
template <class W>
struct ProductSum {
  PairCounter<W> n;

  /// Adds the populations of x & planes[i], times 2^(i + shift).
  template <int shift>
  HECATOMB_HD void add(const W (&planes)[5], W x) {
    n.template add<shift>(planes[0] & x);
    n.template add<shift + 1>(planes[1] & x);
    n.template add<shift + 2>(planes[2] & x);
    const W high = planes[3] | planes[4];
    if (!kSkipRare<W> || any(high & x)) {
      n.template add<shift + 3>(planes[3] & x);
      n.template add<shift + 4>(planes[4] & x);
    }
  }
  /// Adds the sum over all squares of a times b.
  HECATOMB_HD void add_products(const W (&a)[5], const W (&b)[5]) {
    add<0>(a, b[0]);
    add<1>(a, b[1]);
    if (!kSkipRare<W> || any(b[2] | b[3] | b[4])) add<2>(a, b[2]);
    if (!kSkipRare<W> || any(b[3] | b[4])) {
      add<3>(a, b[3]);
      add<4>(a, b[4]);
    }
  }
};

/// Adds a set to a number per square. No number may pass 31.
template <class W>
HECATOMB_HD void add_to_planes(W (&planes)[5], W set) {
  HECATOMB_UNROLL
  for (int i = 0; i < 5; i++) {
    const W carry = planes[i] & set;
    planes[i] = planes[i] ^ set;
    set = carry;
  }
}

/// Moves of `us` that could change what the royal king of the other side may do, or which men are pinned to it.
template <class W>
struct KingWatch {
  W from;                                                     ///< such moves start on these squares,
  W to;                                                       ///< or end on these,
  W to_knight, to_pawn, to_king, to_diagonal, to_orthogonal;  ///< or do so with a man of that class
  W steps;  ///< where the king may step now; where captures are free, a pawn that attacks such a square takes one reply
};

/// `s` is safety_of the other side: its rays are the king's, its fills those of our sliders.
template <class V, Color us, class W>
HECATOMB_HD KingWatch<W> king_watch(const Board<W>& b, const Safety<W>& s) {
  constexpr Color them = other(us);
  constexpr int home = us == kWhite ? 56 : 0, king_right = us == kWhite ? 18 : 16;
  const W own = b.men[us], enemy = b.men[them], empty = ~(own | enemy), zero = splat(Type<W>{}, 0);
  const W king = b.kings & enemy, near = king_attacks(king);
  W path = zero, between = zero;  // castling's way: where no attack may be, where no man may stand
  constexpr u64 rights = V::castling & (us == kWhite ? 12 : 3);
  if (rights != 0 && (!kSkipRare<W> || any(b.state & splat(Type<W>{}, rights << 16)))) {
    const auto squares = [](u64 set) { return splat(Type<W>{}, set << home); };
    // Where his own men are in the way, no move of ours lets him castle.
    const W king_side = select(enemy & squares(0x60), zero, b.state & splat(Type<W>{}, u64{1} << king_right));
    const W queen_side = select(enemy & squares(0x0e), zero, b.state & splat(Type<W>{}, u64{2} << king_right));
    path = select(king_side, squares(0x60), zero) | select(queen_side, squares(0x0c), zero);
    between = select(king_side, squares(0x60), zero) | select(queen_side, squares(0x0e), zero);
  }
  const W watched = (near & ~enemy) | king | path;  // where an attack more or less may matter
  KingWatch<W> w;
  w.to_knight = knight_attacks(watched);
  w.steps = V::compulsory_capture ? zero : near & ~enemy & ~s.danger;
  const W from_pawn = leap<them, -1, 1>(watched) | leap<them, 1, 1>(watched);
  if constexpr (V::compulsory_capture) {
    w.to_pawn = from_pawn;
  } else {  // an attack more is no change where the king could not step, and a known one where he could
    const W kept = king | path;
    w.to_pawn = leap<them, -1, 1>(kept) | leap<them, 1, 1>(kept);
  }
  w.to_king = king_attacks(watched);
  w.to_diagonal = w.to_orthogonal = zero;
  w.to = near | between;
  w.from = ((b.knights & w.to_knight) | (b.pawns & from_pawn) | (b.kings & w.to_king) | between) & own;
  const W diagonal = b.diagonal & own, orthogonal = b.orthogonal & own;
  if (!kSkipRare<W> || any(diagonal | orthogonal)) {
    const W sources[8] = {watched, watched, watched, watched, watched, watched, watched, watched};
    W seen[8];  // outwards from the watched squares, through empty squares
    slide_all<kWhite>(sources, empty, seen);
    W blockers[8], beyond[8];  // the nearest man on each of the king's lines, if his own, and the line behind it
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) blockers[i] = s.ray[i] & enemy;
    slide_all<kWhite>(blockers, empty, beyond);
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) {
      const W sliders = i < 4 ? diagonal : orthogonal, inwards = s.fill[i ^ 2];
      const W attack = seen[i] & inwards;          // an own man here hides an attack, a man put here cuts it
      const W hidden = beyond[i] & inwards & own;  // an own man who hides a pin
      const W pinner = beyond[i] & sliders;
      W& to_class = i < 4 ? w.to_diagonal : w.to_orthogonal;
      to_class = to_class | seen[i] | beyond[i];
      w.to = w.to | attack | select(pinner, s.ray[i] | beyond[i], zero);
      w.from = w.from | (attack & own) | hidden | (s.ray[i] & own) | pinner | (seen[i] & sliders);
    }
    // A queen is in both classes, and so gives attacks of both wherever she goes.
    const W queens = diagonal & orthogonal, both = select(queens, w.to_diagonal | w.to_orthogonal, zero);
    w.to_diagonal = w.to_diagonal | both;
    w.to_orthogonal = w.to_orthogonal | both;
  }
  return w;
}

/// Adds eight sets to a number per square. No number may pass 31.
template <class W>
HECATOMB_HD void add_to_planes(W (&planes)[5], const W (&sets)[8]) {
  W sum[5];
  sum_sets<8>(sets, sum);
  W carry = planes[0] & sum[0];
  planes[0] = planes[0] ^ sum[0];
  HECATOMB_UNROLL
  for (int i = 1; i < 4; i++) {
    const auto digit = add3(planes[i], sum[i], carry);
    planes[i] = digit.low;
    carry = digit.high;
  }
  planes[4] = planes[4] ^ carry;
}

/// On squares of `lines`: how many squares sliders would lose if a man were put there. On the sliders' own squares: how
/// many moves each has. `sliders`: diagonal and orthogonal ones.
template <Color us, class W>
HECATOMB_HD void squares_behind(const W (&lines)[8], W diagonal, W orthogonal, W targets, W empty, W (&planes)[5]) {
  // run[i ^ 2]: the squares of line i on whose next square (then next but one, …) it goes on. A step back along line i
  // is one along i ^ 2.
  const W zero = splat(Type<W>{}, 0);
  W run[8], before[8], counted[8];
  HECATOMB_UNROLL
  for (int i = 0; i < 5; i++) planes[i] = zero;
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) run[i ^ 2] = lines[i] & targets;
  for (int k = 1; k < 8; k++) {
    line_steps<us>(run, before);
    W some = zero;
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) {
      run[i] = before[i] & lines[i ^ 2] & empty;
      counted[i] = run[i] | (before[i] & (i < 4 ? diagonal : orthogonal));
      some = some | counted[i];
    }
    if (!any(some)) return;
    add_to_planes(planes, counted);
  }
}

/// The replies where captures are compulsory, after `moves` that the opponent of `us` has the reach `t` after a pass.
template <class V, Color us, class W>
HECATOMB_HD W compulsory_replies(const Board<W>& b, const Reach<W>& t, W empty, const W (&moves)[5], ProductSum<W>& n,
                                 ProductSum<W>& plus, ProductSum<W>& minus) {
  constexpr Color them = other(us);
  const W own = b.men[us], zero = splat(Type<W>{}, 0), all = ~zero;
  // Sliders without the squares before a man that they could take: there one capture is traded for another.
  W sets[24], hits[8], traded[8], some = zero;
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    sets[i] = t.knight[i];
    hits[i ^ 2] = t.line[i] & own;
    some = some | hits[i ^ 2];
    traded[i] = zero;
  }
  if (!kSkipRare<W> || any(some)) slide_all<them>(hits, empty, traded);
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) sets[8 + i] = t.line[i] & ~traded[i ^ 2];
  W attacks[5];  // how many men reach each square
  const W kings = b.kings & b.men[them];
  constexpr bool royal = V::royal[them];  // device code knows such arrays in constants only
  if (royal || (kSkipRare<W> && !any(kings & decrement(kings)))) {
    sets[16] = t.king_all;
    sum_sets<royal ? 16 : 17>(sets, attacks);
  } else {
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) sets[16 + i] = t.king[i];
    sum_sets<24>(sets, attacks);
  }
  // The replies after a pass.
  PlaneSum<W> replies;
  replies.template add<1>(attacks[0] & t.targets);
  replies.template add<2>(attacks[1] & t.targets);
  replies.template add<4>(attacks[2] & t.targets);
  if (!kSkipRare<W> || any(attacks[3] | attacks[4])) {
    replies.template add<8>(attacks[3] & t.targets);
    replies.template add<16>(attacks[4] & t.targets);
  }
  replies.template add<1>((t.push | t.double_step) & t.targets);
  replies.template add<1>(t.pawn_west & t.targets);
  replies.template add<1>(t.pawn_east & t.targets);
  if constexpr (V::royal[them]) replies.template add<1>(t.king_all & t.king_targets);
  add_special_moves<V, them>(replies, t);
  // Attackers of the squares where moves end.
  add_to_planes(attacks, t.strike_west);
  add_to_planes(attacks, t.strike_east);
  plus.add_products(moves, attacks);
  const W attacked = attacks[0] | attacks[1] | attacks[2] | attacks[3] | attacks[4];
  const W free = select(t.captures, zero, ~attacked);  // where a move leaves no capture
  n.template add<0>(moves, select(t.captures, all, free));
  const W mid = leap<us, 0, 1>(t.double_step);  // a man there blocks two moves of a pawn
  const W pushes = (t.push | t.double_step) & free;
  if (!kSkipRare<W> || any(pushes)) {
    minus.template add<0>(moves, pushes);
    minus.template add<0>(moves, mid & free);
  }
  return replies.total();
}

/// On the squares of men that `moves` takes: how many replies each man had. (Not of kings, promotions apart.)
template <Color us, class W>
HECATOMB_HD void replies_of_leapers(const Board<W>& b, const Reach<W>& t, W (&planes)[5]) {
  constexpr Color them = other(us);
  W sets[12], steps[8];
  // Backwards is the opposite step: 4 further in the order of knight_steps.
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    knight_steps<them>(t.knight[i] & t.targets, steps);
    sets[i] = steps[i ^ 4];
  }
  sets[8] = leap<us, 0, 1>(t.push & t.targets);
  sets[9] = leap<us, 0, 1>(leap<us, 0, 1>(t.double_step & t.targets));
  sets[10] = leap<us, 1, 1>(t.pawn_west & t.targets);
  sets[11] = leap<us, -1, 1>(t.pawn_east & t.targets);
  W sum[5];
  sum_sets<12>(sets, sum);
  HECATOMB_UNROLL
  for (int i = 0; i < 5; i++) planes[i] = planes[i] | (sum[i] & b.men[them]);  // sliders' squares have none here
}

/// The replies where no capture is compulsory. `lines`: all squares that the opponent's sliders reach.
template <class V, Color us, class W>
HECATOMB_HD W free_replies(const Board<W>& b, const Reach<W>& t, W lines, W empty, const W (&moves)[5],
                           ProductSum<W>& n, ProductSum<W>& plus, ProductSum<W>& minus) {
  constexpr Color them = other(us);
  const W enemy = b.men[them], zero = splat(Type<W>{}, 0);
  n.template add<0>(moves, ~b.men[us]);
  plus.template add<0>(moves, t.strike_west);
  plus.template add<0>(moves, t.strike_east);
  minus.template add<0>(moves, t.push | t.double_step);
  minus.template add<0>(moves, leap<us, 0, 1>(t.double_step));  // a man there blocks two moves of a pawn
  W less[5] = {zero, zero, zero, zero, zero};                   // replies that a man on the square takes away
  if (!kSkipRare<W> || any(lines)) {
    squares_behind<them>(t.line, b.diagonal & enemy, b.orthogonal & enemy, t.targets, empty, less);
  }
  if (const W taken = (moves[0] | moves[1] | moves[2] | moves[3] | moves[4]) & enemy; !kSkipRare<W> || any(taken)) {
    replies_of_leapers<us>(b, t, less);
    W sets[16], guards[5];
    HECATOMB_UNROLL
    for (int i = 0; i < 16; i++) sets[i] = i < 8 ? t.knight[i] : t.line[i - 8];
    sum_sets<16>(sets, guards);
    HECATOMB_UNROLL
    for (int i = 0; i < 5; i++) guards[i] = guards[i] & enemy;
    plus.add_products(moves, guards);
  }
  minus.add_products(moves, less);
  return count_moves<V, them>(b, t);
}

/// Counts the positions after two plies for most moves of `us`, in each board; the moves that are left over are the
/// sets of `rest` (whose targets are everything). `rest` may be empty, and is where `us` has no legal move.
template <class V, Color us, class W>
HECATOMB_HD W count_two_plies(const Board<W>& b, Reach<W>& rest) {
  constexpr Color them = other(us);
  constexpr bool royal = V::royal[them];
  const W own = b.men[us], enemy = b.men[them], empty = ~(own | enemy), zero = splat(Type<W>{}, 0), all = ~zero;
  const Reach<W> r = reach_of<V, us>(b);

  // The replies after a pass.
  Board<W> passed = b;
  passed.state = b.state & splat(Type<W>{}, ~u64{0xffff});  // no en passant
  Safety<W> s;
  if constexpr (royal) s = safety_of<them>(passed);
  const Reach<W> t = reach_of<V, them>(passed, s);

  // Squares from which, and to which, no move is counted here.
  // Before his pawns; before those that may then go two steps; where only a double step ends.
  const W front = leap<them, 0, 1>(b.pawns & enemy), starters = splat(Type<W>{}, V::double_step_from[them]);
  const W far_front = leap<them, 0, 1>(t.push & leap<them, 0, 1>(starters)) & own;
  W lines = zero;
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) lines = lines | t.line[i];
  W from, from_pawn, to = (t.push | t.strike_west | t.strike_east) & splat(Type<W>{}, rank_mask(us == kWhite ? 0 : 7));
  if constexpr (V::compulsory_capture) {
    from_pawn = from = (t.captures | select(t.captures, zero, front | far_front)) & own;
  } else {
    const W struck = t.strike_west | t.strike_east;
    from_pawn = (lines | ((struck | front) & splat(Type<W>{}, rank_mask(us == kWhite ? 0 : 7)))) & own;
    from = from_pawn | ((struck | front | far_front) & own);
    to = to | (b.pawns & enemy & splat(Type<W>{}, rank_mask(us == kWhite ? 1 : 6)));  // who could promote
    constexpr u64 rights = V::castling & (us == kWhite ? 12 : 3);
    if (rights != 0 && (!kSkipRare<W> || any(b.state & splat(Type<W>{}, rights << 16)))) {
      to = to | splat(Type<W>{}, us == kWhite ? rank_mask(7) : rank_mask(0));  // who could castle
    }
  }
  W to_pawn = splat(Type<W>{}, rank_mask(us == kWhite ? 7 : 0)), to_knight = zero, to_king = zero, to_diagonal = zero,
    to_orthogonal = zero, steps = zero;
  if constexpr (royal) {
    const KingWatch<W> w = king_watch<V, us>(b, s);
    from = from | w.from;
    from_pawn = from_pawn | w.from;
    to = to | w.to;
    to_pawn = to_pawn | w.to_pawn;
    to_knight = w.to_knight;
    to_king = w.to_king;
    steps = w.steps;
    to_diagonal = w.to_diagonal;
    to_orthogonal = w.to_orthogonal;
  }

  // The moves that are counted here, set by set; `rest` has the others.
  const W quiet = (V::compulsory_capture ? select(r.captures, zero, empty) : ~own) & ~to;
  const W targets = r.targets & quiet;
  constexpr int pawn_sets = V::compulsory_capture ? 1 : 3;  // in sets[]: of pawns, then knights, lines, kings
  W sets[27];
  const auto split = [&](W& left, W set, W allowed, W counted) {
    const W fast = set & counted;
    left = (set & allowed) ^ fast;
    return fast;
  };
  ProductSum<W> n{}, plus{}, minus{};
  const W pawns_may = targets & ~to_pawn;
  const W west_neighbour = leap<us, 1, 0>(b.pawns & enemy), east_neighbour = leap<us, -1, 0>(b.pawns & enemy);
  const W no_en_passant = V::compulsory_capture || royal ? ~(west_neighbour | east_neighbour) : all;
  const W push = split(rest.push, r.push, r.targets, pawns_may & ~leap<us, 0, 1>(from_pawn));
  const W double_step = split(rest.double_step, r.double_step, r.targets,
                              pawns_may & no_en_passant & ~leap<us, 0, 1>(leap<us, 0, 1>(from_pawn)));
  sets[0] = push | double_step;  // never the same square
  if constexpr (V::compulsory_capture) {
    rest.pawn_west = r.pawn_west & r.targets;
    rest.pawn_east = r.pawn_east & r.targets;
  } else {
    sets[1] = split(rest.pawn_west, r.pawn_west, r.targets, pawns_may & ~leap<us, -1, 1>(from_pawn));
    sets[2] = split(rest.pawn_east, r.pawn_east, r.targets, pawns_may & ~leap<us, 1, 1>(from_pawn));
    if constexpr (!royal) {
      plus.n.template add<0>(double_step & west_neighbour);
      plus.n.template add<0>(double_step & east_neighbour);
    } else if (const W left = leap<them, 1, 1>(steps), right = leap<them, -1, 1>(steps);
               !kSkipRare<W> || any((left | right) & (sets[0] | sets[1] | sets[2]))) {
      minus.n.template add<0>(sets[0] & left);
      minus.n.template add<0>(sets[0] & right);
      minus.n.template add<0>(sets[1] & left);
      minus.n.template add<0>(sets[1] & right);
      minus.n.template add<0>(sets[2] & left);
      minus.n.template add<0>(sets[2] & right);
    }
    // Where pawns left: enemy pawns that can no longer take there (one that was taken lost that move already), and such
    // that can now push. A pawn that steps forward from where a double step ends blocks it still.
    const W west = leap<them, 1, 1>(sets[1]), east = leap<them, -1, 1>(sets[2]);
    const W struck = (t.strike_west | t.strike_east) & own;
    if (!kSkipRare<W> || any(struck)) {
      const W one = leap<them, 0, 1>(push), two = leap<them, 0, 1>(leap<them, 0, 1>(double_step));
      minus.n.template add<0>(one & t.strike_west);
      minus.n.template add<0>(one & t.strike_east);
      minus.n.template add<0>(two & t.strike_west);
      minus.n.template add<0>(two & t.strike_east);
      minus.n.template add<0>(west & t.strike_west);
      minus.n.template add<0>(east & t.strike_east);
    }
    if (!kSkipRare<W> || any(west | east)) {
      W pawns = b.pawns & enemy;
      if constexpr (royal) pawns = pawns & ~(s.pinned_any ^ s.pinned[0]);
      const W opens = leap<them, 0, 1>(pawns);
      const W opens_two = leap<them, 0, 1>(pawns & starters) & leap<us, 0, 1>(empty);
      plus.n.template add<0>(west & (opens | far_front));
      plus.n.template add<0>(east & (opens | far_front));
      plus.n.template add<0>(west & opens_two);
      plus.n.template add<0>(east & opens_two);
    }
  }
  W from_here[8];
  knight_steps<us>(from, from_here);
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    sets[pawn_sets + i] = split(rest.knight[i], r.knight[i], r.targets, targets & ~to_knight & ~from_here[i]);
  }
  const W fixed_diagonal = b.diagonal & from, fixed_orthogonal = b.orthogonal & from;
  const W fixed[8] = {fixed_diagonal,   fixed_diagonal,   fixed_diagonal,   fixed_diagonal,
                      fixed_orthogonal, fixed_orthogonal, fixed_orthogonal, fixed_orthogonal};
  W from_lines[8] = {zero, zero, zero, zero, zero, zero, zero, zero};
  if (!kSkipRare<W> || any(fixed_diagonal | fixed_orthogonal)) slide_all<us>(fixed, empty, from_lines);
  HECATOMB_UNROLL
  for (int i = 0; i < 8; i++) {
    sets[pawn_sets + 8 + i] =
        split(rest.line[i], r.line[i], r.targets, targets & ~(i < 4 ? to_diagonal : to_orthogonal) & ~from_lines[i]);
  }
  const W king_targets = r.king_targets & quiet & ~to_king, kings = b.kings & own;
  W moves[5];  // how many of the moves counted here end on each square
  constexpr bool own_royal = V::royal[us];
  if (own_royal || (kSkipRare<W> && !any(kings & decrement(kings)))) {
    const W counted = select(kings & from, zero, king_targets);
    sets[pawn_sets + 16] = r.king_all & counted;
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) rest.king[i] = r.king[i] & r.king_targets & ~counted;
    sum_sets<pawn_sets + 17>(sets, moves);
  } else {
    W from_near[8];
    king_steps<us>(from, from_near);
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i++) {
      sets[pawn_sets + 16 + i] = split(rest.king[i], r.king[i], r.king_targets, king_targets & ~from_near[i]);
    }
    sum_sets<pawn_sets + 24>(sets, moves);
  }
  rest.targets = rest.king_targets = all;
  rest.ep_west = r.ep_west;
  rest.ep_east = r.ep_east;
  rest.castle_king = r.castle_king;
  rest.castle_queen = r.castle_queen;

  W replies;
  if constexpr (V::compulsory_capture) {
    replies = compulsory_replies<V, us>(b, t, empty, moves, n, plus, minus);
  } else {
    replies = free_replies<V, us>(passed, t, lines, empty, moves, n, plus, minus);
  }
  return multiply(replies, n.n.total()) + plus.n.total() - minus.n.total();
}

}  // namespace hecatomb::inline HECATOMB_TARGET
