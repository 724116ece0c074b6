// What every .cu file here stands on: checked calls, streams and buffers that free themselves, launches.
//
// The one idea: nothing of CUDA is called without looking at what it returns (without a driver, unchecked calls give
// garbage), and nothing is launched by <<<>>>, so that the same text is C++ for g++, which compiles it a second time
// against tests/support/cuda_sim. There <cuda_runtime.h> is the simulator's.
//
//   HECATOMB_CUDA_CHECK(call)            throws Error with the call's text, file and line unless it succeeds
//   HECATOMB_CUDA_TRY(call)              whether it succeeds; for destructors, which must not throw
//   HECATOMB_SHARED(type, name)          a __shared__ variable; an array as HECATOMB_SHARED(u64[32], sums)
//   HECATOMB_DYNAMIC_SHARED(type, name)  `type* name`: the shared memory of the launch
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/engine.h"

#if !defined(HECATOMB_SHARED)
#define HECATOMB_SHARED(type, name) __shared__ std::type_identity_t<type> name
#define HECATOMB_DYNAMIC_SHARED(type, name)                                       \
  extern __shared__ __align__(16) unsigned char hecatomb_dynamic_shared_memory[]; \
  type* const name = reinterpret_cast<type*>(hecatomb_dynamic_shared_memory)
#endif

#define HECATOMB_CUDA_CHECK(call) ::hecatomb::cuda::check((call), #call, __FILE__, __LINE__)
#define HECATOMB_CUDA_TRY(call) ::hecatomb::cuda::succeeds(call)

namespace hecatomb::cuda {

/// Throws Error unless `error` is success.
void check(cudaError_t error, const char* call, const char* file, int line);

/// Whether it is success. Takes the error off CUDA's record, so that no later call is blamed.
inline bool succeeds(cudaError_t error) noexcept {
  if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
  return error == cudaSuccess;
}

/// A stream that does not wait for the default stream, nor it for this.
class Stream {
 public:
  Stream() { HECATOMB_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { HECATOMB_CUDA_TRY(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  /// Waits for all that was queued; throws what went wrong in it.
  void synchronize() const { HECATOMB_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream that another can wait for.
class Event {
 public:
  Event() { HECATOMB_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { HECATOMB_CUDA_TRY(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream) { HECATOMB_CUDA_CHECK(cudaEventRecord(event_, stream.get())); }
  /// What is queued in `stream` from now on waits.
  void hold(const Stream& stream) const { HECATOMB_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Memory for plain structs that grows when more is asked for, and is kept when less is. Growing loses the contents.
template <class T, cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*)>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  ~Buffer() { reset(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  /// Room for `count` items. Work that uses the old ones must be over. Throws Error (out_of_memory).
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    reset();
    void* memory = nullptr;
    HECATOMB_CUDA_CHECK(allocate(&memory, count * sizeof(T)));
    data_ = static_cast<T*>(memory);
    capacity_ = count;
  }
  void reset() noexcept {
    if (data_ != nullptr) HECATOMB_CUDA_TRY(release(data_));
    data_ = nullptr;
    capacity_ = 0;
  }
  T* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }

 private:
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

inline cudaError_t allocate_on_device(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline cudaError_t release_on_device(void* memory) { return cudaFree(memory); }
inline cudaError_t allocate_pinned(void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }
inline cudaError_t release_pinned(void* memory) { return cudaFreeHost(memory); }

template <class T>
using DeviceBuffer = Buffer<T, allocate_on_device, release_on_device>;
/// On the host, where copies that are queued can reach it while the program goes on.
template <class T>
using PinnedBuffer = Buffer<T, allocate_pinned, release_pinned>;

/// Queues a copy. The host's side must stay as it is until the stream is synchronised.
template <class T>
void copy_to_device(const Stream& stream, T* to, const T* from, std::size_t count) {
  if (count == 0) return;
  HECATOMB_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream.get()));
}
template <class T>
void copy_to_host(const Stream& stream, T* to, const T* from, std::size_t count) {
  if (count == 0) return;
  HECATOMB_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream.get()));
}
/// Queues setting every byte to 0.
template <class T>
void clear(const Stream& stream, T* memory, std::size_t count) {
  if (count == 0) return;
  HECATOMB_CUDA_CHECK(cudaMemsetAsync(memory, 0, count * sizeof(T), stream.get()));
}

/// Threads of a block, for kernels in which every thread has one item.
inline constexpr unsigned kBlockThreads = 64;

/// Queues kernel(arguments…) with one thread an item, in blocks of kBlockThreads: the last block has threads to spare.
template <class... Parameters, class... Arguments>
void launch(const Stream& stream, std::size_t items, void (*kernel)(Parameters...), Arguments&&... arguments) {
  if (items == 0) return;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>((items + kBlockThreads - 1) / kBlockThreads));
  config.blockDim = dim3(kBlockThreads);
  config.stream = stream.get();
  HECATOMB_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...));
}

}  // namespace hecatomb::cuda
