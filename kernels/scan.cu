// Thrust, called from host code only. It runs in the default stream, which does not wait for ours: so ours is waited
// for first, and the device afterwards.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <new>

#include "kernels/scan.cuh"

namespace hecatomb::cuda {

void exclusive_scan(const Stream& stream, u32* values, std::size_t count) {
  stream.synchronize();
  try {
    thrust::exclusive_scan(thrust::device, values, values + count, values);
  } catch (const thrust::system_error& error) {
    throw Error(Problem::failed, std::string("thrust::exclusive_scan: ") + error.what());
  } catch (const std::bad_alloc&) {
    throw Error(Problem::out_of_memory, "thrust::exclusive_scan finds no device memory");
  }
  HECATOMB_CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

}  // namespace hecatomb::cuda
