// A grid: its blocks one after another on each host thread, the threads of a block as fibers, and all that threads of a
// block do together: barriers, warp operations, shared memory.
//
// The one idea: a thread runs until it waits. When every thread that could run has done so, the scheduler looks which
// warps and which barrier are complete, hands the values over and lets those threads run again; if none is, they wait
// for each other for ever, and that is a bug of the kernel. A value handed over stays readable until its lane meets
// again, since all that met have run before anything else is completed.
//
// For ThreadSanitizer a meeting orders exactly those who met: they release into an address of their own (the warp's
// entry for that mask, the block's barrier) and acquire from it. Two addresses take turns, so that who is early at the
// next meeting is not ordered before who is late from the last one.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "tests/support/cuda_sim/cuda_sim.h"
#include "tests/support/cuda_sim/fibers.h"

namespace cuda_sim {
namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kSharedBytes = 48 << 10;  // static and dynamic together, without an opt-in
constexpr unsigned char kPoison = 0xCD;

enum class Wait : std::uint8_t { nothing, barrier, warp, for_ever };

const char* name_of(WarpOp op) {
  switch (op) {
    case WarpOp::sync:
      return "__syncwarp";
    case WarpOp::vote:
      return "a vote";
    case WarpOp::shuffle:
      return "a shuffle";
    case WarpOp::match:
      return "a match";
    case WarpOp::reduce:
      break;
  }
  return "a reduction";
}

/// One thread of a block.
struct Lane {
  Fiber fiber;
  uint3 index{};
  unsigned number = 0;  ///< in the block
  Wait wait = Wait::nothing;
  WarpOp op{};
  unsigned mask = 0;
  std::uint64_t given = 0, shown = 0;  ///< what it gave to the meeting it waits for, and to the last one
  int predicate = 0;
  Where where;            ///< the call at which it waits
  void* order = nullptr;  ///< ThreadSanitizer: the address of the meeting
};

/// Meetings of the lanes of one mask.
struct Meeting {
  unsigned mask = 0;
  unsigned completed = 0;
  char order[2] = {};
};
constexpr unsigned kMeetings = 64;  // masks in use at a time; more take turns
struct Warp {
  Meeting meetings[kMeetings];
  unsigned used = 0;
};
/// What a block needs anew: in pages of its own, so that under ThreadSanitizer no block is ordered after an earlier
/// one.
struct BlockPages {
  unsigned char memory[kSharedBytes];  ///< shared: dynamic first, then variables as they are met
  Warp warps[32];
  char barrier_order[2];
};

struct SharedVariable {
  const void* site;
  std::size_t offset;
};
constexpr unsigned kSharedVariables = 64;

/// What a host thread runs blocks with.
struct Block {
  const std::function<void()>* body = nullptr;
  dim3 grid, size;
  uint3 index{};
  Fiber scheduler;
  Lane* lanes = nullptr;
  Lane* running = nullptr;
  unsigned threads = 0, exited = 0;
  BarrierVote vote{};
  unsigned barriers = 0;
  char start_order = 0, end_order = 0;
  BlockPages* pages = nullptr;
  std::size_t memory_used = 0;
  SharedVariable variables[kSharedVariables] = {};
  unsigned variables_used = 0;
};

thread_local Block* current = nullptr;
char fence_order = 0;

Block& block() {
  if (current == nullptr || current->running == nullptr) {
    std::fputs("cuda_sim: a device function was called outside of a kernel\n", stderr);
    std::abort();
  }
  return *current;
}

/// Gives the host thread back to the scheduler until this lane may go on.
void wait_for(Block& b, Wait what) {
  Lane& me = *b.running;
  me.wait = what;
  switch_fiber(me.fiber, b.scheduler);
}

void enter_lane(boost::context::detail::transfer_t from) {
  arrive_in_fiber(from);
  Block& b = *current;
  happens_after(&b.start_order);
  (*b.body)();
  happens_before(&b.end_order);
  b.running->wait = Wait::for_ever;
  switch_fiber(b.running->fiber, b.scheduler, true);
  std::abort();  // nobody switches to a lane that has exited
}

/// "block (0,0,0) thread 7"
std::string place_of(const Block& b, const Lane& lane) {
  const auto n = [](unsigned i) { return std::to_string(i); };
  return "block (" + n(b.index.x) + "," + n(b.index.y) + "," + n(b.index.z) + ") thread " + n(lane.number);
}

/// "file:line", of the call at which a lane waits.
std::string call_of(const Lane& lane) {
  return std::string(lane.where.file_name()) + ":" + std::to_string(lane.where.line());
}

[[noreturn]] void die_at(const Lane& lane, const std::string& what) {
  std::fprintf(stderr, "cuda_sim: %s: %s: %s\n", call_of(lane).c_str(), place_of(*current, lane).c_str(), what.c_str());
  std::abort();
}

/// Says where another thread is, before die_at.
void print_other(const Lane& other, const std::string& what) {
  std::fprintf(stderr, "cuda_sim: %s: thread %u %s\n", call_of(other).c_str(), other.number, what.c_str());
}

// ---- the scheduler

class BlockRunner {
 public:
  BlockRunner(const cudaLaunchConfig_t& config, const std::function<void()>& body)
      : threads_(config.blockDim.x * config.blockDim.y * config.blockDim.z),
        lanes_(std::make_unique<Lane[]>(threads_)),
        dynamic_bytes_(config.dynamicSmemBytes),
        order_(threads_) {
    block_.body = &body;
    block_.grid = config.gridDim;
    block_.size = config.blockDim;
    block_.lanes = lanes_.get();
    block_.threads = threads_;
#if defined(CUDA_SIM_TSAN)
    block_.scheduler.tsan = __tsan_get_current_fiber();
#endif
    if (!kTsan) map_block();
    current = &block_;
  }
  ~BlockRunner() {
    happens_after(&block_.end_order);
    if (!kTsan) unmap_block();
    current = nullptr;
  }
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  void run(std::uint64_t number) {
    const dim3& g = block_.grid;
    block_.index = {static_cast<unsigned>(number % g.x), static_cast<unsigned>(number / g.x % g.y),
                    static_cast<unsigned>(number / g.x / g.y)};
    begin(number);
    while (block_.exited < threads_) {
      bool progress = run_ready();
      for (unsigned w = 0; w < threads_; w += kWarp) progress |= complete_warp(w);
      progress |= complete_barrier();
      if (!progress) die_of_deadlock();
    }
    block_.running = nullptr;
    if (kTsan) unmap_block();
  }

 private:
  void map_block() { block_.pages = reinterpret_cast<BlockPages*>(map_pages(sizeof(BlockPages))); }
  void unmap_block() { munmap(block_.pages, sizeof(BlockPages)); }

  void begin(std::uint64_t number) {
    if (kTsan) map_block();
    std::memset(block_.pages->memory, kPoison, kSharedBytes);
    block_.memory_used = (dynamic_bytes_ + 255) / 256 * 256;
    block_.variables_used = block_.exited = block_.barriers = 0;
    for (unsigned i = 0; i < threads_; i++) {
      lanes_[i] = {};
      lanes_[i].number = i;
      lanes_[i].index = {i % block_.size.x, i / block_.size.x % block_.size.y, i / block_.size.x / block_.size.y};
      order_[i] = options().order == 1 ? threads_ - 1 - i : i;
    }
    for (Warp& warp : block_.pages->warps) warp.used = 0;
    random_.seed(static_cast<std::minstd_rand::result_type>(options().order + 7919 * number + 1));
  }

  bool run_ready() {
    bool any = false;
    if (options().order > 1) std::shuffle(order_.begin(), order_.end(), random_);
    for (const unsigned i : order_) {
      Lane& lane = lanes_[i];
      if (lane.wait != Wait::nothing) continue;
      any = true;
      block_.running = &lane;
      if (lane.fiber.context == nullptr) start(lane);
      switch_fiber(block_.scheduler, lane.fiber);
      if (lane.wait == Wait::for_ever) finish(lane);
    }
    return any;
  }

  void start(Lane& lane) {
    Fiber& fiber = lane.fiber;
    fiber.stack = stacks_.take();
    fiber.bottom = fiber.stack + Stacks::kGuardBytes;
    fiber.size = Stacks::kBytes - Stacks::kGuardBytes;
    // Tops are a few cache lines apart: frames of all fibers would else fall into the same cache sets.
    const std::size_t stagger = lane.number * 5 % 61 * 64;
    fiber.context =
        boost::context::detail::make_fcontext(fiber.stack + Stacks::kBytes - stagger, fiber.size - stagger, enter_lane);
#if defined(CUDA_SIM_TSAN)
    fiber.tsan = __tsan_create_fiber(0);
#endif
    happens_before(&block_.start_order);  // knows of no lane: nothing is acquired from them before the grid ends
  }

  void finish(Lane& lane) {
#if defined(CUDA_SIM_TSAN)
    __tsan_destroy_fiber(lane.fiber.tsan);
#endif
    stacks_.give(lane.fiber.stack);
    block_.exited++;
  }

  /// Lets every meeting of the warp go on whose lanes are all there.
  bool complete_warp(unsigned first) {
    bool any = false;
    for (unsigned l = 0; l < kWarp && first + l < threads_; l++) {
      const Lane& lane = lanes_[first + l];
      if (lane.wait != Wait::warp || std::countr_zero(lane.mask) != static_cast<int>(l)) continue;
      if (!is_complete(first, lane)) continue;
      any = true;
      const unsigned mask = lane.mask;
      for (unsigned k = 0; k < kWarp; k++) {
        if ((mask >> k & 1) == 0) continue;
        lanes_[first + k].wait = Wait::nothing;
        lanes_[first + k].shown = lanes_[first + k].given;
      }
      Warp& warp = block_.pages->warps[first / kWarp];
      for (unsigned i = 0; i < warp.used; i++) warp.meetings[i].completed += warp.meetings[i].mask == mask;
    }
    return any;
  }

  bool is_complete(unsigned first, const Lane& lane) const {
    for (unsigned k = 0; k < kWarp; k++) {
      if ((lane.mask >> k & 1) == 0) continue;
      if (first + k >= threads_)
        die_at(lane, "the mask names lane " + std::to_string(k) + ", which is beyond the block");
      const Lane& other = lanes_[first + k];
      if (other.wait == Wait::for_ever) die_at(lane, "the mask names lane " + std::to_string(k) + ", which has exited");
      if (other.wait != Wait::warp || other.mask != lane.mask) return false;
      if (other.op != lane.op) {
        print_other(other, std::string("is in ") + name_of(other.op));
        die_at(lane, "the mask names lane " + std::to_string(k) + ", which is in another operation");
      }
    }
    return true;
  }

  bool complete_barrier() {
    unsigned waiting = 0;
    for (unsigned i = 0; i < threads_; i++) waiting += lanes_[i].wait == Wait::barrier;
    if (waiting == 0 || waiting + block_.exited != threads_) return false;
    const Lane* first = nullptr;
    BarrierVote vote{0, false, true};
    for (unsigned i = 0; i < threads_; i++) {
      Lane& lane = lanes_[i];
      if (lane.wait != Wait::barrier) continue;
      if (first == nullptr) first = &lane;
      if (options().strict) check_barrier(*first, lane);
      lane.wait = Wait::nothing;
      vote.count += lane.predicate != 0;
      vote.any |= lane.predicate != 0;
      vote.all &= lane.predicate != 0;
    }
    block_.vote = vote;
    block_.barriers++;
    return true;
  }

  void check_barrier(const Lane& first, const Lane& lane) const {
    if (block_.exited != 0) {
      die_at(lane, "strict: a barrier when " + std::to_string(block_.exited) + " threads of the block have exited");
    }
    if (first.where.line() == lane.where.line() && first.where.column() == lane.where.column()) return;
    print_other(first, "waits here");
    die_at(lane, "strict: threads of the block wait at different barriers");
  }

  [[noreturn]] void die_of_deadlock() const {
    for (unsigned i = 0; i < threads_; i++) {  // a mask that can never be complete says more
      if (lanes_[i].wait == Wait::warp) static_cast<void>(is_complete(i / kWarp * kWarp, lanes_[i]));
    }
    for (unsigned i = 0; i < threads_; i++) {
      const Lane& lane = lanes_[i];
      if (lane.wait == Wait::for_ever || i % (threads_ / 8 + 1) != 0) continue;
      print_other(lane, std::string("waits at ") + (lane.wait == Wait::barrier ? "a barrier" : name_of(lane.op)));
    }
    for (unsigned i = 0; i < threads_; i++) {
      if (lanes_[i].wait != Wait::for_ever) die_at(lanes_[i], "deadlock: the threads of the block wait for each other");
    }
    std::abort();
  }

  unsigned threads_;
  std::unique_ptr<Lane[]> lanes_;
  std::size_t dynamic_bytes_;
  std::vector<unsigned> order_;
  std::minstd_rand random_;
  Stacks stacks_;
  Block block_;
};

}  // namespace

void run_grid(const cudaLaunchConfig_t& config, const std::function<void()>& body) {
  const std::uint64_t blocks = std::uint64_t{config.gridDim.x} * config.gridDim.y * config.gridDim.z;
  std::vector<std::uint64_t> order;
  if (options().order > 1) {
    for (std::uint64_t i = 0; i < blocks; i++) order.push_back(i);
    std::shuffle(order.begin(), order.end(), std::minstd_rand(options().order));
  }
  std::atomic<std::uint64_t> next{0};
  const auto work = [&] {
    BlockRunner runner(config, body);
    for (std::uint64_t i = next.fetch_add(1); i < blocks; i = next.fetch_add(1)) {
      runner.run(!order.empty() ? order[i] : options().order == 1 ? blocks - 1 - i : i);
    }
  };
  const auto workers = static_cast<unsigned>(std::min<std::uint64_t>(std::max(options().host_threads, 1u), blocks));
  if (workers <= 1) return work();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < workers; i++) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

void die(const std::string& text) {
  std::string place;
  if (current != nullptr && current->running != nullptr) place = place_of(*current, *current->running) + ": ";
  std::fprintf(stderr, "cuda_sim: %s%s\n", place.c_str(), text.c_str());
  std::abort();
}

// ---- what a kernel calls; on a fiber

uint3 thread_index() { return block().running->index; }
uint3 block_index() { return block().index; }
uint3 block_size() { return {block().size.x, block().size.y, block().size.z}; }
uint3 grid_size() { return {block().grid.x, block().grid.y, block().grid.z}; }
unsigned lane() { return block().running->number % kWarp; }

BarrierVote barrier(int predicate, const Where& where) {
  Block& b = block();
  Lane& me = *b.running;
  me.where = where;
  me.predicate = predicate;
  char* const order = &b.pages->barrier_order[b.barriers % 2];
  happens_before(order);
  wait_for(b, Wait::barrier);
  happens_after(order);
  return b.vote;
}

namespace {

/// The warp's entry for a mask.
Meeting& meeting_of(Warp& warp, unsigned mask) {
  for (unsigned i = 0; i < warp.used && i < kMeetings; i++) {
    if (warp.meetings[i].mask == mask) return warp.meetings[i];
  }
  Meeting& entry = warp.meetings[warp.used < kMeetings ? warp.used++ : mask % kMeetings];
  entry.mask = mask;
  entry.completed = 0;
  return entry;
}

}  // namespace

void meet(WarpOp op, unsigned mask, std::uint64_t value, const Where& where) {
  Block& b = block();
  Lane& me = *b.running;
  me.where = where;
  const unsigned own = me.number % kWarp;
  if ((mask >> own & 1) == 0) die_at(me, "lane " + std::to_string(own) + " is not in its own mask");
  me.op = op;
  me.mask = mask;
  me.given = value;
  Meeting& meeting = meeting_of(b.pages->warps[me.number / kWarp], mask);
  char* const order = &meeting.order[meeting.completed % 2];
  happens_before(order);
  wait_for(b, Wait::warp);
  happens_after(order);
}

std::uint64_t lane_value(unsigned lane) {
  const Block& b = block();
  return b.lanes[b.running->number / kWarp * kWarp + lane].shown;
}

std::uint64_t exchange(unsigned mask, std::uint64_t value, unsigned source, const Where& where) {
  if ((mask >> (source % kWarp) & 1) == 0) {
    block().running->where = where;
    die_at(*block().running, "a shuffle from lane " + std::to_string(source % kWarp) + ", which is not in the mask");
  }
  meet(WarpOp::shuffle, mask, value, where);
  return lane_value(source % kWarp);
}

void* shared_variable(const void* site, std::size_t bytes, std::size_t alignment) {
  Block& b = block();
  for (unsigned i = 0; i < b.variables_used; i++) {
    if (b.variables[i].site == site) return b.pages->memory + b.variables[i].offset;
  }
  const std::size_t offset = (b.memory_used + alignment - 1) / alignment * alignment;
  if (offset + bytes > kSharedBytes || b.variables_used == kSharedVariables)
    die("more shared memory or variables of it than a block has");
  b.memory_used = offset + bytes;
  b.variables[b.variables_used++] = {site, offset};
  return b.pages->memory + offset;
}

void* dynamic_shared() { return block().pages->memory; }

void fence() {
  happens_before(&fence_order);
  happens_after(&fence_order);
}

}  // namespace cuda_sim
