// The simulator (tests/support/cuda_sim): what it must compute, in every order of threads, and planted bugs, one of
// each kind, every one of which it must find.
#include "tests/support/cuda_sim/cuda_sim.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <numeric>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HECATOMB_TSAN 1
#elif __has_feature(address_sanitizer)
#define HECATOMB_ASAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define HECATOMB_TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define HECATOMB_ASAN 1
#endif

#if defined(HECATOMB_TSAN) && defined(HECATOMB_SYMBOLIZER)
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's name
extern "C" const char* __tsan_default_options() { return "external_symbolizer_path=" HECATOMB_SYMBOLIZER; }
#endif

namespace hecatomb {
namespace {

constexpr unsigned kAll = 0xffffffff, kUnwritten = 0xCDCDCDCD;

/// An array on the simulated device.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::vector<T> values) : size_(values.size()) {
    EXPECT_EQ(cudaMalloc(&data_, size_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  explicit OnDevice(std::size_t size) : size_(size) { EXPECT_EQ(cudaMalloc(&data_, size * sizeof(T)), cudaSuccess); }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() const { return data_; }
  /// Waits for the default stream, as cudaMemcpy does.
  std::vector<T> values() const {
    std::vector<T> host(size_);
    EXPECT_EQ(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

template <class... Parameters, class... Arguments>
cudaError_t launch(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream, void (*kernel)(Parameters...),
                   Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}
/// On the default stream.
template <class... Parameters, class... Arguments>
void run(unsigned grid, unsigned block, void (*kernel)(Parameters...), Arguments... arguments) {
  ASSERT_EQ(launch(grid, block, 0, nullptr, kernel, arguments...), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

class CudaSim : public testing::Test {
 protected:
  CudaSim() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    cuda_sim::reset();
  }
  ~CudaSim() override {
    EXPECT_EQ(cuda_sim::live_allocations(), 0u);
    cuda_sim::reset();
  }
};
using CudaSimDeathTest = CudaSim;

// ---- what it must compute

__global__ void sum_kernel(const unsigned* values, unsigned count, unsigned long long* sum) {
  HECATOMB_SHARED(unsigned long long[32], of_warp);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long v = i < count ? values[i] : 0;
  for (unsigned d = 16; d > 0; d /= 2) v += __shfl_down_sync(kAll, v, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < blockDim.x / 32; w++) v += of_warp[w];
  atomicAdd(sum, v);
}

TEST_F(CudaSim, SumsInEveryOrderAndOnSeveralHostThreads) {
  for (const unsigned order : {0u, 1u, 2u, 77u}) {
    for (const unsigned host_threads : {1u, 3u}) {
      cuda_sim::options().order = order;
      cuda_sim::options().host_threads = host_threads;
      for (const unsigned count : {1u, 31u, 32u, 33u, 96u, 97u, 500u}) {
        std::vector<unsigned> values(count);
        std::iota(values.begin(), values.end(), 1u);
        const OnDevice<unsigned> in(values);
        const OnDevice<unsigned long long> sum(std::vector<unsigned long long>{0});
        run((count + 95) / 96, 96, sum_kernel, in.data(), count, sum.data());
        EXPECT_EQ(sum.values()[0], count * (count + 1ULL) / 2) << count << " order " << order;
      }
    }
  }
}

__global__ void warp_kernel(unsigned* out) {
  const unsigned lane = threadIdx.x, odd = lane % 2 != 0 ? 0xaaaaaaaa : 0x55555555;
  unsigned* const mine = out + 16 * lane;
  mine[0] = __ballot_sync(kAll, lane % 3 == 0);
  mine[1] = static_cast<unsigned>(__any_sync(odd, lane == 7));
  mine[2] = static_cast<unsigned>(__all_sync(odd, lane % 2 == 1));
  mine[3] = __shfl_sync(kAll, lane * 10, 5, 8);
  mine[4] = __shfl_up_sync(kAll, lane, 3u, 16);
  mine[5] = __shfl_down_sync(kAll, lane, 3u, 16);
  mine[6] = __shfl_xor_sync(kAll, lane, 24, 16);
  mine[7] = __match_any_sync(kAll, lane / 5);
  int all = -1;
  mine[8] = __match_all_sync(odd, lane % 2, &all);
  mine[9] = static_cast<unsigned>(all);
  mine[10] = __reduce_add_sync(odd, lane);
  mine[11] = __reduce_min_sync(kAll, lane ^ 21);
  mine[12] = static_cast<unsigned>(__reduce_max_sync(kAll, static_cast<int>(lane) - 40));
  mine[13] = __reduce_or_sync(odd, 1u << lane);
  mine[14] = __reduce_and_sync(odd, ~(1u << lane));
  mine[15] = static_cast<unsigned>(__shfl_sync(kAll, 1ULL << (32 + lane % 32), 9) >> 32);
}

TEST_F(CudaSim, WarpOperations) {
  for (const unsigned order : {0u, 1u, 5u}) {
    cuda_sim::options().order = order;
    const OnDevice<unsigned> out(16 * 32);
    run(1, 32, warp_kernel, out.data());
    const std::vector<unsigned> all = out.values();
    for (unsigned lane = 0; lane < 32; lane++) {
      const unsigned odd = lane % 2 != 0 ? 0xaaaaaaaa : 0x55555555, in_half = lane % 16;
      unsigned same = 0;
      for (unsigned l = 0; l < 32; l++) same |= static_cast<unsigned>(l / 5 == lane / 5) << l;
      const std::vector<unsigned> expected = {0x49249249,
                                              lane % 2,
                                              lane % 2,
                                              (lane / 8 * 8 + 5) * 10,
                                              in_half < 3 ? lane : lane - 3,
                                              in_half > 12 ? lane : lane + 3,
                                              lane < 16 ? lane : lane ^ 24,
                                              same,
                                              odd,
                                              1,
                                              lane % 2 != 0 ? 256u : 240u,
                                              0,
                                              static_cast<unsigned>(-9),
                                              odd,
                                              ~odd,
                                              1u << 9};
      const auto begin = all.begin() + 16 * lane;
      EXPECT_EQ(std::vector<unsigned>(begin, begin + 16), expected) << "lane " << lane;
    }
  }
}

__global__ void barrier_kernel(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  const int count = __syncthreads_count(me % 3 == 0), any = __syncthreads_or(me == 69),
            all = __syncthreads_and(me < 69);
  if (me == 11) out[0] = count, out[1] = any, out[2] = all;
}

TEST_F(CudaSim, BarriersThatVote) {
  const OnDevice<int> out(3);
  run(1, 70, barrier_kernel, out.data());
  EXPECT_EQ(out.values(), (std::vector<int>{24, 1, 0}));
}

__global__ void place_kernel(unsigned* out) {
  HECATOMB_DYNAMIC_SHARED(unsigned, numbers);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  numbers[threads - 1 - thread] = thread;
  __syncthreads();
  out[block * threads + thread] = 1000 * block + numbers[thread];
}

TEST_F(CudaSim, ThreeDimensionsAndDynamicSharedMemory) {
  const OnDevice<unsigned> out(std::size_t{24} * 30);
  ASSERT_EQ(launch({2, 3, 4}, {5, 3, 2}, 30 * sizeof(unsigned), nullptr, place_kernel, out.data()), cudaSuccess);
  const std::vector<unsigned> values = out.values();
  for (unsigned i = 0; i < values.size(); i++) EXPECT_EQ(values[i], 1000 * (i / 30) + 29 - i % 30);
}

__global__ void atomics_kernel(unsigned* u, int* i, unsigned long long* l) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&u[0], n);
  atomicMin(&i[0], -static_cast<int>(n));
  atomicMax(&i[1], static_cast<int>(n));
  atomicOr(&u[1], 1u << n % 32);
  atomicAnd(&u[2], ~(1u << n % 32));
  atomicXor(&u[3], n);
  atomicSub(&u[4], 1);
  atomicAdd(&l[0], 1ULL << 32);
  if (atomicCAS(&u[5], 0, n + 1) == 0) atomicExch(&l[1], 7);
}

TEST_F(CudaSim, AtomicsOfBlocksOnSeveralHostThreads) {
  cuda_sim::options().host_threads = 4;
  const OnDevice<unsigned> u(std::vector<unsigned>{0, 0, kAll, 0, 500, 0});
  const OnDevice<int> i(std::vector<int>{0, 0});
  const OnDevice<unsigned long long> l(std::vector<unsigned long long>{0, 0});
  run(8, 40, atomics_kernel, u.data(), i.data(), l.data());
  const std::vector<unsigned> all = u.values();
  EXPECT_EQ(std::vector<unsigned>(all.begin(), all.begin() + 5), (std::vector<unsigned>{51040, kAll, 0, 0, 180}));
  EXPECT_NE(all[5], 0u);
  EXPECT_EQ(i.values(), (std::vector<int>{-319, 319}));
  EXPECT_EQ(l.values(), (std::vector<unsigned long long>{320ULL << 32, 7}));
}

// ---- streams, errors, memory

__global__ void add_kernel(int* to, const int* from, int more) { *to = *from + more; }

struct TwoStreams {
  TwoStreams() {
    for (cudaStream_t* s : {&a, &b}) EXPECT_EQ(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  }
  ~TwoStreams() {
    cudaEventDestroy(event);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t event = nullptr;
};

TEST_F(CudaSim, AnEventOrdersTwoStreams) {
  for (const bool with_event : {true, false}) {
    const TwoStreams streams;
    const OnDevice<int> x(std::vector<int>{1}), y(std::vector<int>{0});
    ASSERT_EQ(launch(1, 1, 0, streams.a, add_kernel, x.data(), x.data(), 10), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(streams.event, streams.a), cudaSuccess);
    if (with_event) {
      ASSERT_EQ(cudaStreamWaitEvent(streams.b, streams.event), cudaSuccess);
    }
    ASSERT_EQ(launch(1, 1, 0, streams.b, add_kernel, y.data(), x.data(), 100), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(streams.b), cudaSuccess);
    EXPECT_EQ(y.values()[0], with_event ? 111 : 101) << "without the event the other stream has not run";
    ASSERT_EQ(cudaEventSynchronize(streams.event), cudaSuccess);
    EXPECT_EQ(x.values()[0], 11);
  }
}

TEST_F(CudaSim, BadLaunchesAndCopiesAreRefused) {
  const OnDevice<int> x(4);
  int host[8] = {};
  EXPECT_EQ(launch(1, 1025, 0, nullptr, add_kernel, x.data(), x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(0, 1, 0, nullptr, add_kernel, x.data(), x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(1, 1, 1 << 20, nullptr, add_kernel, x.data(), x.data(), 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(x.data(), host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue) << "too long";
  EXPECT_EQ(cudaMemcpy(host, x.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue) << "wrong way";
  EXPECT_EQ(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(CudaSim, MachinesWithoutWhatIsNeeded) {
  int count = -1;
  cuda_sim::options().devices = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  cuda_sim::options().has_driver = false;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
  cuda_sim::reset();
  cuda_sim::options().memory_bytes = 1000;
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1001), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, 1000), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(CudaSim, ALostDeviceFailsEveryCall) {
  const OnDevice<int> x(1);
  cuda_sim::fail_call("cudaDeviceSynchronize", 2, cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  int host = 0;
  EXPECT_EQ(cudaMemcpy(&host, x.data(), sizeof host, cudaMemcpyDeviceToHost), cudaErrorLaunchFailure);
  EXPECT_STREQ(cudaGetErrorName(cudaPeekAtLastError()), "cudaErrorLaunchFailure");
}

// ---- planted bugs

#if !defined(HECATOMB_TSAN)
#define EXPECT_RACE(statement, line) static_cast<void>(line)
#else
/// ThreadSanitizer reports a race at that line of this file (66 is its exit code).
#define EXPECT_RACE(statement, line) \
  EXPECT_EXIT(                       \
      {                              \
        statement;                   \
        std::exit(0);                \
      },                             \
      testing::ExitedWithCode(66), "data race.*cuda_sim_test.cpp:" + std::to_string(line) + "[^0-9]")
#endif

constexpr int kReverseLine = __LINE__ + 5;  // reads what another thread has written
__global__ void reverse_kernel(int* out, bool with_barrier) {
  HECATOMB_SHARED(int[64], s);
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (with_barrier) __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

void reverse(bool with_barrier, std::vector<int>& values) {
  const OnDevice<int> out(64);
  run(1, 64, reverse_kernel, out.data(), with_barrier);
  values = out.values();
}

TEST_F(CudaSimDeathTest, MissingBarrier) {
  std::vector<int> expected(64), values;
  for (int i = 0; i < 64; i++) expected[static_cast<std::size_t>(i)] = 63 - i;
  reverse(true, values);
  EXPECT_EQ(values, expected);
  EXPECT_RACE(reverse(false, values), kReverseLine);
#if !defined(HECATOMB_TSAN)
  reverse(false, values);
  EXPECT_EQ(values[0], static_cast<int>(kUnwritten)) << "thread 0 runs before thread 63";
#endif
}

// Only the threads of a warp are ordered by __syncwarp, and a barrier of one block orders nothing in another.
constexpr int kNeighbourLine = __LINE__ + 4;
__global__ void neighbour_kernel(int* values, int* out, unsigned distance) {
  values[blockIdx.x * 64 + threadIdx.x] = 1;
  __syncwarp();
  out[blockIdx.x * 64 + threadIdx.x] = values[(blockIdx.x * 64 + threadIdx.x + distance) % 128];
  __syncthreads();
}

/// How many threads have read a 1.
int read_neighbours(unsigned distance) {
  const OnDevice<int> values(std::vector<int>(128)), out(128);
  const auto run_it = [&] { run(2, 64, neighbour_kernel, values.data(), out.data(), distance); };
  run_it();
  const std::vector<int> read = out.values();
  return std::accumulate(read.begin(), read.end(), 0);
}

TEST_F(CudaSimDeathTest, SynchronisingTooFew) {
  EXPECT_EQ(read_neighbours(0), 128);
  EXPECT_RACE(read_neighbours(32), kNeighbourLine);  // another warp
  EXPECT_RACE(read_neighbours(64), kNeighbourLine);  // another block
#if !defined(HECATOMB_TSAN)
  EXPECT_EQ(read_neighbours(64), 64) << "the first block runs before the second";
#endif
}

constexpr int kCounterLine = __LINE__ + 4;
__global__ void counter_kernel(unsigned* counter) {
  const unsigned seen = *counter;
  __syncwarp();
  *counter = seen + 1;
}

void count_without_atomics(unsigned& result) {
  const OnDevice<unsigned> counter(std::vector<unsigned>{0});
  run(1, 32, counter_kernel, counter.data());
  result = counter.values()[0];
}

TEST_F(CudaSimDeathTest, CounterThatIsNotAtomic) {
  unsigned result = 0;
  EXPECT_RACE(count_without_atomics(result), kCounterLine);
#if !defined(HECATOMB_TSAN)
  count_without_atomics(result);
  EXPECT_EQ(result, 1u) << "all lanes have read 0";
#endif
}

__global__ void unwritten_kernel(unsigned* out) {
  HECATOMB_SHARED(unsigned[4], s);
  HECATOMB_DYNAMIC_SHARED(unsigned, d);
  out[0] = s[2];
  out[1] = d[3];
}

TEST_F(CudaSim, MemoryNobodyHasWritten) {
  const OnDevice<unsigned> out(3);
  ASSERT_EQ(launch(1, 1, 16, nullptr, unwritten_kernel, out.data()), cudaSuccess);
  EXPECT_EQ(out.values(), (std::vector<unsigned>{kUnwritten, kUnwritten, kUnwritten}));
}

TEST_F(CudaSim, MissingSynchronisation) {
  const TwoStreams streams;
  const OnDevice<int> x(std::vector<int>{1});
  int* result = nullptr;
  ASSERT_EQ(cudaMallocHost(&result, sizeof(int)), cudaSuccess);
  *result = 0;
  ASSERT_EQ(launch(1, 1, 0, streams.a, add_kernel, x.data(), x.data(), 10), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(result, x.data(), sizeof(int), cudaMemcpyDeviceToHost, streams.a), cudaSuccess);
  EXPECT_EQ(*result, 0) << "nobody has waited, so nothing has run";
  EXPECT_EQ(x.values()[0], 1) << "a stream of its own is not waited for by cudaMemcpy either";
  ASSERT_EQ(cudaStreamSynchronize(streams.a), cudaSuccess);
  EXPECT_EQ(*result, 11);
  ASSERT_EQ(cudaFreeHost(result), cudaSuccess);
}

enum class Bug {
  wrong_mask,
  not_in_mask,
  exited_lane,
  beyond_block,
  shuffle_from_outside,
  two_operations,
  divergent_barrier,
  exited_before_barrier,
  two_barriers,
};

__global__ void buggy_kernel(Bug bug, unsigned* out) {
  const unsigned lane = threadIdx.x;
  switch (bug) {
    case Bug::wrong_mask:  // names all lanes, but only half of them come
      if (lane < 16) out[lane] = __ballot_sync(kAll, 1);
      __syncthreads();
      break;
    case Bug::not_in_mask:
      out[lane] = __ballot_sync(0xffff, 1);
      break;
    case Bug::exited_lane:
      if (lane == 3) return;
      out[lane] = __shfl_sync(kAll, lane, 0);
      break;
    case Bug::beyond_block:  // of 40 threads
      out[lane] = __ballot_sync(kAll, 1);
      break;
    case Bug::shuffle_from_outside:
      if (lane < 16) out[lane] = __shfl_sync(0xffff, lane, 20);
      break;
    case Bug::two_operations:
      out[lane] = lane < 16 ? __ballot_sync(kAll, 1) : __shfl_sync(kAll, lane, 20);
      break;
    case Bug::divergent_barrier:
      if (lane < 16) __syncthreads();
      if (lane >= 16) __syncwarp(kAll);
      break;
    case Bug::exited_before_barrier:
      if (lane == 3) return;
      __syncthreads();
      break;
    case Bug::two_barriers:
      if (lane < 16) {
        __syncthreads();
      } else {
        __syncthreads();
      }
      break;
  }
}

void run_buggy(Bug bug) {
  const OnDevice<unsigned> out(64);
  run(1, bug == Bug::beyond_block ? 40 : 32, buggy_kernel, bug, out.data());
}

TEST_F(CudaSimDeathTest, WarpsAndBarriers) {
  constexpr std::array<std::pair<Bug, const char*>, 9> bugs = {{
      {Bug::wrong_mask, "deadlock: the threads of the block wait for each other"},
      {Bug::not_in_mask, "lane 16 is not in its own mask"},
      {Bug::exited_lane, "the mask names lane 3, which has exited"},
      {Bug::beyond_block, "the mask names lane 8, which is beyond the block"},
      {Bug::shuffle_from_outside, "a shuffle from lane 20, which is not in the mask"},
      {Bug::two_operations, "the mask names lane 16, which is in another operation"},
      {Bug::divergent_barrier, "deadlock: the threads of the block wait for each other"},
      {Bug::exited_before_barrier, "strict: a barrier when 1 threads of the block have exited"},
      {Bug::two_barriers, "strict: threads of the block wait at different barriers"},
  }};
  for (const auto& [bug, message] : bugs) {
    EXPECT_DEATH(run_buggy(bug), "cuda_sim_test.cpp:[0-9]+: block \\(0,0,0\\) thread [0-9]+: " + std::string(message));
  }
  cuda_sim::options().strict = false;  // as most devices take it
  run_buggy(Bug::exited_before_barrier);
  run_buggy(Bug::two_barriers);
}

TEST_F(CudaSimDeathTest, ADeviceFunctionOutsideOfAKernel) {
  EXPECT_DEATH(__syncthreads(), "a device function was called outside of a kernel");
}

__global__ void write_kernel(int* p, int offset) { p[offset] = 1; }

void write_outside(int offset) {
  OnDevice<int> x(16);
  run(1, 1, write_kernel, x.data(), offset);
  cuda_sim::check_memory();
}

void write_freed() {
  int* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  ASSERT_EQ(cudaFree(p), cudaSuccess);
  run(1, 1, write_kernel, p, 3);
  cuda_sim::check_memory();
}

TEST_F(CudaSimDeathTest, OutOfBoundsAndAfterFree) {
  write_outside(15);
#if defined(HECATOMB_ASAN)
  EXPECT_DEATH(write_outside(16), "heap-buffer-overflow.*write_kernel");
  EXPECT_DEATH(write_outside(-1), "heap-buffer-overflow.*write_kernel");
  EXPECT_DEATH(write_freed(), "heap-use-after-free.*write_kernel");
#else
  EXPECT_DEATH(write_outside(16), "memory behind a buffer of 64 bytes was written");
  EXPECT_DEATH(write_outside(-1), "memory before a buffer of 64 bytes was written");
  EXPECT_DEATH(write_freed(), "a buffer was written after it was freed");
#endif
}

}  // namespace
}  // namespace hecatomb
