// Thrust, called from host code only. It runs in the default stream, which does not wait for ours: so ours is waited
// for first, and the device afterwards.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>

#include <new>

#include "kernels/algorithms.cuh"

namespace hecatomb::cuda {
namespace {

template <class Call>
void by_thrust(const Stream& stream, const char* name, Call call) {
  stream.synchronize();
  try {
    call();
  } catch (const thrust::system_error& error) {
    throw Error(Problem::failed, std::string(name) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw Error(Problem::out_of_memory, std::string(name) + " finds no device memory");
  }
  HECATOMB_CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

}  // namespace

void exclusive_scan(const Stream& stream, u32* values, std::size_t count) {
  by_thrust(stream, "thrust::exclusive_scan",
            [&] { thrust::exclusive_scan(thrust::device, values, values + count, values); });
}

void sort_by_key(const Stream& stream, u64* keys, u32* values, std::size_t count) {
  by_thrust(stream, "thrust::sort_by_key", [&] { thrust::sort_by_key(thrust::device, keys, keys + count, values); });
}

}  // namespace hecatomb::cuda
