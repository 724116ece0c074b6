#include "host/solver/node_table.h"

#include <algorithm>
#include <cstring>

#include "host/count128.h"

namespace hecatomb {
namespace {

// The data word, from the top: 2 bits kind, 5 work, 6 split (of the key); then
//   open       1 met, 25 pn, 25 dn     (kind 0; pn and dn of an open entry are not 0, so the word is not 0)
//   proved     19 unused, 16 rank, 16 move
//   cut        epoch in the lowest 24
constexpr int kKindShift = 62, kWorkShift = 57, kSplitShift = 51, kMetShift = 50, kPnShift = 25;
constexpr std::uint64_t kNumberMask = kInfinite, kEpochMask = (1u << 24) - 1, kSplitMask = 63;
static_assert(kNumberMask == (std::uint64_t{1} << kPnShift) - 1);
constexpr std::uint64_t kSampled = 256;  // buckets looked at to see how full the table is
enum StoredKind : std::uint64_t { kOpen, kStoredProved, kStoredDisproved, kCut };

void save(std::uint64_t& word, std::uint64_t value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }

StoredKind kind_of(std::uint64_t data) { return static_cast<StoredKind>(data >> kKindShift); }
unsigned work_of(std::uint64_t data) { return static_cast<unsigned>(data >> kWorkShift & 31); }
std::uint64_t split_of_data(std::uint64_t data) { return data >> kSplitShift & kSplitMask; }
unsigned rank_of_data(std::uint64_t data) { return static_cast<unsigned>(data >> 16 & 0xffff); }

class StripeLock {
 public:
  explicit StripeLock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) __builtin_ia32_pause();
  }
  ~StripeLock() { flag_.clear(std::memory_order_release); }
  StripeLock(const StripeLock&) = delete;
  StripeLock& operator=(const StripeLock&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace

NodeTable::NodeTable(std::uint64_t size_bytes)
    : memory_(std::max(size_bytes, kLeastBytes) / kSplitBytes * kSplitBytes, "Ask for less."),
      slots_(static_cast<Slot*>(memory_.data())),
      buckets_(memory_.size_bytes() / kSplitBytes),
      locks_(new std::atomic_flag[kLocks]()) {}

std::uint64_t NodeTable::encode(const NodeEntry& e) const {
  const std::uint64_t work = std::uint64_t{std::min<std::uint8_t>(e.work, 31)} << kWorkShift;
  switch (e.kind) {
    case NodeEntry::Kind::proved:
      return kStoredProved << kKindShift | work | std::uint64_t{e.rank} << 16 | e.move;
    case NodeEntry::Kind::disproved:
      return kStoredDisproved << kKindShift | work;
    case NodeEntry::Kind::cut:
      return kCut << kKindShift | work | (epoch() & kEpochMask);
    case NodeEntry::Kind::none:
    case NodeEntry::Kind::open:
      break;
  }
  return work | std::uint64_t{e.is_met} << kMetShift | std::uint64_t{e.numbers.pn} << kPnShift | e.numbers.dn;
}

NodeEntry NodeTable::decode(std::uint64_t data) {
  NodeEntry e;
  e.work = static_cast<std::uint8_t>(work_of(data));
  switch (kind_of(data)) {
    case kStoredProved:
      e.kind = NodeEntry::Kind::proved;
      e.numbers = kProved;
      e.move = static_cast<std::uint16_t>(data);
      e.rank = static_cast<std::uint16_t>(rank_of_data(data));
      break;
    case kStoredDisproved:
      e.kind = NodeEntry::Kind::disproved;
      e.numbers = kDisproved;
      break;
    case kCut:
      e.kind = NodeEntry::Kind::cut;
      e.numbers = kDisproved;
      break;
    case kOpen:
      e.kind = NodeEntry::Kind::open;
      e.is_met = (data >> kMetShift & 1) != 0;
      e.numbers = {static_cast<ProofNumber>(data >> kPnShift & kNumberMask),
                   static_cast<ProofNumber>(data & kNumberMask)};
      break;
  }
  return e;
}

void NodeTable::pause() {
  users_.unlock_shared();
  {
    const std::scoped_lock alone(gate_);
    if (doublings_ < kDoublings && is_filling()) {
      const std::scoped_lock nobody_else(users_);
      grow();
    }
  }
  users_.lock_shared();
}

/// Whether it is nearly full: 7 of 10 slots. One bucket in six overflows by then, and forgets nodes of little work.
bool NodeTable::is_filling() const {
  const std::uint64_t sampled = std::min(buckets_, kSampled), step = buckets_ / sampled;
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < sampled; i++) {
    const Slot* bucket = slots_ + kWays * step * i;
    for (std::size_t way = 0; way < kWays; way++) taken += load(bucket[way].data) != 0;
  }
  return 10 * taken >= 7 * kWays * sampled;
}

/// Bucket i becomes 2 i and 2 i + 1, from the last to the first.
void NodeTable::grow() {
  const int bit = kDoublings - 1 - doublings_;
  for (std::uint64_t i = buckets_; i-- > 0;) {
    Slot halves[2][kWays] = {};
    std::size_t sizes[2] = {0, 0};
    for (const Slot* slot = slots_ + kWays * i; slot < slots_ + kWays * (i + 1); slot++) {
      if (slot->data == 0) continue;
      const std::size_t half = split_of_data(slot->data) >> bit & 1;
      halves[half][sizes[half]++] = *slot;
    }
    std::memcpy(slots_ + kWays * 2 * i, halves, sizeof halves);
  }
  buckets_ *= 2;
  doublings_++;
}

/// What an entry says; nothing if it is a cut one whose epoch is over.
NodeEntry NodeTable::valid(std::uint64_t data) const {
  if (kind_of(data) == kCut && (data & kEpochMask) != (epoch() & kEpochMask)) return {};
  return decode(data);
}

void NodeTable::store(Key key, const NodeEntry& entry) { put(key.low, key.high, encode(entry)); }

void NodeTable::put(std::uint64_t low, std::uint64_t high, std::uint64_t data) {
  const std::uint64_t index = index_of(low);
  const StripeLock lock(locks_[index & (kLocks - 1)]);
  Slot* bucket = slots_ + kWays * index;
  data = (data & ~(kSplitMask << kSplitShift)) | split_of(low) << kSplitShift;
  Slot* victim = bucket;
  unsigned least = ~0u;
  for (Slot* slot = bucket; slot < bucket + kWays; slot++) {
    const std::uint64_t old = slot->data;
    if (old != 0 && (slot->check ^ old) == high) {
      const bool is_proved = kind_of(old) == kStoredProved, is_final = is_proved || kind_of(old) == kStoredDisproved;
      if (is_final && kind_of(data) != kind_of(old)) return;
      if (is_proved && rank_of_data(old) <= rank_of_data(data)) return;
      victim = slot;
      least = 0;
      break;
    }
    // An empty slot, then a cut one whose time is over, then the least work.
    const bool is_stale = kind_of(old) == kCut && (old & kEpochMask) != (epoch() & kEpochMask);
    const unsigned worth = old == 0 ? 0 : is_stale ? 1 : 2 + work_of(old);
    if (worth < least) {
      least = worth;
      victim = slot;
    }
  }
  if (least >= 2 && kind_of(victim->data) == kStoredProved && on_evict) {
    on_evict(image_at(index, victim->check ^ victim->data, victim->data));
  }
  save(victim->check, high ^ data);
  save(victim->data, data);
}

NodeImage NodeTable::image_in(std::uint64_t full_bucket, std::uint64_t high, std::uint64_t data) const {
  const u128 first = (u128{full_bucket} << 64) + full_buckets() - 1;
  return {static_cast<std::uint64_t>(first / full_buckets()), high, data};
}

NodeImage NodeTable::image_at(std::uint64_t bucket, std::uint64_t high, std::uint64_t data) const {
  const int finer = kDoublings - doublings_;
  return image_in(bucket << finer | (split_of_data(data) & ((1u << finer) - 1)), high, data);
}

NodeImage NodeTable::image_of(Key key, const NodeEntry& entry) const {
  return image_in(mulhi(key.low, full_buckets()), key.high, encode(entry));
}

void NodeTable::for_each(const std::function<void(const NodeImage&)>& f) const {
  for (std::uint64_t i = 0; i < kWays * buckets_; i++) {
    const std::uint64_t data = slots_[i].data;
    if (data != 0) f(image_at(i / kWays, slots_[i].check ^ data, data));
  }
}

void NodeTable::spill_all() {
  for_each([this](const NodeImage& image) {
    if (kind_of(image.data) == kStoredProved) on_evict(image);
  });
  memory_.clear();
}

void NodeTable::restore(const NodeImage& image) {
  if (image.data == 0) return;
  if (restored_++ % kSampled == 0 && doublings_ < kDoublings && is_filling()) grow();
  put(image.low, image.high, image.data);
}

NodeEntry NodeTable::entry_of(const NodeImage& image) { return decode(image.data); }

}  // namespace hecatomb
