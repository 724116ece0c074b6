// Machines and devices that fail, played by the simulator: every answer is exact all the same, or the failure is said.
#include "host/cuda_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/bench.h"
#include "host/error.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/random_games.h"
#include "tests/support/cuda_sim/cuda_sim.h"

namespace hecatomb {
namespace {

using testing::HasSubstr;

class CudaBackendTest : public testing::Test {
 protected:
  CudaBackendTest() {
    cuda_sim::reset();
    options_.device_memory_bytes = 4'000'000;
    options_.on_warning = [this](const std::string& text) { warnings_.push_back(text); };
    for (const Position& p : random_positions(VariantId::losers, {}, 40, 3)) {
      items_.push_back({p, static_cast<int>(items_.size() % 4)});
    }
    expected_ = count(*make_backend("cpu", pool_));
  }
  ~CudaBackendTest() override {
    EXPECT_EQ(cuda_sim::live_allocations(), 0u);
    cuda_sim::reset();
  }

  std::vector<std::string> count(Backend& backend) {
    std::vector<PerftAnswer> answers(items_.size());
    std::vector<std::size_t> told(items_.size());
    PerftBatch batch{VariantId::losers, {}, items_, [&](std::size_t i, u128) { told[i]++; }};
    backend.perft(batch, answers);
    EXPECT_EQ(told, std::vector<std::size_t>(items_.size(), 1));
    std::vector<std::string> counts;
    for (const PerftAnswer& a : answers) {
      counts.push_back(a.status == PerftAnswer::Status::done ? decimal(a.leaves) : "not done");
    }
    return counts;
  }

  /// What making a backend says, or nothing.
  std::string refusal(const std::string& name) {
    try {
      make_backend(name, pool_, options_);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return {};
  }

  WorkPool pool_{2};
  BackendOptions options_;
  std::vector<PerftItem> items_;
  std::vector<std::string> expected_, warnings_;
};

TEST_F(CudaBackendTest, IsTheSimulator) {
  EXPECT_STREQ(cuda::build_name(), "cuda-sim");
  const auto backend = make_backend("cuda", pool_, options_);
  EXPECT_EQ(backend->name(), "cuda");
  EXPECT_EQ(count(*backend), expected_);
  EXPECT_GT(cuda_sim::operations_run(), 10u);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CudaBackendTest, WhatIsMissingIsSaid) {
  cuda_sim::options().has_driver = false;
  EXPECT_THAT(refusal("cuda"), HasSubstr("CUDA device: cannot use it: no NVIDIA driver is loaded. Use --backend cpu"));
  cuda_sim::reset();
  cuda_sim::options().devices = 0;
  EXPECT_THAT(refusal("cuda"), HasSubstr("the NVIDIA driver finds no device"));
  EXPECT_THAT(refusal("check:cuda,cpu"), HasSubstr("the NVIDIA driver finds no device"));
  cuda_sim::reset();
  cuda_sim::options().major = 7;
  cuda_sim::options().minor = 5;
  EXPECT_THAT(refusal("cuda"), HasSubstr("has compute capability 7.5, and the kernels need 8.0"));
  cuda_sim::reset();
  cuda_sim::options().devices = 2;
  options_.device = 2;
  EXPECT_THAT(refusal("cuda"), HasSubstr("CUDA device 2: cannot use it: the devices are numbered 0 to 1"));
  options_.device = 1;
  EXPECT_EQ(refusal("cuda"), "");
  cuda_sim::reset();
  cuda_sim::fail_call("cudaGetDeviceProperties", 1, cudaErrorInvalidValue);
  options_.device = -1;
  EXPECT_THAT(refusal("cuda"), HasSubstr("cudaErrorInvalidValue) from cudaGetDeviceProperties(&p, i) at device.cu:"));
}

// Too little memory for the depth: the CPU counts it, and one is told.
TEST_F(CudaBackendTest, TooLittleMemory) {
  options_.device_memory_bytes = 100'000;
  const auto backend = make_backend("cuda", pool_, options_);
  EXPECT_EQ(count(*backend), expected_);
  EXPECT_EQ(backend->name(), "cuda, then cpu");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("bytes of device memory, and 100000 may be used; cpu counts what is missing"));
}

TEST_F(CudaBackendTest, NeverMoreThanAShareOfWhatIsFree) {
  cuda_sim::options().memory_bytes = 10'000'000;
  options_.device_memory_bytes = 1'000'000'000;
  const auto engine = cuda::make_engine({-1, options_.device_memory_bytes});
  EXPECT_EQ(engine->memory_bytes(), 8'000'000u);
  EXPECT_EQ(cuda::make_engine({})->memory_bytes(), 8'000'000u);
  EXPECT_EQ(cuda::make_engine({-1, 5000})->memory_bytes(), 5000u);
}

// Every call fails in turn, once and for ever: the answers are right each time, everything is freed, nothing is told
// twice. The last round of each has no failure.
TEST_F(CudaBackendTest, EveryCallMayFail) {
  for (const char* function : {"cudaMalloc", "cudaMallocHost", "cudaMemcpyAsync", "cudaMemsetAsync",
                               "cudaLaunchKernelEx", "cudaStreamSynchronize", "cudaSetDevice"}) {
    for (const cudaError_t error : {cudaErrorMemoryAllocation, cudaErrorLaunchFailure}) {
      std::size_t failures = 0;
      for (unsigned n = 1;; n++) {
        cuda_sim::reset();
        warnings_.clear();
        const auto backend = make_backend("cuda", pool_, options_);
        cuda_sim::fail_call(function, n, error);
        ASSERT_EQ(count(*backend), expected_) << function << " failed the " << n << "th time";
        if (warnings_.empty()) break;
        ASSERT_EQ(warnings_.size(), 1u);
        EXPECT_THAT(warnings_[0], HasSubstr(cudaGetErrorName(error)));
        EXPECT_EQ(count(*backend), expected_) << "and a second batch";
        failures++;
        n += n / 4;  // the later ones in strides
      }
      EXPECT_GT(failures, 0u) << function;
    }
  }
}

// ---- random games

/// Tallies of some games, as texts; "not done" where there is none. Every item is told once.
std::vector<std::string> play(Backend& backend) {
  std::vector<PlayoutItem> items;
  for (u32 i = 0; i < 12; i++)
    items.push_back({read_fen("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", VariantId::chess)->position, i, i, 3});
  std::vector<PlayoutAnswer> answers(items.size());
  std::vector<std::size_t> told(items.size());
  backend.playout({VariantId::chess,
                   {{}, {100, 3, true}, 300},
                   7,
                   true,
                   items,
                   [&](std::size_t i, const PlayoutTally&) { told[i]++; }},
                  answers);
  EXPECT_EQ(told, std::vector<std::size_t>(items.size(), 1));
  std::vector<std::string> tallies;
  for (const PlayoutAnswer& answer : answers) {
    std::vector<std::byte> bytes;
    append_tally(bytes, answer.tally);
    std::string text = answer.status == PlayoutAnswer::Status::done ? "" : "not done";
    for (const std::byte b : bytes) text += std::to_string(std::to_integer<int>(b)) + ' ';
    tallies.push_back(std::move(text));
  }
  return tallies;
}

TEST_F(CudaBackendTest, EveryCallOfRandomGamesMayFail) {
  const std::vector<std::string> expected = play(*make_backend("cpu", pool_));
  for (const char* function : {"cudaMalloc", "cudaMallocHost", "cudaMemcpyAsync", "cudaMemsetAsync",
                               "cudaLaunchKernelEx", "cudaStreamSynchronize", "cudaSetDevice"}) {
    std::size_t failures = 0;
    for (unsigned n = 1;; n++) {
      cuda_sim::reset();
      warnings_.clear();
      const auto backend = make_backend("cuda", pool_, options_);
      cuda_sim::fail_call(function, n, cudaErrorLaunchFailure);
      ASSERT_EQ(play(*backend), expected) << function << " failed the " << n << "th time";
      if (warnings_.empty()) break;
      ASSERT_EQ(warnings_.size(), 1u);
      EXPECT_THAT(warnings_[0], HasSubstr("cannot play on it: "));
      EXPECT_THAT(warnings_[0], HasSubstr("cpu plays what is missing"));
      failures++;
    }
    EXPECT_GT(failures, 0u) << function;
  }
}

TEST_F(CudaBackendTest, TooLittleMemoryForRandomGames) {
  options_.device_memory_bytes = 60'000;
  const auto backend = make_backend("cuda", pool_, options_);
  EXPECT_EQ(play(*backend), play(*make_backend("cpu", pool_)));
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("bytes of device memory, and 60000 may be used; cpu plays what is missing"));
}

// One engine does both jobs in turn, within its memory.
TEST_F(CudaBackendTest, BothJobsShareTheMemory) {
  const auto backend = make_backend("cuda", pool_, options_);
  const std::vector<std::string> games = play(*make_backend("cpu", pool_));
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(count(*backend), expected_);
    EXPECT_EQ(play(*backend), games);
  }
  EXPECT_TRUE(warnings_.empty());
}

// Keys of 3 bits: nearly every game is played once more for positions that did not occur before, and goes on after it.
TEST_F(CudaBackendTest, KeysThatMeetChangeNoGame) {
  const auto games_with = [&](int key_bits, int repetitions, std::size_t& operations) {
    cuda_sim::reset();
    const auto engine = cuda::make_engine({-1, 4'000'000, key_bits});
    std::vector<cuda::PlayoutGames> items;
    for (u32 i = 0; i < 4; i++) items.push_back({start_position(VariantId::chess), i, 0, 20});
    cuda::PlayoutWork work;
    work.rules = {{}, {100, repetitions, true}, 300};
    work.items = items;
    work.by_ply = true;
    std::vector<std::vector<u64>> all;
    work.done = [&](std::size_t, const cuda::PlayoutCounts& counts) {
      std::vector<u64> numbers = {counts.legal_moves, counts.forced, counts.forced_captures, counts.promotions};
      for (const auto part : {counts.ends, counts.first_moves, counts.lengths, counts.moves_by_ply})
        numbers.insert(numbers.end(), part.begin(), part.end());
      all.push_back(std::move(numbers));
    };
    engine->playout(work);
    operations = cuda_sim::operations_run();
    return all;
  };
  for (const int repetitions : {3, 5}) {
    std::size_t with_whole_keys = 0, with_short_ones = 0;
    const auto expected = games_with(64, repetitions, with_whole_keys);
    EXPECT_EQ(expected.size(), 4u);
    EXPECT_EQ(games_with(3, repetitions, with_short_ones), expected);
    EXPECT_GT(with_short_ones, with_whole_keys) << "games are played once more, so there are more launches";
  }
}

TEST_F(CudaBackendTest, ACheckOfADeviceThatFailsIsNoCheck) {
  const auto backend = make_backend("check:cuda,cpu", pool_, options_);
  EXPECT_EQ(count(*backend), expected_);
  cuda_sim::fail_call("cudaStreamSynchronize", 3, cudaErrorIllegalAddress);
  EXPECT_THROW(count(*backend), EnvironmentError);
}

TEST_F(CudaBackendTest, AutoTakesADeviceForLargeBatchesOnly) {
  const auto backend = make_backend("auto", pool_, options_);
  EXPECT_EQ(count(*backend), expected_);
  EXPECT_EQ(backend->name(), "cpu");
  EXPECT_EQ(cuda_sim::operations_run(), 0u);
}

// The estimate is moves to the power of depth: 21^8. In truth Black has no move after any of them.
TEST_F(CudaBackendTest, AutoGoesOnWithTheCpuWhereADeviceIsMissingOrFails) {
  const Position p = read_fen("8/8/8/8/8/p7/P7/6Q1 w - - 0 1", VariantId::antichess)->position;
  const PerftItem item{p, 8};
  const auto name_after = [&](const char* function, cudaError_t error) {
    const auto backend = make_backend("auto", pool_, options_);
    if (function != nullptr) cuda_sim::fail_call(function, 1, error);
    PerftAnswer answer;
    backend->perft({VariantId::antichess, {}, {&item, 1}, {}}, {&answer, 1});
    EXPECT_EQ(answer.status, PerftAnswer::Status::done);
    EXPECT_EQ(answer.leaves, u128{0});
    return backend->name();
  };
  EXPECT_EQ(name_after(nullptr, cudaSuccess), "cuda");
  EXPECT_TRUE(warnings_.empty());
  EXPECT_EQ(name_after("cudaLaunchKernelEx", cudaErrorLaunchFailure), "cuda, then cpu");
  EXPECT_EQ(warnings_.size(), 1u);
  cuda_sim::reset();
  EXPECT_EQ(name_after("cudaMemGetInfo", cudaErrorMemoryAllocation), "cpu");
  EXPECT_EQ(warnings_.size(), 2u);
  cuda_sim::options().devices = 0;
  EXPECT_EQ(name_after(nullptr, cudaSuccess), "cpu");
  cuda_sim::options().has_driver = false;
  EXPECT_EQ(name_after(nullptr, cudaSuccess), "cpu");
  EXPECT_EQ(warnings_.size(), 2u) << "that there is no device is no news";
}

// A bench on a device is the CPU's with other times.
TEST_F(CudaBackendTest, BenchHasTheSignatureOfTheCpu) {
  BenchRequest request{.threads = 1, .runs = 1, .variant = VariantId::suicide};
  std::vector<BenchResult> results;
  const auto take = [&](const BenchResult& result) { results.push_back(result); };
  const BenchSignature of_cpu = bench_perft(request, take);
  request.on_device = true;
  request.device.device_memory_bytes = 64'000'000;
  ASSERT_TRUE(of_cpu.has_value());
  EXPECT_EQ(bench_perft(request, take), of_cpu);
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[3].level, "cuda");
  EXPECT_EQ(results[3].work, results[1].work);
}

TEST_F(CudaBackendTest, BenchOnADeviceThatFailsIsNoBench) {
  cuda_sim::fail_call("cudaStreamSynchronize", 9, cudaErrorIllegalAddress);
  const BenchRequest request{
      .threads = 1, .runs = 1, .variant = VariantId::suicide, .on_device = true, .device = options_};
  EXPECT_THROW(bench_perft(request, [](const BenchResult&) {}), EnvironmentError);
}

}  // namespace
}  // namespace hecatomb
