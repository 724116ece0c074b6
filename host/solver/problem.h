// What is to be proved: that one side, playing by certain rules from a certain position, can force a win.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "common/variant.h"
#include "host/cpu/expand.h"
#include "host/cpu/zobrist.h"
#include "host/solver/proof_numbers.h"

namespace hecatomb {

/// Positions whose value is known beforehand: endgame tables. Nothing in the search knows more of them.
struct KnownEndings {
  int most_men = 0;  ///< positions with more men are not asked for; 0: there are none
  /// Whether that side wins the position by force; nothing where it is not known. Any thread.
  std::function<std::optional<bool>(const Position&, Color)> is_won;
  /// The name of the table that says so: what a proof gives.
  std::function<std::string(const Position&)> table_of = {};
};

struct ProofProblem {
  VariantId variant = VariantId::antichess;  ///< not chess
  RuleOptions options = {};
  Position root = {};
  Color prover = kWhite;
  KnownEndings endings = {};

  ExpandRules rules() const {
    return {static_cast<std::uint8_t>(variant), options.restricted_ep, options.stalemated_wins};
  }
};

inline const Position& position_of(const ExpandedChild& child) {
  return *reinterpret_cast<const Position*>(child.position);
}
inline Key key_of(const ExpandedChild& child) { return {child.key[0], child.key[1]}; }

/// A position as the search takes it. `moves`: its number of legal moves.
inline ExpandedChild root_child(const Position& p, int moves) {
  ExpandedChild child{};
  __builtin_memcpy(child.position, &p, sizeof p);
  const Key key = zobrist_of(p);
  child.key[0] = key.low;
  child.key[1] = key.high;
  child.moves = static_cast<std::uint16_t>(moves);
  child.irreversible = true;
  child.white_ahead =
      static_cast<std::int8_t>(__builtin_popcountll(p.men[kWhite]) - __builtin_popcountll(p.men[kBlack]));
  return child;
}

/// Whether the game is over at the child and the prover has won it.
inline bool is_won_end(const ExpandedChild& child, Color prover) {
  const bool white_wins = child.result == 1;  // Result::white_wins, black_wins, draw
  return child.result != 0 && child.result != 3 && white_wins == (prover == kWhite);
}

/// The numbers of a position nobody has looked below: one move is enough for the side that chooses, the other must
/// answer all; quiet positions are further from their end (measured: four times fewer expansions than with ones).
/// Where one wins by losing one's men, a position is the nearer to the prover's win the fewer of his are left beside
/// the opponent's (measured: 1.4 to 2 times fewer).
inline ProofNumbers first_numbers(const ExpandedChild& child, const ProofProblem& problem) {
  const Position& p = position_of(child);
  const Color prover = problem.prover;
  const ProofNumber mobility = child.quiet ? 2u * child.moves : child.moves;
  int to_win = kLeaf;
  if (problem.variant != VariantId::horde) {
    to_win = std::max(1, to_win + (prover == kWhite ? child.white_ahead : -child.white_ahead));
  }
  const auto weight = static_cast<ProofNumber>(to_win);
  return p.side == prover ? ProofNumbers{weight, kLeaf * mobility} : ProofNumbers{weight * mobility, kLeaf};
}

}  // namespace hecatomb
