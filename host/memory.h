// How much memory there is, and large pieces of it that are zero and taken as they are touched.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace hecatomb {

/// Bytes of memory that the machine has.
std::uint64_t machine_memory_bytes();
/// Bytes that could be had now, by the system's own estimate.
std::uint64_t available_memory_bytes();

/// Zeroed memory of a table, in huge pages where the system has them. What nobody touches costs nothing.
class TableMemory {
 public:
  /// Throws EnvironmentError about --hash, with this remedy, also if the machine has less.
  TableMemory(std::uint64_t size_bytes, const std::string& remedy);
  ~TableMemory();
  TableMemory(const TableMemory&) = delete;
  TableMemory& operator=(const TableMemory&) = delete;

  void* data() const { return data_; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Gives everything back; it reads as zeros afterwards.
  void clear();

 private:
  void* data_ = nullptr;
  std::uint64_t size_bytes_;
};

}  // namespace hecatomb
