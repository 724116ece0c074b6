// Proof files: written once, looked up by name, walked by the rules core. (The checker, host/reference, reads them by
// code of its own.)
//
// Layout: the header of every file of ours (host/storage/header.h: kind "proof", job "solve", variant, options), with
// the parameters
//   fen, for       the root, and the side that wins ("white", "black")
//   entries        the number n of entries
//   leaves         how many of them are won by an endgame table; tables: "NAME:HASH,…" of those, or empty
//   positions      different positions of both sides that are not over; depth-plies: of the longest line
//   salt           of the names
// then, little-endian, n names of 8 bytes (position_name, rising), n moves of 2 bytes (packed_move, 0xffff for a table
// leaf), n ranks of 2 bytes, zeros up to a multiple of 8, and the CRC-64/XZ of every byte before it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/solver/proof.h"

namespace hecatomb {

/// CRC-64/XZ (ECMA-182, reflected), continued from the sum of what came before.
std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before = 0);

/// The bytes of the file. `tables`: "NAME:HASH,…" of the tables that leaves rest on, or empty.
std::string encode_proof(const ProofProblem& problem, const Proof& proof, const std::string& tables = {});

class ProofFile {
 public:
  /// Reads a file whole and checks sum and shape, not the proof. Throws FileRefusedError, EnvironmentError.
  static ProofFile open(const std::string& path);

  const ProofProblem& problem() const { return problem_; }
  std::size_t entries() const { return entries_; }
  std::uint64_t positions() const { return positions_; }
  std::uint64_t depth_plies() const { return depth_plies_; }
  std::uint64_t leaves() const { return leaves_; }
  /// "NAME:HASH,…" of the tables that leaves rest on, or empty.
  const std::string& tables() const { return tables_; }

  /// The entry of a position, if it has one.
  std::optional<ProofEntry> find(const Position& p) const;
  /// The move of an entry at its position; nothing for a table leaf, or if it is not legal there.
  std::optional<Move> move_of(const ProofEntry& entry, const Position& p) const;

 private:
  template <class T>
  T number(std::size_t at) const;

  ProofProblem problem_;
  std::vector<std::byte> bytes_;
  std::size_t names_ = 0, moves_ = 0, ranks_ = 0, entries_ = 0;  // offsets; the number
  std::uint64_t positions_ = 0, depth_plies_ = 0, leaves_ = 0;
  std::string tables_;
  std::uint8_t salt_ = 0;
};

}  // namespace hecatomb
