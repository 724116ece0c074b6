// Proof and disproof numbers: how many leaves must at least be won to prove, or lost to disprove (Allis 1994).
//
// The one idea: sums saturate. A number that has reached kMost stays there and is still finite; kInfinite is kept for
// what is solved, so that no sum is ever taken for a solution.
#pragma once
#include <algorithm>
#include <cstdint>

namespace hecatomb {

using ProofNumber = std::uint32_t;
/// What one leaf counts: the numbers are in eighths, so that leaves can count more or less.
inline constexpr ProofNumber kLeaf = 8;
inline constexpr ProofNumber kInfinite = (ProofNumber{1} << 25) - 1;
inline constexpr ProofNumber kMost = kInfinite - 1;  ///< the largest finite number

struct ProofNumbers {
  ProofNumber pn = 1, dn = 1;
  bool proved() const { return pn == 0; }
  bool disproved() const { return dn == 0; }
  bool solved() const { return pn == 0 || dn == 0; }
  friend constexpr bool operator==(const ProofNumbers&, const ProofNumbers&) = default;
};

inline constexpr ProofNumbers kProved{0, kInfinite}, kDisproved{kInfinite, 0};

/// A finite number from a sum of finite ones.
constexpr ProofNumber saturated(std::uint64_t sum) {
  return static_cast<ProofNumber>(std::min<std::uint64_t>(sum, kMost));
}

}  // namespace hecatomb
