// Random games in lock step: as many at once as a register has lanes (and a few such groups in turn), every game at its
// own ply; a game that ends makes room for the next.
//
// The one idea: what is dear, all moves of a position as sets, is done for all lanes at once, and so are their number,
// the draw and the search for the set that holds the move; what is left for each lane alone is one bit of that set, its
// origin, and one mask over the position. Rare things (promotions, en passant, castling, the end of a game) leave the
// lane's path and go through the general functions of common/.
//
// Colours alternate: all lanes that play have the same side to move. A lane whose next game begins with the other side
// waits a ply with an empty board, which has no moves.
//
// Invariants: a game is that of common/playout.h with the same GameId; sums are those of the games that are finished
// when play() returns true.
#pragma once
#include "common/playout.h"
#include "host/cpu/kept.h"
#include "host/cpu/move_table.h"
#include "host/cpu/playout_level.h"

namespace hecatomb::inline HECATOMB_TARGET {

inline constexpr int kGroups = kBatch == 1 ? 4 : 2;
inline constexpr int kGames = kGroups * kBatch;

/// The rules of a unit.
HECATOMB_HD PlayoutRules rules_of(const PlayoutUnit& unit) {
  return {{unit.restricted_ep, unit.stalemated_wins}, {unit.clock_plies, unit.repetitions, unit.dead}, unit.max_plies};
}

/// The games of one unit. V: the variant's moves (suicide serves antichess, too).
template <class V>
class Playouts {
 public:
  explicit Playouts(const PlayoutUnit& unit)
      : unit_(unit),
        opening_(*static_cast<const Position*>(unit.opening)),
        rules_(rules_of(unit)),
        clock_(unit.clock_plies != 0 ? static_cast<u32>(unit.clock_plies) : kMostPlayoutPlies),
        repetitions_(static_cast<u32>(unit.repetitions)),
        watch_dead_(unit.dead && unit.variant != static_cast<u8>(VariantId::suicide) &&
                    unit.variant != static_cast<u8>(VariantId::losers)) {
    constexpr u16 most = 9999;  // so that no counter reaches its end in kMostPlayoutPlies
    if (opening_.halfmove > most) opening_.halfmove = most;
    if (opening_.fullmove > most) opening_.fullmove = most;
    if (unit.repetitions != 0) {
      const std::size_t capacity = most_reversible_positions(rules_), bytes = Kept::bytes(capacity);
      for (int i = 0; i < kGames; i++)
        kept_[i].use(static_cast<char*>(unit.memory) + static_cast<std::size_t>(i) * bytes, capacity);
    }
  }

  /// Plays all games and adds their sums; false if it was stopped.
  bool play() {
    for (int i = 0; i < kGames; i++) begin(i);
    for (u32 turn = 0; playing_ != 0; turn++) {
      if (turn % 256 == 0 && unit_.stop != nullptr && __atomic_load_n(unit_.stop, __ATOMIC_RELAXED)) return false;
      if (opening_.side == kWhite) {
        advance<kWhite>();
        advance<kBlack>();
      } else {
        advance<kBlack>();
        advance<kWhite>();
      }
    }
    PlayoutSums& sums = *unit_.sums;
    sums.legal_moves += sum_of_lanes(legal_moves_) - unplayed_.legal_moves;
    sums.forced += sum_of_lanes(forced_) - unplayed_.forced;
    sums.forced_captures += sum_of_lanes(forced_captures_) - unplayed_.forced_captures;
    return true;
  }

 private:
  struct Game {
    u32 ply = 0;
    u32 deadline = 0;  ///< the ply at which the clock or the limit on plies ends the game
    u32 number = 0;
    u32 first_move = 0;
    PhiloxBlock block{};
    bool playing = false;
    bool alarm = false;     ///< the position may be dead, or it is repeated
    bool repeated = false;  ///< it has occurred often enough
  };

  /// Begins the next game in a lane, or leaves it empty.
  void begin(int i) {
    Game& game = games_[i];
    game = Game{};
    current_[i] = Position{};
    if (begun_ == unit_.games) return;
    game.number = unit_.first_game + begun_++;
    game.playing = true;
    playing_++;
    current_[i] = opening_;
    game.deadline = deadline_at(opening_.halfmove < clock_ ? clock_ - opening_.halfmove : 0);
    game.alarm = watch_dead_;
    if (repetitions_ != 0) {
      kept_[i].clear();
      kept_[i].add(opening_, 0, repetitions_);
    }
    draw_block(i);
  }

  /// The earlier of a ply at which the clock runs out and the limit.
  HECATOMB_HD u32 deadline_at(u32 ply) const { return ply < unit_.max_plies ? ply : unit_.max_plies; }

  HECATOMB_HD GameId id_of(const Game& game) const { return {unit_.seed, unit_.opening_number, game.number}; }

  HECATOMB_HD void draw_block(int i) {
    Game& game = games_[i];
    if (game.ply % 4 == 0) game.block = random_block(id_of(game), game.ply / 4, 0);
    random_[i] = game.block.word[game.ply % 4];
  }

  template <Color us>
  void advance() {
    for (int g = 0; g < kGroups; g++) tabulate<us>(g);
    for (int g = 0; g < kGroups; g++) {
      for (int lane = 0; lane < kBatch; lane++) move<us>(g * kBatch + lane, tables_[g], lane);
    }
  }

  /// All moves of a group's lanes, and the draw.
  template <Color us>
  HECATOMB_HD void tabulate(int g) {
    MoveTable& table = tables_[g];
    const Batch zero = splat(Type<Batch>{}, 0), one = splat(Type<Batch>{}, 1);
    const Board<Batch> board = load_boards(current_ + g * kBatch);
    const Batch kings = board.kings & board.men[us];
    const bool one_king = !any(kings & decrement(kings));
    Reach<Batch>& reach = table.reach;
    reach = reach_of<V, us>(board);
    // There are more sets than registers. From here on each is read from memory once, instead of being kept, spilled
    // and read again.
    __asm__ volatile("" : : "r"(&reach) : "memory");
    Tabulate<V, us> sink{table, one_king};
    for_each_set<us>(reach, sink);
    const Batch moves = sink.sum;
    store_word(table.moves, moves);
    legal_moves_ = legal_moves_ + moves;
    forced_ = forced_ + (less(zero, moves) & less(moves, one + one) & one);
    if constexpr (V::compulsory_capture) {
      forced_captures_ = forced_captures_ + select(reach.captures, one, zero);
    }
    const Batch product = multiply(load_word(Type<Batch>{}, random_ + g * kBatch), moves);
    const Batch number = product >> 32;
    store_word(table.number, number);
    const Batch beyond = number + one;
    Batch reached[2] = {zero, zero};  // minus how many sets after the first begin at or before the move
    HECATOMB_UNROLL
    for (int i = 1; i < kSetsOf<V, us>; i++) {
      reached[i % 2] = reached[i % 2] + less(load_word(Type<Batch>{}, table.before[i]), beyond);
    }
    store_word(table.index, zero - reached[0] - reached[1]);
    const Batch low = product & splat(Type<Batch>{}, 0xffffffff);
    if (any(less(low, moves))) redraw(g, kSetsOf<V, us>);
  }

  /// The draw for lanes whose first number may have to be rejected.
  __attribute__((noinline)) void redraw(int g, int sets) {
    MoveTable& table = tables_[g];
    for (int lane = 0; lane < kBatch; lane++) {
      const Game& game = games_[g * kBatch + lane];
      if (!game.playing || table.moves[lane] == 0) continue;
      table.number[lane] = draw_move(id_of(game), game.ply, static_cast<u32>(table.moves[lane]));
      int index = sets - 1;
      while (table.before[index][lane] > table.number[lane]) index--;
      table.index[lane] = static_cast<u64>(index);
    }
  }

  /// One move in one lane. No branch depends on which move it is, but for the rare ones.
  template <Color us>
  HECATOMB_HD void move(int i, const MoveTable& table, int lane) {
    constexpr Color them = other(us);
    Game& game = games_[i];
    const u64 moves = table.moves[lane];
    if (moves == 0 || game.ply >= game.deadline || game.alarm) {
      if (!settle<us>(i)) return;
    }
    if (unit_.sums->moves_by_ply != nullptr) unit_.sums->moves_by_ply[game.ply] += moves;
    if (game.ply == 0) game.first_move = static_cast<u32>(table.number[lane]);
    const u64 index = table.index[lane], set = table.set[index][lane];
    const u64 k = table.number[lane] - table.before[index][lane];
    const Position& p = current_[i];
    u64 forget = all_if(index < 4);  // all ones if the move cannot be taken back
    const u64 special = rank_mask(us == kWhite ? 7 : 0) | en_passant_targets<us>(p);
    if ((set & special & all_if(index < 3)) != 0) {
      make_special<us>(i, static_cast<int>(index), k);
    } else {
      const Square to = select_square(set, k), from = origin_in_set<us>(index, to, p.occupied());
      forget |= u64{0} - (p.men[them] >> to & 1);
      if (is_plain_in_set<V, us>(p, index, from, to)) {
        make_counted<us>(i, from, to, forget);
      } else {
        make_special<us>(i, static_cast<int>(index), k);
      }
    }
    game.ply++;
    game.deadline = merge(forget, deadline_at(game.ply + clock_), game.deadline);
    draw_block(i);
    if (watch_dead_) game.alarm = may_be_dead<them>(current_[i]);
    if (repetitions_ != 0 && kept_[i].add(current_[i], forget, repetitions_)) game.alarm = game.repeated = true;
  }

  template <Color us>
  HECATOMB_HD void make_counted(int i, Square from, Square to, u64 forget) {
    constexpr u64 counted = (u64{1} << 32) + (us == kBlack ? u64{1} << 48 : 0);  // half-move clock, move number
    u64 state = ((words_of(current_[i])[7] & 0xffff'ffff'000f'0000) | u64{other(us)} << 24) + counted;
    state &= ~(forget & u64{0xffff} << 32);
    make_plain(current_[i], from, to, state, current_ + i);
  }

  /// Any move, by the general functions. `k`: its number in its set.
  template <Color us>
  __attribute__((noinline)) void make_special(int i, int index, u64 k) {
    const Position p = current_[i];
    const u64 set = tables_[i / kBatch].set[index][i % kBatch];
    NthMove<V> choice{p.occupied(), en_passant_targets<us>(p), static_cast<int>(k)};
    OneSet<us> one{choice, set, index};
    for_each_set<us>(Reach<u64>{}, one);
    unit_.sums->promotions += choice.found.promotion != Kind::none;
    current_[i] = make<V, us>(p, choice.found, rules_.options);
  }

  /// A sink for for_each_set that looks at one set by its index.
  template <Color us>
  struct OneSet {
    NthMove<V>& choice;
    u64 set;
    int index, at = 0;
    template <SetKind kind, int step>
    HECATOMB_HD bool take(u64) {
      return at++ == index && choice.template take<kind, step>(set);
    }
  };

  /// A quick look: false only where dead_reason is none. (V is suicide, too, where it is antichess that is played.)
  template <Color us>
  HECATOMB_HD static bool may_be_dead(const Position& p) {
    if constexpr (V::closed_position) {
      // A black move takes one man and stops one pawn (en passant), or stops two pawns (castling), never more: of three
      // white men that can move one still can. A piece that can step somewhere can until it is taken.
      if (us == kWhite) return false;
      const u64 mobile = mobile_horde(p), but_one = mobile & (mobile - 1);
      return (but_one & (but_one - 1)) == 0;
    } else if constexpr (V::royal[kWhite]) {
      return chess_insufficient_material(p);
    } else {
      return antichess_insufficient_material(p);
    }
  }

  /// White men that can go somewhere, pawns by a step.
  HECATOMB_HD static u64 mobile_horde(const Position& p) {
    const u64 white = p.men[kWhite], others = ~white;
    const u64 beside = ((others & ~kFileA) >> 1) | ((others & ~kFileH) << 1);
    return (p.pawns & white & ~(p.occupied() >> 8)) | (p.knights & white & knight_attacks(others)) |
           (p.diagonal & white & (beside << 8 | beside >> 8)) |
           (p.orthogonal & white & (beside | others << 8 | others >> 8));
  }

  /// Whether Black surely has a move after which White has one: one that ends neither on a mobile white man nor, if it
  /// is a pawn, before or (en passant) behind it. The table has Black's moves.
  bool is_surely_open(int i) const {
    const Position& p = current_[i];
    u64 targets = 0;
    for (int s = 0; s < kFirstCastle; s++) targets |= tables_[i / kBatch].set[s][i % kBatch];
    for (u64 men = mobile_horde(p); men != 0; men &= men - 1) {
      const u64 man = men & (u64{0} - men), pawn = man & p.pawns;
      if ((targets & ~(man | pawn << 8 | pawn >> 8)) != 0) return true;
    }
    return false;
  }

  /// A lane without a move to play at once: its game is over, or its alarm was false (then true), or it waits.
  template <Color us>
  __attribute__((noinline)) bool settle(int i) {
    Game& game = games_[i];
    const MoveTable& table = tables_[i / kBatch];
    const u64 moves = table.moves[i % kBatch];
    if (V::closed_position && us == kBlack && moves != 0 && game.ply < game.deadline && !game.repeated &&
        is_surely_open(i)) {
      game.alarm = false;
      return true;
    }
    if (game.playing) {
      const Outcome reached = outcome_of(current_[i], static_cast<int>(moves), game);
      if (reached.reason == Reason::none) {
        game.alarm = false;
        return true;
      }
      count(game, reached);
      if (moves != 0) {
        unplayed_.legal_moves += moves;
        unplayed_.forced += moves == 1;
        unplayed_.forced_captures += V::compulsory_capture && lane(table.reach.captures, i % kBatch) != 0;
      }
      playing_--;
      game.playing = false;
      current_[i] = Position{};
    }
    if (opening_.side != us) begin(i);
    return false;
  }

  Outcome outcome_of(const Position& p, int moves, const Game& game) const {
    const int occurrences = game.repeated ? unit_.repetitions : 1;
    Outcome reached;
    if (V::id == VariantId::suicide && unit_.variant == static_cast<u8>(VariantId::antichess)) {
      reached = outcome<Antichess>(p, moves, occurrences, rules_.options, rules_.draws);
    } else {
      reached = outcome<V>(p, moves, occurrences, rules_.options, rules_.draws);
    }
    if (reached.result == Result::ongoing && game.ply == unit_.max_plies) reached.reason = Reason::unfinished;
    return reached;
  }

  void count(const Game& game, const Outcome& reached) {
    PlayoutSums& sums = *unit_.sums;
    const auto result = static_cast<int>(reached.result);
    sums.results[result]++;
    sums.ends[static_cast<int>(reached.reason)]++;
    sums.lengths[game.ply]++;
    if (game.ply != 0) sums.first_moves[game.first_move][result]++;
  }

  const PlayoutUnit& unit_;
  Position opening_;
  const PlayoutRules rules_;
  const u32 clock_;        ///< plies; more than any game has where there is none
  const u32 repetitions_;  ///< 0: none
  const bool watch_dead_;  ///< there are dead positions, and they end games
  u32 begun_ = 0, playing_ = 0;
  Batch legal_moves_{}, forced_{}, forced_captures_{};  // of all plies tabulated,
  struct {
    u64 legal_moves = 0, forced = 0, forced_captures = 0;
  } unplayed_;                           // and of those at which no move was played
  alignas(64) u64 random_[kGames] = {};  ///< the random number of each lane's ply
  Position current_[kGames] = {};
  Game games_[kGames];
  Kept kept_[kGames];
  MoveTable tables_[kGroups];
};

}  // namespace hecatomb::inline HECATOMB_TARGET
