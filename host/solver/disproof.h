// Whether a root that the search calls cut is disproved on every path.
//
// The one idea: walk from the root over all moves of the prover and one of the opponent's. If that comes to an end, and
// no position of it is a win for the prover at once, then the opponent can stay in this set for ever: there is no
// forced win, whatever was played before. What is cut and not in the set any more is searched anew.
#pragma once
#include "host/solver/search.h"

namespace hecatomb {

enum class DisproofVerdict {
  closed,    ///< disproved
  open,      ///< a node of the set was proved meanwhile: search again
  too_many,  ///< more positions than allowed
  stopped,
};

/// `most_positions` bounds the memory: some 250 bytes each.
DisproofVerdict close_disproof(const ExpandedChild& root, const ProofProblem& problem, const NodeTable& table,
                               ProofSearch& search, const SearchControl& control, std::size_t most_positions);

}  // namespace hecatomb
