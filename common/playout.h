// Random games (playouts): every legal move is as likely as any other, until the game is over. rules.md fixes how moves
// are numbered and drawn, so a game is a function of (seed, opening, game) and the same on every backend.
//
// The one idea: the sets of reach.h are made once a ply; they give the number of moves, and the move that is drawn is
// found among them without a list. This header plays one game over u64, for a CUDA thread, for samples and as a check;
// host/cpu/lockstep.h plays several games at once out of the same parts.
//
// Order at each position: wins by the rules, dead positions, repetition, clock, the limit on plies; then a move.
#pragma once
#include "common/outcome.h"
#include "common/pick_move.h"
#include "common/random.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// No game of ours is longer: with at most 9999 in a FEN, no counter of a position reaches its end.
inline constexpr u32 kMostPlayoutPlies = 50000;

/// What ends a game.
struct PlayoutRules {
  RuleOptions options = {};
  DrawRules draws = {};
  u32 max_plies = 10000;  ///< a game that is not over then is unfinished; at most kMostPlayoutPlies
};

/// The most positions that can come between two captures or pawn moves, both ends included.
HECATOMB_HD u32 most_reversible_positions(const PlayoutRules& rules) {
  const u32 clock = static_cast<u32>(rules.draws.clock_plies);
  return (clock != 0 && clock < rules.max_plies ? clock : rules.max_plies) + 2;
}

/// What the statistics ask of one game.
struct PlayoutRecord {
  Outcome outcome = {};     ///< unfinished games: ongoing, Reason::unfinished
  u32 plies = 0;            ///< played
  u32 first_move = 0;       ///< the number of the first move; nothing if plies is 0
  u64 legal_moves = 0;      ///< summed over the plies played
  u32 forced = 0;           ///< plies with one legal move
  u32 forced_captures = 0;  ///< plies in which a capture had to be played
  u32 promotions = 0;
};

/// A game under way.
struct PlayoutState {
  Position position{};
  GameId id{};
  PlayoutRecord record;
};

/// Ends the game (false), or plays one move (true) and says which. `us` is to move; `occurrences` of the position in
/// the game, itself included (1 where no rule asks for repetition).
template <class V, Color us>
HECATOMB_HD bool play_ply(PlayoutState& game, const PlayoutRules& rules, int occurrences, Move& move) {
  const Position& p = game.position;
  PlayoutRecord& record = game.record;
  // Before the sets of moves are there: horde looks two plies ahead for this, for which a thread has no registers then.
  const Reason dead = rules.draws.dead ? dead_reason<V>(p) : Reason::none;
  const Board<u64> board = board_of(p);
  const Reach<u64> reach = reach_of<V, us>(board);
  const u32 moves = static_cast<u32>(count_moves<V, us>(board, reach));
  record.outcome = decided<V>(p, static_cast<int>(moves), rules.options);
  if (record.outcome.result == Result::ongoing) record.outcome = drawn_by_rule(p, dead, occurrences, rules.draws);
  if (record.outcome.result != Result::ongoing) return false;
  if (record.plies == rules.max_plies) {
    record.outcome.reason = Reason::unfinished;
    return false;
  }
  const u32 number = draw_move(game.id, record.plies, moves);
  move = pick_move<V, us>(p, reach, number);
  if (record.plies == 0) record.first_move = number;
  record.plies++;
  record.legal_moves += moves;
  record.forced += moves == 1;
  record.forced_captures += V::compulsory_capture && reach.captures != 0;
  record.promotions += move.promotion != Kind::none;
  game.position = make<V, us>(p, move, rules.options);
  return true;
}

/// Plays a game to its end. Calls on_move(Move) for each move. `history` remembers positions as GameHistory does; its
/// memory must have room for all positions that can come between two captures or pawn moves.
template <class V, class History, class OnMove>
HECATOMB_HD PlayoutRecord play_game(const Position& opening, const GameId& id, const PlayoutRules& rules,
                                    History& history, OnMove&& on_move) {
  PlayoutState game{opening, id, {}};
  for (;;) {
    int occurrences = 1;
    if (rules.draws.repetitions != 0) {
      history.push(game.position);
      occurrences = history.occurrences();
    }
    Move move;
    const bool goes_on = game.position.side == kWhite ? play_ply<V, kWhite>(game, rules, occurrences, move)
                                                      : play_ply<V, kBlack>(game, rules, occurrences, move);
    if (!goes_on) return game.record;
    on_move(move);
  }
}

}  // namespace hecatomb::inline HECATOMB_TARGET
