// What is known of a position before anybody searches below it: the end of the game, or an endgame table.
#pragma once
#include "host/solver/backup.h"
#include "host/solver/problem.h"

namespace hecatomb {

/// Sets the numbers of a child that needs no search; false for all others.
inline bool take_known(const ExpandedChild& child, const ProofProblem& problem, ChildState& state) {
  if (child.moves == 0) {
    state.numbers = is_won_end(child, problem.prover) ? kProved : kDisproved;
    return true;
  }
  if (problem.endings.most_men == 0) return false;
  const Position& p = position_of(child);
  if (__builtin_popcountll(p.occupied()) > problem.endings.most_men) return false;
  const std::optional<bool> won = problem.endings.is_won(p, problem.prover);
  if (!won) return false;
  state.numbers = *won ? kProved : kDisproved;
  return true;
}

}  // namespace hecatomb
