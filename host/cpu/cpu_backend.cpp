#include "host/cpu/cpu_backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <mutex>

#include "host/cpu/level.h"
#include "host/error.h"

namespace hecatomb {
namespace {

/// Zeroed memory of a perft table: a power of two of cache lines, in huge pages where the system has them.
class TableMemory {
 public:
  explicit TableMemory(std::uint64_t wanted_bytes) {
    constexpr std::uint64_t bucket_bytes = 64;
    if (wanted_bytes < bucket_bytes) return;
    bytes_ = std::bit_floor(wanted_bytes);
    const std::uint64_t physical =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (bytes_ > physical) {  // the mapping below would be granted, and the process killed when it fills up
      throw EnvironmentError("--hash", "get " + std::to_string(bytes_) + " bytes of memory for the table",
                             "the machine has " + std::to_string(physical), "Ask for less, or --hash 0 for no table.");
    }
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw EnvironmentError("--hash", "get " + std::to_string(bytes_) + " bytes of memory for the table", errno,
                             "Ask for less, or --hash 0 for no table.");
    }
    madvise(memory, bytes_, MADV_HUGEPAGE);
    table_ = {static_cast<std::uint64_t*>(memory), bytes_ / bucket_bytes};
  }
  ~TableMemory() {
    if (table_.words != nullptr) munmap(table_.words, bytes_);
  }
  TableMemory(const TableMemory&) = delete;
  TableMemory& operator=(const TableMemory&) = delete;
  const PerftTable& table() const { return table_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
  PerftTable table_;
};

class CpuBackend : public Backend {
 public:
  CpuBackend(WorkPool& pool, const BackendOptions& options)
      : pool_(pool),
        level_(options.level.empty() ? level_in_use() : level_named(options.level.c_str(), "--levels")),
        memory_(options.table_bytes) {}

  std::string name() const override { return "cpu"; }
  bool can(Job job, VariantId) const override { return job == Job::perft; }
  std::uint64_t table_bytes() const override { return memory_.bytes(); }

  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    std::mutex done;
    pool_.run(batch.items.size(), [&](std::uint64_t index, unsigned) {
      const PerftItem& item = batch.items[index];
      const PerftUnit unit{
          &item.position,  item.depth_plies, static_cast<std::uint8_t>(batch.variant), batch.options.restricted_ep,
          memory_.table(), stop_word()};
      Count128 leaves{};
      const UnitStatus status = level_.perft(unit, &leaves);
      if (status == UnitStatus::stopped) return false;
      PerftAnswer& answer = answers[index];
      answer.status = status == UnitStatus::done ? PerftAnswer::Status::done : PerftAnswer::Status::overflow;
      answer.leaves = u128{leaves.high} << 64 | leaves.low;
      if (batch.on_done && status == UnitStatus::done) {
        const std::scoped_lock lock(done);
        batch.on_done(index, answer.leaves);
      }
      return true;
    });
  }

 private:
  WorkPool& pool_;
  const LevelKernel& level_;
  TableMemory memory_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(WorkPool& pool, const BackendOptions& options) {
  return std::make_unique<CpuBackend>(pool, options);
}

}  // namespace hecatomb
