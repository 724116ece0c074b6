#include "host/solver/disproof.h"

#include <unordered_set>
#include <vector>

#include "common/move.h"
#include "host/solver/leaf.h"

namespace hecatomb {
namespace {

struct KeyHash {
  std::size_t operator()(const Key& key) const { return key.low; }
};

class Walk {
 public:
  Walk(const ProofProblem& problem, const NodeTable& table, ProofSearch& search, const SearchControl& control,
       std::size_t most_positions)
      : problem_(problem),
        table_(table),
        search_(search),
        control_(control),
        most_positions_(most_positions),
        expand_children_(expand_in_use()),
        rules_(problem.rules()),
        children_(kMaxMoves) {}

  DisproofVerdict from(const ExpandedChild& root) {
    add(root);
    while (!open_.empty()) {
      const ExpandedChild node = open_.back();
      open_.pop_back();
      const bool ours = position_of(node).side == problem_.prover;
      count_ = expand_children_(node, rules_, children_.data());
      const bool holds = ours ? all_lost() : one_lost();
      if (control_.stop.load()) return DisproofVerdict::stopped;
      if (!holds) return DisproofVerdict::open;
      if (set_.size() > most_positions_) return DisproofVerdict::too_many;
    }
    return DisproofVerdict::closed;
  }

 private:
  enum class Known { won, lost, in_set, cut, nothing };

  Known known(const ExpandedChild& child) const {
    ChildState state;
    if (take_known(child, problem_, state)) return state.numbers.proved() ? Known::won : Known::lost;
    if (set_.contains(key_of(child))) return Known::in_set;
    switch (table_.probe(key_of(child)).kind) {
      case NodeEntry::Kind::proved:
        return Known::won;
      case NodeEntry::Kind::disproved:
        return Known::lost;
      case NodeEntry::Kind::cut:
        return Known::cut;
      case NodeEntry::Kind::none:
      case NodeEntry::Kind::open:
        break;
    }
    return Known::nothing;
  }

  void add(const ExpandedChild& child) {
    if (set_.insert(key_of(child)).second) open_.push_back(child);
  }

  /// Whether the child is lost or can be put into the set; searches it if need be.
  bool takes(const ExpandedChild& child) {
    Known what = known(child);
    if (what == Known::nothing) {
      const ProofSearch::Found found = search_.search(child);
      if (!found.numbers.disproved()) return false;  // proved, or stopped
      what = found.is_cut ? Known::cut : Known::lost;
    }
    if (what == Known::cut) add(child);
    return what != Known::won;
  }

  bool all_lost() {
    for (std::size_t i = 0; i < count_; i++) {
      if (!takes(children_[i])) return false;
    }
    return true;
  }

  bool one_lost() {
    for (const Known wanted : {Known::lost, Known::in_set, Known::cut, Known::nothing}) {
      for (std::size_t i = 0; i < count_; i++) {
        if (known(children_[i]) == wanted && takes(children_[i])) return true;
      }
    }
    return false;
  }

  const ProofProblem& problem_;
  const NodeTable& table_;
  ProofSearch& search_;
  const SearchControl& control_;
  std::size_t most_positions_;
  ExpandFunction expand_children_;
  ExpandRules rules_;
  std::vector<ExpandedChild> children_;  // of the node in hand
  std::size_t count_ = 0;
  std::unordered_set<Key, KeyHash> set_;
  std::vector<ExpandedChild> open_;
};

}  // namespace

DisproofVerdict close_disproof(const ExpandedChild& root, const ProofProblem& problem, const NodeTable& table,
                               ProofSearch& search, const SearchControl& control, std::size_t most_positions) {
  return Walk(problem, table, search, control, most_positions).from(root);
}

}  // namespace hecatomb
