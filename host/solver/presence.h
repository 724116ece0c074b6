// Where the other threads are: how threads that share a table stay out of each other's way.
//
// The one idea: threads that choose by the same numbers choose the same node, and two that do are no faster than one
// (measured: 1.0 times). So a thread says of the larger nodes on its path that it is below them, and who finds his best
// child taken looks at one that is nearly as good instead (Kaneko 2010, and Pawlewicz and Hayward 2013, make numbers of
// nodes that are being searched worse for the others; here only the choice changes, a node's own numbers do not).
//
// A hint, not a truth: nodes share counters, and nothing but the order of the search depends on them. Only nodes with
// kLeastWork behind them count, so the counters hardly ever travel between the cores.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "common/hash.h"

namespace hecatomb {

class Presence {
 public:
  /// Nodes below which fewer expansions (log2) were spent are not worth a counter.
  static constexpr std::uint8_t kLeastWork = 6;
  void enter(Key key) { counter(key).fetch_add(1, std::memory_order_relaxed); }
  void leave(Key key) { counter(key).fetch_sub(1, std::memory_order_relaxed); }
  /// Whether somebody is below this node; the caller is not.
  bool is_taken(Key key) const { return counters_[index_of(key)].load(std::memory_order_relaxed) != 0; }

 private:
  static constexpr std::size_t kCounters = std::size_t{1} << 14;
  static std::size_t index_of(Key key) { return key.high % kCounters; }
  std::atomic<std::uint16_t>& counter(Key key) { return counters_[index_of(key)]; }

  std::array<std::atomic<std::uint16_t>, kCounters> counters_{};
};

}  // namespace hecatomb
