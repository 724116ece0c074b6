// The inner loop of the proof search: a position's children with their numbers of moves, built once per level.
//
// The one idea: whoever expands a position wants to know of every child how many moves it has and whether the game is
// over there; so the children are made into one array and counted a register full at a time, as perft counts leaves.
// A child with a single reply is no decision: it is played through here, also a register full at a time, and the search
// never sees it.
#include "host/cpu/expand.h"

#include "common/hash.h"
#include "common/outcome.h"
#include "host/cpu/batch.h"
#include "host/cpu/children.h"

namespace hecatomb::inline HECATOMB_TARGET {
namespace {

/// Positions with the same side to move, and where their children will stand.
struct Lines {
  Position positions[kMaxMoves + kBatch];
  u16 child[kMaxMoves];
  int size = 0;
};

/// Room for the children of `parent`; tells their moves from the difference (children.h does
/// not say them).
template <Color us>
struct Made {
  const Position& parent;
  Lines& lines;
  ExpandedChild* children;

  HECATOMB_HD Position* next() { return lines.positions + lines.size; }
  HECATOMB_HD void added() {
    const Position& p = lines.positions[lines.size];
    u64 from = parent.men[us] & ~p.men[us], to = p.men[us] & ~parent.men[us];
    if ((from & (from - 1)) != 0) {  // castling: the king's move
      from &= parent.kings;
      to &= p.kings;
    }
    Kind promotion = Kind::none;
    const bool is_pawn = (parent.pawns & from) != 0;
    if (is_pawn && (to & kLastRanks) != 0) promotion = p.kind_at(ctz(to));
    ExpandedChild& child = children[lines.size];
    child.move = static_cast<u16>(ctz(from) | ctz(to) << 6 | static_cast<int>(promotion) << 12);
    child.irreversible = is_pawn || parent.men[other(us)] != p.men[other(us)];
    child.plies = 1;
    lines.child[lines.size] = static_cast<u16>(lines.size);
    lines.size++;
  }
};

/// A sink for for_each_set over a batch of positions with one legal move each: plays it in every lane.
template <class V, Color us>
struct SingleReplies {
  Position* positions;
  const RuleOptions& options;

  __attribute__((noinline)) void play(Position& p, Move m) { p = make<V, us>(p, m, options); }
  template <SetKind kind, int step>
  HECATOMB_HD void play_to(Position& p, Square to) {
    const u64 ep = kind == SetKind::pawn ? en_passant_targets<us>(p) : 0;
    play(p, move_to<kind, step>(to, p.occupied(), ep));
  }
  template <SetKind kind, int step>
  HECATOMB_HD bool take(Batch targets) {
    if constexpr (kBatch > 1) {
      if (!any(targets)) return false;
    }
    HECATOMB_NO_UNROLL
    for (int i = 0; i < kBatch; i++) {
      const u64 of_lane = lane(targets, i);
      if (of_lane != 0) play_to<kind, step>(positions[i], ctz(of_lane));
    }
    return false;
  }
};

/// Counts the moves of `us` in all lines and says so in their children. Those with just one, if `may_reply`, stay;
/// the others are written out.
template <class V, Color us>
__attribute__((noinline)) void count_lines(Lines& lines, ExpandedChild* children, const RuleOptions& options,
                                           bool with_keys, bool may_reply) {
  int kept = 0;
  for (int i = lines.size; i % kBatch != 0; i++) lines.positions[i] = Position{};
  for (int i = 0; i < lines.size; i += kBatch) {
    const Board<Batch> boards = load_boards(lines.positions + i);
    const Reach<Batch> reach = reach_of<V, us>(boards);
    const Batch moves = count_moves<V, us>(boards, reach);
    for (int k = 0; k < kBatch && i + k < lines.size; k++) {
      const Position& p = lines.positions[i + k];
      const int n = static_cast<int>(lane(moves, k));
      ExpandedChild& child = children[lines.child[i + k]];
      if (n == 1 && may_reply) {
        lines.child[kept] = lines.child[i + k];
        if (kept != i + k) lines.positions[kept] = p;
        kept++;
        continue;
      }
      child.moves = static_cast<std::uint16_t>(n);
      child.quiet = lane(reach.captures, k) == 0;
      child.result = n == 0 ? static_cast<std::uint8_t>(decided<V>(p, 0, options).result) : u8{0};
      if (with_keys) {
        const Key key = hash_of(p);
        child.key[0] = key.low;
        child.key[1] = key.high;
      }
      __builtin_memcpy(child.position, &p, sizeof p);
    }
  }
  lines.size = kept;
}

/// Plays the single reply of `us` in all lines.
template <class V, Color us>
__attribute__((noinline)) void play_replies(Lines& lines, ExpandedChild* children, const RuleOptions& options) {
  for (int i = lines.size; i % kBatch != 0; i++) lines.positions[i] = Position{};
  for (int i = 0; i < lines.size; i += kBatch) {
    Position* here = lines.positions + i;
    for (int k = 0; k < kBatch; k++) here[k].halfmove = 1;  // so that make() tells what cannot be taken back
    SingleReplies<V, us> sink{here, options};
    for_each_set<us>(reach_of<V, us>(load_boards(here)), sink);
    for (int k = 0; k < kBatch && i + k < lines.size; k++) {
      ExpandedChild& child = children[lines.child[i + k]];
      child.irreversible |= here[k].halfmove == 0;
      child.plies++;
    }
  }
}

template <class V, Color us>
std::size_t expand_of(const Position& p, const RuleOptions& options, bool with_keys, ExpandedChild* children) {
  Lines lines;
  Made<us> made{p, lines, children};
  Children<V, us, Made<us>> sink{&p, options, made};
  for_each_set<us>(reach_of<V, us>(board_of(p)), sink);
  const auto n = static_cast<std::size_t>(lines.size);
  count_lines<V, other(us)>(lines, children, options, with_keys, true);
  for (int replies = 1; lines.size != 0; replies++) {
    const bool may_reply = replies < kMostReplies;
    if (replies % 2 == 1) {
      play_replies<V, other(us)>(lines, children, options);
      count_lines<V, us>(lines, children, options, with_keys, may_reply);
    } else {
      play_replies<V, us>(lines, children, options);
      count_lines<V, other(us)>(lines, children, options, with_keys, may_reply);
    }
  }
  return n;
}

template <class V>
std::size_t expand_by(const Position& p, const RuleOptions& options, bool with_keys, ExpandedChild* children) {
  return p.side == kWhite ? expand_of<V, kWhite>(p, options, with_keys, children)
                          : expand_of<V, kBlack>(p, options, with_keys, children);
}

}  // namespace

std::size_t expand(const void* position, const ExpandRules& rules, ExpandedChild* children) {
  const Position& p = *static_cast<const Position*>(position);
  const RuleOptions options{rules.restricted_ep, rules.stalemated_wins};
  switch (static_cast<VariantId>(rules.variant)) {
    case VariantId::antichess:  // suicide in which the side without a move wins
      return expand_by<Suicide>(p, {false, true}, !rules.without_keys, children);
    case VariantId::suicide:
      return expand_by<Suicide>(p, options, !rules.without_keys, children);
    case VariantId::losers:
      return expand_by<Losers>(p, options, !rules.without_keys, children);
    case VariantId::horde:
    case VariantId::chess:
      break;
  }
  return expand_by<Horde>(p, options, !rules.without_keys, children);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
