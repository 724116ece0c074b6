#include "host/tables/place.h"

namespace hecatomb {

std::optional<Place> place_of(const Position& p) {
  if (popcount(p.occupied()) > kMostTableMen) return std::nullopt;
  const MaterialKey key = material_key(p);
  const bool swapped = !is_oriented(key);
  const auto material = material_of_key(swapped ? colors_changed(key) : key);
  if (!material) return std::nullopt;
  Place place{.material = *material, .side = swapped ? other(p.us()) : p.us()};
  u64 left = p.occupied();
  for (int man = 0; man < material->men; man++) {
    const Color color = swapped ? other(material->color(man)) : material->color(man);
    for (u64 men = left & p.men[color]; men != 0; men &= men - 1) {
      const Square s = ctz(men);
      if (p.kind_at(s) != material->kinds[Material::index(man)]) continue;
      place.squares[Material::index(man)] = swapped ? s ^ 56 : s;
      left &= ~bit(s);
      break;
    }
  }
  return place;
}

}  // namespace hecatomb
