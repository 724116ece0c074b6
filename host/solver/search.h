// Depth-first proof-number search (Nagai 2002) of one thread over a table that several may share.
//
// The one idea: a node is searched until its proof or disproof number reaches a threshold that follows from its
// brothers', so the search moves in the tree as proof-number search does, but keeps only the path and the table.
//
// Repetition. A position that comes again on the path counts as not won. So what is proved holds on every path (a proof
// never rests on a repetition), and only disproofs may hold on this path alone. Such a node is *cut*: it is used as
// disproved from then on, by every path, until the table's epoch ends. That is right as long as all nodes it rests on
// stay unproved: a set of positions from which every move of the prover, and one of the opponent's, stays in the set
// holds no win. When a node is proved to which paths have come back, an epoch ends soon after; and a root that is cut
// is called disproved only when such a set has been found, walked and closed (disproof.h).
//
// With one thread the search is deterministic.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host/solver/mini_search.h"
#include "host/solver/node_table.h"
#include "host/solver/presence.h"
#include "host/solver/problem.h"
#include "host/solver/profile.h"

namespace hecatomb {

/// What ends a search from outside; shared by its threads.
struct SearchControl {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> expansions{0};  ///< of all threads, brought up to date now and then
  std::uint64_t most_expansions = ~std::uint64_t{0};
  /// Where the threads are; null if there is only one.
  std::unique_ptr<Presence> presence = {};
  /// Called by each thread after every unit of some 1,000 expansions, with their number; true ends the search. May be
  /// empty.
  std::function<bool(std::uint64_t more)> on_unit = {};
  /// Called for each node that the search proved or disproved. May be empty. Any thread.
  std::function<void(Key, const NodeEntry&)> on_solved = {};
};

class ProofSearch {
 public:
  ProofSearch(const ProofProblem& problem, const SearchProfile& profile, NodeTable& table, SearchControl& control);

  struct Found {
    ProofNumbers numbers;
    bool is_cut = false;  ///< disproved, resting on repetitions
  };
  /// Searches until the position is solved or the control says stop. The game must not be over there.
  Found search(const ExpandedChild& root);

  std::uint64_t expansions() const { return expansions_; }

 private:
  struct Step {
    Key key;
    bool is_irreversible;  // the move that led there
    bool is_met;
  };
  /// Searches below `node` until a number reaches its limit; brings `state` up to date.
  void look_below(const ExpandedChild& node, ChildState& state, ProofNumbers limit);
  bool try_mini_search(const ExpandedChild& node, ChildState& state, ProofNumbers limit);
  void first_look(const ExpandedChild& child, ChildState& state);
  void read_table(const ExpandedChild& child, ChildState& state) const;
  bool is_better_known(const ExpandedChild& child, ChildState& state) const;
  bool comes_again(Key key);
  ProofNumbers limit_of(bool ours, const Backup& b, const ChildState& best, ProofNumbers limit) const;
  void finish(const ExpandedChild& node, bool ours, const Backup& b, std::size_t first, std::size_t n,
              std::uint64_t spent, ChildState& state);
  void remember(Key key, const NodeEntry& entry);
  bool is_taken(const ExpandedChild& child, const ChildState& state) const;
  bool has_to_stop();
  void leave_solved();
  void forget_cuts_if_due();

  const ProofProblem& problem_;
  const SearchProfile profile_;
  NodeTable& table_;
  SearchControl& control_;
  ExpandFunction expand_children_;
  ExpandRules rules_;
  MiniSearch mini_;
  std::unique_ptr<ExpandedChild[]> children_;  // of the nodes on the path, one after another
  std::unique_ptr<ChildState[]> states_;
  std::size_t used_ = 0;
  static constexpr std::size_t kMostPlies = 6000;  // path length in nodes; a frame is some 300 bytes
  std::vector<Step> path_;
  std::size_t deepest_ = kMostPlies;  // a longer path is to be left: a node on it has been solved
  std::uint64_t expansions_ = 0, reported_ = 0, last_forgotten_ = 0;
  bool forget_is_due_ = false;
};

}  // namespace hecatomb
