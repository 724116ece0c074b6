// Material classes: which men are on the board. One table each.
//
// The one idea: a class has one name and one orientation. The side with more men is "White" (at equal number the one
// whose men come first in the order K Q R B N P); the other half of all positions is the same with colours changed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/position.h"

namespace hecatomb {

inline constexpr int kMostTableMen = 5;

/// Counts of men by colour and kind, four bits each: a number for the material of any position of up to 15 like men.
using MaterialKey = std::uint64_t;
constexpr MaterialKey material_key_of(Color color, Kind kind) {
  return MaterialKey{1} << (4 * (6 * static_cast<int>(color) + static_cast<int>(kind) - 1));
}
MaterialKey material_key(const Position& p);
/// The same with colours changed.
constexpr MaterialKey colors_changed(MaterialKey key) { return (key >> 24) | ((key & 0xffffff) << 24); }

/// A class: 2 to kMostTableMen men, each side has one at least. White's men come first, each side's in the order
/// K Q R B N P.
struct Material {
  int men = 0;
  int white = 0;  ///< how many of them
  std::array<Kind, kMostTableMen> kinds{};

  Color color(int man) const { return man < white ? kWhite : kBlack; }
  MaterialKey key() const;
  int pawns() const;
  bool is_like(int a, int b) const { return kinds[index(a)] == kinds[index(b)] && color(a) == color(b); }
  /// "RPvK".
  std::string name() const;
  friend bool operator==(const Material&, const Material&) = default;

  static std::size_t index(int man) { return static_cast<std::size_t>(man); }
};

/// The men of a key, in the order above but with the colours as they are. Nothing if a side is without men or there are
/// more than kMostTableMen.
std::optional<Material> material_of_key(MaterialKey key);

/// Whether a key has the orientation of its class; else colors_changed(key) has.
bool is_oriented(MaterialKey key);

/// Reads "RPvK" or "KvRP" (any case but the v's, any order within a side) as the class it belongs to.
std::optional<Material> read_material(std::string_view name);

/// Whether a name that read_material() takes has the colours of its class: "KvR" has, "RvK" has them changed.
bool is_oriented_name(std::string_view name);

/// All classes of exactly `men` men in the order in which they can be solved: by pawns, then by name in the order of
/// K Q R B N P.
std::vector<Material> all_materials(int men);

/// What a class needs solved before it, itself not included: all it can become by captures and promotions. In an order
/// in which they can be solved.
std::vector<Material> materials_below(const Material& material);

}  // namespace hecatomb
