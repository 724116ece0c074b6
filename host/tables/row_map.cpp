#include "host/tables/row_map.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

namespace hecatomb {

namespace {

/// All orders of the men that differ only in like men.
std::vector<std::array<u8, kMostRowMen>> orders_of(const RowShape& shape) {
  std::array<u8, kMostRowMen> order{};
  std::iota(order.begin(), order.end(), u8{0});
  std::vector<std::array<u8, kMostRowMen>> orders;
  auto* const end = order.begin() + shape.men;
  do {
    bool same = true;
    for (std::size_t m = 0; m < static_cast<std::size_t>(shape.men); m++)
      same = same && shape.group[order[m]] == shape.group[m];
    if (same) orders.push_back(order);
  } while (std::next_permutation(order.begin(), end));
  return orders;
}

/// Arrangements that stay what they are when every man m takes the square that symmetry `t` makes of man order[m]'s.
class FixedArrangements {
 public:
  FixedArrangements(const RowShape& shape, Symmetry t, const std::array<u8, kMostRowMen>& order)
      : shape_(shape), back_(inverse(t)), order_(order) {}

  u64 count(std::size_t man = 0, u64 taken = 0, u32 placed = 0) const {
    if (man == static_cast<std::size_t>(shape_.men)) return 1;
    if ((placed >> man & 1) != 0) return count(man + 1, taken, placed);
    u64 found = 0;
    for (int s = 0; s < 64; s++) {
      u64 now = taken;
      u32 standing = placed;
      if (place_cycle(man, s, now, standing)) found += count(man + 1, now, standing);
    }
    return found;
  }

 private:
  /// Puts a man on a square, and so all that the order ties to him.
  bool place_cycle(std::size_t first, Square s, u64& taken, u32& placed) const {
    std::size_t man = first;
    Square at = s;
    do {
      if ((taken >> at & 1) != 0 || (shape_.is_pawn[man] && (at < 8 || at >= 56))) return false;
      taken |= u64{1} << at;
      placed |= u32{1} << man;
      man = order_[man];
      at = symmetric(back_, at);
    } while (man != first);
    return at == s;
  }

  const RowShape& shape_;
  Symmetry back_;
  const std::array<u8, kMostRowMen>& order_;
};

u64 arrangements_of(const RowShape& shape) {
  u64 all = 1, men = 0;
  for (const bool pawns : {true, false}) {
    for (std::size_t m = 0; m < static_cast<std::size_t>(shape.men); m++) {
      if (shape.is_pawn[m] == pawns) all *= (pawns ? 48 : 64) - men++;
    }
  }
  return all;
}

/// By the lemma of Burnside: the mean number of arrangements that one of the symmetries with an order leaves as they
/// are.
u32 count_orbits(const RowShape& shape) {
  const auto orders = orders_of(shape);
  u64 fixed = arrangements_of(shape);  // by the identity; an order without a symmetry moves all
  for (int t = 1; t < shape.symmetries(); t++) {
    for (const auto& order : orders) fixed += FixedArrangements(shape, static_cast<Symmetry>(t), order).count();
  }
  return static_cast<u32>(fixed / (orders.size() * static_cast<u64>(shape.symmetries())));
}

}  // namespace

u32 RowMap::count(const RowShape& shape) {
  static std::mutex mutex;
  static std::map<RowShape, u32> counts;
  const std::scoped_lock lock(mutex);
  u32& count = counts[shape];
  if (count == 0) count = count_orbits(shape);
  return count;
}

RowMap::RowMap(const RowShape& shape) : shape_(shape), orders_(orders_of(shape)) {
  const u32 size = u32{1} << (6 * shape.men);
  entries_.assign(size, kNoRow);
  for (u32 index = 0; index < size; index++) {
    if (entries_[index] == kNoRow) add_row(index);
  }
}

/// Makes a row of an arrangement that belongs to none, unless it is impossible. As all smaller ones have their rows, it
/// is the least of its own.
void RowMap::add_row(u32 index) {
  Squares squares{};
  for (int m = 0; m < shape_.men; m++) {
    const auto at = static_cast<std::size_t>(m);
    const u32 s = index >> shift_of(m) & 63;
    squares[at] = static_cast<u8>(s);
    if (shape_.is_pawn[at] && (s < 8 || s >= 56)) return;
    if (std::find(squares.begin(), squares.begin() + m, squares[at]) != squares.begin() + m) return;
  }
  const u32 row = rows();
  u8 stabilizer = 0;
  for (int t = 0; t < shape_.symmetries(); t++) {
    for (const auto& order : orders_) {
      u32 image = 0;
      for (std::size_t m = 0; m < static_cast<std::size_t>(shape_.men); m++)
        image = image << 6 | static_cast<u32>(symmetric(static_cast<Symmetry>(t), squares[order[m]]));
      if (image == index && t != 0) stabilizer = static_cast<u8>(stabilizer | 1 << t);
      if (entries_[image] == kNoRow) entries_[image] = row << 3 | inverse(static_cast<Symmetry>(t));
    }
  }
  squares_.push_back(squares);
  stabilizers_.push_back(stabilizer);
}

std::shared_ptr<const RowMap> RowMap::of(const RowShape& shape) {
  static std::mutex mutex;
  static std::map<RowShape, std::shared_ptr<const RowMap>> kept;
  static std::map<RowShape, std::weak_ptr<const RowMap>> maps;
  const std::scoped_lock lock(mutex);
  auto map = maps[shape].lock();
  if (map) return map;
  map = std::make_shared<const RowMap>(shape);
  maps[shape] = map;
  if (shape.men < kMostRowMen) kept[shape] = map;
  return map;
}

}  // namespace hecatomb
