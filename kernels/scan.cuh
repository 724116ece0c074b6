// Sums over arrays on the device. Thrust is used in scan.cu alone.
#pragma once
#include "kernels/runtime.cuh"

namespace hecatomb::cuda {

/// values[i] becomes the sum of the first i of `count` values, which must fit. Waits for the stream, and is over when
/// it returns.
void exclusive_scan(const Stream& stream, u32* values, std::size_t count);

}  // namespace hecatomb::cuda
