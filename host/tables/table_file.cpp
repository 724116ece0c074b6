#include "host/tables/table_file.h"

#include <sys/mman.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include "host/notation/variant_name.h"
#include "host/storage/atomic_file.h"
#include "host/storage/checksum.h"

namespace hecatomb {

namespace {

constexpr std::uint32_t kFormatVersion = 1;
/// Of codes, in one block: a probe of a distance unpacks one; the small set is unpacked whole.
constexpr std::size_t block_bytes(Metric metric) { return metric == Metric::dtw ? 16384 : 65536; }
/// Blocks that stay large are tried again, and the smaller outcome counts: blocks with long runs are smaller with the
/// first, others up to a tenth smaller with the second, which takes twice the time.
constexpr int kZstdLevel = 9, kZstdLevelOfLarge = 12;
constexpr std::size_t kLargeShare = 16;  // a block is large from this part of its codes
constexpr std::size_t kChecksumBytes = 8;

std::string name_of(Metric metric) { return metric == Metric::dtw ? "dtw" : "wdl"; }

/// Little-endian numbers, one behind the other.
class Writer {
 public:
  template <class T>
  void put(T number) {
    const auto bits = static_cast<std::uint64_t>(number);
    for (std::size_t i = 0; i < sizeof(T); i++) bytes.push_back(static_cast<std::byte>(bits >> (8 * i) & 255));
  }
  std::vector<std::byte> bytes;
};

void put_counts(Writer& out, const SideCounts& side) {
  const auto put_all = [&out](const UnitCounts& counts) {
    for (const u64 count : counts) out.put<std::uint64_t>(count);
  };
  put_all(side.capture_positions);
  out.put<std::uint32_t>(static_cast<std::uint32_t>(side.by_value.size()));
  for (const auto& [value, counts] : side.by_value) {
    out.put<std::int16_t>(value);
    put_all(counts);
  }
  out.put<std::uint64_t>(side.longest_win_cell.value_or(~u64{0}));
  out.put<std::uint64_t>(side.longest_loss_cell.value_or(~u64{0}));
}

/// The codes with everything that is left out replaced by what compresses best: the code before it, where the reader
/// can cope with that.
std::vector<u8> codes_to_store(const Table& table, const LeftOut& left_out) {
  const Layout& layout = table.layout();
  std::vector<u8> stored(table.codes().size());
  const std::size_t width = table.width();
  u32 before = 0;
  std::size_t at = 0;
  for (const Color side : {kWhite, kBlack}) {
    for (u32 row = 0; row < layout.rows().rows(); row++) {
      const u64 needed = layout.canonical_set(row) & ~(*left_out.captures[side])[row];
      const u64 bounded = (*left_out.sacrifices[side])[row];
      for (u32 x = 0; x < 64; x++, at += width) {
        if ((needed >> x & 1) != 0) {
          const u32 code = table.code_at(side, u64{row} << 6 | x);
          before = (bounded >> x & 1) != 0 ? std::min(before, code) : code;
        }
        stored[at] = static_cast<u8>(before & 255);
        if (width == 2) stored[at + 1] = static_cast<u8>(before >> 8);
      }
    }
  }
  return stored;
}

struct Compressor {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  Compressor() = default;
  ~Compressor() { ZSTD_freeCCtx(context); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
};

struct Decompressor {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  Decompressor() = default;
  ~Decompressor() { ZSTD_freeDCtx(context); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
};

std::vector<std::byte> compressed(const Compressor& compressor, std::span<const u8> codes) {
  const auto at_level = [&](int level) {
    std::vector<std::byte> out(ZSTD_compressBound(codes.size()));
    const std::size_t size =
        ZSTD_compressCCtx(compressor.context, out.data(), out.size(), codes.data(), codes.size(), level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // with room for the bound there is no other cause
    out.resize(size);
    return out;
  };
  std::vector<std::byte> out = at_level(kZstdLevel);
  if (out.size() * kLargeShare < codes.size()) return out;
  std::vector<std::byte> again = at_level(kZstdLevelOfLarge);
  return again.size() < out.size() ? again : out;
}

}  // namespace

std::string table_path(const std::string& directory, const Material& material, Metric metric) {
  return directory + "/" + material.name() + "." + name_of(metric);
}

FileHeader table_header(const Material& material, const TableRules& rules, Metric metric) {
  FileHeader header{.kind = "table",
                    .version = kFormatVersion,
                    .job = "table",
                    .variant = std::string(variant_name(rules.variant)),
                    .options = {},
                    .params = {{"material", material.name()}, {"metric", name_of(metric)}}};
  if (rules.variant == VariantId::suicide) {
    header.options = {{"ep", rules.options.restricted_ep ? "restricted" : "normal"},
                      {"stalemate", rules.options.stalemated_wins ? "stalemated-wins" : "fewer-men"}};
  }
  return header;
}

std::uint64_t write_table(const std::string& path, const Table& table, const TableRules& rules, Metric metric,
                          const LeftOut& left_out, const TableCounts& counts) {
  const std::string header = encode_header(table_header(table.layout().material(), rules, metric));
  const std::size_t most_bytes = block_bytes(metric);
  const std::vector<u8> stored = codes_to_store(table, left_out);
  const std::size_t blocks = (stored.size() + most_bytes - 1) / most_bytes;
  const std::uint64_t seed = xxh3(bytes_of(std::string_view(header).substr(0, header.size() - 22)));
  const Compressor compressor;
  std::vector<std::byte> content;
  Writer directory;
  directory.put<std::uint32_t>(static_cast<std::uint32_t>(table.values().size()));
  for (const TableValue v : table.values()) directory.put<std::int16_t>(v);
  directory.put<std::uint32_t>(static_cast<std::uint32_t>(most_bytes / table.width()));
  directory.put<std::uint32_t>(static_cast<std::uint32_t>(blocks));
  for (std::size_t i = 0; i < blocks; i++) {
    const std::size_t begin = i * most_bytes;
    const auto block =
        compressed(compressor, std::span(stored).subspan(begin, std::min(most_bytes, stored.size() - begin)));
    directory.put<std::uint32_t>(static_cast<std::uint32_t>(block.size()));
    directory.put<std::uint64_t>(xxh3(block, seed));
    content.insert(content.end(), block.begin(), block.end());
  }
  for (const SideCounts& side : counts) put_counts(directory, side);

  Writer all;
  all.put<std::uint64_t>(directory.bytes.size());
  all.bytes.insert(all.bytes.end(), directory.bytes.begin(), directory.bytes.end());
  all.put<std::uint64_t>(xxh3(all.bytes, seed));
  all.bytes.insert(all.bytes.end(), content.begin(), content.end());
  all.put<std::uint64_t>(xxh3(all.bytes, seed));
  AtomicFile file(path);
  file.write(header);
  file.write(all.bytes);
  file.commit();
  return header.size() + all.bytes.size();
}

// ---- Reading -----------------------------------------------------------------------------------------------------

/// Takes numbers off the directory; past its end everything is 0 and ok() false.
class TableFile::Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    if (bytes_.size() < sizeof(T)) {
      ok_ = false;
      bytes_ = {};
      return T{};
    }
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); i++) bits |= static_cast<std::uint64_t>(bytes_[i]) << (8 * i);
    bytes_ = bytes_.subspan(sizeof(T));
    return static_cast<T>(bits);
  }
  UnitCounts take_counts() {
    UnitCounts counts;
    for (u64& count : counts) count = take<std::uint64_t>();
    return counts;
  }
  SideCounts take_side() {
    const auto cell = [this]() -> std::optional<u64> {
      const u64 number = take<std::uint64_t>();
      return number == ~u64{0} ? std::nullopt : std::optional(number);
    };
    SideCounts side;
    side.capture_positions = take_counts();
    for (u32 n = take<std::uint32_t>(); n > 0 && ok_; n--) {
      const auto value = take<std::int16_t>();
      side.by_value[value] = take_counts();
    }
    side.longest_win_cell = cell();
    side.longest_loss_cell = cell();
    return side;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

namespace {

std::atomic<std::uint64_t> files_opened = 0;

std::uint64_t number_at(const std::byte* at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; i++) number |= static_cast<std::uint64_t>(at[i]) << (8 * i);
  return number;
}

}  // namespace

TableFile::TableFile(const std::string& path, const Material& material, const TableRules& rules, Metric metric)
    : path_(path), layout_(material), number_(++files_opened) {
  const File file = File::open_read(path);
  const StoredHeader stored = read_header(file);
  try {
    require_header(stored.header, table_header(material, rules, metric), path);
  } catch (const FileRefusedError& error) {
    if (error.refusal() != Refusal::kParams) throw;
    refuse("it is another table under this name: " + error.reason());
  }
  content_ = stored.size_bytes;
  seed_ = stored.checksum;
  size_ = file.size_bytes();
  if (size_ < content_ + 3 * kChecksumBytes) refuse("it ends too early");
  void* const mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (mapped == MAP_FAILED) throw EnvironmentError(path, "map into memory", errno, "Free some memory");
  data_ = static_cast<const std::byte*>(mapped);
  try {
    const std::uint64_t bytes = number_at(data_ + content_);
    if (bytes > size_ - content_ - 3 * kChecksumBytes) refuse("it ends too early, or its directory is damaged");
    const std::span<const std::byte> covered(data_ + content_, kChecksumBytes + bytes);
    if (xxh3(covered, seed_) != number_at(covered.data() + covered.size()))
      refuse("the checksum of its directory is wrong");
    Reader reader(covered.subspan(kChecksumBytes));
    read_directory(reader);
  } catch (...) {
    ::munmap(mapped, size_);
    throw;
  }
}

TableFile::~TableFile() { ::munmap(const_cast<std::byte*>(data_), size_); }

void TableFile::read_directory(Reader& reader) {
  for (u32 n = reader.take<std::uint32_t>(); n > 0 && reader.ok(); n--) values_.push_back(reader.take<std::int16_t>());
  block_codes_ = reader.take<std::uint32_t>();
  std::uint64_t offset = content_ + kChecksumBytes + number_at(data_ + content_) + kChecksumBytes;
  for (u32 n = reader.take<std::uint32_t>(); n > 0 && reader.ok(); n--) {
    Block block{offset, reader.take<std::uint32_t>(), 0};
    block.checksum = reader.take<std::uint64_t>();
    offset += block.bytes;
    blocks_.push_back(block);
  }
  for (SideCounts& side : counts_) side = reader.take_side();
  const std::uint64_t width = values_.size() <= 256 ? 1 : 2;
  const bool sound = reader.at_end() && block_codes_ != 0 && block_codes_ <= 1 << 20 && !values_.empty() &&
                     blocks_.size() == (2 * layout_.cells() + block_codes_ - 1) / block_codes_ &&
                     width * block_codes_ > 0;
  if (!sound) refuse("its directory does not fit its material");
  if (offset + kChecksumBytes != size_) refuse("it is cut, or longer than its blocks");
}

void TableFile::refuse(const std::string& what) const {
  throw FileRefusedError(Refusal::kDamaged, path_, "use this table", what,
                         "Delete it and generate it again, or restore it from a copy");
}

std::size_t TableFile::bytes_in_block(std::size_t block) const {
  const std::uint64_t begin = block * block_codes_;
  const std::uint64_t codes = std::min<std::uint64_t>(block_codes_, 2 * layout_.cells() - begin);
  return codes * (values_.size() <= 256 ? 1 : 2);
}

void TableFile::decode(std::size_t block, std::span<std::byte> out) const {
  thread_local const Decompressor decompressor;
  const Block& b = blocks_[block];
  const std::span<const std::byte> packed(data_ + b.offset, b.bytes);
  if (xxh3(packed, seed_) != b.checksum) refuse("block " + std::to_string(block) + " is damaged");
  const std::size_t size =
      ZSTD_decompressDCtx(decompressor.context, out.data(), out.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != out.size()) refuse("block " + std::to_string(block) + " cannot be unpacked");
}

void TableFile::check_all() const {
  const std::span<const std::byte> covered(data_ + content_, size_ - content_ - kChecksumBytes);
  if (xxh3(covered, seed_) != number_at(covered.data() + covered.size())) {
    static_cast<void>(read_codes());  // names the block, if it is one
    refuse("its checksum is wrong");
  }
}

std::uint64_t TableFile::checksum() const { return number_at(data_ + size_ - kChecksumBytes); }

std::vector<u8> TableFile::read_codes() const {
  std::vector<u8> codes(2 * layout_.cells() * (values_.size() <= 256 ? 1 : 2));
  std::size_t at = 0;
  for (std::size_t block = 0; block < blocks_.size(); block++) {
    const std::size_t bytes = bytes_in_block(block);
    decode(block, std::as_writable_bytes(std::span(codes)).subspan(at, bytes));
    at += bytes;
  }
  const bool narrow = values_.size() <= 256;
  for (std::size_t i = 0; i < codes.size(); i += narrow ? 1 : 2) {
    const std::size_t code = narrow ? codes[i] : static_cast<std::size_t>(codes[i] | codes[i + 1] << 8);
    if (code >= values_.size()) refuse("it holds a value that is not in its list");
  }
  return codes;
}

TableValue TableFile::stored_value(Color side, u64 cell) const {
  // The blocks that a thread has unpacked last, of all files.
  struct Unpacked {
    std::uint64_t file = 0;
    std::size_t block = 0;
    std::vector<std::byte> codes;
  };
  constexpr std::size_t slots = 64;
  thread_local std::array<Unpacked, slots> cache;
  const u64 at = cell + (side == kWhite ? 0 : layout_.cells());
  const std::size_t block = at / block_codes_;
  Unpacked& unpacked = cache[(block + 7 * number_) % slots];
  if (unpacked.file != number_ || unpacked.block != block) {
    unpacked.file = 0;
    unpacked.codes.resize(bytes_in_block(block));
    decode(block, unpacked.codes);
    unpacked.file = number_;
    unpacked.block = block;
  }
  const std::size_t in_block = at % block_codes_;
  std::size_t code = 0;
  if (values_.size() <= 256) {
    code = static_cast<std::size_t>(unpacked.codes[in_block]);
  } else {
    code = static_cast<std::size_t>(unpacked.codes[2 * in_block]) |
           static_cast<std::size_t>(unpacked.codes[2 * in_block + 1]) << 8;
  }
  if (code >= values_.size()) refuse("it holds a value that is not in its list");
  return values_[code];
}

}  // namespace hecatomb
