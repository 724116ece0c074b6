#include "host/solver/checkpoint.h"

#include <cstring>

#include "host/notation/fen.h"
#include "host/notation/variant_name.h"

namespace hecatomb {
namespace {

constexpr std::size_t kImagesOfRecord = 4096;
constexpr unsigned kLeastWork = 6;  // log2 of expansions of an open node that is worth keeping

}  // namespace

SolverCheckpoint::SolverCheckpoint(const std::string& path, const ProofProblem& problem, NodeTable& table)
    : table_(table), journal_(path, header(problem), [this](auto bytes) { take(bytes); }) {}

FileHeader SolverCheckpoint::header(const ProofProblem& problem) {
  FileHeader header{.kind = "journal",
                    .job = "solve",
                    .variant = std::string(variant_name(problem.variant)),
                    .options = {},
                    .params = {}};
  header.options["ep"] = problem.options.restricted_ep ? "restricted" : "normal";
  header.options["stalemate"] = problem.options.stalemated_wins ? "stalemated-wins" : "fewer-men";
  header.params = {{"fen", fen_of(problem.root)},
                   {"for", problem.prover == kWhite ? "white" : "black"},
                   {"keys", "zobrist"},
                   {"table-men", std::to_string(problem.endings.most_men)}};
  return header;
}

void SolverCheckpoint::take(std::span<const std::byte> bytes) {
  if (bytes.size() % sizeof(NodeImage) != 0) throw std::runtime_error("a solver record of another size");
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(NodeImage)) {
    NodeImage image;
    std::memcpy(&image, bytes.data() + at, sizeof image);
    table_.restore(image);
    restored_++;
  }
}

void SolverCheckpoint::append() {
  if (pending_.empty()) return;
  journal_.append(std::as_bytes(std::span(pending_)));
  pending_.clear();
}

void SolverCheckpoint::add(Key key, const NodeEntry& entry) {
  const std::scoped_lock lock(mutex_);
  pending_.push_back(table_.whole_image_of(key, entry));
}

void SolverCheckpoint::flush() {
  const std::scoped_lock lock(mutex_);
  append();
}

void SolverCheckpoint::finish() {
  const std::scoped_lock lock(mutex_);
  table_.for_each([this](const NodeImage& image) {
    const NodeEntry entry = NodeTable::entry_of(image);
    if (entry.kind != NodeEntry::Kind::open || entry.work < kLeastWork) return;
    pending_.push_back(image);
    if (pending_.size() == kImagesOfRecord) append();
  });
  append();
  journal_.sync();
}

}  // namespace hecatomb
