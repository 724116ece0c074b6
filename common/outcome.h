// When a game is over, and why: rules.md, "When a game is over", in its order. Wins by the rules (`decided`) always go
// before draws (`outcome`). Wins end the tree everywhere; draws end games that are played, never perft.
#pragma once
#include "common/count.h"
#include "common/pick_move.h"

namespace hecatomb::inline HECATOMB_TARGET {

enum class Result : u8 { ongoing, white_wins, black_wins, draw };

enum class Reason : u8 {
  none,
  no_pieces,
  no_moves,
  stalemate_count,
  bare_king,
  mate,
  stalemate,
  horde_destroyed,
  insufficient_material,
  closed_position,
  fivefold,
  seventyfive_moves,
  threefold,  // these last three end games only where a player claims, or a limit stops him
  fifty_moves,
  unfinished,
};
inline constexpr int kReasons = 15;

struct Outcome {
  Result result = Result::ongoing;
  Reason reason = Reason::none;
  friend constexpr bool operator==(const Outcome&, const Outcome&) = default;
};

HECATOMB_HD Outcome won_by(Color c, Reason reason) {
  return {c == kWhite ? Result::white_wins : Result::black_wins, reason};
}
HECATOMB_HD Outcome drawn(Reason reason) { return {Result::draw, reason}; }

/// Which draws end a game that is played. The default is what happens without a claim.
struct DrawRules {
  int clock_plies = 150;  ///< half-move clock that ends the game: 100, 150, or 0 for none
  int repetitions = 5;    ///< occurrence that ends the game: 3, 5, or 0 for none
  bool dead = true;       ///< insufficient material, closed position
  friend constexpr bool operator==(const DrawRules&, const DrawRules&) = default;
};

/// The men of a side that is not known when this is compiled: a choice of two words, so that a position can stay in
/// registers (an index cannot point there).
HECATOMB_HD u64 men_of(const Position& p, Color c) { return c == kWhite ? p.men[kWhite] : p.men[kBlack]; }

/// Rule 1: over by men.
template <class V>
HECATOMB_HD Outcome decided_by_men(const Position& p) {
  const Color us = p.us();
  if constexpr (V::no_men == NoMen::wins) {
    if (men_of(p, us) == 0) return won_by(us, Reason::no_pieces);
    if (men_of(p, other(us)) == 0) return won_by(other(us), Reason::no_pieces);
  } else if constexpr (V::no_men == NoMen::bare_king_wins) {
    if ((men_of(p, us) & ~p.kings) == 0) return won_by(us, Reason::bare_king);
    if ((men_of(p, other(us)) & ~p.kings) == 0) return won_by(other(us), Reason::bare_king);
  } else if constexpr (V::no_men == NoMen::white_loses) {
    if (p.men[kWhite] == 0) return won_by(kBlack, Reason::horde_destroyed);
  }
  return {};
}

/// Rule 2: what it means that the side to move has no legal move.
template <class V>
HECATOMB_HD Outcome without_moves(const Position& p, const RuleOptions& options) {
  const Color us = p.us();
  if (in_check<V>(p)) return won_by(V::mated_wins ? us : other(us), Reason::mate);
  if constexpr (V::no_moves == NoMoves::draw) {
    return drawn(Reason::stalemate);
  } else if constexpr (V::no_moves == NoMoves::mover_wins) {
    return won_by(us, V::royal[kWhite] ? Reason::stalemate : Reason::no_moves);
  } else {
    if (V::has_stalemated_wins && options.stalemated_wins) return won_by(us, Reason::no_moves);
    const int ours = popcount(men_of(p, us)), theirs = popcount(men_of(p, other(us)));
    if (ours == theirs) return drawn(Reason::stalemate_count);
    return won_by(ours < theirs ? us : other(us), Reason::stalemate_count);
  }
}

/// Rules 1 and 2: after these there are no moves. `moves` is the number of legal moves.
template <class V>
HECATOMB_HD Outcome decided(const Position& p, int moves, const RuleOptions& options) {
  const Outcome by_men = decided_by_men<V>(p);
  if (by_men.result != Result::ongoing) return by_men;
  return moves == 0 ? without_moves<V>(p, options) : Outcome{};
}
template <class V>
HECATOMB_HD_NOINLINE Outcome decided(const Position& p, const RuleOptions& options) {
  return decided<V>(p, count_moves<V>(p), options);
}

/// Chess: nobody can ever mate. King against king, one minor piece, or bishops of one square colour.
HECATOMB_HD bool chess_insufficient_material(const Position& p) {
  const u64 bishops = p.diagonal & ~p.orthogonal;
  if ((p.pawns | p.orthogonal) != 0) return false;
  if (popcount(p.occupied()) <= 3) return true;
  return p.knights == 0 && ((bishops & kDarkSquares) == 0 || (bishops & ~kDarkSquares) == 0);
}

/// Antichess: bishops that can never meet, and pawns blocked by each other out of their reach.
HECATOMB_HD bool antichess_insufficient_material(const Position& p) {
  const u64 bishops = p.diagonal & ~p.orthogonal, white = p.men[kWhite], black = p.men[kBlack];
  if ((p.knights | p.orthogonal | p.kings) != 0) return false;
  if ((bishops & white) == 0 || (bishops & black) == 0) return false;
  if (((p.pawns & white) << 8) != (p.pawns & black)) return false;
  return ((white & kDarkSquares) == 0 && (black & ~kDarkSquares) == 0) ||
         ((white & ~kDarkSquares) == 0 && (black & kDarkSquares) == 0);
}

/// Squares from which a slider of that kind has an open square beside it.
HECATOMB_HD u64 diagonal_neighbours(u64 open) {
  return leap<kWhite, 1, 1>(open) | leap<kWhite, 1, -1>(open) | leap<kWhite, -1, 1>(open) | leap<kWhite, -1, -1>(open);
}
HECATOMB_HD u64 orthogonal_neighbours(u64 open) {
  return leap<kWhite, 0, 1>(open) | leap<kWhite, 0, -1>(open) | leap<kWhite, 1, 0>(open) | leap<kWhite, -1, 0>(open);
}

/// Horde: whether White surely has a move after every move of Black. One black move takes one man; and of pawns that
/// can step it takes or stops two at most (en passant, castling), but none where it takes a piece, and a piece it
/// cannot stop, for what a piece goes to is empty or black before and after.
HECATOMB_HD bool white_stays_mobile(const Position& p) {
  const u64 white = p.men[kWhite], open = ~white;
  const u64 pawns = p.pawns & white & ~(p.occupied() >> 8), pawns_but_one = pawns & (pawns - 1);
  if ((pawns_but_one & (pawns_but_one - 1)) != 0) return true;  // mostly
  const u64 pieces = white & ((p.knights & knight_attacks(open)) | (p.diagonal & diagonal_neighbours(open)) |
                              (p.orthogonal & orthogonal_neighbours(open)));
  return pieces != 0 && (pawns | (pieces & (pieces - 1))) != 0;
}

/// Horde: false only where the position is surely not closed; nearly always, and at hardly any cost.
HECATOMB_HD bool may_be_closed(const Position& p) { return p.side == kBlack && !white_stays_mobile(p); }

/// Horde: Black, to move with a legal move, can in no way leave White a move; not so if White has one man only and
/// Black can take it. One ply early, what would be a stalemate.
template <class V>
HECATOMB_HD_NOINLINE bool is_closed_position(const Position& p) {
  if (!may_be_closed(p)) return false;
  const Board<u64> board = board_of(p);
  const Reach<u64> r = reach_of<V, kBlack>(board);
  if (popcount(p.men[kWhite]) == 1 && r.captures != 0) return false;
  const auto moves = static_cast<u32>(count_moves<V, kBlack>(board, r));
  // Read anew for every move, so that its sets are made anew: kept from one move to the next while White's are counted
  // they are more than a GPU thread has registers for.
  const volatile u64 white = p.men[kWhite];
  HECATOMB_NO_UNROLL
  for (u32 i = 0; i < moves; i++) {
    Position same = p;
    same.men[kWhite] = white;
    const Move move = pick_move<V, kBlack>(same, reach_of<V, kBlack>(board_of(same)), i);
    if (count_moves<V, kWhite>(board_of(make<V, kBlack>(same, move, RuleOptions{}))) != 0) return false;
  }
  return moves != 0;
}

/// Rule 3: drawn because nothing can happen any more. Asked only where rules 1 and 2 do not hold.
template <class V>
HECATOMB_HD Reason dead_reason(const Position& p) {
  if constexpr (V::closed_position) {
    return may_be_closed(p) && is_closed_position<V>(p) ? Reason::closed_position : Reason::none;
  } else if constexpr (V::insufficient_material) {
    const bool dead = V::royal[kWhite] ? chess_insufficient_material(p) : antichess_insufficient_material(p);
    return dead ? Reason::insufficient_material : Reason::none;
  } else {
    return Reason::none;
  }
}

/// Rules 3 to 5, where 1 and 2 do not hold. `dead` is dead_reason, or none where the rules do not ask for it.
HECATOMB_HD Outcome drawn_by_rule(const Position& p, Reason dead, int occurrences, const DrawRules& draws) {
  if (dead != Reason::none) return drawn(dead);
  if (draws.repetitions != 0 && occurrences >= draws.repetitions) {
    return drawn(draws.repetitions == 5 ? Reason::fivefold : Reason::threefold);
  }
  if (draws.clock_plies != 0 && p.halfmove >= draws.clock_plies) {
    return drawn(draws.clock_plies == 150 ? Reason::seventyfive_moves : Reason::fifty_moves);
  }
  return {};
}

/// All five rules. `occurrences` of the position in its game, itself included.
template <class V>
HECATOMB_HD Outcome outcome(const Position& p, int moves, int occurrences, const RuleOptions& options,
                            const DrawRules& draws) {
  const Outcome won = decided<V>(p, moves, options);
  if (won.result != Result::ongoing) return won;
  return drawn_by_rule(p, draws.dead ? dead_reason<V>(p) : Reason::none, occurrences, draws);
}

/// What a player may claim in a game that is not over.
struct Claims {
  bool threefold = false;
  bool fifty_moves = false;
};
HECATOMB_HD Claims claims(const Position& p, int occurrences) {
  return {occurrences == 3 || occurrences == 4, p.halfmove >= 100};
}

/// How often the last of `size` positions of a game has occurred among them, itself included; 0 of none.
HECATOMB_HD int occurrences_of_last(const Position* positions, int size) {
  int n = size > 0 ? 1 : 0;
  for (int i = size - 3; i >= 0; i -= 2) n += same_position(positions[i], positions[size - 1]);
  return n;
}

/// The positions of a game since the last capture or pawn move, in memory of the caller's: as many as plies can pass
/// without one (the clock's limit plus one), or the whole game.
class GameHistory {
 public:
  HECATOMB_HD GameHistory(Position* memory, int capacity) : entries_(memory), capacity_(capacity) {}
  /// Adds the position reached; false if there is no room (then the history is unchanged).
  HECATOMB_HD bool push(const Position& p) {
    if (p.halfmove == 0) size_ = 0;
    if (size_ == capacity_) return false;
    entries_[size_++] = p;
    return true;
  }
  /// How often the last position pushed has occurred, itself included.
  HECATOMB_HD int occurrences() const { return occurrences_of_last(entries_, size_); }

 private:
  Position* entries_;
  int capacity_;
  int size_ = 0;
};

}  // namespace hecatomb::inline HECATOMB_TARGET
