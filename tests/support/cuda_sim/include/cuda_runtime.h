// The part of CUDA that kernels/ uses, for a host compiler: the same sources then run on the CPU, one fiber per thread.
//
// The one idea: this file is found in the place of NVIDIA's <cuda_runtime.h>, declares the same names with the same
// meaning, and leaves out what kernels/ must not use (__activemask, cooperative groups, inline PTX, CUB): such code
// does not compile. What a name does is in lanes.cpp (threads, warps, shared memory) and runtime.cpp (memory, streams,
// devices); how tests steer it, and what it finds, in cuda_sim.h.
//
// Two names of our own, for what has no form that both compilers take: HECATOMB_SHARED, HECATOMB_DYNAMIC_SHARED
// (kernels/runtime.cuh says what they mean).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier,bugprone-macro-parentheses): CUDA's names

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  // NOLINTNEXTLINE(google-explicit-constructor): as CUDA's
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

// ---- runtime API ------------------------------------------------------------------------------------------------

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

namespace cuda_sim {
struct Stream;
struct Event;
}  // namespace cuda_sim
using cudaStream_t = cuda_sim::Stream*;
using cudaEvent_t = cuda_sim::Event*;

struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem;
  int major, minor, multiProcessorCount;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  void* attrs;
  unsigned numAttrs;
};

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaFreeHost(void* memory);
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  void* raw = nullptr;
  const cudaError_t error = cudaMalloc(&raw, bytes);
  *memory = static_cast<T*>(raw);
  return error;
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes) {
  void* raw = nullptr;
  const cudaError_t error = cudaMallocHost(&raw, bytes);
  *memory = static_cast<T*>(raw);
  return error;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaDeviceSynchronize();

namespace cuda_sim {

using Where = std::source_location;

/// Queues a grid whose every thread calls `body`.
cudaError_t launch(const cudaLaunchConfig_t& config, std::function<void()> body);

}  // namespace cuda_sim

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  return cuda_sim::launch(*config, [kernel, pack = std::tuple<Parameters...>(std::forward<Arguments>(arguments)...)] {
    std::apply(kernel, pack);
  });
}

// ---- in a kernel ------------------------------------------------------------------------------------------------

namespace cuda_sim {

uint3 thread_index();
uint3 block_index();
uint3 block_size();
uint3 grid_size();
unsigned lane();

/// A built-in variable: a number that is asked for where it is used.
template <uint3 (*get)(), unsigned uint3::*member>
struct Coordinate {
  // NOLINTNEXTLINE(google-explicit-constructor): used as the number it is
  operator unsigned() const { return get().*member; }
};
template <uint3 (*get)()>
struct Coordinates {
  Coordinate<get, &uint3::x> x{};
  Coordinate<get, &uint3::y> y{};
  Coordinate<get, &uint3::z> z{};
};

/// What a lane asks its warp; lanes that meet must ask the same.
enum class WarpOp : std::uint8_t { sync, vote, shuffle, match, reduce };

/// What the threads of a block said at a barrier.
struct BarrierVote {
  int count;
  bool any, all;
};
BarrierVote barrier(int predicate, const Where& where);

/// Waits until every lane of `mask` is here. Then lane_value(l) is what lane l gave, until this lane meets again.
void meet(WarpOp op, unsigned mask, std::uint64_t value, const Where& where);
std::uint64_t lane_value(unsigned lane);
/// The same for a shuffle: ends the program where `source` is not in `mask`.
std::uint64_t exchange(unsigned mask, std::uint64_t value, unsigned source, const Where& where);

/// The block's memory for the shared variable declared at `site`.
void* shared_variable(const void* site, std::size_t bytes, std::size_t alignment);
void* dynamic_shared();

/// A fence: what was written before it is seen by whoever passes a fence after it.
void fence();

template <class T, class Site>
T& shared(Site) {
  static char site;
  return *static_cast<T*>(shared_variable(&site, sizeof(T), alignof(T)));
}

template <class T>
inline constexpr bool kIsShuffled = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
inline constexpr bool kIsAtomic =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, unsigned long long>;

template <class T>
T shuffle(unsigned mask, T value, unsigned source, const Where& where) {
  static_assert(kIsShuffled<T>, "CUDA shuffles numbers of 4 or 8 bytes only");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = exchange(mask, bits, source, where);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// f over what the lanes of `mask` gave.
template <class T, class F>
T reduce(unsigned mask, T value, F f, const Where& where) {
  static_assert(std::is_same_v<T, int> || std::is_same_v<T, unsigned>, "CUDA reduces int and unsigned only");
  meet(WarpOp::reduce, mask, static_cast<unsigned>(value), where);
  T total = value;
  bool first = true;
  for (unsigned l = 0; l < 32; l++) {
    if ((mask >> l & 1) == 0) continue;
    const T given = static_cast<T>(lane_value(l));
    total = first ? given : f(total, given);
    first = false;
  }
  return total;
}

/// Replaces *p by f(*p) at once; returns what was there.
template <class T, class F>
T atomically(T* p, F f) {
  static_assert(kIsAtomic<T>, "CUDA's atomics are for int, unsigned and unsigned long long");
  T before = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &before, f(before), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return before;
}

}  // namespace cuda_sim

inline constexpr cuda_sim::Coordinates<cuda_sim::thread_index> threadIdx;
inline constexpr cuda_sim::Coordinates<cuda_sim::block_index> blockIdx;
inline constexpr cuda_sim::Coordinates<cuda_sim::block_size> blockDim;
inline constexpr cuda_sim::Coordinates<cuda_sim::grid_size> gridDim;

#define HECATOMB_SHARED(type, name) auto& name = ::cuda_sim::shared<type>([] {})
#define HECATOMB_DYNAMIC_SHARED(type, name) auto* const name = static_cast<type*>(::cuda_sim::dynamic_shared())

inline void __syncthreads(cuda_sim::Where where = cuda_sim::Where::current()) { cuda_sim::barrier(0, where); }
inline int __syncthreads_count(int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::barrier(predicate, where).count;
}
inline int __syncthreads_or(int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::barrier(predicate, where).any ? 1 : 0;
}
inline int __syncthreads_and(int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::barrier(predicate, where).all ? 1 : 0;
}

inline void __syncwarp(unsigned mask = ~0u, cuda_sim::Where where = cuda_sim::Where::current()) {
  cuda_sim::meet(cuda_sim::WarpOp::sync, mask, 0, where);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  cuda_sim::meet(cuda_sim::WarpOp::vote, mask, predicate != 0 ? 1 : 0, where);
  unsigned votes = 0;
  for (unsigned l = 0; l < 32; l++) {
    if ((mask >> l & 1) != 0 && cuda_sim::lane_value(l) != 0) votes |= 1u << l;
  }
  return votes;
}
inline int __any_sync(unsigned mask, int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return __ballot_sync(mask, predicate, where) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int predicate, cuda_sim::Where where = cuda_sim::Where::current()) {
  return __ballot_sync(mask, predicate, where) == mask ? 1 : 0;
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, cuda_sim::Where where = cuda_sim::Where::current()) {
  const unsigned group = ~static_cast<unsigned>(width - 1);
  return cuda_sim::shuffle(mask, value, (cuda_sim::lane() & group) | (static_cast<unsigned>(source) & ~group), where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32,
                  cuda_sim::Where where = cuda_sim::Where::current()) {
  const unsigned own = cuda_sim::lane(), other = own ^ static_cast<unsigned>(bits);
  const unsigned last_of_group = own | static_cast<unsigned>(width - 1);
  return cuda_sim::shuffle(mask, value, other > last_of_group ? own : other, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   cuda_sim::Where where = cuda_sim::Where::current()) {
  const unsigned own = cuda_sim::lane(), last_of_group = own | static_cast<unsigned>(width - 1);
  return cuda_sim::shuffle(mask, value, own + delta > last_of_group ? own : own + delta, where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 cuda_sim::Where where = cuda_sim::Where::current()) {
  const unsigned own = cuda_sim::lane(), in_group = own & static_cast<unsigned>(width - 1);
  return cuda_sim::shuffle(mask, value, in_group < delta ? own : own - delta, where);
}

template <class T>
unsigned __match_any_sync(unsigned mask, T value, cuda_sim::Where where = cuda_sim::Where::current()) {
  static_assert(cuda_sim::kIsShuffled<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  cuda_sim::meet(cuda_sim::WarpOp::match, mask, bits, where);
  unsigned same = 0;
  for (unsigned l = 0; l < 32; l++) {
    if ((mask >> l & 1) != 0 && cuda_sim::lane_value(l) == bits) same |= 1u << l;
  }
  return same;
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all, cuda_sim::Where where = cuda_sim::Where::current()) {
  *all = __match_any_sync(mask, value, where) == mask ? 1 : 0;
  return *all != 0 ? mask : 0;
}

template <class T>
T __reduce_add_sync(unsigned mask, T value, cuda_sim::Where where = cuda_sim::Where::current()) {
  const auto add = [](T a, T b) { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); };
  return cuda_sim::reduce(mask, value, add, where);
}
template <class T>
T __reduce_min_sync(unsigned mask, T value, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::reduce(
      mask, value, [](T a, T b) { return a < b ? a : b; }, where);
}
template <class T>
T __reduce_max_sync(unsigned mask, T value, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::reduce(
      mask, value, [](T a, T b) { return a < b ? b : a; }, where);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::reduce(
      mask, value, [](unsigned a, unsigned b) { return a | b; }, where);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, cuda_sim::Where where = cuda_sim::Where::current()) {
  return cuda_sim::reduce(
      mask, value, [](unsigned a, unsigned b) { return a & b; }, where);
}

template <class T>
T atomicAdd(T* p, std::type_identity_t<T> value) {
  static_assert(cuda_sim::kIsAtomic<T>, "CUDA adds to int, unsigned and unsigned long long");
  return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicSub(T* p, std::type_identity_t<T> value) {
  static_assert(cuda_sim::kIsAtomic<T> && sizeof(T) == 4, "CUDA subtracts from int and unsigned");
  return __atomic_fetch_sub(p, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicMin(T* p, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [value](T x) { return value < x ? value : x; });
}
template <class T>
T atomicMax(T* p, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [value](T x) { return x < value ? value : x; });
}
template <class T>
T atomicAnd(T* p, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [value](T x) { return x & value; });
}
template <class T>
T atomicOr(T* p, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [value](T x) { return x | value; });
}
template <class T>
T atomicXor(T* p, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [value](T x) { return x ^ value; });
}
template <class T>
T atomicExch(T* p, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [value](T) { return value; });
}
template <class T>
T atomicCAS(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return cuda_sim::atomically(p, [=](T x) { return x == expected ? value : x; });
}

inline void __threadfence() { cuda_sim::fence(); }
inline void __threadfence_block() { cuda_sim::fence(); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }

// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier,bugprone-macro-parentheses)
