#include "host/solver/search.h"

#include <algorithm>
#include <bit>

#include "common/move.h"
#include "host/solver/leaf.h"
#include "host/work.h"

namespace hecatomb {
namespace {

constexpr std::size_t kMostChildren = std::size_t{1} << 18;  // on the path together: some 40 MB, touched as needed
constexpr std::uint32_t kMostRank = 0xffff;
constexpr std::uint64_t kUnit = 1 << 10;
constexpr std::uint64_t kLeastEpoch = 1 << 20;  // expansions

std::uint8_t log2_of(std::uint64_t n) { return static_cast<std::uint8_t>(std::bit_width(n | 1) - 1); }

}  // namespace

ProofSearch::ProofSearch(const ProofProblem& problem, const SearchProfile& profile, NodeTable& table,
                         SearchControl& control)
    : problem_(problem),
      profile_(profile),
      table_(table),
      control_(control),
      expand_children_(expand_in_use()),
      rules_(problem.rules()),
      mini_(problem, std::max(profile.mini_nodes, 1u)),
      children_(new ExpandedChild[kMostChildren]),
      states_(new ChildState[kMostChildren]) {}

ProofSearch::Found ProofSearch::search(const ExpandedChild& root) {
  const auto using_table = table_.use();
  path_.clear();
  used_ = 0;
  ChildState state;
  read_table(root, state);
  if (!state.numbers.solved()) look_below(root, state, {kInfinite, kInfinite});
  control_.expansions.fetch_add(expansions_ - reported_, std::memory_order_relaxed);
  reported_ = expansions_;
  return {state.numbers, state.is_cut};
}

bool ProofSearch::has_to_stop() {
  const std::uint64_t more = expansions_ - reported_;
  if (more >= kUnit || expansions_ >= control_.most_expansions) {
    reported_ = expansions_;
    const std::uint64_t all = control_.expansions.fetch_add(more, std::memory_order_relaxed) + more;
    const bool is_ended = control_.on_unit && control_.on_unit(more);
    table_.pause();
    leave_solved();
    if (is_ended || all >= control_.most_expansions || stop_requested())
      control_.stop.store(true, std::memory_order_relaxed);
  }
  return control_.stop.load(std::memory_order_relaxed);
}

/// Another thread may have solved a node on the path: then what is below it need not be searched any more.
void ProofSearch::leave_solved() {
  if (control_.presence == nullptr) return;
  for (std::size_t i = 0; i < std::min(path_.size(), deepest_); i++) {
    if (table_.probe(path_[i].key).numbers.solved()) deepest_ = i;
  }
}

void ProofSearch::forget_cuts_if_due() {
  if (!forget_is_due_ || expansions_ - last_forgotten_ < std::max(kLeastEpoch, expansions_ / 8)) return;
  table_.forget_cuts();
  last_forgotten_ = expansions_;
  forget_is_due_ = false;
}

/// Whether the position stands on the path already, since the last move that cannot be taken back.
bool ProofSearch::comes_again(Key key) {
  for (std::size_t i = path_.size(); i-- > 0;) {
    if (path_[i].key == key) {
      path_[i].is_met = true;
      return true;
    }
    if (path_[i].is_irreversible) return false;
  }
  return false;
}

void ProofSearch::read_table(const ExpandedChild& child, ChildState& state) const {
  const NodeEntry entry = table_.probe(key_of(child));
  state.is_new = entry.kind == NodeEntry::Kind::none;
  state.numbers = state.is_new ? first_numbers(child, problem_) : entry.numbers;
  state.work = entry.work;
  state.rank = entry.rank;
  state.is_met = entry.is_met;
  state.is_cut = entry.kind == NodeEntry::Kind::cut;
}

/// Whether the table knows other numbers by now: the position was reached on another way.
bool ProofSearch::is_better_known(const ExpandedChild& child, ChildState& state) const {
  const ProofNumbers before = state.numbers;
  if (table_.probe(key_of(child)).kind == NodeEntry::Kind::none) return false;
  read_table(child, state);
  return !(state.numbers == before);
}

void ProofSearch::first_look(const ExpandedChild& child, ChildState& state) {
  state = {};
  state.is_reversible = !child.irreversible;
  if (take_known(child, problem_, state)) return;
  if (state.is_reversible && comes_again(key_of(child))) {
    state.numbers = kDisproved;
    state.is_cut = true;
    return;
  }
  read_table(child, state);
}

void ProofSearch::remember(Key key, const NodeEntry& entry) {
  table_.store(key, entry);
  if (control_.on_solved && (entry.kind == NodeEntry::Kind::proved || entry.kind == NodeEntry::Kind::disproved))
    control_.on_solved(key, entry);
}

/// A few nodes in a tree of their own. True if that was enough.
bool ProofSearch::try_mini_search(const ExpandedChild& node, ChildState& state, ProofNumbers limit) {
  const MiniSearch::Found found = mini_.search(node, limit, profile_.mini_overshoot);
  state.numbers = found.numbers;
  state.is_new = false;
  NodeEntry entry{.kind = NodeEntry::Kind::open, .numbers = found.numbers};
  if (found.numbers.proved()) {
    entry.kind = NodeEntry::Kind::proved;
    entry.move = found.move;
    entry.rank = state.rank = found.rank;
  } else if (found.numbers.disproved()) {
    entry.kind = NodeEntry::Kind::disproved;
  } else if (found.numbers.pn < limit.pn && found.numbers.dn < limit.dn) {
    return false;
  }
  table_.store(key_of(node), entry);
  return true;
}

bool ProofSearch::is_taken(const ExpandedChild& child, const ChildState& state) const {
  return control_.presence && state.work >= Presence::kLeastWork && control_.presence->is_taken(key_of(child));
}

ProofNumbers ProofSearch::limit_of(bool ours, const Backup& b, const ChildState& best, ProofNumbers limit) const {
  const auto beside = [this, &b](ProofNumber most) {
    if (b.second >= most) return most;
    const std::uint64_t slack = std::max<std::uint64_t>(1, std::uint64_t{b.second} * profile_.epsilon_16ths / 16);
    return static_cast<ProofNumber>(std::min<std::uint64_t>(most, b.second + slack));
  };
  const auto rest = [&](ProofNumber most, ProofNumber now) {
    if (most == kInfinite) return most;
    return std::max(most - std::min(most, b.sum_without(ours, best)), now + 1);
  };
  if (ours) return {beside(limit.pn), rest(limit.dn, best.numbers.dn)};
  return {rest(limit.pn, best.numbers.pn), beside(limit.dn)};
}

void ProofSearch::look_below(const ExpandedChild& node, ChildState& state, ProofNumbers limit) {
  const std::uint64_t before = expansions_++;
  if (has_to_stop()) return;
  if (state.is_new && profile_.mini_nodes != 0 && try_mini_search(node, state, limit)) return;
  if (path_.size() >= kMostPlies ||
      used_ + kMaxMoves > kMostChildren) {  // nobody gets here; it is no win, on this path
    state.numbers = kDisproved;
    state.is_cut = true;
    return;
  }
  const bool ours = position_of(node).side == problem_.prover;
  const bool is_present = control_.presence && state.work >= Presence::kLeastWork;
  if (is_present) control_.presence->enter(key_of(node));
  path_.push_back({key_of(node), node.irreversible, state.is_met});
  const std::size_t first = used_;
  table_.tell_lines(rules_);
  const std::size_t n = expand_children_(node, rules_, children_.get() + first);
  const ExpandedChild* children = children_.get() + first;
  ChildState* states = states_.get() + first;
  used_ += n;
  for (std::size_t i = 0; i < n; i++) first_look(children[i], states[i]);
  Backup b;
  for (bool is_just_read = true;; is_just_read = false) {
    b = ours ? back_up_ours({states, n}) : back_up_theirs({states, n});
    if (b.numbers.solved() || b.numbers.pn >= limit.pn || b.numbers.dn >= limit.dn ||
        control_.stop.load(std::memory_order_relaxed) || path_.size() > deepest_)
      break;
    if (!is_just_read && is_better_known(children[b.best], states[b.best])) continue;
    if (is_taken(children[b.best], states[b.best])) {
      give_way(
          ours, {states, n}, ours ? limit.pn : limit.dn,
          [&](std::size_t i) { return is_taken(children[i], states[i]); }, b);
    }
    look_below(children[b.best], states[b.best], limit_of(ours, b, states[b.best], limit));
  }
  finish(node, ours, b, first, n, expansions_ - before, state);
  used_ -= n;
  path_.pop_back();
  if (is_present) control_.presence->leave(key_of(node));
  if (path_.size() <= deepest_) deepest_ = kMostPlies;  // all that was to be left has been left
  forget_cuts_if_due();
}

void ProofSearch::finish(const ExpandedChild& node, bool ours, const Backup& b, std::size_t first, std::size_t n,
                         std::uint64_t spent, ChildState& state) {
  state.numbers = b.numbers;
  state.is_new = false;
  state.is_cut = b.is_cut;
  state.is_met = path_.back().is_met;
  state.work = log2_of((std::uint64_t{1} << state.work) + spent);
  NodeEntry entry{.kind = NodeEntry::Kind::open, .work = state.work, .is_met = state.is_met, .numbers = b.numbers};
  if (b.numbers.proved()) {
    const RankedChild best = rank_of_proved(ours, {states_.get() + first, n}, children_.get() + first);
    entry.kind = NodeEntry::Kind::proved;
    if (ours) entry.move = children_[first + best.child].move;
    entry.rank = state.rank = static_cast<std::uint16_t>(std::min(best.rank_plies, kMostRank));
    forget_is_due_ |= state.is_met;
  } else if (b.numbers.disproved()) {
    entry.kind = b.is_cut ? NodeEntry::Kind::cut : NodeEntry::Kind::disproved;
  }
  remember(key_of(node), entry);
}

}  // namespace hecatomb
