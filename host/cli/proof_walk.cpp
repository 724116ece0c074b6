#include "host/cli/proof_walk.h"

#include "host/notation/legal.h"

namespace hecatomb {

ProofPlace place_in(const ProofFile& file, const Position& p) {
  ProofPlace place{p, file.find(p), {}};
  if (place.entry) place.move = file.move_of(*place.entry, p);
  return place;
}

Position position_after(const ProofFile& file, const Position& p, Move m) {
  return after_move(p, m, file.problem().variant, file.problem().options);
}

bool is_over_in(const ProofFile& file, const Position& p) {
  return decided_outcome(p, file.problem().variant, file.problem().options).result != Result::ongoing;
}

bool is_won_in(const ProofFile& file, const Position& p) {
  const Result won = file.problem().prover == kWhite ? Result::white_wins : Result::black_wins;
  return decided_outcome(p, file.problem().variant, file.problem().options).result == won;
}

std::vector<Move> moves_in(const ProofFile& file, const ProofPlace& place) {
  if (place.move) return {*place.move};
  if (place.position.side == file.problem().prover || place.entry || is_over_in(file, place.position)) return {};
  MoveList legal;
  list_legal(place.position, file.problem().variant, legal);
  return {legal.begin(), legal.end()};
}

}  // namespace hecatomb
