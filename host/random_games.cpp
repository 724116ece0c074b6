#include "host/random_games.h"

#include "common/outcome.h"
#include "common/random.h"
#include "host/notation/variant_name.h"
#include "host/work.h"

namespace hecatomb {
namespace {

template <class V>
void play(const GameId& id, const RuleOptions& options, std::size_t count, int most_plies,
          std::vector<Position>& positions) {
  Position p = start_position(V::id);
  for (int ply = 0; ply <= most_plies && positions.size() < count; ply++) {
    if (ply % 4 == static_cast<int>(id.game % 4)) positions.push_back(p);
    const int moves = count_moves<V>(p);
    if (moves == 0) return;
    const u32 n = draw_move(id, static_cast<u32>(ply), static_cast<u32>(moves));
    p = make<V>(p, nth_move<V>(p, static_cast<int>(n)), options);
  }
}

}  // namespace

std::vector<Position> random_positions(VariantId variant, const RuleOptions& options, std::size_t count,
                                       std::uint64_t seed, int most_plies) {
  std::vector<Position> positions;
  positions.reserve(count);
  for (u32 game = 0; positions.size() < count && !stop_requested(); game++) {
    with_variant(variant, [&](auto v) { play<decltype(v)>({seed, 0, game}, options, count, most_plies, positions); });
  }
  return positions;
}

}  // namespace hecatomb
