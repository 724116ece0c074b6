// The simulator's knobs, for tests: what machine it plays, in which order threads run, which call fails.
//
// What it finds ends the program (abort) with one line on stderr that begins with "cuda_sim:" and names the place:
// - a warp operation whose mask names a lane that has exited, that is beyond the block, or not the caller;
//   lanes of one mask in different operations; a shuffle from a lane outside the mask;
// - threads that wait for each other for ever: divergent barriers and warp operations;
// - writes outside of device memory (guard bytes; AddressSanitizer finds reads too, at once) or after cudaFree;
// - strict only: a barrier when threads of the block have exited, or reached by different calls.
// What it makes visible as a wrong number: shared and device memory nobody has written (0xCD in every byte), freed
// memory (0xDD), results of queued work that nobody has waited for (it has not run). ThreadSanitizer reports races
// between threads of a kernel, exactly: fibers are ordered by barriers, warp operations and kernel ends alone.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace cuda_sim {

/// The order in which ready threads of a block, and blocks, run: 0 ascending, 1 descending, else a seed for shuffles.
using Order = unsigned;

struct Options {
  Order order = 0;            ///< environment: CUDA_SIM_ORDER
  unsigned host_threads = 1;  ///< that share the blocks of a grid; environment: CUDA_SIM_THREADS
  bool strict = true;
  // The machine.
  bool has_driver = true;
  int devices = 1;
  int major = 9, minor = 0;  ///< compute capability
  std::size_t memory_bytes = std::size_t{1} << 30;
};

/// In use by what is called from now on.
Options& options();

/// As at the start of the program: options, faults, a lost device. Nothing may be allocated or queued.
void reset();

/// The n-th call (from 1) of the function named, from now on, returns `error`. Errors that lose a device (illegal
/// address, launch failure) are then returned by every call.
void fail_call(std::string_view function, unsigned nth, cudaError_t error);

/// Device and pinned allocations that are not freed yet.
std::size_t live_allocations();

/// Ends the program if a guard or freed memory was written. (Also looked at by every cudaFree.)
void check_memory();

/// Kernel launches and copies run since reset(): for tests that something ran at all.
std::size_t operations_run();

/// Prints "cuda_sim: text" and where the running thread stands, and aborts.
[[noreturn]] void die(const std::string& text);

/// Runs a grid now (runtime.cpp calls it when a queue reaches it).
void run_grid(const cudaLaunchConfig_t& config, const std::function<void()>& body);

}  // namespace cuda_sim
