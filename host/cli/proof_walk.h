// A proof as one looks into it: the positions, what is played there, and a page to unfold it on.
//
// (Whether it is sound is not asked here: `proof check` does, by the reference.)
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/hash.h"
#include "host/cli/solve.h"
#include "host/solver/proof_file.h"

namespace hecatomb {

/// A position of a proof, and what the proof says there.
struct ProofPlace {
  Position position;
  std::optional<ProofEntry> entry;
  std::optional<Move> move;  ///< the prover's
};

ProofPlace place_in(const ProofFile& file, const Position& p);
Position position_after(const ProofFile& file, const Position& p, Move m);
bool is_over_in(const ProofFile& file, const Position& p);
/// Over, and the prover has won.
bool is_won_in(const ProofFile& file, const Position& p);

/// What may be played: the move of the proof, or every reply; nothing at a table leaf or where the game is over.
std::vector<Move> moves_in(const ProofFile& file, const ProofPlace& place);

struct PositionKeyHash {
  std::size_t operator()(const Key& key) const { return key.low; }
};

/// Writes the proof, down to so many plies, as one page that needs nothing else: a tree that unfolds, with boards. What
/// is unfolded is made then, so the page opens as quickly for a hundred thousand positions as for ten (about 20 bytes
/// each). Positions reached in several ways are in it once. False if a Ctrl-C ended it.
bool write_proof_page(const ProofFile& file, int depth_plies, const std::function<void(const std::string&)>& write);

}  // namespace hecatomb
