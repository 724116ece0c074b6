// Merging of equal nodes (kernels/merge.cuh) under the simulator.
#include "kernels/merge.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "common/hash.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "tests/support/random_positions.h"

namespace hecatomb::cuda {
namespace {

struct Node {
  Position position;
  u32 item;
  unsigned long long weight;
};

/// What is the same node, and the weight of all that are.
using Weights = std::map<std::tuple<std::string, u32>, unsigned long long>;

Weights weights_of(const std::vector<Node>& nodes) {
  Weights weights;
  for (const Node& node : nodes) {
    Position p = node.position;
    p.halfmove = 0;
    p.fullmove = 1;
    weights[{fen_of(p), node.item}] += node.weight;
  }
  return weights;
}

std::vector<Node> merged(const std::vector<Node>& nodes) {
  const auto count = static_cast<u32>(nodes.size());
  Stream stream;
  Generation generation;
  Merger merger;
  generation.reserve(count + 1);
  merger.reserve(count + 1);
  for (u32 i = 0; i < count; i++) {  // simulated device memory is the host's
    const Node& node = nodes[i];
    copy_to_device(stream, generation.positions.data() + i, &node.position, 1);
    copy_to_device(stream, generation.items.data() + i, &node.item, 1);
    copy_to_device(stream, generation.weights.data() + i, &node.weight, 1);
  }
  generation.size = count;
  merger.merge(stream, generation);
  std::vector<Node> result(generation.size);
  for (u32 i = 0; i < generation.size; i++) {
    copy_to_host(stream, &result[i].position, generation.positions.data() + i, 1);
    copy_to_host(stream, &result[i].item, generation.items.data() + i, 1);
    copy_to_host(stream, &result[i].weight, generation.weights.data() + i, 1);
  }
  stream.synchronize();
  return result;
}

TEST(Merge, EqualNodesBecomeOneWithTheSumOfTheirWeights) {
  for (const std::size_t size : {0u, 1u, 2u, 31u, 33u, 64u, 65u, 500u}) {
    test::RandomPositions positions({VariantId::horde, {}}, size);
    std::vector<Position> different;
    for (int i = 0; i < 40; i++) different.push_back(positions.next());
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < size; i++) {
      Position p = different[i * i % different.size()];
      p.halfmove = static_cast<u16>(i);
      nodes.push_back({p, static_cast<u32>(i % 3), (1ull << 40) + i});
    }
    const std::vector<Node> result = merged(nodes);
    const Weights expected = weights_of(nodes);
    EXPECT_EQ(result.size(), expected.size()) << size;
    EXPECT_EQ(weights_of(result), expected) << size;
  }
}

// One word of difference is enough to stay apart: each field that belongs to a position, and none that does not.
TEST(Merge, EveryFieldCounts) {
  const Position p = start_position(VariantId::chess);
  std::vector<Node> nodes = {{p, 0, 1}};
  const auto add = [&](auto change) {
    nodes.push_back({p, 0, 1});
    change(nodes.back());
  };
  add([](Node& n) { n.position.men[0] ^= 1; });
  add([](Node& n) { n.position.men[1] ^= 1; });
  add([](Node& n) { n.position.pawns ^= 1; });
  add([](Node& n) { n.position.knights ^= 1; });
  add([](Node& n) { n.position.diagonal ^= 1; });
  add([](Node& n) { n.position.orthogonal ^= 1; });
  add([](Node& n) { n.position.kings ^= 1; });
  add([](Node& n) { n.position.ep_west = 1; });
  add([](Node& n) { n.position.ep_east = 1; });
  add([](Node& n) { n.position.castling ^= 1; });
  add([](Node& n) { n.position.side ^= 1; });
  add([](Node& n) { n.item = 1; });
  EXPECT_EQ(merged(nodes).size(), nodes.size());
  const std::size_t apart = nodes.size();
  add([](Node& n) { n.position.halfmove = 9; });
  add([](Node& n) { n.position.fullmove = 9; });
  const std::vector<Node> result = merged(nodes);
  EXPECT_EQ(result.size(), apart);
  const auto heaviest =
      std::max_element(result.begin(), result.end(), [](const Node& a, const Node& b) { return a.weight < b.weight; });
  EXPECT_EQ(heaviest->weight, 3u);
}

}  // namespace
}  // namespace hecatomb::cuda
