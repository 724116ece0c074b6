// Stacks and switches of the simulator's fibers, and what sanitizers must be told about them.
//
// The one idea: a fiber is Boost.Context's bare context and a stack; AddressSanitizer is told of every switch, and to
// ThreadSanitizer a fiber is a thread of its own whose switches order nothing, so that what a kernel's threads do is
// ordered only where the simulator says so (happens_before, happens_after). This folder's sources are compiled without
// ThreadSanitizer's checks: what they do between fibers is no race of the kernel.
//
// A stack is mapped with a guard page below it. Under ThreadSanitizer no stack is used twice: what an earlier fiber
// left on it would look like a race.
#pragma once
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/cuda_sim/cuda_sim.h"

#if defined(CUDA_SIM_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(CUDA_SIM_TSAN)
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's names
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
#endif

namespace cuda_sim {

#if defined(CUDA_SIM_TSAN)
inline constexpr bool kTsan = true;
#else
inline constexpr bool kTsan = false;
#endif
#if defined(CUDA_SIM_ASAN)
inline constexpr bool kAsan = true;
#else
inline constexpr bool kAsan = false;
#endif

/// What the running fiber has done so far happens before whatever follows happens_after of the same address.
inline void happens_before([[maybe_unused]] void* address) {
#if defined(CUDA_SIM_TSAN)
  __tsan_release(address);
#endif
}
inline void happens_after([[maybe_unused]] void* address) {
#if defined(CUDA_SIM_TSAN)
  __tsan_acquire(address);
#endif
}

/// Memory that nobody else has used, for ThreadSanitizer; whole pages.
inline unsigned char* map_pages(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) die("no memory for " + std::to_string(bytes) + " bytes of stacks or shared memory");
  return static_cast<unsigned char*>(pages);
}

/// Stacks that are not in use.
class Stacks {
 public:
  static constexpr std::size_t kBytes = std::size_t{kAsan ? 1024 : 256} << 10;
  static constexpr std::size_t kGuardBytes = 4096;

  Stacks() = default;
  ~Stacks() {
    for (unsigned char* stack : free_) munmap(stack, kBytes);
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// The lowest address of a stack.
  unsigned char* take() {
    if (free_.empty()) {
      unsigned char* const stack = map_pages(kBytes);
      mprotect(stack, kGuardBytes, PROT_NONE);
      return stack;
    }
    unsigned char* const stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give(unsigned char* stack) {
#if defined(CUDA_SIM_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(stack + kGuardBytes, kBytes - kGuardBytes);
#endif
    if (kTsan) {
      munmap(stack, kBytes);
    } else {
      free_.push_back(stack);
    }
  }

 private:
  std::vector<unsigned char*> free_;
};

/// A context that can be switched to: the scheduler's, or a fiber's.
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  unsigned char* stack = nullptr;  ///< null: the host thread's own
  const void* bottom = nullptr;    ///< AddressSanitizer's view of it
  std::size_t size = 0;
  void* fake_stack = nullptr;
  void* tsan = nullptr;
};

/// Stops `from` and goes on with `to`; returns when somebody switches back. `last`: `from` will not run again.
inline void switch_fiber(Fiber& from, Fiber& to, bool last = false) {
#if defined(CUDA_SIM_ASAN)
  __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#if defined(CUDA_SIM_TSAN)
  __tsan_switch_to_fiber(to.tsan, 1);
#endif
  static_cast<void>(last);
  const auto back = boost::context::detail::jump_fcontext(to.context, &from);
  static_cast<Fiber*>(back.data)->context = back.fctx;  // whoever switched to us can be gone on with there
#if defined(CUDA_SIM_ASAN)
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

/// What a fiber does first: takes note of where it was started from.
inline void arrive_in_fiber(boost::context::detail::transfer_t from) {
  auto& starter = *static_cast<Fiber*>(from.data);
  starter.context = from.fctx;
#if defined(CUDA_SIM_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &starter.bottom, &starter.size);
#endif
}

}  // namespace cuda_sim
