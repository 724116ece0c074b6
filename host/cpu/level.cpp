// One level of the CPU backend: built several times, each with HECATOMB_TARGET and its own -m flags (CMakeLists.txt).
// Nothing here may be shared with other objects but the table at the end (tests/level_symbols.sh holds that).
#include "host/cpu/level.h"

#include "common/two_plies.h"
#include "host/cpu/lane_children.h"
#include "host/cpu/perft_table.h"

#define HECATOMB_STRING_(x) #x
#define HECATOMB_STRING(x) HECATOMB_STRING_(x)

namespace hecatomb::inline HECATOMB_TARGET {
namespace {

constexpr int kLeafParents = 256;  // 17 KB: half of the first-level cache
constexpr int kNodes = 64;
constexpr int kRoots = 2 * kBatch;

/// Counts below one position, depth first down to three plies above the leaves. From there positions are gathered in
/// queues and taken kBatch at a time: *roots* are three plies above the leaves, their children are *nodes*, which are
/// counted two plies at once (two_plies.h); what that leaves over becomes *leaf parents*, one ply above the leaves.
template <class V>
struct Search {
  const PerftUnit& unit;
  const RuleOptions options;
  bool stopped = false;
  bool overflow = false;
  u128 leaves = 0;  ///< below all that was counted
  u64 parents_made = 0;
  PositionQueue<kRoots> roots;
  PositionQueue<kNodes> nodes;
  PositionQueue<kLeafParents> parents;

  explicit Search(const PerftUnit& u) : unit(u), options{u.restricted_ep, false} {}

  // Each of these takes whole batches only and keeps the rest. `us` is to move in what is taken.

  template <Color us>
  __attribute__((noinline)) void count_parents() {
    Batch sum = splat(Type<Batch>{}, 0);
    const int end = parents.whole_batches();
    for (int i = 0; i < end; i += kBatch) sum = sum + count_moves<V, us>(parents.load(i));
    leaves += sum_of_lanes(sum);
    parents_made += static_cast<u64>(end);
    parents.drop(end);
  }

  template <Color us>
  __attribute__((noinline)) void count_nodes() {
    Batch sum = splat(Type<Batch>{}, 0);
    Parents<other(us)> room{*this};
    const int end = nodes.whole_batches();
    for (int i = 0; i < end; i += kBatch) {
      Reach<Batch> rest;
      const Board<Batch> boards = nodes.load(i);
      sum = sum + count_two_plies<V, us>(boards, rest);
      LaneChildren<V, us, Parents<other(us)>> sink(boards, rest, options, room);
      for_each_set<us>(rest, sink);
    }
    leaves += sum_of_lanes(sum);
    nodes.drop(end);
  }

  template <Color us>
  __attribute__((noinline)) void expand_roots() {
    Nodes<other(us)> room{*this};
    const int end = roots.whole_batches();
    for (int i = 0; i < end; i += kBatch) {
      const Board<Batch> boards = roots.load(i);
      const Reach<Batch> moves = reach_of<V, us>(boards);
      LaneChildren<V, us, Nodes<other(us)>> sink(boards, moves, options, room);
      for_each_set<us>(moves, sink);
    }
    roots.drop(end);
  }

  /// Room for leaf parents, and for nodes, with `us` to move.
  template <Color us>
  struct Parents {
    Search& search;
    HECATOMB_HD auto& queue() { return search.parents; }
    HECATOMB_HD void added() {
      if (search.parents.size >= kLeafParents) search.count_parents<us>();
    }
  };
  template <Color us>
  struct Nodes {
    Search& search;
    HECATOMB_HD auto& queue() { return search.nodes; }
    HECATOMB_HD void added() {
      if (search.nodes.size >= kNodes) search.count_nodes<us>();
    }
  };

  /// Counts all that is held; `us` is to move in the nodes.
  template <Color us>
  void count_held() {
    roots.pad();
    if (roots.size != 0) expand_roots<other(us)>();
    nodes.pad();
    if (nodes.size != 0) count_nodes<us>();
    parents_made -= static_cast<u64>(parents.pad());
    if (parents.size != 0) count_parents<other(us)>();
  }

  /// Adds the leaves `depth` >= 3 plies below `p`, at the latest with the next count_held. With a table nothing is held
  /// before and after.
  template <Color us>
  void below(const Position& p, int depth) {
    Key key{};
    const u128 before = leaves;
    if (unit.table.buckets != 0) {
      u128 known;
      key = table_key(p, depth, static_cast<u64>(unit.variant) << 1 | unit.restricted_ep);
      if (table_probe(unit.table, key, known)) {
        leaves += known;
        return;
      }
    }
    if (depth == 3) {
      roots.add(p);
      if (roots.size == kRoots) expand_roots<us>();
      if (unit.table.buckets != 0) count_held<other(us)>();
    } else {
      MoveList list;
      list_moves<V, us>(p, list);
      for (const Move m : list) {
        if (unit.stop != nullptr && __atomic_load_n(unit.stop, __ATOMIC_RELAXED)) stopped = true;
        if (leaves >> 120 != 0) overflow = stopped = true;
        if (stopped) return;
        below<other(us)>(make<V, us>(p, m, options), depth - 1);
      }
    }
    if (unit.table.buckets != 0 && !stopped) table_store(unit.table, key, depth, leaves - before);
  }

  /// The leaves below the unit's position.
  template <Color us>
  u128 run(const Position& p) {
    const int depth = unit.depth_plies;
    if (depth == 0) return 1;
    if (depth == 1) return count_moves<V, us>(board_of(p));
    if (depth == 2) {
      nodes.add(p);
      count_held<us>();
      return leaves;
    }
    below<us>(p, depth);
    if (depth % 2 == 0) {
      count_held<us>();
    } else {
      count_held<other(us)>();
    }
    if (leaves >> 120 != 0) overflow = true;
    return leaves;
  }
};

template <class V>
UnitStatus perft_of(const PerftUnit& unit, Count128* count) {
  Search<V> search(unit);
  const Position& p = *static_cast<const Position*>(unit.position);
  const u128 n = p.side == kWhite ? search.template run<kWhite>(p) : search.template run<kBlack>(p);
  *count = {static_cast<u64>(n), static_cast<u64>(n >> 64)};
  if (unit.made != nullptr) *unit.made += search.parents_made;
  return search.overflow ? UnitStatus::overflow : search.stopped ? UnitStatus::stopped : UnitStatus::done;
}

/// with_variant, but antichess is served by the code of suicide, whose moves (without its options) are the same.
template <class F>
HECATOMB_HD auto with_moves(std::uint8_t variant, F&& f) {
  switch (static_cast<VariantId>(variant)) {
    case VariantId::antichess:
    case VariantId::suicide:
      return f(Suicide{});
    case VariantId::losers:
      return f(Losers{});
    case VariantId::horde:
      return f(Horde{});
    case VariantId::chess:
      break;
  }
  return f(Chess{});
}

UnitStatus perft(const PerftUnit& unit, Count128* count) {
  return with_moves(unit.variant, [&](auto v) { return perft_of<decltype(v)>(unit, count); });
}

template <class V, Color us>
void count_each_of(const Position* p, std::size_t n, std::uint32_t* counts) {
  for (std::size_t i = 0; i < n; i += kBatch) {
    Position batch[kBatch] = {};
    for (std::size_t k = 0; k < kBatch && i + k < n; k++) batch[k] = p[i + k];
    const Batch moves = count_moves<V, us>(load_boards(batch));
    for (std::size_t k = 0; k < kBatch && i + k < n; k++)
      counts[i + k] = static_cast<std::uint32_t>(lane(moves, static_cast<int>(k)));
  }
}

void count_each(const void* positions, std::size_t n, std::uint8_t variant, std::uint32_t* counts) {
  const auto* p = static_cast<const Position*>(positions);
  if (n == 0) return;
  with_moves(variant, [&](auto v) {
    using V = decltype(v);
    if (p->side == kWhite) {
      count_each_of<V, kWhite>(p, n, counts);
    } else {
      count_each_of<V, kBlack>(p, n, counts);
    }
  });
}

}  // namespace

extern constinit const LevelKernel kLevel{HECATOMB_STRING(HECATOMB_TARGET), kBatch, perft, count_each};

}  // namespace hecatomb::inline HECATOMB_TARGET
