#include "host/storage/journal.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "host/storage/checksum.h"
#include "host/storage/lock.h"
#include "host/work.h"

namespace hecatomb {
namespace {

static_assert(std::endian::native == std::endian::little, "records are written as they lie in memory");

struct RecordHead {
  std::uint32_t length;
  std::uint32_t check;
  std::uint64_t payload_sum;
};
static_assert(sizeof(RecordHead) == 16);

RecordHead make_head(std::span<const std::byte> payload, std::uint64_t seed) {
  RecordHead head{static_cast<std::uint32_t>(payload.size()), 0, xxh3(payload, seed)};
  head.check = static_cast<std::uint32_t>(xxh3(std::as_bytes(std::span(&head, 1)), seed));
  return head;
}

bool head_is_sound(RecordHead head, std::uint64_t seed) {
  const std::uint32_t check = std::exchange(head.check, 0);
  return check == static_cast<std::uint32_t>(xxh3(std::as_bytes(std::span(&head, 1)), seed));
}

bool only_zeros_from(const File& file, std::uint64_t offset) {
  std::vector<std::byte> chunk(std::size_t{1} << 16);
  for (;;) {
    const std::size_t n = file.read_at(offset, chunk);
    if (n == 0) return true;
    if (std::any_of(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(n),
                    [](std::byte b) { return b != std::byte{0}; }))
      return false;
    offset += n;
  }
}

[[noreturn]] void refuse_record(const std::string& path, std::uint64_t offset, std::uint64_t records) {
  throw FileRefusedError(Refusal::kDamaged, path, "use this journal",
                         "record " + std::to_string(records + 1) + " at offset " + std::to_string(offset) +
                             " is damaged and others follow it",
                         "Restore the file from a copy, or keep the " + std::to_string(records) +
                             " records before it: truncate --size=" + std::to_string(offset) + " " + path);
}

struct ScanResult {
  std::uint64_t records = 0;
  std::uint64_t end = 0;  // just after the last sound record
};

// Reads records from `offset` to the end of the file, up to a torn one.
ScanResult scan_records(const File& file, std::uint64_t offset, std::uint64_t header_sum,
                        const Journal::OnRecord& on_record) {
  const std::uint64_t size = file.size_bytes();
  ScanResult result{0, offset};
  std::vector<std::byte> payload;
  while (size - result.end >= sizeof(RecordHead)) {
    const std::uint64_t seed = header_sum ^ result.end;
    const std::uint64_t start = result.end + sizeof(RecordHead);
    RecordHead head;
    if (file.read_at(result.end, std::as_writable_bytes(std::span(&head, 1))) != sizeof head) break;
    if (!head_is_sound(head, seed)) {
      if (only_zeros_from(file, start)) break;
      refuse_record(file.path(), result.end, result.records);
    }
    if (head.length > size - start) break;
    payload.resize(head.length);
    if (file.read_at(start, payload) != payload.size()) break;
    if (xxh3(payload, seed) != head.payload_sum) {
      if (only_zeros_from(file, start + head.length)) break;
      refuse_record(file.path(), result.end, result.records);
    }
    if (on_record) on_record(payload);
    result.end = start + head.length;
    ++result.records;
  }
  return result;
}

// True if the file is empty or the beginning of the header: its writer was killed before anything was recorded.
bool is_torn_header(const File& file, const std::string& header) {
  const std::uint64_t size = file.size_bytes();
  if (size >= header.size()) return false;
  std::string found(static_cast<std::size_t>(size), '\0');
  return file.read_at(0, std::as_writable_bytes(std::span(found))) == found.size() && header.starts_with(found);
}

StoredHeader checked_header(const File& file, const FileHeader& expected) {
  StoredHeader stored = read_header(file);
  require_header(stored.header, expected, file.path());
  return stored;
}

}  // namespace

Journal::Journal(const std::string& path, const FileHeader& expected, const OnRecord& on_record, SyncPolicy policy)
    : policy_(policy), file_(File::open_or_create(path)), last_sync_(std::chrono::steady_clock::now()) {
  assert(expected.kind == "journal");
  lock_exclusively(file_);
  const std::string header = encode_header(expected);
  const std::uint64_t size = file_.size_bytes();
  if (is_torn_header(file_, header)) {
    file_.truncate(0);
    file_.write_at(0, bytes_of(header));
    file_.sync();
    sync_directory_of(path);
    report_ = {.created = true, .records = 0, .dropped_bytes = size};
  }
  const StoredHeader stored = checked_header(file_, expected);
  seed_ = stored.checksum;
  const ScanResult scan = scan_records(file_, stored.size_bytes, seed_, on_record);
  end_ = scan.end;
  records_ = scan.records;
  report_.records = scan.records;
  if (!report_.created && size > end_) {
    report_.dropped_bytes = size - end_;
    file_.truncate(end_);
    file_.sync();
  }
}

Journal::~Journal() {
  try {
    sync();
  } catch (const EnvironmentError&) {
    // A destructor has nobody to tell; the records are in the file, only a power cut could lose them.
  }
}

std::uint64_t Journal::append(std::span<const std::byte> payload) {
  if (payload.size() > kMaxRecordBytes) throw std::length_error("journal record too long");
  const std::lock_guard lock(mutex_);
  if (broken_)
    throw EnvironmentError(file_.path(), "append", "an earlier append failed halfway",
                           "Run the command again; the torn record is then dropped");
  const RecordHead head = make_head(payload, seed_ ^ end_);
  buffer_.resize(sizeof head + payload.size());
  std::memcpy(buffer_.data(), &head, sizeof head);
  if (!payload.empty()) std::memcpy(buffer_.data() + sizeof head, payload.data(), payload.size());
  write_record(records_ + 1);
  end_ += buffer_.size();
  ++records_;
  dirty_ = true;
  if (policy_.interval == std::chrono::milliseconds::zero() ||
      (policy_.interval != std::chrono::milliseconds::max() &&
       std::chrono::steady_clock::now() - last_sync_ >= policy_.interval))
    sync_locked();
  return records_;
}

// Writes buffer_ at the end; takes a partial record back if that fails.
void Journal::write_record(std::uint64_t count) {
  try {
    if (fault_armed("mid-record", count)) {
      file_.write_at(end_, std::span(buffer_).first(buffer_.size() / 2));
      fault_point("mid-record", count);
    }
    file_.write_at(end_, buffer_);
  } catch (const EnvironmentError&) {
    broken_ = true;
    file_.truncate(end_);
    broken_ = false;
    throw;
  }
}

void Journal::sync() {
  const std::lock_guard lock(mutex_);
  sync_locked();
}

void Journal::sync_locked() {
  if (!dirty_) return;
  file_.sync();
  dirty_ = false;
  ++syncs_;
  last_sync_ = std::chrono::steady_clock::now();
}

std::uint64_t Journal::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

std::uint64_t Journal::syncs() const {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

JournalReport read_journal(const std::string& path, const FileHeader& expected, const Journal::OnRecord& on_record) {
  const File file = File::open_read(path);
  const std::uint64_t size = file.size_bytes();
  const StoredHeader stored = checked_header(file, expected);
  const ScanResult scan = scan_records(file, stored.size_bytes, stored.checksum, on_record);
  return {.created = false, .records = scan.records, .dropped_bytes = size > scan.end ? size - scan.end : 0};
}

}  // namespace hecatomb
