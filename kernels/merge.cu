#include <utility>

#include "common/hash.h"
#include "kernels/algorithms.cuh"
#include "kernels/merge.cuh"

namespace hecatomb::cuda {
namespace {

__device__ bool same_node(const Nodes& nodes, u32 a, u32 b) {
  return nodes.items[a] == nodes.items[b] && same_position(nodes.positions[a], nodes.positions[b]);
}

__global__ void __launch_bounds__(kBlockThreads) keys_kernel(Nodes nodes, u32 count, u64* keys, u32* order) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  keys[i] = mix_word(hash_of(nodes.positions[i]).low, nodes.items[i], 0x9e3779b97f4a7c15);
  order[i] = i;
}

/// heads[i]: whether the i-th in order differs from the one before; heads[count] = 0 for the scan.
__global__ void __launch_bounds__(kBlockThreads)
    heads_kernel(Nodes nodes, u32 count, const u64* keys, const u32* order, u32* heads) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > count) return;
  heads[i] = i < count && (i == 0 || keys[i] != keys[i - 1] || !same_node(nodes, order[i], order[i - 1]));
}

/// slots[i]: how many heads there are before i. `merged` has no weights yet.
__global__ void __launch_bounds__(kBlockThreads)
    merge_kernel(Nodes nodes, u32 count, const u32* order, const u32* slots, Nodes merged) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const u32 from = order[i];
  const bool head = slots[i + 1] != slots[i];
  const u32 to = slots[i + 1] - 1;
  if (head) {
    merged.positions[to] = nodes.positions[from];
    merged.items[to] = nodes.items[from];
  }
  atomicAdd(merged.weights + to, nodes.weights[from]);
}

}  // namespace

void Merger::reserve(u32 capacity) {
  merged_.reserve(capacity);
  keys_.reserve(capacity);
  order_.reserve(capacity);
  slots_.reserve(std::size_t{capacity} + 1);
  size_.reserve(1);
}

void Merger::merge(const Stream& stream, Generation& generation) {
  const u32 count = generation.size;
  if (count < 2) return;
  const Nodes nodes = generation.nodes(), merged = merged_.nodes();
  launch(stream, count, keys_kernel, nodes, count, keys_.data(), order_.data());
  sort_by_key(stream, keys_.data(), order_.data(), count);
  launch(stream, std::size_t{count} + 1, heads_kernel, nodes, count, keys_.data(), order_.data(), slots_.data());
  exclusive_scan(stream, slots_.data(), std::size_t{count} + 1);
  copy_to_host(stream, size_.data(), slots_.data() + count, 1);
  clear(stream, merged_.weights.data(), count);
  launch(stream, count, merge_kernel, nodes, count, order_.data(), slots_.data(), merged);
  stream.synchronize();
  merged_.size = *size_.data();
  std::swap(merged_, generation);
}

}  // namespace hecatomb::cuda
