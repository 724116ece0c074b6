// The table of the proof search: what is known of positions, in a fixed amount of memory, shared by all threads.
//
// An entry is two words. The second says what is known; the first is half of the position's 128-bit key, xored with the
// second, so that a reader that meets a half-written entry finds a key that does not fit (Hyatt and Mann 2002). The
// other half of the key chooses the bucket, a cache line of four entries. Readers take no lock; writers lock a stripe,
// so that no solved node is lost between two of them.
//
// It begins small and doubles as it fills, up to its size: a short search stays in the caches, and memory that nobody
// needs is never touched (measured: 1.3 to 1.6 times for searches of a second). An entry keeps the six bits of its key
// by which the bucket splits. Threads let go of the table between units (pause), and it grows then.
//
// What is kept when a bucket is full: the nodes on which most work was spent. A proved node that has to go is handed to
// `on_evict` first: proofs must not forget (spill.h).
//
// Kinds of entries
//   open       proof and disproof number
//   proved     for the prover: with the move (prover to move) and the rank, the plies to the end at most
//   disproved  on every path
//   cut        disproved as far as repetitions count against the prover; valid while the table's epoch lasts (search.h)
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>

#include "common/hash.h"
#include "host/cpu/expand.h"
#include "host/memory.h"
#include "host/solver/proof_numbers.h"

namespace hecatomb {

struct NodeEntry {
  enum class Kind : std::uint8_t { none, open, proved, disproved, cut };
  Kind kind = Kind::none;
  std::uint8_t work = 0;      ///< log2 of the expansions spent, 0 … 31
  bool is_met = false;        ///< open: a path came back to it, so that cut nodes may rest on it
  ProofNumbers numbers = {};  ///< open
  std::uint16_t move = 0;     ///< proved: ExpandedChild::move, 0 where the opponent moves
  std::uint16_t rank = 0;     ///< proved: plies to the end, at most
};

/// A slot of the table as it is: what a checkpoint keeps.
///
/// `low` is the low half of the key where it was known, else (of what was read out of the table) the least one of its
/// bucket in a table of full size.
struct NodeImage {
  std::uint64_t low, high, data;
};

class NodeTable {
 public:
  /// Takes so many bytes, at least kLeastBytes. Throws EnvironmentError.
  explicit NodeTable(std::uint64_t size_bytes);
  static constexpr std::uint64_t kLeastBytes = 1 << 16;

  std::uint64_t size_bytes() const { return memory_.size_bytes(); }
  /// In use now, in bytes.
  std::uint64_t used_bytes() const { return buckets_ * kBucketBytes; }

  /// A thread that searches holds this all the time, and calls pause() now and then: the table may have grown
  /// afterwards.
  std::shared_lock<std::shared_mutex> use() { return std::shared_lock(users_); }
  void pause();

  /// Where the bucket of a key lies, for those who fetch it ahead: until the next pause().
  void tell_lines(ExpandRules& rules) const {
    rules.table = slots_;
    rules.table_lines = buckets_;
  }
  /// What is known; kind none if nothing is.
  NodeEntry probe(Key key) const {
    const Slot* bucket = slots_ + kWays * index_of(key.low);
    for (std::size_t i = 0; i < kWays; i++) {
      const std::uint64_t data = load(bucket[i].data);
      if ((load(bucket[i].check) ^ data) == key.high && data != 0) return valid(data);
    }
    return {};
  }
  /// Remembers what is known now. A solved entry is never replaced by an open one, nor a lower rank by a higher.
  void store(Key key, const NodeEntry& entry);

  /// Makes every cut entry invalid.
  void forget_cuts() { epoch_.fetch_add(1, std::memory_order_relaxed); }
  std::uint32_t epoch() const { return epoch_.load(std::memory_order_relaxed); }

  /// Called with a proved entry that is about to be replaced, under a lock.
  std::function<void(const NodeImage&)> on_evict;

  /// Hands every proved entry to `on_evict` and gives the memory back; the table is empty then. No thread may be using
  /// it.
  void spill_all();

  /// All entries that are not empty, for checkpoints; no thread may be storing.
  void for_each(const std::function<void(const NodeImage&)>& f) const;
  /// Puts an entry back, also from a table of another size; no thread may be using it. (What was read out of a larger
  /// or smaller table may end up where nobody looks for it.)
  void restore(const NodeImage& image);

  /// The image that on_evict and for_each give of an entry.
  NodeImage image_of(Key key, const NodeEntry& entry) const;
  /// One with the whole key.
  NodeImage whole_image_of(Key key, const NodeEntry& entry) const { return {key.low, key.high, encode(entry)}; }
  static NodeEntry entry_of(const NodeImage& image);

 private:
  static constexpr std::size_t kBucketBytes = 64, kWays = 4, kLocks = 1 << 12;
  struct Slot {
    std::uint64_t check, data;
  };
  static constexpr int kDoublings = 6;
  static constexpr std::size_t kSplitBytes = kBucketBytes << kDoublings;  // a bucket of the smallest table becomes
  std::uint64_t full_buckets() const { return buckets_ << (kDoublings - doublings_); }
  std::uint64_t index_of(std::uint64_t low) const { return mulhi(low, buckets_); }
  /// The bits of the key that choose among the buckets of a full table where one of the smallest table stands.
  std::uint64_t split_of(std::uint64_t low) const { return (low * (buckets_ >> doublings_)) >> (64 - kDoublings); }
  NodeImage image_at(std::uint64_t bucket, std::uint64_t high, std::uint64_t data) const;
  NodeImage image_in(std::uint64_t full_bucket, std::uint64_t high, std::uint64_t data) const;
  bool is_filling() const;
  void grow();
  void put(std::uint64_t low, std::uint64_t high, std::uint64_t data);
  std::uint64_t encode(const NodeEntry& entry) const;
  static NodeEntry decode(std::uint64_t data);
  NodeEntry valid(std::uint64_t data) const;
  static std::uint64_t load(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }

  TableMemory memory_;
  Slot* slots_;
  std::uint64_t buckets_;  // in use
  int doublings_ = 0;      // since the table was smallest
  std::uint64_t restored_ = 0;
  std::atomic<std::uint32_t> epoch_{0};
  std::unique_ptr<std::atomic_flag[]> locks_;
  std::shared_mutex users_;
  std::mutex gate_;  // who wants users_ for himself stands here, and new users behind him
};

}  // namespace hecatomb
