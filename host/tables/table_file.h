// Table files: one class each, compressed in blocks, every byte checksummed.
//
// The one idea: what the rules tell anyhow is not stored. A position in which the mover must capture, or can give a man
// away into a position where the opponent must capture and loses just as soon, is worked out from smaller tables; its
// entry holds whatever compresses best. (README.md says how much that saves.)
//
// Layout, all numbers little-endian:
//
//   header (host/storage/header.h): kind "table" 1, job "table", variant, options, params material and
//   metric
//   u64 bytes of the directory
//   directory: u32 number of values, i16 each; u32 codes per block; u32 number of blocks, and u32 bytes and u64 XXH3-64
//              of each; the counts (counts.h)
//   u64 XXH3-64 of all since the header
//   blocks: zstd frames of the codes (table.h) of White to move, then of Black to move
//   u64 XXH3-64 of all since the header
//
// Checksums are seeded with that of the header. Equal tables have equal bytes.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "host/storage/header.h"
#include "host/tables/counts.h"
#include "host/tables/solver_start.h"

namespace hecatomb {

/// What the values of a table say: the distance, or only who wins (win_in(0), kDraw, loss_in(0)).
enum class Metric : u8 { dtw, wdl };

/// "KRvN.dtw", "KRvN.wdl" in the directory of a set.
std::string table_path(const std::string& directory, const Material& material, Metric metric);

/// The header that a table of this class and these rules has.
FileHeader table_header(const Material& material, const TableRules& rules, Metric metric);

/// What a writer leaves out, by side and row.
struct LeftOut {
  std::array<const std::vector<u64>*, 2> captures;    ///< told by smaller tables
  std::array<const std::vector<u64>*, 2> sacrifices;  ///< won as soon by giving a man away
};

/// Writes a table, whole or not at all. Throws EnvironmentError. Returns the bytes of the file.
std::uint64_t write_table(const std::string& path, const Table& table, const TableRules& rules, Metric metric,
                          const LeftOut& left_out, const TableCounts& counts);

/// A table file, mapped into memory.
class TableFile {
 public:
  /// Opens it and checks header and directory. Throws FileRefusedError for another file than this table, or a damaged
  /// one, EnvironmentError if there is none.
  TableFile(const std::string& path, const Material& material, const TableRules& rules, Metric metric);
  ~TableFile();
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  const Layout& layout() const { return layout_; }
  const TableCounts& counts() const { return counts_; }
  std::uint64_t size_bytes() const { return size_; }
  const std::vector<TableValue>& values() const { return values_; }

  /// Checks every byte. Throws FileRefusedError.
  void check_all() const;
  /// The checksum of all, as stored: once all is checked it names the content.
  std::uint64_t checksum() const;
  /// All codes, as stored. Throws FileRefusedError.
  std::vector<u8> read_codes() const;
  /// The stored value of a canonical cell: a lower bound where something is left out, see probe.h. Throws
  /// FileRefusedError. Any thread.
  TableValue stored_value(Color side, u64 cell) const;

 private:
  struct Block {
    std::uint64_t offset;
    std::uint32_t bytes;
    std::uint64_t checksum;
  };
  class Reader;
  void read_directory(Reader& reader);
  void decode(std::size_t block, std::span<std::byte> out) const;
  std::size_t bytes_in_block(std::size_t block) const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_;
  Layout layout_;
  std::uint64_t number_;  // of this object among all: names its blocks in caches
  const std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t content_ = 0;  // offset behind the header
  std::uint64_t seed_ = 0;
  std::vector<TableValue> values_;
  std::uint32_t block_codes_ = 0;
  std::vector<Block> blocks_;
  TableCounts counts_;
};

}  // namespace hecatomb
