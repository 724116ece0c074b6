// How the numbers of a node follow from those of its children, and which child to look at next.
//
// Where the prover moves, one proved child is enough and all must be disproved; where the opponent moves, the reverse:
// a minimum one way and a sum the other. A sum counts a position once for every way to it, and where moves can be taken
// back there are ever more ways; so where the prover moves, children that can lead back (no capture, no pawn's move)
// count as the largest of them, and two leaves for each of the others.
#pragma once
#include <span>

#include "host/cpu/expand.h"
#include "host/solver/proof_numbers.h"

namespace hecatomb {

/// What the search knows of a child.
struct ChildState {
  ProofNumbers numbers;
  std::uint16_t rank = 0;     ///< proved: plies to the end from the child, at most
  std::uint8_t work = 0;      ///< as NodeEntry
  bool is_reversible = true;  ///< a path through it may come back
  bool is_new = false;        ///< nobody has looked below it
  bool is_cut = false;        ///< disproved as far as repetitions count (NodeEntry::Kind::cut)
  bool is_met = false;        ///< as NodeEntry
};

/// What a reversible child adds that is not the largest.
inline constexpr ProofNumber kOfOtherReversible = 2 * kLeaf;

struct Backup {
  ProofNumbers numbers;
  std::size_t best = 0;            ///< the child to look at next
  ProofNumber second = kInfinite;  ///< its rival's number: pn where the prover moves, else dn
  std::uint64_t sum = 0;           ///< the node's other number, not saturated
  ProofNumber largest = 0;         ///< what of it is the largest of the reversible children's
  bool is_cut = false;             ///< disproved, but resting on a cut child

  /// The node's other number if that of this child were 0.
  ProofNumber sum_without(bool ours, const ChildState& child) const {
    if (!ours) return saturated(sum - child.numbers.pn);
    return saturated(sum - (child.is_reversible ? largest : child.numbers.dn));
  }
};

/// The prover moves: pn is the least, dn the sum.
inline Backup back_up_ours(std::span<const ChildState> children) {
  Backup b{.numbers = {kInfinite, 0}};
  std::uint64_t sum = 0, reversible = 0;
  for (std::size_t i = 0; i < children.size(); i++) {
    const ChildState& c = children[i];
    if (c.numbers.dn == 0) {
      b.is_cut |= c.is_cut;
      continue;
    }
    if (c.numbers.pn < b.numbers.pn) {
      b.second = b.numbers.pn;
      b.numbers.pn = c.numbers.pn;
      b.best = i;
    } else if (c.numbers.pn < b.second) {
      b.second = c.numbers.pn;
    }
    if (c.is_reversible) {
      reversible++;
      b.largest = std::max(b.largest, c.numbers.dn);
    } else {
      sum += c.numbers.dn;
    }
  }
  if (b.numbers.pn == 0) {
    b.numbers = kProved;
    return b;
  }
  if (b.numbers.pn == kInfinite) return b;  // disproved
  const std::uint64_t others = reversible == 0 ? 0 : (reversible - 1) * kOfOtherReversible;
  b.sum = sum + b.largest + others;
  b.numbers.dn = saturated(b.sum);
  b.is_cut = false;
  return b;
}

/// The opponent moves: dn is the least, pn the sum.
inline Backup back_up_theirs(std::span<const ChildState> children) {
  Backup b{.numbers = {0, kInfinite}};
  std::uint64_t sum = 0;
  bool is_disproved = false;
  for (std::size_t i = 0; i < children.size(); i++) {
    const ChildState& c = children[i];
    if (c.numbers.dn == 0) {
      b.is_cut = is_disproved ? b.is_cut && c.is_cut : c.is_cut;
      is_disproved = true;
      b.best = i;
      continue;
    }
    if (c.numbers.dn < b.numbers.dn) {
      b.second = b.numbers.dn;
      b.numbers.dn = c.numbers.dn;
      b.best = i;
    } else if (c.numbers.dn < b.second) {
      b.second = c.numbers.dn;
    }
    sum += c.numbers.pn;
  }
  if (is_disproved) {
    b.numbers = kDisproved;
    return b;
  }
  if (b.numbers.dn == kInfinite) return b;  // every child is proved
  b.sum = sum;
  b.numbers.pn = saturated(sum);
  return b;
}

/// Another thread is below the best child (presence.h): makes the choice as if the numbers of all children of which
/// that is so were a sixteenth worse (other factors: README). Children whose number has reached the limit of the node's
/// are no choice.
template <class IsTaken>
void give_way(bool ours, std::span<const ChildState> children, ProofNumber limit, const IsTaken& is_taken, Backup& b) {
  const std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t least = none, second = none;  // in sixteenths
  for (std::size_t i = 0; i < children.size(); i++) {
    const ProofNumber number = ours ? children[i].numbers.pn : children[i].numbers.dn;
    if (children[i].numbers.solved() || number >= limit) continue;
    const std::uint64_t weighed = std::uint64_t{number} * (is_taken(i) ? 17 : 16);
    if (weighed < least) {
      second = least;
      least = weighed;
      b.best = i;
    } else {
      second = std::min(second, weighed);
    }
  }
  b.second = second == none ? kInfinite : saturated(second / 16);
}

/// `rank` of a proved node and the child that gives it: where the prover moves the quickest, else the slowest.
struct RankedChild {
  std::uint32_t rank_plies = 0;
  std::size_t child = 0;
};
inline RankedChild rank_of_proved(bool is_ours, std::span<const ChildState> states, const ExpandedChild* children) {
  RankedChild found;
  bool any = false;
  for (std::size_t i = 0; i < states.size(); i++) {
    if (!states[i].numbers.proved()) continue;
    const std::uint32_t rank = std::uint32_t{states[i].rank} + children[i].plies;
    if (any && (is_ours ? rank >= found.rank_plies : rank <= found.rank_plies)) continue;
    found = {rank, i};
    any = true;
  }
  return found;
}

}  // namespace hecatomb
