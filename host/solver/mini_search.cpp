#include "host/solver/mini_search.h"

#include "common/move.h"
#include "host/solver/leaf.h"

namespace hecatomb {

MiniSearch::MiniSearch(const ProofProblem& problem, unsigned nodes)
    : problem_(problem),
      expand_children_(expand_in_use()),
      rules_(problem.rules()),
      budget_(nodes),
      positions_(1 + nodes * std::size_t{kMaxMoves}),
      states_(positions_.size()),
      nodes_(positions_.size()) {
  rules_.without_keys = true;
}

std::uint32_t MiniSearch::most_proving() const {
  std::uint32_t node = 0;
  while (nodes_[node].count != 0) node = nodes_[node].best;
  return node;
}

void MiniSearch::expand(std::uint32_t node) {
  const std::uint32_t first = size_;
  const auto n = static_cast<std::uint32_t>(expand_children_(positions_[node], rules_, positions_.data() + first));
  nodes_[node].first = first;
  nodes_[node].count = n;
  size_ += n;
  for (std::uint32_t i = first; i < first + n; i++) {
    nodes_[i] = {.parent = node};
    ChildState& state = states_[i];
    state = {};
    state.is_reversible = !positions_[i].irreversible;
    if (!take_known(positions_[i], problem_, state)) state.numbers = first_numbers(positions_[i], problem_);
  }
}

void MiniSearch::update(std::uint32_t node) {
  for (;;) {
    Node& n = nodes_[node];
    const std::span<const ChildState> children(states_.data() + n.first, n.count);
    const bool ours = is_ours(node);
    const Backup backup = ours ? back_up_ours(children) : back_up_theirs(children);
    const ProofNumbers numbers = backup.numbers;
    n.best = n.first + static_cast<std::uint32_t>(backup.best);
    ChildState& state = states_[node];
    if (numbers == state.numbers) return;
    state.numbers = numbers;
    if (numbers.proved()) {
      state.rank = static_cast<std::uint16_t>(rank_of_proved(ours, children, positions_.data() + n.first).rank_plies);
    }
    if (node == 0) return;
    node = n.parent;
  }
}

MiniSearch::Found MiniSearch::search(const ExpandedChild& root, ProofNumbers limit, unsigned overshoot) {
  const ProofNumbers far{limit.pn * overshoot, limit.dn * overshoot};
  positions_[0] = root;
  nodes_[0] = {};
  states_[0] = {};
  states_[0].numbers = {0, 0};  // differs from whatever comes
  size_ = 1;
  for (unsigned i = 0; i < budget_; i++) {
    const std::uint32_t leaf = most_proving();
    expand(leaf);
    update(leaf);
    const ProofNumbers now = states_[0].numbers;
    if (now.solved() || now.pn >= far.pn || now.dn >= far.dn) break;
  }
  Found found{states_[0].numbers};
  if (found.numbers.proved()) {
    const std::span<const ChildState> children(states_.data() + nodes_[0].first, nodes_[0].count);
    const RankedChild best = rank_of_proved(is_ours(0), children, positions_.data() + nodes_[0].first);
    found.rank = static_cast<std::uint16_t>(best.rank_plies);
    if (is_ours(0)) found.move = positions_[nodes_[0].first + best.child].move;
  }
  return found;
}

}  // namespace hecatomb
