#include "host/table_demand.h"

#include <algorithm>
#include <bit>

#include "common/count.h"
#include "common/movegen.h"

namespace hecatomb {
namespace {

constexpr int kLeastDepth = 3;  // nodes with fewer plies below are not remembered (host/cpu/level.cpp)
constexpr std::uint64_t kEntryBytes = 32, kBucketBytes = 64;
// Beyond this nobody counts nodes: a tree so large fills whatever table it gets.
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 24;

/// Nodes `plies` below `p`; stops counting once there are more than `most`.
template <class V>
std::uint64_t nodes_at(const Position& p, int plies, const RuleOptions& options, std::uint64_t most) {
  if (plies == 0) return 1;
  if (plies == 1) return static_cast<std::uint64_t>(count_moves<V>(p));
  MoveList list;
  list_moves<V>(p, list);
  std::uint64_t nodes = 0;
  for (const Move& m : list) {
    nodes += nodes_at<V>(make<V>(p, m, options), plies - 1, options, most - nodes);
    if (nodes > most) break;
  }
  return nodes;
}

}  // namespace

std::uint64_t table_demand_bytes(VariantId variant, const RuleOptions& options, std::span<const PerftRequest> requests,
                                 std::uint64_t limit_bytes) {
  const std::uint64_t most = limit_bytes / (2 * kEntryBytes);
  std::uint64_t nodes = 0;
  with_variant(variant, [&](auto v) {
    for (const PerftRequest& request : requests) {
      for (int ply = 0; ply <= request.depth_plies - kLeastDepth && nodes <= std::min(most, kMostNodes); ply++) {
        nodes += nodes_at<decltype(v)>(request.position, ply, options, std::min(most, kMostNodes) - nodes);
      }
    }
  });
  if (nodes == 0) return 0;
  if (nodes > std::min(most, kMostNodes)) return limit_bytes;
  return std::min(limit_bytes, std::bit_ceil(std::max(2 * kEntryBytes * nodes, kBucketBytes)));
}

}  // namespace hecatomb
