// The settings of a proof search, by name.
//
// Speed varies two or three times with them, differently for every position, so two threads with two profiles are worth
// as much as two that share one.
#pragma once
#include <span>
#include <string_view>

namespace hecatomb {

struct SearchProfile {
  std::string_view name;
  /// A child is left when its number passes that of its rival by this many 16ths (the 1 + epsilon trick: Pawlewicz and
  /// Lew 2007).
  unsigned epsilon_16ths = 12;
  unsigned mini_nodes = 16;  ///< of the mini-search at a leaf; 0: plain leaves
  /// It goes on until a number has passed its limit so many times over: what it finds is kept, and better known.
  unsigned mini_overshoot = 4;  // at most 100: limits times this fit into a ProofNumber
};

/// All of them; the first is the default.
std::span<const SearchProfile> search_profiles();
/// Null for a name that is none.
const SearchProfile* find_search_profile(std::string_view name);
/// The profiles that threads take in turn: all but plain.
const SearchProfile& profile_of_thread(unsigned thread);

}  // namespace hecatomb
