// Journal: what a job has finished, one checksummed record a unit, so that a killed job goes on where it was.
//
// The one idea: a file that only grows. A process that dies while it writes leaves a torn last record, which is dropped
// on the next open; anything else that is wrong is damage and is never passed over in silence.
//
// Layout: the header (header.h, kind "journal"), then records without gaps, little-endian:
//
//   u32 length of the payload in bytes
//   u32 low half of XXH3-64 over this head, with this field zero
//   u64 XXH3-64 of the payload
//   payload
//
// Both checksums are seeded with the checksum of the header xor the offset of the record: a record copied from another
// place or another journal is damaged.
//
// Invariants
// - A record is torn if it reaches past the end of the file, or is not sound and nothing but zero bytes follow it (a
//   power cut may leave a file longer than its data). Torn records are dropped and counted in the report.
// - Any other record that is not sound is damage: FileRefusedError (kDamaged) that names its offset.
// - A cut exactly between two records cannot be told from a shorter job; the job does those units again.
// - An append that fails leaves the file as it was.
// - The file is locked while it is open.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "host/storage/file.h"
#include "host/storage/header.h"

namespace hecatomb {

/// What was found when a journal was opened.
struct JournalReport {
  bool created = false;             ///< there was no journal: a new one was begun
  std::uint64_t records = 0;        ///< sound ones
  std::uint64_t dropped_bytes = 0;  ///< of a torn last record or a torn header; 0 as a rule
};

/// When appended records are forced to the disk. A killed process loses nothing in any case; this is about power cuts.
struct SyncPolicy {
  /// At most one fsync in this time; zero: after every record; max(): only in sync() and at the end.
  std::chrono::milliseconds interval{1000};
};

class Journal {
 public:
  /// Called for each sound record in the order of the file; the bytes are valid during the call.
  using OnRecord = std::function<void(std::span<const std::byte>)>;

  /// Opens or begins the journal at `path` and reads what it holds. `expected.kind` must be "journal". Throws
  /// FileRefusedError if the file is something else or damaged (some records may have been handed out by then),
  /// EnvironmentError if it cannot be opened or another process has it open.
  Journal(const std::string& path, const FileHeader& expected, const OnRecord& on_record, SyncPolicy policy = {});

  /// Syncs; errors are swallowed here, so a job that wants to know calls sync() first.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Adds a record of at most kMaxRecordBytes (std::length_error). May be called by several threads at once. After
  /// return the record survives the death of the process. Returns the number of records now in the file.
  std::uint64_t append(std::span<const std::byte> payload);

  /// After return everything appended so far survives a power cut.
  void sync();

  const JournalReport& report() const noexcept { return report_; }
  std::uint64_t records() const;
  /// Calls of fsync for records so far: what the policy costs.
  std::uint64_t syncs() const;

  static constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 31;

 private:
  void write_record(std::uint64_t count);
  void sync_locked();

  JournalReport report_;
  SyncPolicy policy_;
  mutable std::mutex mutex_;  // guards the rest
  File file_;
  std::uint64_t seed_ = 0;
  std::uint64_t end_ = 0;  // offset of the next record
  std::uint64_t records_ = 0;
  std::uint64_t syncs_ = 0;
  bool dirty_ = false;   // something was appended since the last sync
  bool broken_ = false;  // a failed append could not be taken back
  std::chrono::steady_clock::time_point last_sync_;
  std::vector<std::byte> buffer_;
};

/// Reads a journal without locking or changing it; errors as in Journal, and a missing file is an error. Records that
/// another process is writing just then count as torn.
JournalReport read_journal(const std::string& path, const FileHeader& expected, const Journal::OnRecord& on_record);

}  // namespace hecatomb
