// Random games in lock step: as many at once as a register has lanes (and a few such groups in turn), every game at its
// own ply; a game that ends makes room for the next.
//
// The one idea: everything that is done in every ply is done for all lanes at once, and without a branch: the moves as
// sets, their number, the draw, the set that holds the move, its square, the man that goes there, and the position
// after it. The positions of a group stand word by word, never one by one. Rare things (promotions, en passant,
// castling, the end of a game) are done for their lane alone by the general functions of common/.
//
// Colours alternate: all lanes that play have the same side to move. Games begin every fourth ply, so that one block of
// random numbers serves all lanes for four plies; until then a lane waits with an empty board, which has no moves.
// A ply has two halves, choose() and play(): one group's reads what it wrote while the other group's work is between.
//
// Invariants: a game is that of common/playout.h with the same GameId; sums are those of the games that are finished
// when play() returns true.
#pragma once
#include "common/playout.h"
#include "host/cpu/dead_alarm.h"
#include "host/cpu/lockstep_group.h"
#include "host/cpu/playout_level.h"

namespace hecatomb::inline HECATOMB_TARGET {

inline constexpr int kGroups = kBatch == 1 ? 4 : 2;

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
    for (Group& g : groups_) {
      for (int i = 0; i < kBatch; i++) g.deadline[i] = kNever;
    }
    if (repetitions_ != 0) {
      char* memory = static_cast<char*>(unit.memory);
      replayed_ = reinterpret_cast<Position*>(memory);
      memory += most_reversible_positions(rules_) * sizeof(Position);
      for (Group& g : groups_) {
        g.keys.use(memory, most_reversible_positions(rules_));
        memory += KeyRing::bytes(most_reversible_positions(rules_));
      }
    }
  }
  static std::size_t memory_bytes(const PlayoutRules& rules) {
    const std::size_t positions = most_reversible_positions(rules);
    return positions * sizeof(Position) + kGroups * KeyRing::bytes(positions);
  }

  /// Plays all games and adds their sums; false if it was stopped.
  bool play() {
    for (;;) {
      if (time_ % 512 == 0 && unit_.stop != nullptr && __atomic_load_n(unit_.stop, __ATOMIC_RELAXED)) return false;
      for (Group& g : groups_) begin(g);
      if (playing_ == 0) break;
      if (opening_.side == kWhite) {
        four_plies<kWhite>();
      } else {
        four_plies<kBlack>();
      }
    }
    PlayoutSums& sums = *unit_.sums;
    sums.legal_moves += sum_of_lanes(legal_moves_);
    sums.forced += sum_of_lanes(forced_);
    sums.forced_captures += sum_of_lanes(forced_captures_);
    return true;
  }

 private:
  static constexpr u64 kNever = u64{1} << 40;
  using Group = LockstepGroup;

  GameId id_of(const Group& g, int lane) const {
    return {unit_.seed, unit_.opening_number, static_cast<u32>(g.number[lane])};
  }

  /// The earlier of a ply at which the clock runs out and the limit.
  u32 deadline_at(u32 ply) const { return ply < unit_.max_plies ? ply : unit_.max_plies; }
  /// The deadline of a game that is at `ply`.
  u32 deadline_of(const Position& p, u32 ply) const {
    return deadline_at(p.halfmove < clock_ ? ply + clock_ - p.halfmove : 0);
  }

  /// Begins games in lanes that wait, as long as there are some, and draws the random numbers of four plies.
  void begin(Group& g) {
    if (g.waiting != 0 && begun_ != unit_.games) {
      const u32 waiting = g.waiting;
      for (int lane = 0; lane < kBatch; lane++) {
        if ((g.waiting >> lane & 1) == 0 || begun_ == unit_.games) continue;
        g.number[lane] = unit_.first_game + begun_++;
        g.waiting ^= 1u << lane;
        g.playing[lane] = 1;
        playing_++;
        g.ply[lane] = g.reversible[lane] = 0;
        g.salt[lane] = g.number[lane] * 0x9e3779b97f4a7c15;
        g.set_position(lane, opening_);
        g.deadline[lane] = watch_dead_ ? 0 : deadline_of(opening_, 0);
      }
      if (repetitions_ != 0) {
        g.keys.begin(time_, key_of(g.board()) ^ load_word(g.salt), mask_of(waiting & ~g.waiting));
      }
    }
    draw_numbers(g);
  }

  /// Philox (common/random.h) for all lanes: a word a lane, of which the lower half counts.
  HECATOMB_HD void draw_numbers(Group& g) {
    Batch c0 = load_word(g.ply) >> 2, c1 = load_word(g.number), c2 = splat(unit_.opening_number), c3 = splat(0);
    u32 key0 = static_cast<u32>(unit_.seed), key1 = static_cast<u32>(unit_.seed >> 32);
    HECATOMB_UNROLL
    for (int round = 0; round < 10; round++) {
      const Batch a = multiply_low_halves(c0, splat(0xd2511f53)), b = multiply_low_halves(c2, splat(0xcd9e8d57));
      c0 = exclusive_or(b >> 32, c1, splat(key0));
      c1 = b;
      c2 = exclusive_or(a >> 32, c3, splat(key1));
      c3 = a;
      key0 += 0x9e3779b9u;
      key1 += 0xbb67ae85u;
    }
    store_word(g.random[0], c0);
    store_word(g.random[1], c1);
    store_word(g.random[2], c2);
    store_word(g.random[3], c3);
  }

  template <Color us>
  void four_plies() {
    HECATOMB_NO_UNROLL
    for (int phase = 0; phase < 4; phase += 2) {
      advance<us>(phase);
      advance<other(us)>(phase + 1);
    }
  }
  template <Color us>
  void advance(int phase) {
    HECATOMB_NO_UNROLL
    for (Group& g : groups_) choose<us>(g, phase);
    time_++;
    HECATOMB_NO_UNROLL
    for (Group& g : groups_) play<us>(g);
  }

  /// All moves of a group's lanes, and the draw.
  template <Color us>
  HECATOMB_HD void choose(Group& g, int phase) {
    const Batch zero = splat(0), one = splat(1);
    Batch moves = g.table.template fill<V, us>(g.board());
    const Mask stopped = below(moves, load_word(g.playing)) | at_most(load_word(g.deadline), load_word(g.ply));
    if (any(stopped)) {
      store_word(g.moves, moves);
      settle<us>(g, bits_of(stopped));
      moves = load_word(g.moves);
    }
    const Batch product = multiply_low_halves(load_word(g.random[phase]), moves);
    Batch number = product >> 32;
    if (any(below(product & splat(0xffffffff), moves))) {
      store_word(g.moves, moves);
      redraw(g);
      number = load_word(g.k);
    }
    const Mask moving = common(moves, moves);
    legal_moves_ = legal_moves_ + moves;
    forced_ = add_where(equal(moves, one), forced_, one);
    const Reach<Batch>& reach = g.table.reach;
    if constexpr (V::compulsory_capture) {
      forced_captures_ = add_where(moving & common(reach.captures, reach.captures), forced_captures_, one);
    }
    if (phase == 0) store_word(g.first_move, pick(equal(load_word(g.ply), zero), number, load_word(g.first_move)));
    if (unit_.sums->moves_by_ply != nullptr) {
      store_word(g.moves, moves);
      for (int lane = 0; lane < kBatch; lane++) {
        if (g.moves[lane] != 0) unit_.sums->moves_by_ply[g.ply[lane]] += g.moves[lane];
      }
    }
    const MoveTable::Choice choice = g.table.template choose<V, us>(number);
    const Batch last = splat(rank_mask(us == kWhite ? 7 : 0));
    Mask special = moving & choice.pawns & common(choice.set, last | reach.ep_west | reach.ep_east);
    if constexpr (kMayCastle<V, us>) special = special | (moving & at_most(splat(kFirstCastle), choice.index));
    g.moving = bits_of(moving);
    g.special = bits_of(special);
    store_word(g.index, choice.index);
    store_word(g.set, only(moving & ~special, choice.set));
    store_word(g.k, only(moving, choice.k));
    for (int lane = 0; lane < kBatch; lane++) g.to[lane] = select_bit(g.set[lane], g.k[lane]);
  }

  /// The draw for lanes whose first number may have to be rejected, into g.k.
  __attribute__((noinline)) void redraw(Group& g) {
    for (int lane = 0; lane < kBatch; lane++) {
      const auto moves = static_cast<u32>(g.moves[lane]);
      g.k[lane] = moves == 0 ? 0 : draw_move(id_of(g, lane), static_cast<u32>(g.ply[lane]), moves);
    }
  }

  /// The moves chosen, in all lanes.
  template <Color us>
  HECATOMB_HD void play(Group& g) {
    constexpr Color them = other(us);
    Board<Batch> b = g.board();
    const Batch one = splat(1), index = load_word(g.index);
    Batch to = load_word(g.to), from = origins_of(to, kStepsBack<us>.of(index), b.men[us] | b.men[them]);
    const Batch beside = (((to & splat(~kFileA)) >> 1) | ((to & splat(~kFileH)) << 1)) & b.pawns & b.men[them];
    Mask special = common(beside, beside) & equal(index, splat(3));
    if constexpr (V::castling != 0) {
      special = special | (common(b.state, splat(0xf0000)) & common(from | to, splat(kCastlingHomes)));
    }
    const u32 specials = g.special | bits_of(special);
    if (any(special)) {
      store_word(g.to, to);
      store_word(g.from, from);
      to = only(~special, to);
      from = only(~special, from);
    }
    const Mask irreversible = common(b.men[them], to) | common(b.pawns, from);
    const Batch both = from | to;
    const auto moved = [&](Batch plane) { return or_where(common(plane, from), plane & ~both, to); };
    b.men[us] = b.men[us] ^ both;
    b.men[them] = b.men[them] & ~to;
    b.pawns = moved(b.pawns);
    b.knights = moved(b.knights);
    b.diagonal = moved(b.diagonal);
    b.orthogonal = moved(b.orthogonal);
    b.kings = moved(b.kings);
    constexpr u64 counted = (u64{1} << 32) + (us == kBlack ? u64{1} << 48 : 0);  // half-move clock, move number
    Batch state = (b.state & splat(0xffff'ffff'000f'0000)) + splat((u64{them} << 24) + counted);
    state = pick(irreversible, state & splat(0xffff'0000'ffff'ffff), state);
    b.state = pick(common(to, to), state, b.state);
    const Batch ply = add_where(mask_of(g.moving), load_word(g.ply), one);
    const Batch most = splat(unit_.max_plies), clock_out = ply + splat(clock_);
    Batch deadline = pick(irreversible, pick(below(clock_out, most), clock_out, most), load_word(g.deadline));
    Batch reversible = pick(irreversible, splat(0), load_word(g.reversible) + one);
    store_word(g.words[0], b.men[0]);
    store_word(g.words[1], b.men[1]);
    store_word(g.words[2], b.pawns);
    store_word(g.words[3], b.knights);
    store_word(g.words[4], b.diagonal);
    store_word(g.words[5], b.orthogonal);
    store_word(g.words[6], b.kings);
    store_word(g.words[7], b.state);
    store_word(g.ply, ply);
    store_word(g.deadline, deadline);
    if (repetitions_ != 0) store_word(g.reversible, reversible);
    if (specials != 0) {
      play_special<us>(g, specials);
      b = g.board();
      deadline = load_word(g.deadline);
      reversible = load_word(g.reversible);
    }
    if (watch_dead_) {
      const Mask alarm = may_be_dead<V, them>(b) & common(load_word(g.playing), one);
      if (any(alarm)) store_word(g.deadline, only(~alarm, deadline));
    }
    if (repetitions_ != 0) {
      const Batch key = key_of(b) ^ load_word(g.salt);
      const u32 perhaps = bits_of(g.keys.add(time_, key, reversible, repetitions_)) & ~g.waiting;
      if (perhaps != 0) find_repetitions(g, perhaps);
    }
  }

  /// The moves of some lanes, by the general functions.
  template <Color us>
  __attribute__((noinline)) void play_special(Group& g, u32 specials) {
    for (; specials != 0; specials &= specials - 1) {
      const int lane = ctz(specials), index = static_cast<int>(g.index[lane]);
      const Position p = g.position(lane);
      Move move;
      if ((g.special >> lane & 1) != 0) {
        NthMove<V> choice{p.occupied(), en_passant_targets<us>(p), static_cast<int>(g.k[lane])};
        OneSet<us> one{choice, g.table.template set_of<V, us>(index, lane), index};
        for_each_set<us>(Reach<u64>{}, one);
        move = choice.found;
      } else {
        const Square from = ctz(g.from[lane]), to = ctz(g.to[lane]);
        const SetKind kind = index == 3 ? SetKind::pawn_double : SetKind::orthogonal;
        move = {static_cast<u8>(from), static_cast<u8>(to), Kind::none, kind_of_move(kind, from, to, 0)};
      }
      unit_.sums->promotions += move.promotion != Kind::none;
      const Position next = make<V, us>(p, move, rules_.options);
      g.set_position(lane, next);
      if (next.halfmove == 0) {
        g.deadline[lane] = deadline_at(static_cast<u32>(g.ply[lane]) + clock_);
        g.reversible[lane] = 0;
      }
    }
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

  /// Lanes that cannot go on at once: a game is over, or its alarm was false. g.moves becomes 0 where it is over.
  template <Color us>
  __attribute__((noinline)) void settle(Group& g, u32 stopped) {
    for (; stopped != 0; stopped &= stopped - 1) {
      const int lane = ctz(stopped);
      const Position p = g.position(lane);
      const u64 moves = g.moves[lane];
      const auto ply = static_cast<u32>(g.ply[lane]);
      const bool repeated = (g.repeated >> lane & 1) != 0;
      const u32 deadline = deadline_of(p, ply);
      if (V::closed_position && us == kBlack && moves != 0 && ply < deadline && !repeated &&
          is_surely_open<V>(g.table, lane, p)) {
        g.deadline[lane] = deadline;
        continue;
      }
      const Outcome reached = outcome_of(p, static_cast<int>(moves), ply, repeated);
      if (reached.reason == Reason::none) {
        g.deadline[lane] = deadline;
        continue;
      }
      count(ply, static_cast<u32>(g.first_move[lane]), reached);
      playing_--;
      g.waiting |= 1u << lane;
      g.repeated &= ~(1u << lane);
      g.moves[lane] = g.playing[lane] = g.reversible[lane] = 0;
      g.deadline[lane] = kNever;
      g.set_position(lane, Position{});
    }
  }

  Outcome outcome_of(const Position& p, int moves, u32 ply, bool repeated) const {
    const int occurrences = repeated ? unit_.repetitions : 1;
    Outcome reached;
    if (V::id == VariantId::suicide && unit_.variant == static_cast<u8>(VariantId::antichess)) {
      reached = outcome<Antichess>(p, moves, occurrences, rules_.options, rules_.draws);
    } else {
      reached = outcome<V>(p, moves, occurrences, rules_.options, rules_.draws);
    }
    if (reached.result == Result::ongoing && ply == unit_.max_plies) reached.reason = Reason::unfinished;
    return reached;
  }

  void count(u32 ply, u32 first_move, const Outcome& reached) {
    PlayoutSums& sums = *unit_.sums;
    const auto result = static_cast<int>(reached.result);
    sums.results[result]++;
    sums.ends[static_cast<int>(reached.reason)]++;
    sums.lengths[ply]++;
    if (ply != 0) sums.first_moves[first_move][result]++;
  }

  /// Of some lanes, those whose position has occurred often enough: their games are played again.
  __attribute__((noinline)) void find_repetitions(Group& g, u32 perhaps) {
    for (; perhaps != 0; perhaps &= perhaps - 1) {
      const int lane = ctz(perhaps);
      GameHistory history(replayed_, static_cast<int>(most_reversible_positions(rules_)));
      PlayoutState game{opening_, id_of(g, lane), {}};
      Move move;
      for (bool goes_on = true; goes_on && game.record.plies < g.ply[lane];) {
        history.push(game.position);
        goes_on = game.position.side == kWhite ? play_ply<V, kWhite>(game, rules_, 1, move)
                                               : play_ply<V, kBlack>(game, rules_, 1, move);
      }
      history.push(game.position);
      if (static_cast<u32>(history.occurrences()) < repetitions_) continue;
      g.repeated |= 1u << lane;
      g.deadline[lane] = 0;
    }
  }

  const PlayoutUnit& unit_;
  Position opening_;
  const PlayoutRules rules_;
  const u32 clock_;        ///< plies; more than any game has where there is none
  const u32 repetitions_;  ///< 0: none
  const bool watch_dead_;  ///< there are dead positions, and they end games
  u32 begun_ = 0, playing_ = 0;
  u64 time_ = 0;  ///< plies played in lanes, games apart
  Batch legal_moves_{}, forced_{}, forced_captures_{};
  Position* replayed_ = nullptr;
  Group groups_[kGroups];
};

}  // namespace hecatomb::inline HECATOMB_TARGET
