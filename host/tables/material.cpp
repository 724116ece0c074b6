#include "host/tables/material.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace hecatomb {

namespace {

constexpr std::string_view kLetters = "PNBRQK";  // by Kind, from 1

int count_in(MaterialKey key, Color color, Kind kind) {
  return static_cast<int>(key >> (4 * (6 * static_cast<int>(color) + static_cast<int>(kind) - 1))) & 15;
}

constexpr Kind kKindsInOrder[] = {Kind::king, Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::pawn};

int men_of(MaterialKey key, Color color) {
  int men = 0;
  for (const Kind kind : kKindsInOrder) men += count_in(key, color, kind);
  return men;
}

/// Numbers that order classes as their names do: earlier letters first.
std::vector<int> ranks_of(const Material& m, Color color) {
  std::vector<int> ranks;
  for (int man = 0; man < m.men; man++) {
    if (m.color(man) == color) ranks.push_back(6 - static_cast<int>(m.kinds[Material::index(man)]));
  }
  return ranks;
}

/// The order of solving.
auto order_of(const Material& m) {
  return std::make_tuple(m.men, m.pawns(), m.men - m.white, ranks_of(m, kWhite), ranks_of(m, kBlack));
}
bool is_before(const Material& a, const Material& b) { return order_of(a) < order_of(b); }

/// All ways to choose `men` kinds, in order.
void choose(int men, std::size_t first, std::vector<Kind>& chosen, std::vector<std::vector<Kind>>& all) {
  if (men == 0) {
    all.push_back(chosen);
    return;
  }
  for (std::size_t i = first; i < std::size(kKindsInOrder); i++) {
    chosen.push_back(kKindsInOrder[i]);
    choose(men - 1, i, chosen, all);
    chosen.pop_back();
  }
}

std::vector<std::vector<Kind>> choices(int men) {
  std::vector<std::vector<Kind>> all;
  std::vector<Kind> chosen;
  choose(men, 0, chosen, all);
  return all;
}

/// The keys one capture, one promotion or both can lead to (en passant is a capture).
std::vector<MaterialKey> keys_after_one_move(MaterialKey key) {
  std::vector<MaterialKey> next;
  for (const Color us : {kWhite, kBlack}) {
    std::vector<MaterialKey> moved = {key};
    if (count_in(key, us, Kind::pawn) != 0) {
      for (const Kind kind : kKindsInOrder) {
        if (kind != Kind::pawn) moved.push_back(key - material_key_of(us, Kind::pawn) + material_key_of(us, kind));
      }
    }
    for (const MaterialKey after : moved) {
      if (after != key) next.push_back(after);
      for (const Kind victim : kKindsInOrder) {
        if (count_in(after, other(us), victim) != 0) next.push_back(after - material_key_of(other(us), victim));
      }
    }
  }
  return next;
}

std::optional<MaterialKey> key_of_name(std::string_view name) {
  MaterialKey key = 0;
  Color color = kWhite;
  int men = 0;
  for (const char c : name) {
    if (c == 'v' && color == kWhite) {
      color = kBlack;
      continue;
    }
    const std::size_t kind = kLetters.find(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    if (kind == std::string_view::npos || ++men > kMostTableMen) return std::nullopt;
    key += material_key_of(color, static_cast<Kind>(kind + 1));
  }
  return key;
}

}  // namespace

MaterialKey material_key(const Position& p) {
  MaterialKey key = 0;
  for (u64 men = p.occupied(); men != 0; men &= men - 1) {
    const Square s = ctz(men);
    key += material_key_of((p.men[kWhite] & bit(s)) != 0 ? kWhite : kBlack, p.kind_at(s));
  }
  return key;
}

MaterialKey Material::key() const {
  MaterialKey key = 0;
  for (int man = 0; man < men; man++) key += material_key_of(color(man), kinds[index(man)]);
  return key;
}

int Material::pawns() const { return static_cast<int>(std::count(kinds.begin(), kinds.end(), Kind::pawn)); }

std::string Material::name() const {
  std::string text;
  for (int man = 0; man < men; man++) {
    if (man == white) text += 'v';
    text += kLetters[static_cast<std::size_t>(kinds[index(man)]) - 1];
  }
  return text;
}

std::optional<Material> material_of_key(MaterialKey key) {
  const int white = men_of(key, kWhite), men = white + men_of(key, kBlack);
  if (white == 0 || men == white || men > kMostTableMen) return std::nullopt;
  Material m{.men = men, .white = white};
  int man = 0;
  for (const Color color : {kWhite, kBlack}) {
    for (const Kind kind : kKindsInOrder) {
      for (int i = count_in(key, color, kind); i > 0; i--) m.kinds[Material::index(man++)] = kind;
    }
  }
  return m;
}

bool is_oriented(MaterialKey key) {
  const int white = men_of(key, kWhite), black = men_of(key, kBlack);
  if (white != black) return white > black;
  for (const Kind kind : kKindsInOrder) {
    const int more = count_in(key, kWhite, kind) - count_in(key, kBlack, kind);
    if (more != 0) return more > 0;
  }
  return true;
}

std::optional<Material> read_material(std::string_view name) {
  const auto key = key_of_name(name);
  if (!key) return std::nullopt;
  return material_of_key(is_oriented(*key) ? *key : colors_changed(*key));
}

bool is_oriented_name(std::string_view name) { return is_oriented(key_of_name(name).value_or(0)); }

std::vector<Material> all_materials(int men) {
  std::vector<Material> all;
  for (int white = (men + 1) / 2; white < men; white++) {
    for (const auto& ours : choices(white)) {
      for (const auto& theirs : choices(men - white)) {
        Material m{.men = men, .white = white};
        std::copy(ours.begin(), ours.end(), m.kinds.begin());
        std::copy(theirs.begin(), theirs.end(), m.kinds.begin() + white);
        if (is_oriented(m.key())) all.push_back(m);
      }
    }
  }
  std::sort(all.begin(), all.end(), is_before);
  return all;
}

std::vector<Material> materials_below(const Material& material) {
  std::set<MaterialKey> seen = {material.key()};
  std::vector<MaterialKey> open = {material.key()};
  std::vector<Material> below;
  while (!open.empty()) {
    const MaterialKey key = open.back();
    open.pop_back();
    for (MaterialKey next : keys_after_one_move(key)) {
      if (!is_oriented(next)) next = colors_changed(next);
      const auto m = material_of_key(next);
      if (!m || !seen.insert(next).second) continue;
      below.push_back(*m);
      open.push_back(next);
    }
  }
  std::sort(below.begin(), below.end(), is_before);
  return below;
}

}  // namespace hecatomb
