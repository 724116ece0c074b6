// Holds that the rules core is ready for the device: every header of common/ (all_of_common.h is generated from the
// folder) and every entry point that kernels will call, instantiated for each variant inside a kernel. It is compiled,
// never run: tests compare values, on the CPU.
#include "all_of_common.h"

namespace hecatomb {
namespace {

/// What the kernel writes, so that nothing it computes can be left out.
struct Sums {
  u64 moves, listed, key_low, key_high, draw;
  Position child;
  Move nth;
  Outcome outcome;
  Claims claims;
};

template <class V>
__global__ void check_kernel(const Position* positions, int count, GameId game, RuleOptions options, DrawRules draws,
                             Position* history, MoveList* lists, Sums* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const Position p = positions[i];
  Sums& s = out[i];

  const int moves = count_moves<V>(p);
  s.moves = static_cast<u64>(moves);
  list_moves<V>(p, lists[i]);
  s.listed = static_cast<u64>(lists[i].size);

  const Key key = hash_of(p);
  s.key_low = key.low;
  s.key_high = key.high;

  GameHistory played(history + i * 151, 151);
  played.push(p);
  s.outcome = outcome<V>(p, moves, played.occurrences(), options, draws);
  s.claims = claims(p, played.occurrences());
  if (moves == 0) return;
  s.draw = draw_move(game, p.fullmove, static_cast<u32>(moves));
  s.nth = nth_move<V>(p, static_cast<int>(s.draw));
  s.child = make<V>(p, s.nth, options);
}

#define HECATOMB_CHECK(V)                                                                                              \
  template __global__ void check_kernel<V>(const Position*, int, GameId, RuleOptions, DrawRules, Position*, MoveList*, \
                                           Sums*)
HECATOMB_CHECK(Antichess);
HECATOMB_CHECK(Suicide);
HECATOMB_CHECK(Losers);
HECATOMB_CHECK(Horde);
HECATOMB_CHECK(Chess);

}  // namespace
}  // namespace hecatomb
