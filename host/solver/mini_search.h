// A proof-number search of a few nodes at a leaf, in a tree of its own that is thrown away.
//
// The one idea: a handful of expansions tell much more about a leaf than its number of moves does, and cost no entry of
// the table (measured: see the README). The tree grows at the most-proving node (Allis 1994), without a table and
// without regard to the path; so what it proves holds everywhere, and the same search from a node of the proof proves
// that node again: only its root need be remembered.
#pragma once
#include <vector>

#include "host/solver/backup.h"
#include "host/solver/problem.h"

namespace hecatomb {

class MiniSearch {
 public:
  MiniSearch(const ProofProblem& problem, unsigned nodes);

  struct Found {
    ProofNumbers numbers;
    std::uint16_t move = 0;  ///< proved, prover to move
    std::uint16_t rank = 0;  ///< proved
  };
  /// Expands at most `nodes` nodes below a position that is not over; stops early when solved, or when a number reaches
  /// `overshoot` times its limit. What it finds with more nodes or another limit is the same or more.
  Found search(const ExpandedChild& root, ProofNumbers limit, unsigned overshoot = 1);

 private:
  struct Node {
    std::uint32_t parent = 0, first = 0, count = 0;  // count 0: not expanded
    std::uint32_t best = 0;                          // the child to look at next
  };
  std::uint32_t most_proving() const;
  void expand(std::uint32_t node);
  void update(std::uint32_t node);
  bool is_ours(std::uint32_t node) const { return position_of(positions_[node]).side == problem_.prover; }

  const ProofProblem& problem_;
  ExpandFunction expand_children_;
  ExpandRules rules_;
  unsigned budget_;
  std::uint32_t size_ = 0;
  std::vector<ExpandedChild> positions_;  // by node
  std::vector<ChildState> states_;
  std::vector<Node> nodes_;
};

}  // namespace hecatomb
