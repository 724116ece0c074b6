// The simulated machine: memory, streams, events, devices and their errors.
//
// The one idea: what a program queues does not run before the program waits for it (a stream, an event, the device, or
// a call that waits by CUDA's rules). So a result that is read too early has not been computed, on every run.
//
// Device memory lies between guard bytes and is filled with 0xCD; freed memory is filled with 0xDD and kept a while to
// see whether somebody writes to it. Under AddressSanitizer it is plain heap memory, which shows the same and reads
// too.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "tests/support/cuda_sim/cuda_sim.h"
#include "tests/support/cuda_sim/fibers.h"

namespace cuda_sim {

struct Stream {
  bool blocking = true;  ///< waits for the legacy default stream, and it for this
  std::deque<std::function<void()>> queue;
};

struct Event {
  Stream* stream = nullptr;  ///< where it was recorded last
  unsigned recorded = 0, reached = 0;
};

namespace {

constexpr std::size_t kGuardBytes = kAsan ? 0 : 256;
constexpr std::align_val_t kAlignment{256};
constexpr unsigned char kFresh = 0xCD, kFreed = 0xDD, kGuard = 0xA5;
constexpr std::size_t kQuarantineBytes = std::size_t{64} << 20;

struct Allocation {
  std::size_t bytes;
  bool on_device;
};

struct Fault {
  std::string function;
  unsigned calls_left;
  cudaError_t error;
};

struct Freed {
  unsigned char* memory;
  std::size_t bytes;
};

void give_back(unsigned char* raw) { ::operator delete(raw, kAlignment); }

Options from_environment() {
  Options o;
  if (const char* order = std::getenv("CUDA_SIM_ORDER")) o.order = static_cast<Order>(std::strtoul(order, nullptr, 10));
  if (const char* threads = std::getenv("CUDA_SIM_THREADS"))
    o.host_threads = static_cast<unsigned>(std::strtoul(threads, nullptr, 10));
  return o;
}

struct Machine {
  ~Machine() {
    for (const Freed& freed : quarantine) give_back(freed.memory);
  }
  std::recursive_mutex mutex;
  Options options = from_environment();
  std::map<unsigned char*, Allocation> allocations;
  std::deque<Freed> quarantine;
  std::size_t device_bytes = 0, quarantine_bytes = 0, operations = 0;
  Stream default_stream;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<Fault> faults;
  cudaError_t last = cudaSuccess, lost = cudaSuccess;
};

Machine& machine() {
  static Machine the_machine;
  return the_machine;
}

/// Holds the machine for one call of the API, and knows what the call must return before it does anything.
class Call {
 public:
  explicit Call(std::string_view function) : lock_(machine().mutex) {
    Machine& m = machine();
    if (!m.options.has_driver) {
      error_ = cudaErrorInsufficientDriver;
    } else if (m.lost != cudaSuccess) {
      error_ = m.lost;
    } else if (m.options.devices == 0) {
      error_ = cudaErrorNoDevice;
    }
    for (Fault& fault : m.faults) {
      if (fault.function != function || fault.calls_left == 0 || --fault.calls_left != 0) continue;
      error_ = fault.error;
      if (error_ == cudaErrorIllegalAddress || error_ == cudaErrorLaunchFailure) m.lost = error_;
    }
  }
  bool failed() const { return error_ != cudaSuccess; }
  cudaError_t error() const { return result(error_); }
  static cudaError_t result(cudaError_t error) {
    if (error != cudaSuccess) machine().last = error;
    return error;
  }

 private:
  std::scoped_lock<std::recursive_mutex> lock_;
  cudaError_t error_ = cudaSuccess;
};

// ---- memory

bool all_are(const unsigned char* p, std::size_t n, unsigned char value) {
  return std::all_of(p, p + n, [value](unsigned char c) { return c == value; });
}

std::string buffer_of(const Allocation& a) { return "a buffer of " + std::to_string(a.bytes) + " bytes"; }

void check_guards(const unsigned char* memory, const Allocation& a) {
  if (!all_are(memory - kGuardBytes, kGuardBytes, kGuard)) die("memory before " + buffer_of(a) + " was written");
  if (!all_are(memory + a.bytes, kGuardBytes, kGuard)) die("memory behind " + buffer_of(a) + " was written");
}

void check_freed(const Freed& freed) {
  if (!all_are(freed.memory, freed.bytes, kFreed)) die("a buffer was written after it was freed");
}

cudaError_t allocate(void** memory, std::size_t bytes, bool on_device) {
  Machine& m = machine();
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (on_device && bytes > m.options.memory_bytes - std::min(m.options.memory_bytes, m.device_bytes))
    return Call::result(cudaErrorMemoryAllocation);
  void* const raw = ::operator new(bytes + 2 * kGuardBytes, kAlignment, std::nothrow);
  if (raw == nullptr) return Call::result(cudaErrorMemoryAllocation);
  auto* const p = static_cast<unsigned char*>(raw);
  std::memset(p, kGuard, kGuardBytes);
  std::memset(p + kGuardBytes, kFresh, bytes);
  std::memset(p + kGuardBytes + bytes, kGuard, kGuardBytes);
  m.allocations[p + kGuardBytes] = {bytes, on_device};
  if (on_device) m.device_bytes += bytes;
  *memory = p + kGuardBytes;
  return cudaSuccess;
}

/// Fills freed memory, looks after a while whether it was written, and then lets it go.
void quarantine(unsigned char* raw, std::size_t bytes) {
  Machine& m = machine();
  if (kAsan) return give_back(raw);
  std::memset(raw, kFreed, bytes);
  m.quarantine.push_back({raw, bytes});
  m.quarantine_bytes += bytes;
  while (m.quarantine_bytes > kQuarantineBytes) {
    const Freed oldest = m.quarantine.front();
    m.quarantine.pop_front();
    m.quarantine_bytes -= oldest.bytes;
    check_freed(oldest);
    give_back(oldest.memory);
  }
}

cudaError_t release(void* memory, bool on_device) {
  Machine& m = machine();
  if (memory == nullptr) return cudaSuccess;
  const auto found = m.allocations.find(static_cast<unsigned char*>(memory));
  if (found == m.allocations.end() || found->second.on_device != on_device) return Call::result(cudaErrorInvalidValue);
  const auto [start, allocation] = *found;
  check_guards(start, allocation);
  m.allocations.erase(found);
  if (on_device) m.device_bytes -= allocation.bytes;
  quarantine(start - kGuardBytes, allocation.bytes + 2 * kGuardBytes);
  return cudaSuccess;
}

/// Whether all of a range is inside one device allocation; `some`: whether any of it is.
bool is_on_device(const void* p, std::size_t bytes, bool& some) {
  const auto* const begin = static_cast<const unsigned char*>(p);
  some = false;
  for (const auto& [start, a] : machine().allocations) {
    if (!a.on_device || begin + bytes <= start || begin >= start + a.bytes) continue;
    some = true;
    return begin >= start && begin + bytes <= start + a.bytes;
  }
  return false;
}

cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  bool some_to = false, some_from = false;
  const bool to_device = is_on_device(to, bytes, some_to), from_device = is_on_device(from, bytes, some_from);
  const bool wants_to = kind != cudaMemcpyDeviceToHost, wants_from = kind != cudaMemcpyHostToDevice;
  const bool fits = (wants_to ? to_device : !some_to) && (wants_from ? from_device : !some_from);
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- streams

Stream& stream_of(Stream* stream) { return stream == nullptr ? machine().default_stream : *stream; }

bool is_known(const Stream* stream) {
  const auto& all = machine().streams;
  return stream == nullptr || std::any_of(all.begin(), all.end(), [&](const auto& s) { return s.get() == stream; });
}

void run_first(Stream& stream) {
  const std::function<void()> operation = std::move(stream.queue.front());
  stream.queue.pop_front();
  operation();
}

void drain(Stream& stream) {
  while (!stream.queue.empty()) run_first(stream);
}

/// Runs what the legacy default stream waits for.
void drain_blocking() {
  for (const auto& stream : machine().streams) {
    if (stream->blocking) drain(*stream);
  }
  drain(machine().default_stream);
}

void drain_all() {
  for (const auto& stream : machine().streams) drain(*stream);
  drain(machine().default_stream);
}

void run_until(const Event& event, unsigned recorded) {
  while (event.reached < recorded) {
    if (event.stream->queue.empty()) die("an event was recorded in a stream that has lost it");
    run_first(*event.stream);
  }
}

void push(Stream* stream, std::function<void()> operation) {
  Machine& m = machine();
  Stream& s = stream_of(stream);
  if (stream == nullptr) {  // the default stream waits for blocking streams, and they for it
    for (const auto& other : m.streams) {
      if (other->blocking) drain(*other);
    }
  } else if (s.blocking) {
    drain(m.default_stream);
  }
  s.queue.emplace_back([operation = std::move(operation)] {
    machine().operations++;
    operation();
  });
}

bool is_valid(const cudaLaunchConfig_t& c) {
  const auto threads = std::uint64_t{c.blockDim.x} * c.blockDim.y * c.blockDim.z;
  return threads != 0 && threads <= 1024 && c.blockDim.z <= 64 && c.gridDim.x != 0 && c.gridDim.x <= 0x7fffffff &&
         c.gridDim.y != 0 && c.gridDim.y <= 0xffff && c.gridDim.z != 0 && c.gridDim.z <= 0xffff;
}

}  // namespace

// ---- the knobs

Options& options() { return machine().options; }

void reset() {
  Machine& m = machine();
  const std::scoped_lock lock(m.mutex);
  check_memory();
  if (!m.allocations.empty()) die(std::to_string(m.allocations.size()) + " buffers are not freed");
  m.options = from_environment();
  m.faults.clear();
  m.last = m.lost = cudaSuccess;
  m.operations = 0;
}

void fail_call(std::string_view function, unsigned nth, cudaError_t error) {
  machine().faults.push_back({std::string(function), nth, error});
}

std::size_t live_allocations() { return machine().allocations.size(); }
std::size_t operations_run() { return machine().operations; }

void check_memory() {
  for (const auto& [start, allocation] : machine().allocations) check_guards(start, allocation);
  for (const Freed& freed : machine().quarantine) check_freed(freed);
}

cudaError_t launch(const cudaLaunchConfig_t& config, std::function<void()> body) {
  const Call call("cudaLaunchKernelEx");
  if (call.failed()) return call.error();
  if (!is_valid(config)) return Call::result(cudaErrorInvalidConfiguration);
  if (config.dynamicSmemBytes > std::size_t{48} << 10) return Call::result(cudaErrorInvalidValue);
  if (!is_known(config.stream)) return Call::result(cudaErrorInvalidResourceHandle);
  push(config.stream, [config, body = std::move(body)] { run_grid(config, body); });
  return cudaSuccess;
}

}  // namespace cuda_sim

// ---- the API

using cuda_sim::Call;
using cuda_sim::machine;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorLaunchFailure:
      break;
  }
  return "cudaErrorLaunchFailure";
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error) + sizeof "cuda" - 1; }

cudaError_t cudaGetLastError() {
  const std::scoped_lock lock(machine().mutex);
  const cudaError_t last = machine().last;
  machine().last = machine().lost;
  return last;
}
cudaError_t cudaPeekAtLastError() { return machine().last; }

cudaError_t cudaDriverGetVersion(int* version) {
  *version = machine().options.has_driver ? 13000 : 0;  // as CUDA: 0 and success without a driver
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  const Call call("cudaGetDeviceCount");
  *count = call.failed() ? 0 : machine().options.devices;
  return call.failed() ? call.error() : cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const Call call("cudaGetDeviceProperties");
  if (call.failed()) return call.error();
  const cuda_sim::Options& o = machine().options;
  if (device < 0 || device >= o.devices) return Call::result(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "simulated device");
  properties->totalGlobalMem = o.memory_bytes;
  properties->major = o.major;
  properties->minor = o.minor;
  properties->multiProcessorCount = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  const Call call("cudaSetDevice");
  if (call.failed()) return call.error();
  return device >= 0 && device < machine().options.devices ? cudaSuccess : Call::result(cudaErrorInvalidDevice);
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  const Call call("cudaMemGetInfo");
  if (call.failed()) return call.error();
  *total_bytes = machine().options.memory_bytes;
  *free_bytes = *total_bytes - std::min(*total_bytes, machine().device_bytes);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  const Call call("cudaMalloc");
  return call.failed() ? call.error() : cuda_sim::allocate(memory, bytes, true);
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  const Call call("cudaMallocHost");
  return call.failed() ? call.error() : cuda_sim::allocate(memory, bytes, false);
}
// A lost device frees nothing in CUDA; here the memory is the program's, and is given back all the same.
cudaError_t cudaFree(void* memory) {
  const Call call("cudaFree");
  if (!call.failed()) cuda_sim::drain_all();
  const cudaError_t error = cuda_sim::release(memory, true);
  return call.failed() ? call.error() : error;
}
cudaError_t cudaFreeHost(void* memory) {
  const Call call("cudaFreeHost");
  if (!call.failed()) cuda_sim::drain_all();
  const cudaError_t error = cuda_sim::release(memory, false);
  return call.failed() ? call.error() : error;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const Call call("cudaMemcpyAsync");
  if (call.failed()) return call.error();
  if (!cuda_sim::is_known(stream)) return Call::result(cudaErrorInvalidResourceHandle);
  const cudaError_t error = cuda_sim::check_copy(to, from, bytes, kind);
  if (error != cudaSuccess) return Call::result(error);
  cuda_sim::push(stream, [=] { std::memmove(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Call call("cudaMemcpy");
  if (call.failed()) return call.error();
  const cudaError_t error = cuda_sim::check_copy(to, from, bytes, kind);
  if (error != cudaSuccess) return Call::result(error);
  cuda_sim::drain_blocking();
  machine().operations++;
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const Call call("cudaMemsetAsync");
  if (call.failed()) return call.error();
  bool some = false;
  if (!cuda_sim::is_known(stream)) return Call::result(cudaErrorInvalidResourceHandle);
  if (bytes != 0 && !cuda_sim::is_on_device(to, bytes, some)) return Call::result(cudaErrorInvalidValue);
  cuda_sim::push(stream, [=] { std::memset(to, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return cudaMemsetAsync(to, value, bytes, nullptr); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const Call call("cudaStreamCreateWithFlags");
  if (call.failed()) return call.error();
  machine().streams.push_back(std::make_unique<cuda_sim::Stream>());
  *stream = machine().streams.back().get();
  (*stream)->blocking = (flags & cudaStreamNonBlocking) == 0;
  return cudaSuccess;
}
// What is still queued runs first, unless the device is lost.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Call call("cudaStreamDestroy");
  if (stream == nullptr || !cuda_sim::is_known(stream)) return Call::result(cudaErrorInvalidResourceHandle);
  if (!call.failed()) cuda_sim::drain(*stream);
  std::erase_if(machine().streams, [stream](const auto& s) { return s.get() == stream; });
  return call.failed() ? call.error() : cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Call call("cudaStreamSynchronize");
  if (call.failed()) return call.error();
  if (!cuda_sim::is_known(stream)) return Call::result(cudaErrorInvalidResourceHandle);
  if (stream == nullptr) {
    cuda_sim::drain_blocking();
  } else {
    cuda_sim::drain(*stream);
  }
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  const Call call("cudaDeviceSynchronize");
  if (call.failed()) return call.error();
  cuda_sim::drain_all();
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  const Call call("cudaEventCreateWithFlags");
  if (call.failed()) return call.error();
  *event = std::make_unique<cuda_sim::Event>().release();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Call call("cudaEventDestroy");
  if (!call.failed() && event->stream != nullptr) cuda_sim::run_until(*event, event->recorded);
  const std::unique_ptr<cuda_sim::Event> gone(event);
  return call.failed() ? call.error() : cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Call call("cudaEventRecord");
  if (call.failed()) return call.error();
  if (!cuda_sim::is_known(stream)) return Call::result(cudaErrorInvalidResourceHandle);
  cuda_sim::Stream* const where = &cuda_sim::stream_of(stream);
  if (event->stream != nullptr && event->stream != where) cuda_sim::run_until(*event, event->recorded);
  event->stream = where;
  const unsigned number = ++event->recorded;
  cuda_sim::push(stream, [=] { event->reached = number; });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Call call("cudaEventSynchronize");
  if (call.failed()) return call.error();
  if (event->stream != nullptr) cuda_sim::run_until(*event, event->recorded);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Call call("cudaStreamWaitEvent");
  if (call.failed()) return call.error();
  if (!cuda_sim::is_known(stream)) return Call::result(cudaErrorInvalidResourceHandle);
  if (event->stream == nullptr) return cudaSuccess;
  const unsigned number = event->recorded;
  cuda_sim::push(stream, [=] { cuda_sim::run_until(*event, number); });
  return cudaSuccess;
}

// NOLINTEND(readability-identifier-naming)
