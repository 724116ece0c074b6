// The CUDA backend as the host sees it: plain C++, no CUDA type. Built by nvcc (runtime.cuh and the .cu files), against
// the simulator (tests/support/cuda_sim), or, without nvcc, as not_built.cpp, which only says so.
//
// The one idea: an engine owns one device and is asked for whole batches. It answers an item exactly or not at all:
// whatever goes wrong is an Error, and items that were not reported before are not counted. The caller counts them
// elsewhere or says that they failed.
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/playout.h"
#include "common/variant.h"

namespace hecatomb::cuda {

/// What stands in the way of using a device.
enum class Problem {
  not_built,      ///< this build has no CUDA backend
  no_driver,      ///< no NVIDIA driver, or one that is too old for the toolkit this was built with
  no_device,      ///< a driver, but no device
  wrong_device,   ///< no device of the number asked for
  too_old,        ///< compute capability below kLeastMajor
  out_of_memory,  ///< of the device
  failed          ///< a call or a kernel failed: the device may be lost
};

/// what() says what failed and why, in one line without a full stop.
class Error : public std::runtime_error {
 public:
  Error(Problem problem, const std::string& text) : std::runtime_error(text), problem_(problem) {}
  Problem problem() const noexcept { return problem_; }

 private:
  Problem problem_;
};

/// Compute capability that kernels are compiled for: 8.0 (Ampere) and later.
inline constexpr int kLeastMajor = 8;

struct DeviceInfo {
  int number;
  std::string name;
  int major, minor;  ///< compute capability
  int multiprocessors;
  u64 memory_bytes;
  bool usable() const { return major >= kLeastMajor; }
};

/// "cuda", "cuda-sim" or "none": which build of this interface is linked.
const char* build_name();

/// Every device, usable or not. Throws Error (not_built, no_driver, no_device, failed).
std::vector<DeviceInfo> query_devices();

/// The device of this number, or the first usable one where it is negative. Throws Error.
DeviceInfo find_device(int number);

struct EngineOptions {
  int device = -1;       ///< number; negative: the first usable one
  u64 memory_bytes = 0;  ///< at most this much device memory; 0: kMemoryShare of what is free
  /// Bits of the keys that find repeated positions. Any number gives the same games: fewer than 64 are for tests, in
  /// which keys of different positions must meet.
  int key_bits = 64;
};

/// No engine takes more than this share of the memory that is free when it is made, whatever it is allowed.
inline constexpr double kMemoryShare = 0.8;

/// A 128-bit count.
struct Count {
  u64 low, high;
};

/// Perft of many positions: item i is positions[i], depths[i] plies deep.
struct PerftWork {
  VariantId variant = VariantId::chess;
  RuleOptions options;
  std::span<const Position> positions;
  std::span<const int> depths;                            ///< >= 0
  const std::atomic<bool>* stop = nullptr;                ///< if given and set, the work ends early
  std::function<void(std::size_t i, Count leaves)> done;  ///< called once an item, from the calling thread
};

/// What CUDA's atomics add to.
using Counter = unsigned long long;

/// Random games from one opening: numbers first_game … first_game + games - 1.
struct PlayoutGames {
  Position opening;
  u32 opening_number, first_game, games;
};

/// What the games of one opening add up to. Spans are valid during the call that tells them.
struct PlayoutCounts {
  std::span<const Counter> ends;          ///< games by [Reason][Result]: kReasons * 4
  std::span<const Counter> first_moves;   ///< games by [number of the first move][Result]: kMaxMoves * 4
  std::span<const Counter> lengths;       ///< games by plies: max_plies + 1
  std::span<const Counter> moves_by_ply;  ///< legal moves by ply: max_plies, or none
  u64 legal_moves = 0, forced = 0, forced_captures = 0, promotions = 0;  ///< over all plies, as in PlayoutRecord
};

struct PlayoutWork {
  VariantId variant = VariantId::chess;
  PlayoutRules rules;
  u64 seed = 1;
  bool by_ply = false;
  std::span<const PlayoutGames> items;
  const std::atomic<bool>* stop = nullptr;                               ///< if given and set, the work ends early
  std::function<void(std::size_t i, const PlayoutCounts& counts)> done;  ///< once an item, from the calling thread
};

class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  virtual const DeviceInfo& device() const = 0;
  /// Device memory that it may use, in bytes.
  virtual u64 memory_bytes() const = 0;
  /// Counts the leaves below every item, in the order of depths. Counts wrap at 2^128, which no device can reach.
  /// Throws Error; after one of kind `failed` the engine is of no more use.
  virtual void perft(const PerftWork& work) = 0;
  /// Plays the games of every item, in their order. Throws Error, as perft does.
  virtual void playout(const PlayoutWork& work) = 0;
};

/// Throws Error.
std::unique_ptr<Engine> make_engine(const EngineOptions& options);

}  // namespace hecatomb::cuda
