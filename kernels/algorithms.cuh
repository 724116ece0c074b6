// Whole-array operations on the device, by Thrust, which algorithms.cu alone includes: one takes as long to compile as
// all kernels. Each waits for the stream, and is over when it returns.
#pragma once
#include "kernels/runtime.cuh"

namespace hecatomb::cuda {

/// values[i] becomes the sum of the first i of `count` values, which must fit.
void exclusive_scan(const Stream& stream, u32* values, std::size_t count);

/// Sorts `keys` and moves `values` with them.
void sort_by_key(const Stream& stream, u64* keys, u32* values, std::size_t count);

}  // namespace hecatomb::cuda
