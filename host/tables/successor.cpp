#include "host/tables/successor.h"

#include <algorithm>

#include "host/tables/geometry.h"

namespace hecatomb {

SuccessorPlace::SuccessorPlace(const Material& m, int mover, int victim, Kind kind, const TableSource& tables) {
  struct Man {
    int from;
    Color color;
    Kind kind;
  };
  std::vector<Man> men;
  MaterialKey key = 0;
  for (int man = 0; man < m.men; man++) {
    if (man == victim) continue;
    men.push_back({man, m.color(man), man == mover ? kind : m.kinds[Material::index(man)]});
    key += material_key_of(men.back().color, men.back().kind);
  }
  const bool swapped = !is_oriented(key);
  const auto material = material_of_key(swapped ? colors_changed(key) : key);
  if (!material) return;
  if (swapped) {
    for (Man& man : men) man.color = other(man.color);
  }
  std::stable_sort(men.begin(), men.end(),
                   [](const Man& a, const Man& b) { return a.color != b.color ? a.color < b.color : a.kind > b.kind; });
  table_ = tables(*material);
  const Layout& layout = table_->layout();
  rows_ = &layout.rows();
  row_men_ = static_cast<std::size_t>(layout.row_men());
  for (int i = 0; i <= layout.row_men(); i++) from_[Material::index(i)] = men[Material::index(layout.man(i))].from;
  flip_ = swapped ? 56 : 0;
  const Color side = other(m.color(mover));
  side_ = swapped ? other(side) : side;
}

template <class Code>
Successor<Code>::Successor(const Material& m, int mover, int victim, Kind kind, const TableSource& tables,
                           const ValueCode<Code>& codes)
    : SuccessorPlace(m, mover, victim, kind, tables), won_(codes.of(loss_in(1))) {
  if (!table_) return;
  for (const TableValue v : table_->values()) before_.push_back(v == kNoValue ? codes.kNone : codes.of(before_move(v)));
}

template <class Code>
void Successor<Code>::maximise(Layout::Squares squares, int last, u64 last_squares, Code* values) const {
  if (last_squares == 0) return;
  const auto take = [&](Square x, Code v) {
    if (v > values[x]) values[x] = v;
  };
  if (!table_) {
    for (; last_squares != 0; last_squares &= last_squares - 1) take(ctz(last_squares), won_);
    return;
  }
  squares[Material::index(last)] = flip_;  // so that its square there is a1
  u32 index = 0;
  int shift = -1;
  for (std::size_t m = 0; m < row_men_; m++) {
    index = index << 6 | square(squares, m);
    if (from_[m] == last) shift = 6 * static_cast<int>(row_men_ - 1 - m);
  }
  if (shift < 0) {  // it is the last man there, too: one row
    const u32 entry = rows_->entry(index);
    const auto& image = kSymmetric[entry & 7];
    const u64 row = u64{entry >> 3} << 6;
    for (; last_squares != 0; last_squares &= last_squares - 1) {
      const Square x = ctz(last_squares);
      take(x, at_cell(row | image[static_cast<std::size_t>(x ^ flip_)]));
    }
    return;
  }
  const u32 there = square(squares, row_men_);
  for (; last_squares != 0; last_squares &= last_squares - 1) {
    const Square x = ctz(last_squares);
    const u32 entry = rows_->entry(index | static_cast<u32>(x ^ flip_) << shift);
    take(x, at_cell(u64{entry >> 3} << 6 | kSymmetric[entry & 7][there]));
  }
}

template class Successor<u8>;
template class Successor<u16>;

}  // namespace hecatomb
