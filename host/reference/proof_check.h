// The checker of proof files: reads the file itself and believes nothing in it.
//
// The one idea: walk. From the root, play the move that the file gives where the prover is to move and every legal
// reply where the opponent is, by the rules of this folder, until the game is over. Positions are recognised by
// comparing them whole; the names (hashes) in the file only say where to look. Refused are: bytes that do not sum up, a
// position that is not there, a move that is not legal, an end that is not the prover's win, a rank that is not one
// more than the largest below it (so that ranks fall along every line, and no line can come back), and entries that the
// walk does not need.
//
// The layout of the file is described in the README of the solver. Nothing of it is shared with the writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "host/reference/reference.h"

namespace hecatomb::reference {

/// Endgame tables, which the checker does not know how to read.
struct TableAccess {
  /// 1, 0 or -1 from the side to move; nothing if no table holds the position.
  std::function<std::optional<int>(const Position&)> value;
  /// The hash of the table by that name, as the proof gives it; empty if it is not there.
  std::function<std::string(const std::string& name)> hash;
};

struct ProofCheckOptions {
  std::optional<TableAccess> tables;  ///< without them a proof that rests on tables is refused
  bool deep_leaves = false;           ///< solve every table leaf again, not only those of up to three men
};

struct ProofCheck {
  bool ok = false;
  std::string message;  ///< why it is refused, and where
  std::string variant;  ///< as far as the file could be read
  std::string fen;
  std::string prover;  ///< "white" or "black"
  std::uint64_t positions = 0;
  std::uint64_t depth_plies = 0;
  std::uint64_t leaves = 0;  ///< won by tables
};

/// Checks the file at a path. A file that cannot be opened is refused, too.
ProofCheck check_proof(const std::string& path, const ProofCheckOptions& options = {});

/// The same for the bytes of a file.
ProofCheck check_proof_bytes(const std::string& bytes, const ProofCheckOptions& options = {});

/// CRC-64/XZ (ECMA-182, reflected), the checksum of proof files.
std::uint64_t crc64(const char* bytes, std::size_t size);

}  // namespace hecatomb::reference
