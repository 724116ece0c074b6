// Errors, devices, and how much of their memory an engine may take.
#include <algorithm>
#include <cstring>

#include "kernels/device.cuh"

namespace hecatomb::cuda {
namespace {

Problem problem_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver:
      return Problem::no_driver;
    case cudaErrorNoDevice:
      return Problem::no_device;
    case cudaErrorMemoryAllocation:
      return Problem::out_of_memory;
    default:
      return Problem::failed;
  }
}

}  // namespace

void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  const char* const slash = std::strrchr(file, '/');
  throw Error(problem_of(error), std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ") from " +
                                     call + " at " + (slash == nullptr ? file : slash + 1) + ":" +
                                     std::to_string(line));
}

std::vector<DeviceInfo> query_devices() {
  int driver = 0, count = 0;
  if (!HECATOMB_CUDA_TRY(cudaDriverGetVersion(&driver)) || driver == 0)
    throw Error(Problem::no_driver, "no NVIDIA driver is loaded");
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver) {
    static_cast<void>(cudaGetLastError());
    throw Error(Problem::no_driver, "the NVIDIA driver is older than the CUDA runtime of this build");
  }
  if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
    static_cast<void>(cudaGetLastError());
    throw Error(Problem::no_device, "the NVIDIA driver finds no device");
  }
  HECATOMB_CUDA_CHECK(error);
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; i++) {
    cudaDeviceProp p;
    HECATOMB_CUDA_CHECK(cudaGetDeviceProperties(&p, i));
    devices.push_back({i, p.name, p.major, p.minor, p.multiProcessorCount, p.totalGlobalMem});
  }
  return devices;
}

DeviceInfo find_device(int number) {
  const std::vector<DeviceInfo> devices = query_devices();
  const auto capability = [](const DeviceInfo& d) {
    return d.name + " has compute capability " + std::to_string(d.major) + "." + std::to_string(d.minor) +
           ", and the kernels need " + std::to_string(kLeastMajor) + ".0";
  };
  if (number >= static_cast<int>(devices.size())) {
    throw Error(Problem::wrong_device, "the devices are numbered 0 to " + std::to_string(devices.size() - 1));
  }
  if (number >= 0) {
    const DeviceInfo& d = devices[static_cast<std::size_t>(number)];
    if (!d.usable()) throw Error(Problem::too_old, capability(d));
    return d;
  }
  const auto usable = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo& d) { return d.usable(); });
  if (usable == devices.end()) throw Error(Problem::too_old, capability(devices.front()));
  return *usable;
}

u64 memory_budget(u64 allowed_bytes) {
  std::size_t free_bytes = 0, total_bytes = 0;
  HECATOMB_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const auto share = static_cast<u64>(kMemoryShare * static_cast<double>(free_bytes));
  return allowed_bytes == 0 ? share : std::min(allowed_bytes, share);
}

}  // namespace hecatomb::cuda
