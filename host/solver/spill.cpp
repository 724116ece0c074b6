#include "host/solver/spill.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <tuple>

#include "host/error.h"

namespace hecatomb {
namespace {

auto order_of(const NodeImage& image) { return std::tuple(image.high, image.low, NodeTable::entry_of(image).rank); }
bool is_before(const NodeImage& a, const NodeImage& b) { return order_of(a) < order_of(b); }

}  // namespace

Spill::~Spill() { unmap(); }

void Spill::unmap() {
  if (mapped_ != nullptr) munmap(mapped_, written_ * sizeof(NodeImage));
  mapped_ = nullptr;
}

void Spill::add(const NodeImage& image) {
  const std::scoped_lock lock(mutex_);
  buffer_.push_back(image);
  if (buffer_.size() >= kBuffered) flush();
}

void Spill::flush() {
  if (buffer_.empty()) return;
  unmap();
  if (!file_.is_open()) {
    const std::string name = path_ + ".spill-" + std::to_string(getpid());
    file_ = File::open_scratch(name);
    unlink(name.c_str());
  }
  file_.write_at(written_ * sizeof(NodeImage), std::as_bytes(std::span(buffer_)));
  written_ += buffer_.size();
  buffer_.clear();
}

void Spill::sort() {
  flush();
  if (mapped_ != nullptr || written_ == 0) return;
  void* memory = mmap(nullptr, written_ * sizeof(NodeImage), PROT_READ | PROT_WRITE, MAP_SHARED, file_.descriptor(), 0);
  if (memory == MAP_FAILED) {
    throw EnvironmentError(path_, "map the proved nodes that were spilled beside it", errno,
                           "Raise the limit on address space (ulimit -v).");
  }
  mapped_ = static_cast<NodeImage*>(memory);
  std::sort(mapped_, mapped_ + written_, is_before);
}

std::optional<NodeEntry> Spill::find(const NodeImage& name) {
  if (size() == 0) return std::nullopt;
  sort();
  const NodeImage* end = mapped_ + written_;
  const NodeImage* found = std::lower_bound(mapped_, mapped_ + written_, name, [](const auto& a, const auto& b) {
    return std::tie(a.high, a.low) < std::tie(b.high, b.low);
  });
  if (found == end || found->high != name.high || found->low != name.low) return std::nullopt;
  return NodeTable::entry_of(*found);
}

}  // namespace hecatomb
