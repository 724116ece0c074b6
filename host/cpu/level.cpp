// One level of the CPU backend: built several times, each with HECATOMB_TARGET and its own -m flags (CMakeLists.txt).
// Nothing here may be shared with other objects but the table at the end (tests/level_symbols.sh holds that).
#include "host/cpu/level.h"

#include "common/count.h"
#include "common/movegen.h"
#include "host/cpu/leaf_parents.h"
#include "host/cpu/perft_table.h"

#define HECATOMB_STRING_(x) #x
#define HECATOMB_STRING(x) HECATOMB_STRING_(x)

namespace hecatomb::inline HECATOMB_TARGET {
namespace {

#if defined(HECATOMB_SIMD)
using Batch = Lanes;
constexpr int kBatch = kLanes;
HECATOMB_HD u64 lane(Lanes w, int i) { return w.v[i]; }
#else
using Batch = u64;
constexpr int kBatch = 1;
HECATOMB_HD u64 lane(u64 w, int) { return w; }
#endif
HECATOMB_HD u64 sum_of_lanes(Batch w) {
  u64 sum = 0;
  for (int i = 0; i < kBatch; i++) sum += lane(w, i);
  return sum;
}

/// kBatch consecutive positions, transposed: word i of all of them in one Batch.
HECATOMB_HD Board<Batch> load_boards(const Position* p) {
#if defined(HECATOMB_SIMD)
#define HECATOMB_SHUFFLE __builtin_shufflevector
  const u64* q = words_of(*p);
  RawLanes r[8];
#if defined(__AVX2__)
  for (int h = 0; h < 8; h += 4) {
    const RawLanes a0 = load(q + h), a1 = load(q + h + 8), a2 = load(q + h + 16), a3 = load(q + h + 24);
    const RawLanes b0 = HECATOMB_SHUFFLE(a0, a1, 0, 4, 2, 6), b1 = HECATOMB_SHUFFLE(a0, a1, 1, 5, 3, 7);
    const RawLanes b2 = HECATOMB_SHUFFLE(a2, a3, 0, 4, 2, 6), b3 = HECATOMB_SHUFFLE(a2, a3, 1, 5, 3, 7);
    r[h] = HECATOMB_SHUFFLE(b0, b2, 0, 1, 4, 5);
    r[h + 1] = HECATOMB_SHUFFLE(b1, b3, 0, 1, 4, 5);
    r[h + 2] = HECATOMB_SHUFFLE(b0, b2, 2, 3, 6, 7);
    r[h + 3] = HECATOMB_SHUFFLE(b1, b3, 2, 3, 6, 7);
  }
#else
  for (int i = 0; i < 8; i += 2) {
    const RawLanes x = load(q + i), y = load(q + 8 + i);
    r[i] = HECATOMB_SHUFFLE(x, y, 0, 2);
    r[i + 1] = HECATOMB_SHUFFLE(x, y, 1, 3);
  }
#endif
  return {{{r[0]}, {r[1]}}, {r[2]}, {r[3]}, {r[4]}, {r[5]}, {r[6]}, {r[7]}};
#else
  return board_of(*p);
#endif
}

constexpr int kLeafParents = 256;  // 16 KB: half of the first-level cache

/// Counts below one position, depth first. Positions one ply above the leaves are gathered across their parents and
/// counted kBatch at a time.
template <class V>
struct Search {
  const PerftUnit& unit;
  const RuleOptions options;
  bool stopped = false;
  bool overflow = false;
  int gathered = 0;
  u64 leaves = 0;  ///< below the positions that were flushed
  Position parents[kLeafParents + kBatch];

  explicit Search(const PerftUnit& u) : unit(u), options{u.restricted_ep, false} {}

  template <Color us>
  __attribute__((noinline)) void flush() {
    for (int i = gathered; i % kBatch != 0; i++) parents[i] = Position{};  // an empty board has no moves
    Batch sum = splat(Type<Batch>{}, 0);
    for (int i = 0; i < gathered; i += kBatch) sum = sum + count_moves<V, us>(load_boards(parents + i));
    leaves += sum_of_lanes(sum);
    gathered = 0;
  }

  /// Room for positions of one side to move, counted when it is full.
  template <Color us>
  struct Room {
    Search& search;
    HECATOMB_HD Position* next() { return search.parents + search.gathered; }
    HECATOMB_HD void added() {
      if (++search.gathered == kLeafParents) search.flush<us>();
    }
  };

  /// Gathers the children of `p`, which stand one ply above the leaves.
  template <Color us>
  __attribute__((noinline)) void gather(const Position& p) {
    const Reach<u64> r = reach_of<V, us>(board_of(p));
    Room<other(us)> room{*this};
    LeafParents<V, us, Room<other(us)>> sink(p, options, r.ep_west | r.ep_east, room);
    for_each_set<us>(r, sink);
  }

  /// The number of leaves `depth` >= 3 plies below `p`.
  template <Color us>
  u128 below(const Position& p, int depth) {
    Key key{};
    if (unit.table.buckets != 0) {
      u128 known;
      key = table_key(p, depth, static_cast<u64>(unit.variant) << 1 | unit.restricted_ep);
      if (table_probe(unit.table, key, known)) return known;
    }
    u128 total = 0;
    const u64 before = leaves;
    MoveList list;
    list_moves<V, us>(p, list);
    for (Move m : list) {
      const Position child = make<V, us>(p, m, options);
      if (depth == 3) {
        gather<other(us)>(child);
      } else {
        if (unit.stop && __atomic_load_n(unit.stop, __ATOMIC_RELAXED)) stopped = true;
        if (stopped) return 0;
        total += below<other(us)>(child, depth - 1);
        if (total >> 120 != 0) overflow = stopped = true;
      }
    }
    if (depth == 3) {
      flush<us>();
      total = leaves - before;
    }
    if (unit.table.buckets != 0 && !stopped) table_store(unit.table, key, depth, total);
    return total;
  }

  template <Color us>
  u128 run(const Position& p) {
    switch (unit.depth_plies) {
      case 0:
        return 1;
      case 1:
        return count_moves<V, us>(board_of(p));
      case 2:
        gather<us>(p);
        flush<other(us)>();
        return leaves;
      default:
        return below<us>(p, unit.depth_plies);
    }
  }
};

template <class V>
UnitStatus perft_of(const PerftUnit& unit, Count128* count) {
  Search<V> search(unit);
  const Position& p = *static_cast<const Position*>(unit.position);
  const u128 n = p.side == kWhite ? search.template run<kWhite>(p) : search.template run<kBlack>(p);
  *count = {static_cast<u64>(n), static_cast<u64>(n >> 64)};
  return search.overflow ? UnitStatus::overflow : search.stopped ? UnitStatus::stopped : UnitStatus::done;
}

UnitStatus perft(const PerftUnit& unit, Count128* count) {
  return with_variant(static_cast<VariantId>(unit.variant), [&](auto v) { return perft_of<decltype(v)>(unit, count); });
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
  const Position* p = static_cast<const Position*>(positions);
  if (n == 0) return;
  with_variant(static_cast<VariantId>(variant), [&](auto v) {
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
