// The engine: one device, and a runner for each job.
#include "kernels/device.cuh"
#include "kernels/engine.h"
#include "kernels/perft.cuh"

namespace hecatomb::cuda {
namespace {

class DeviceEngine : public Engine {
 public:
  explicit DeviceEngine(const EngineOptions& options)
      : device_(on(find_device(options.device))),
        memory_bytes_(memory_budget(options.memory_bytes)),
        perft_(memory_bytes_, device_.multiprocessors) {}

  const DeviceInfo& device() const override { return device_; }
  u64 memory_bytes() const override { return memory_bytes_; }
  void perft(const PerftWork& work) override {
    HECATOMB_CUDA_CHECK(cudaSetDevice(device_.number));  // CUDA keeps it for each thread by itself
    perft_.run(work);
  }

 private:
  static DeviceInfo on(DeviceInfo device) {
    HECATOMB_CUDA_CHECK(cudaSetDevice(device.number));
    return device;
  }

  DeviceInfo device_;
  u64 memory_bytes_;
  PerftRunner perft_;
};

}  // namespace

const char* build_name() { return HECATOMB_KERNELS_BUILD; }

std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return std::make_unique<DeviceEngine>(options); }

}  // namespace hecatomb::cuda
