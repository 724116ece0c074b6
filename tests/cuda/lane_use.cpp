// How often the loops of perft's largest kernel run (three_plies_below in perft_kernels.cuh): its warps, gone through
// on the CPU in the same order. What it prints is kernels/cost/lane_use.tsv; a test compares the two.
//
//   lane_use > kernels/cost/lane_use.tsv
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/movegen.h"
#include "common/two_plies.h"
#include "host/notation/variant_name.h"

namespace hecatomb {
namespace {

constexpr std::size_t kWarp = 32, kStride = 8;
constexpr int kPlies = 4;

struct Use {
  u64 warps = 0, rounds = 0, nodes = 0, left_over_rounds = 0, left_over = 0, leaves = 0;
  u64 behind_rounds = 0;  // of squares_behind's loop (two_plies.h): a warp's is as long as its longest lane's
};

template <class V>
std::vector<Position> children_of(const std::vector<Position>& parents) {
  std::vector<Position> children;
  MoveList list;
  for (const Position& p : parents) {
    list_moves<V>(p, list);
    for (const Move m : list) children.push_back(make<V>(p, m, {}));
  }
  return children;
}

/// How often squares_behind's loop runs for a position: once more than the longest line of the replier's sliders.
template <class V, Color us>
int behind_rounds(const Position& p) {
  constexpr Color them = other(us);
  if (V::compulsory_capture) return 0;
  const Reach<u64> t = reach_of<V, them>(board_of(p));
  u64 lines[8], steps[8];
  for (int i = 0; i < 8; i++) lines[i] = t.line[i] & t.targets;
  for (int rounds = 1;; rounds++) {
    u64 some = 0;
    line_steps<them>(lines, steps);
    for (int i = 0; i < 8; i++) {
      some |= lines[i];
      lines[i] &= steps[i];
    }
    if (some == 0 || rounds == 7) return rounds;
  }
}

template <class V, Color us>
void count_round(Use& use, const Position* nodes, std::size_t count) {
  u64 left_over = 0;
  int longest = 0;
  for (std::size_t i = 0; i < count; i++) {
    Reach<u64> rest;
    count_two_plies<V, us>(board_of(nodes[i]), rest);
    SizeOfSets<V> size;
    for_each_set<us>(rest, size);
    left_over += static_cast<u64>(size.moves);
    longest = std::max(longest, behind_rounds<V, us>(nodes[i]));
  }
  use.rounds++;
  use.nodes += count;
  use.left_over += left_over;
  use.behind_rounds += static_cast<u64>(longest);
  use.left_over_rounds += (left_over + kWarp - 1) / kWarp;
}

/// Every kStride-th warp of the nodes kPlies below the start, which are three plies above the leaves.
template <class V>
Use use_of(VariantId variant) {
  std::vector<Position> parents = {start_position(variant)};
  for (int i = 0; i < kPlies; i++) parents = children_of<V>(parents);
  Use use;
  for (std::size_t begin = 0; begin < parents.size(); begin += kStride * kWarp) {
    const auto first = parents.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(kWarp, parents.size() - begin));
    const std::vector<Position> nodes = children_of<V>({first, last});
    use.warps++;
    for (std::size_t n = 0; n < nodes.size(); n += kWarp) {
      const std::size_t count = std::min(kWarp, nodes.size() - n);
      if (nodes[n].side == kWhite) {
        count_round<V, kWhite>(use, nodes.data() + n, count);
      } else {
        count_round<V, kBlack>(use, nodes.data() + n, count);
      }
    }
    for (const Position& leaf_parent : children_of<V>(nodes)) {
      use.leaves += static_cast<u64>(count_moves<V>(leaf_parent));
    }
  }
  return use;
}

void print(VariantId variant) {
  const Use u = with_variant(variant, [&](auto v) { return use_of<decltype(v)>(variant); });
  const auto lanes = [](u64 used, u64 rounds) { return static_cast<double>(used) / static_cast<double>(32 * rounds); };
  std::printf("%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.3f\t%.3f\t%.3f\n",
              std::string(variant_name(variant)).c_str(), static_cast<unsigned long long>(u.leaves),
              static_cast<unsigned long long>(u.warps), static_cast<unsigned long long>(u.rounds),
              static_cast<unsigned long long>(u.nodes), static_cast<unsigned long long>(u.left_over_rounds),
              static_cast<unsigned long long>(u.left_over), static_cast<unsigned long long>(u.behind_rounds),
              lanes(u.nodes, u.rounds), lanes(u.left_over, u.left_over_rounds),
              static_cast<double>(u.left_over) / static_cast<double>(u.nodes));
}

}  // namespace
}  // namespace hecatomb

int main() {
  using namespace hecatomb;
  std::printf("# start positions, every 8th warp of the nodes after 4 plies; made by tests/cuda/lane_use.cpp\n");
  std::printf(
      "variant\tleaves\twarps\trounds\tnodes\tleft_over_rounds\tleft_over\tbehind_rounds\tlanes_in_rounds\tlanes_left_"
      "over\t"
      "left_over_a_node\n");
  for (const VariantId v : {VariantId::suicide, VariantId::losers, VariantId::horde, VariantId::chess}) print(v);
}
