#include "host/solver/proof_file.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "host/count128.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/variant_name.h"
#include "host/storage/header.h"

namespace hecatomb {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::size_t kNameBytes = 8, kMoveBytes = 2, kRankBytes = 2, kSumBytes = 8;

constexpr std::array<std::uint64_t, 256> crc_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t i = 0; i < 256; i++) {
    std::uint64_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xc96c5795d7870f42 : 0);
    table[i] = crc;
  }
  return table;
}

FileHeader header_of(const ProofProblem& problem, const Proof& proof, const std::string& tables) {
  FileHeader header{.kind = "proof",
                    .job = "solve",
                    .variant = std::string(variant_name(problem.variant)),
                    .options = {},
                    .params = {}};
  header.options["ep"] = problem.options.restricted_ep ? "restricted" : "normal";
  header.options["stalemate"] = problem.options.stalemated_wins ? "stalemated-wins" : "fewer-men";
  header.params = {{"fen", fen_of(problem.root)},
                   {"for", problem.prover == kWhite ? "white" : "black"},
                   {"entries", std::to_string(proof.entries.size())},
                   {"leaves", std::to_string(proof.leaves)},
                   {"tables", tables},
                   {"positions", std::to_string(proof.positions)},
                   {"depth-plies", std::to_string(proof.depth_plies)},
                   {"salt", std::to_string(proof.salt)}};
  return header;
}

template <class T>
void append(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw FileRefusedError(Refusal::kDamaged, path, "use this proof", reason,
                         "Make it again by 'hecatomb solve --proof'.");
}

std::uint64_t param_of(const FileHeader& header, const std::string& name, const std::string& path) {
  const auto found = header.params.find(name);
  const auto number = found == header.params.end() ? std::nullopt : parse_decimal(found->second);
  if (!number || *number > ~std::uint64_t{0}) refuse(path, "its header gives no number for " + name);
  return static_cast<std::uint64_t>(*number);
}

const std::string& text_of(const std::map<std::string, std::string>& values, const std::string& name,
                           const std::string& path) {
  const auto found = values.find(name);
  if (found == values.end()) refuse(path, "its header has no " + name);
  return found->second;
}

ProofProblem problem_of(const FileHeader& header, const std::string& path) {
  ProofProblem problem;
  const std::optional<VariantId> variant = find_variant(header.variant);
  if (!variant) refuse(path, "its variant is unknown");
  problem.variant = *variant;
  problem.options.restricted_ep = text_of(header.options, "ep", path) == "restricted";
  problem.options.stalemated_wins = text_of(header.options, "stalemate", path) == "stalemated-wins";
  problem.prover = text_of(header.params, "for", path) == "white" ? kWhite : kBlack;
  const Expected<FenReading> root = read_fen(text_of(header.params, "fen", path), *variant, problem.options);
  if (!root) refuse(path, "its position is refused: " + root.error().message);
  problem.root = root->position;
  return problem;
}

}  // namespace

std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before) {
  static constexpr std::array<std::uint64_t, 256> table = crc_table();
  std::uint64_t crc = ~before;
  for (const std::byte b : bytes) crc = table[(crc ^ static_cast<std::uint64_t>(b)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

std::string encode_proof(const ProofProblem& problem, const Proof& proof, const std::string& tables) {
  std::string bytes = encode_header(header_of(problem, proof, tables));
  for (const ProofEntry& entry : proof.entries) append(bytes, entry.name);
  for (const ProofEntry& entry : proof.entries) append(bytes, entry.move);
  for (const ProofEntry& entry : proof.entries) append(bytes, entry.rank);
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  append(bytes, crc64(bytes_of(bytes)));
  return bytes;
}

ProofFile ProofFile::open(const std::string& path) {
  const File file = File::open_read(path);
  const StoredHeader stored = read_header(file);
  if (stored.header.kind != "proof" || stored.header.version != 1 || stored.header.job != "solve") {
    throw FileRefusedError(
        Refusal::kKind, path, "use this file as a proof",
        "it is a " + stored.header.kind + " " + std::to_string(stored.header.version) + " of " + stored.header.job,
        "Give a file that 'hecatomb solve --proof' has written.");
  }
  ProofFile proof;
  proof.bytes_.resize(file.size_bytes());
  if (file.read_at(0, proof.bytes_) != proof.bytes_.size()) refuse(path, "it could not be read whole");
  proof.entries_ = param_of(stored.header, "entries", path);
  proof.names_ = stored.size_bytes;
  if (proof.entries_ > proof.bytes_.size()) refuse(path, "it is shorter than its header says");
  proof.moves_ = proof.names_ + kNameBytes * proof.entries_;
  proof.ranks_ = proof.moves_ + kMoveBytes * proof.entries_;
  const std::size_t end = (proof.ranks_ + kRankBytes * proof.entries_ + 7) / 8 * 8;
  if (proof.bytes_.size() != end + kSumBytes) refuse(path, "it has not the size that its header says");
  if (crc64(std::span(proof.bytes_).first(end)) != proof.number<std::uint64_t>(end))
    refuse(path, "its checksum is wrong: it is damaged");
  proof.positions_ = param_of(stored.header, "positions", path);
  proof.depth_plies_ = param_of(stored.header, "depth-plies", path);
  proof.leaves_ = param_of(stored.header, "leaves", path);
  proof.tables_ = text_of(stored.header.params, "tables", path);
  proof.salt_ = static_cast<std::uint8_t>(param_of(stored.header, "salt", path));
  proof.problem_ = problem_of(stored.header, path);
  return proof;
}

template <class T>
T ProofFile::number(std::size_t at) const {
  T value;
  std::memcpy(&value, bytes_.data() + at, sizeof value);
  return value;
}

std::optional<ProofEntry> ProofFile::find(const Position& p) const {
  const std::uint64_t name = position_name(p, salt_);
  std::size_t low = 0, high = entries_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (number<std::uint64_t>(names_ + kNameBytes * middle) < name) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == entries_ || number<std::uint64_t>(names_ + kNameBytes * low) != name) return std::nullopt;
  return ProofEntry{name, number<std::uint16_t>(moves_ + kMoveBytes * low),
                    number<std::uint16_t>(ranks_ + kRankBytes * low)};
}

std::optional<Move> ProofFile::move_of(const ProofEntry& entry, const Position& p) const {
  MoveList legal;
  list_legal(p, problem_.variant, legal);
  for (const Move m : legal) {
    if (packed_move(m) == entry.move) return m;
  }
  return std::nullopt;
}

}  // namespace hecatomb
