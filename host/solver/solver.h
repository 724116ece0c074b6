// The job: one question, from the first expansion to a proof file.
//
// `proved` is said only with the proof in hand: it has been collected by walking every reply. `disproved` is said only
// where it holds on every path (disproof.h). Everything else is `unknown`.
//
// Memory: the table takes three quarters of `hash_bytes`, the walks at the end the rest.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/solver/proof.h"
#include "host/work.h"

namespace hecatomb {

struct SolveRequest {
  ProofProblem problem;
  std::uint64_t hash_bytes = std::uint64_t{512} << 20;
  std::vector<const SearchProfile*> profiles = {};  ///< one a thread; none: the default, on one thread
  std::uint64_t most_expansions = ~std::uint64_t{0};
  std::function<bool()> is_time_up = {};                       ///< asked now and then by every thread; may be empty
  std::function<void(std::uint64_t more)> on_expansions = {};  ///< told now and then by every thread; may be empty
  std::string spill_path = {};                                 ///< beside this path proved nodes are spilled (spill.h)
  std::string checkpoint_path = {};                            ///< empty: none
};

enum class SolveStatus { unknown, proved, disproved };

struct SolveReport {
  SolveStatus status = SolveStatus::unknown;
  ProofNumbers numbers;
  std::uint64_t expansions = 0;
  double seconds = 0;  ///< of the search and of collecting the proof
  Proof proof;         ///< proved
  std::string note;    ///< unknown for another reason than a limit
  bool stopped = false;
};

/// What `hash_bytes` should be on a machine of so much memory where nobody says: the power of two up to a quarter of
/// it, 8 GiB at most. The table grows as it is needed, so that is generous; and powers of two, so that machines of
/// about the same memory search alike (the size of the table decides what one thread expands).
constexpr std::uint64_t default_hash_bytes(std::uint64_t machine_bytes) {
  return std::bit_floor(std::min(std::uint64_t{8} << 30, machine_bytes / 4));
}

/// Smaller tables hold too little to end.
inline constexpr std::uint64_t kLeastHashBytes = std::uint64_t{1} << 20;

/// Throws EnvironmentError, also if the checkpoint is of another question. The root may be over.
SolveReport solve(const SolveRequest& request);

}  // namespace hecatomb
