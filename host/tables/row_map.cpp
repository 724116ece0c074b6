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

}  // namespace

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
  static std::map<RowShape, std::shared_ptr<const RowMap>> maps;
  const std::scoped_lock lock(mutex);
  auto& map = maps[shape];
  if (!map) map = std::make_shared<const RowMap>(shape);
  return map;
}

}  // namespace hecatomb
