// The engine: one device, and a runner for each job.
#include <optional>

#include "kernels/device.cuh"
#include "kernels/engine.h"
#include "kernels/perft.cuh"
#include "kernels/playout.cuh"

namespace hecatomb::cuda {
namespace {

class DeviceEngine : public Engine {
 public:
  explicit DeviceEngine(const EngineOptions& options)
      : device_(on(find_device(options.device))),
        memory_bytes_(memory_budget(options.memory_bytes)),
        key_bits_(options.key_bits) {}

  const DeviceInfo& device() const override { return device_; }
  u64 memory_bytes() const override { return memory_bytes_; }
  void perft(const PerftWork& work) override {
    HECATOMB_CUDA_CHECK(cudaSetDevice(device_.number));  // CUDA keeps it for each thread by itself
    playout_.reset();
    if (!perft_) perft_.emplace(memory_bytes_, device_.multiprocessors);
    perft_->run(work);
  }
  void playout(const PlayoutWork& work) override {
    HECATOMB_CUDA_CHECK(cudaSetDevice(device_.number));
    perft_.reset();
    if (!playout_) playout_.emplace(memory_bytes_, device_.multiprocessors, key_bits_);
    playout_->run(work);
  }

 private:
  static DeviceInfo on(DeviceInfo device) {
    HECATOMB_CUDA_CHECK(cudaSetDevice(device.number));
    return device;
  }

  DeviceInfo device_;
  u64 memory_bytes_;
  int key_bits_;
  // One at a time, so that the memory is enough for either.
  std::optional<PerftRunner> perft_;
  std::optional<PlayoutRunner> playout_;
};

}  // namespace

const char* build_name() { return HECATOMB_KERNELS_BUILD; }

std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return std::make_unique<DeviceEngine>(options); }

}  // namespace hecatomb::cuda
