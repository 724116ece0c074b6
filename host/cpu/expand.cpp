// The inner loop of the proof search: a position's children with their numbers of moves, built once per level.
//
// The one idea: whoever expands a position wants to know of every child how many moves it has and whether the game is
// over there; so the children are made into one array and counted a register full at a time, as perft counts leaves.
// A child with a single reply is no decision: it is played through here, and the search never sees it.
#include "common/hash.h"
#include "common/outcome.h"
#include "host/cpu/batch.h"
#include "host/cpu/level.h"

namespace hecatomb::inline HECATOMB_TARGET {
namespace {

/// A child while its single replies are played.
struct Line {
  Position position;
  int moves;
  bool quiet;
};

template <class V, Color us>
void look(Line& line) {
  const Board<u64> board = board_of(line.position);
  const Reach<u64> reach = reach_of<V, us>(board);
  line.moves = static_cast<int>(count_moves<V, us>(board, reach));
  line.quiet = reach.captures == 0;
}

/// Plays the only move of the side to move.
template <class V, Color us>
__attribute__((noinline)) void reply(Line& line, const RuleOptions& options) {
  line.position = make<V, us>(line.position, nth_move<V, us>(line.position, 0), options);
  look<V, other(us)>(line);
}

template <class V>
__attribute__((noinline)) void play_replies(Line& line, ExpandedChild& child, const RuleOptions& options) {
  while (line.moves == 1 && child.plies <= kMostReplies) {
    if (line.position.side == kWhite) {
      reply<V, kWhite>(line, options);
    } else {
      reply<V, kBlack>(line, options);
    }
    child.plies++;
    child.irreversible |= line.position.halfmove == 0;
  }
}

template <class V>
HECATOMB_HD void finish(Line& line, ExpandedChild& child, const RuleOptions& options, bool with_keys) {
  child.plies = 1;
  child.irreversible = line.position.halfmove == 0;
  if (line.moves == 1) play_replies<V>(line, child, options);
  child.moves = static_cast<std::uint16_t>(line.moves);
  child.quiet = line.quiet;
  child.result = 0;
  if (line.moves == 0) child.result = static_cast<std::uint8_t>(decided<V>(line.position, 0, options).result);
  if (with_keys) {
    const Key key = hash_of(line.position);
    child.key[0] = key.low;
    child.key[1] = key.high;
  }
  __builtin_memcpy(child.position, &line.position, sizeof line.position);
}

template <class V, Color us>
std::size_t expand_of(const Position& p, const RuleOptions& options, bool with_keys, ExpandedChild* children) {
  Position made[kMaxMoves + kBatch];
  int n = 0;
  for_each_move<V, us>(p, [&](Move m) {
    made[n] = make<V, us>(p, m, options);
    children[n].move = static_cast<std::uint16_t>(m.from | m.to << 6 | static_cast<int>(m.promotion) << 12);
    n++;
  });
  for (int i = n; i % kBatch != 0; i++) made[i] = Position{};
  for (int i = 0; i < n; i += kBatch) {
    const Board<Batch> boards = load_boards(made + i);
    const Reach<Batch> reach = reach_of<V, other(us)>(boards);
    const Batch moves = count_moves<V, other(us)>(boards, reach);
    for (int k = 0; k < kBatch && i + k < n; k++) {
      Line line{made[i + k], static_cast<int>(lane(moves, k)), lane(reach.captures, k) == 0};
      finish<V>(line, children[i + k], options, with_keys);
    }
  }
  return static_cast<std::size_t>(n);
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
