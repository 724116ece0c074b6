#include "host/perft_detail.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "common/hash.h"
#include "common/outcome.h"
#include "host/error.h"
#include "host/memory.h"
#include "host/perft_job.h"

namespace hecatomb {
namespace {

template <class V>
void tally_moves(const Position& p, const RuleOptions& options, PerftDetail& d) {
  MoveList list;
  list_moves<V>(p, list);
  for (const Move& m : list) {
    const Position child = make<V>(p, m, options);
    const Outcome outcome = decided<V>(child, options);
    d.nodes++;
    d.captures += m.kind == MoveKind::en_passant || (p.occupied() & bit(m.to)) != 0;
    d.en_passant += m.kind == MoveKind::en_passant;
    d.castles += m.kind == MoveKind::castle_king || m.kind == MoveKind::castle_queen;
    d.promotions += m.promotion != Kind::none;
    d.checks += in_check<V>(child);
    d.mates += outcome.reason == Reason::mate;
    d.ends += outcome.result != Result::ongoing;
  }
}

/// False if stopped.
template <class V>
bool tally_below(const Position& p, int depth, const RuleOptions& options, PerftDetail& d) {
  if (depth == 1) {
    tally_moves<V>(p, options, d);
    return true;
  }
  if (stop_requested()) return false;
  MoveList list;
  list_moves<V>(p, list);
  for (const Move& m : list) {
    if (!tally_below<V>(make<V>(p, m, options), depth - 1, options, d)) return false;
  }
  return true;
}

PerftDetail& operator+=(PerftDetail& a, const PerftDetail& b) {
  a.nodes += b.nodes;
  a.captures += b.captures;
  a.en_passant += b.en_passant;
  a.castles += b.castles;
  a.promotions += b.promotions;
  a.checks += b.checks;
  a.mates += b.mates;
  a.ends += b.ends;
  return a;
}

struct WholePosition {
  static Position of(const Position& p) { return p; }
  static bool same(const Position& a, const Position& b) { return same_position(a, b); }
  static Key key(const Position& p) { return hash_of(p); }
};
struct KeyOnly {
  static Key of(const Position& p) { return hash_of(p); }
  static bool same(const Key& a, const Key& b) { return a == b; }
  static Key key(const Key& k) { return k; }
};

/// A set of entries in the order of their arrival: a vector, and a table of indices into it with linear probing.
template <class Entry, class How>
class DistinctSet {
 public:
  void insert(const Position& p) {
    if (entries_.size() * 2 >= slots_.size()) grow();
    const Entry entry = How::of(p);
    std::size_t slot = How::key(entry).low & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      if (How::same(entries_[slots_[slot] - 1], entry)) return;
    }
    entries_.push_back(entry);
    slots_[slot] = entries_.size();
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void grow() {
    const std::size_t size = slots_.empty() ? 1024 : 2 * slots_.size();
    const std::uint64_t bytes = size * (sizeof(std::size_t) + sizeof(Entry));  // old and new vectors together
    if (bytes > (std::uint64_t{1} << 28) && bytes > available_memory_bytes()) {
      throw EnvironmentError("--unique", "hold " + std::to_string(entries_.size()) + " distinct positions",
                             "memory would not do for twice as many", "Use a smaller --depth.");
    }
    entries_.reserve(size / 2);
    slots_.assign(size, 0);
    for (std::size_t i = 0; i < entries_.size(); i++) {
      std::size_t slot = How::key(entries_[i]).low & (size - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (size - 1);
      slots_[slot] = i + 1;
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> slots_;  // index + 1, or 0 where free
};

constexpr std::size_t kPart = 1024;

/// Inserts all children of all positions; calls `on_done` after each part. False if stopped.
template <class V, class Set>
bool insert_children(const std::vector<Position>& from, const RuleOptions& options, Set& set,
                     const std::function<void(std::size_t)>& on_done) {
  for (std::size_t begin = 0; begin < from.size(); begin += kPart) {
    if (stop_requested()) return false;
    const std::size_t end = std::min(begin + kPart, from.size());
    for (std::size_t i = begin; i < end; i++) {
      MoveList list;
      list_moves<V>(from[i], list);
      for (const Move& m : list) set.insert(make<V>(from[i], m, options));
    }
    on_done(end - begin);
  }
  return true;
}

}  // namespace

Partial<PerftDetail> perft_detail(const Position& p, int depth_plies, VariantId variant, const RuleOptions& options,
                                  WorkPool& pool, const OnPartDone& on_part_done) {
  const PerftRequest request{p, depth_plies};
  const std::vector<PerftUnitOf> units = cut_into_units(variant, options, {&request, 1});
  std::vector<PerftDetail> tallies(units.size());
  std::atomic<std::uint64_t> finished_units{0};
  const RunSummary run = pool.run(units.size(), [&](std::uint64_t i, unsigned) {
    const PerftItem& item = units[i].item;
    PerftDetail tally;
    const bool finished = with_variant(
        variant, [&](auto v) { return tally_below<decltype(v)>(item.position, item.depth_plies, options, tally); });
    if (!finished) return false;
    tallies[i] = tally;
    if (on_part_done) on_part_done(1, units.size());
    fault_point("after-unit", ++finished_units);
    return true;
  });
  Partial<PerftDetail> total{.value = {}, .complete = run.complete()};
  for (const PerftDetail& tally : tallies) total.value += tally;
  return total;
}

Partial<std::vector<u128>> count_unique(const Position& p, int depth_plies, VariantId variant,
                                        const RuleOptions& options, const OnPartDone& on_part_done) {
  return with_variant(variant, [&](auto v) -> Partial<std::vector<u128>> {
    using V = decltype(v);
    std::vector<u128> counts;
    const auto add_ply = [&counts](std::size_t positions) {
      counts.push_back(positions);
      fault_point("after-unit", counts.size());
    };
    std::vector<Position> frontier{p};
    std::uint64_t all = 0;
    const auto on_done = [&](std::size_t more) {
      if (on_part_done) on_part_done(more, all);
    };
    for (int ply = 1; ply < depth_plies; ply++) {
      DistinctSet<Position, WholePosition> next;
      all += frontier.size();
      if (!insert_children<V>(frontier, options, next, on_done)) return {std::move(counts), false};
      add_ply(next.entries().size());
      frontier = next.entries();
    }
    if (depth_plies > 0) {
      DistinctSet<Key, KeyOnly> last;
      all += frontier.size();
      if (!insert_children<V>(frontier, options, last, on_done)) return {std::move(counts), false};
      add_ply(last.entries().size());
    }
    return {std::move(counts), true};
  });
}

}  // namespace hecatomb
