// The inner loop of the proof search: a position's children with their keys and numbers of moves, built once per level.
//
// The one idea: whoever expands a position wants to know of every child how many moves it has and whether the game is
// over there; so the children are counted a register full at a time, as perft counts leaves. A child with a single
// reply is no decision: the reply stands in the sets that were just counted, so it is played at once, and the child is
// counted again with the others of its kind; the search never sees it.
//
// The children are made before they are counted, with keys that follow from the parent's (zobrist.h), and what the
// search will read of its table for them is fetched while they are counted: it lies in memory, a hundred nanoseconds
// away.
//
// The moves of a position come out of its sets by one loop without a branch on what they are (set_moves.h): most
// positions have a handful of captures, each in a set of its own, and a loop for every set was mispredicted for each.
#include "host/cpu/expand.h"

#include "common/outcome.h"
#include "host/cpu/lane_words.h"
#include "host/cpu/set_moves.h"
#include "host/cpu/zobrist.h"

namespace hecatomb::inline HECATOMB_TARGET {
namespace {

HECATOMB_HD Position& position_in(ExpandedChild& child) { return *reinterpret_cast<Position*>(child.position); }

/// The children of one position, and which of them are still to be counted.
struct Family {
  const ExpandRules& rules;
  const RuleOptions& options;
  ExpandedChild* children;
  int size = 0;  ///< children
  int open = 0;  ///< to be counted: all have the same side to move
  u16 number[kMaxMoves];

  HECATOMB_HD Family(const ExpandRules& r, const RuleOptions& o, ExpandedChild* c)
      : rules(r), options(o), children(c) {}

  /// A child, or what a reply made of it, has this key now.
  HECATOMB_HD void set_key(ExpandedChild& child, Key key) {
    if (rules.without_keys) return;
    child.key[0] = key.low;
    child.key[1] = key.high;
    if (rules.table_lines != 0) {
      __builtin_prefetch(static_cast<const char*>(rules.table) + 64 * mulhi(key.low, rules.table_lines));
    }
  }
};

/// Plays any move in a child, by the general functions. `before`: the position, with its key.
template <class V, Color us>
__attribute__((noinline)) void play_special(Family& family, const Position& before, Key key, Move m,
                                            ExpandedChild& child) {
  Position& after = position_in(child);
  after = make<V, us>(before, m, family.options);
  child.irreversible |= (before.pawns & bit(m.from)) != 0 || before.men[other(us)] != after.men[other(us)];
  if (!family.rules.without_keys) family.set_key(child, key ^ zobrist_change(before, after));
}

/// What all plain moves of a position have in common.
template <class V, Color us>
struct Mover {
  const KindPlanes kinds;
  const u64 occupied, ep;
  const u64 state;  ///< the last word of the position after the move
  const Key key;    ///< with the state after the move

  HECATOMB_HD Mover(const Position& p, Key key_of_p)
      : kinds(kind_planes(p)),
        occupied(p.occupied()),
        ep(en_passant_targets<us>(p)),
        state(u64{p.castling} << 16 | u64{other(us)} << 24),
        key(key_of_p ^ zobrist_of_state(p) ^ kZobrist.state[p.castling | other(us) << 4]) {}

  /// Plays the move of set `index` that ends on `to` and is no promotion. `p` may be the child's position.
  HECATOMB_HD Square play(Family& family, const Position& p, Key key_of_p, u64 index, Square to,
                          ExpandedChild& child) const {
    const Square from = origin_in_set<us>(index, to, occupied);
    const bool takes_en_passant = (ep >> to & 1) != 0 && index < 2;
    if (is_plain_in_set<V, us>(p, index, from, to) && !takes_en_passant) {
      child.irreversible |= index < 4 || (occupied >> to & 1) != 0;
      if (!family.rules.without_keys) family.set_key(child, key ^ zobrist_of_move(us, kinds, from, to));
      make_plain(p, from, to, state, &position_in(child));
    } else {
      const Move m{static_cast<u8>(from), static_cast<u8>(to), Kind::none,
                   kind_of_move(kSetTraits<us>.kind[index], from, to, ep)};
      const Position before = p;
      play_special<V, us>(family, before, key_of_p, m, child);
    }
    return from;
  }
};

/// A sink for for_each_set that keeps the sets.
struct SetList {
  u64 set[kSets];
  u32 filled = 0;  ///< which of them are not empty
  int size = 0;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    set[size] = targets;
    filled |= u32{targets != 0} << size;
    size++;
    return false;
  }
};

/// Makes the children of a position.
template <class V, Color us>
struct Maker {
  Family& family;
  const Position& p;
  const Key key;
  SetList sets{};
  const Mover<V, us> mover;

  HECATOMB_HD Maker(Family& f, const Position& position, Key key_of_p)
      : family(f), p(position), key(key_of_p), mover(position, key_of_p) {}

  HECATOMB_HD ExpandedChild& begin() {
    ExpandedChild& child = family.children[family.size];
    child.plies = 1;
    child.irreversible = false;
    return child;
  }
  HECATOMB_HD void end(ExpandedChild& child, Square from, Square to, Kind promotion) {
    child.move = static_cast<u16>(from | to << 6 | static_cast<int>(promotion) << 12);
    family.number[family.size] = static_cast<u16>(family.size);
    family.size++;
  }

  /// All moves of the sets `filled`; a promotion or an en passant capture is not among them.
  HECATOMB_HD void make_plain_sets(u32 filled) {
    if (filled == 0) return;
    u64 index = static_cast<u64>(ctz(filled));
    u64 targets = sets.set[index];
    for (;;) {
      const Square to = ctz(targets);
      ExpandedChild& child = begin();
      end(child, mover.play(family, p, key, index, to, child), to, Kind::none);
      targets &= targets - 1;
      const bool is_done = targets == 0;
      filled &= filled - u32{is_done};
      if (filled == 0) return;
      index = static_cast<u64>(ctz(filled));
      targets = is_done ? sets.set[index] : targets;
    }
  }

  __attribute__((noinline)) void make_promotions(u64 index, u64 targets) {
    for (; targets != 0; targets &= targets - 1) {
      const Square to = ctz(targets), from = to - kSetTraits<us>.step[index];
      const bool promotes = (bit(to) & kLastRanks) != 0;
      for (int i = 0; i < (promotes ? kPromotionChoices<V> : 1); i++) {
        const Move m{static_cast<u8>(from), static_cast<u8>(to), promotes ? promotion_choice(i) : Kind::none,
                     promotes ? MoveKind::normal : MoveKind::en_passant};
        ExpandedChild& child = begin();
        play_special<V, us>(family, p, key, m, child);
        end(child, from, to, m.promotion);
      }
    }
  }

  HECATOMB_HD void run() {
    for_each_set<us>(reach_of<V, us>(board_of(p)), sets);
    const u64 special = mover.ep | kLastRanks;
    u32 filled = sets.filled;
    if (((sets.set[0] | sets.set[1] | sets.set[2]) & special) != 0) {
      for (u32 i = 0; i < 3; i++) {
        make_promotions(i, sets.set[i] & special);
        sets.set[i] &= ~special;
        make_plain_sets(u32{sets.set[i] != 0} << i);
      }
      filled &= ~u32{7};
    }
    make_plain_sets(filled);
    family.open = family.size;
  }
};

/// A sink for for_each_set over a batch: of lanes with one move its set and its target.
template <class V, Color us>
struct OnlyMoves {
  Batch index = splat(Type<Batch>{}, 0), targets = splat(Type<Batch>{}, 0);
  u64 size = 0;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(Batch of_set) {
    if (!kMayCastle<V, us> && (kind == SetKind::castle_king || kind == SetKind::castle_queen)) return false;
    index = select(of_set, splat(Type<Batch>{}, size), index);
    targets = targets | of_set;
    size++;
    return false;
  }
};

/// Counts the moves of `us` in all open children. Those with just one, if `may_reply`, play it and stay open.
template <class V, Color us>
__attribute__((noinline)) void count_open(Family& family, bool may_reply) {
  static constexpr Position empty{};
  int kept = 0;
  for (int i = 0; i < family.open; i += kBatch) {
    const int n = family.open - i < kBatch ? family.open - i : kBatch;
    const u16* numbers = family.number + i;
    const Board<Batch> boards = load_boards_at(
        [&](int k) -> const Position& { return k < n ? position_in(family.children[numbers[k]]) : empty; });
    const Reach<Batch> reach = reach_of<V, us>(boards);
    alignas(64) u64 moves[kBatch], captures[kBatch];
    store_word(moves, count_moves<V, us>(boards, reach));
    store_word(captures, reach.captures);
    u32 single = 0;
    for (int k = 0; k < n; k++) {
      ExpandedChild& child = family.children[numbers[k]];
      child.moves = static_cast<u16>(moves[k]);
      child.quiet = captures[k] == 0;
      child.result = 0;
      const Position& p = position_in(child);
      child.white_ahead = static_cast<std::int8_t>(popcount(p.men[kWhite]) - popcount(p.men[kBlack]));
      if (moves[k] == 0) child.result = static_cast<u8>(decided<V>(p, 0, family.options).result);
      single |= u32{moves[k] == 1} << k;
    }
    if (single == 0 || !may_reply) continue;
    OnlyMoves<V, us> only;
    for_each_set<us>(reach, only);
    alignas(64) u64 index[kBatch], targets[kBatch];
    store_word(index, only.index);
    store_word(targets, only.targets);
    for (; single != 0; single &= single - 1) {
      const int k = ctz(single);
      const u16 number = numbers[k];
      ExpandedChild& child = family.children[number];
      const Position& p = position_in(child);
      const Key key{child.key[0], child.key[1]};
      Mover<V, us>(p, key).play(family, p, key, index[k], ctz(targets[k]), child);
      child.plies++;
      family.number[kept++] = number;
    }
  }
  family.open = kept;
}

template <class V, Color us>
std::size_t expand_of(const ExpandedChild& parent, const ExpandRules& rules, const RuleOptions& options,
                      ExpandedChild* children) {
  Family family(rules, options, children);
  Maker<V, us>(family, *reinterpret_cast<const Position*>(parent.position), {parent.key[0], parent.key[1]}).run();
  for (int replies = 0; family.open != 0; replies++) {
    const bool may_reply = replies < kMostReplies;
    if (replies % 2 == 0) {
      count_open<V, other(us)>(family, may_reply);
    } else {
      count_open<V, us>(family, may_reply);
    }
  }
  return static_cast<std::size_t>(family.size);
}

template <class V>
std::size_t expand_by(const ExpandedChild& parent, const ExpandRules& rules, const RuleOptions& options,
                      ExpandedChild* children) {
  return reinterpret_cast<const Position*>(parent.position)->side == kWhite
             ? expand_of<V, kWhite>(parent, rules, options, children)
             : expand_of<V, kBlack>(parent, rules, options, children);
}

}  // namespace

std::size_t expand(const ExpandedChild& parent, const ExpandRules& rules, ExpandedChild* children) {
  const RuleOptions options{rules.restricted_ep, rules.stalemated_wins};
  switch (static_cast<VariantId>(rules.variant)) {
    case VariantId::antichess:  // suicide in which the side without a move wins
      return expand_by<Suicide>(parent, rules, {false, true}, children);
    case VariantId::suicide:
      return expand_by<Suicide>(parent, rules, options, children);
    case VariantId::losers:
      return expand_by<Losers>(parent, rules, options, children);
    case VariantId::horde:
    case VariantId::chess:
      break;
  }
  return expand_by<Horde>(parent, rules, options, children);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
