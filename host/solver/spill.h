// The proved nodes that had to leave the table: a proof may not forget.
//
// A file without a name (it is gone when the process is, however it ends) beside the proof, so that memory does not
// grow. Records are appended unsorted while the search runs; the first question sorts them where they lie (mapped: the
// system keeps in memory what it has room for).
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/solver/node_table.h"
#include "host/storage/file.h"

namespace hecatomb {

class Spill {
 public:
  /// The file is made beside `path` when the first record does not fit into memory.
  explicit Spill(std::string path) : path_(std::move(path)) {}
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  /// Keeps a proved node. Any thread. Throws EnvironmentError if the disk is full.
  void add(const NodeImage& image);
  /// The node of lowest rank by that name, if there is one. No thread may be adding.
  std::optional<NodeEntry> find(const NodeImage& name);
  std::uint64_t size() const { return written_ + buffer_.size(); }

 private:
  static constexpr std::size_t kBuffered = 1 << 16;
  void flush();
  void sort();
  void unmap();

  std::string path_;
  std::mutex mutex_;
  std::vector<NodeImage> buffer_;
  File file_;
  std::uint64_t written_ = 0;    // records in the file
  NodeImage* mapped_ = nullptr;  // all of them, sorted; null until asked
};

}  // namespace hecatomb
