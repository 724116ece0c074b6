#include "host/tables/layout.h"

#include <algorithm>

namespace hecatomb {

namespace {

int likes_of(const Material& m, int man) {
  int likes = 0;
  for (int i = 0; i < m.men; i++) likes += m.is_like(i, man);
  return likes;
}

/// Queen, rook, bishop, king, knight, pawn: how much the moves of the last man may gain by staying in a row.
int mobility_of(Kind kind) {
  constexpr int mobility[] = {0, 0, 1, 3, 4, 5, 2};  // by Kind
  return mobility[static_cast<int>(kind)];
}

/// All men but the last one, in the order of the material.
RowShape shape_of(const Material& material, int last) {
  RowShape shape{.men = material.men - 1, .has_pawns = material.pawns() > 0};
  std::size_t m = 0;
  int before = -1;
  u8 group = 0;
  for (int man = 0; man < material.men; man++) {
    if (man == last) continue;
    if (before >= 0 && !material.is_like(before, man)) group++;
    shape.is_pawn[m] = material.kinds[Material::index(man)] == Kind::pawn;
    shape.group[m++] = group;
    before = man;
  }
  return shape;
}

}  // namespace

int Layout::last_of(const Material& m) {
  int best = 0;
  for (int man = 1; man < m.men; man++) {
    const int fewer = likes_of(m, best) - likes_of(m, man);
    const int more = mobility_of(m.kinds[Material::index(man)]) - mobility_of(m.kinds[Material::index(best)]);
    if (fewer > 0 || (fewer == 0 && more > 0)) best = man;
  }
  return best;
}

u64 Layout::cells_of(const Material& material) {
  return u64{64} * RowMap::count(shape_of(material, last_of(material)));
}

Layout::Layout(const Material& material) : material_(material) {
  const int last = last_of(material);
  const RowShape shape = shape_of(material, last);
  int m = 0;
  for (int man = 0; man < material.men; man++) {
    if (man != last) order_[Material::index(m++)] = man;
  }
  order_[Material::index(m)] = last;
  last_is_pawn_ = material.kinds[Material::index(last)] == Kind::pawn;
  last_has_like_ = likes_of(material, last) > 1;
  for (int man = 0; man < material.men; man++) {
    int earlier = 1;
    for (int i = 0; i < man; i++) earlier += material.is_like(i, man);
    labellings_ *= earlier;
  }
  symmetries_ = shape.symmetries();
  rows_ = RowMap::of(shape);
}

Layout::Squares Layout::squares_of(u64 cell) const {
  Squares squares{};
  const RowMap::Squares& row = rows_->squares(static_cast<u32>(cell >> 6));
  for (int m = 0; m < row_men(); m++) squares[Material::index(man(m))] = row[Material::index(m)];
  squares[Material::index(last_man())] = static_cast<Square>(cell & 63);
  return squares;
}

u64 Layout::cell_of(const Squares& squares) const {
  u64 least = ~u64{0};
  const auto consider = [&](const Squares& arranged) {
    const u64 cell = some_cell_of(arranged);
    const u32 row = static_cast<u32>(cell >> 6);
    least = std::min(least, cell);
    for (u32 t = 1; rows_->stabilizer(row) >> t != 0; t++) {
      if ((rows_->stabilizer(row) >> t & 1) == 0) continue;
      least = std::min(least, (cell & ~u64{63}) | static_cast<u32>(symmetric(static_cast<Symmetry>(t), cell & 63)));
    }
  };
  consider(squares);
  if (!last_has_like_) return least;
  for (int m = 0; m < row_men(); m++) {
    if (!material_.is_like(man(m), last_man())) continue;
    Squares swapped = squares;
    std::swap(swapped[Material::index(man(m))], swapped[Material::index(last_man())]);
    consider(swapped);
  }
  return least;
}

u64 Layout::canonical_set(u32 row) const {
  const u64 valid_set = valid(row);
  if (rows_->stabilizer(row) == 0 && !last_has_like_) return valid_set;
  u64 set = 0;
  for (u64 open = valid_set; open != 0; open &= open - 1) {
    const u64 cell = u64{row} << 6 | static_cast<u32>(ctz(open));
    if (canonical(cell) == cell) set |= open & (~open + 1);
  }
  return set;
}

/// Whether a symmetry leaves the board as it is, like men not told apart.
bool Layout::stays(Symmetry t, const Squares& squares) const {
  for (int i = 0; i < material_.men; i++) {
    const Square image = symmetric(t, squares[Material::index(i)]);
    bool found = false;
    for (int j = 0; j < material_.men; j++)
      found = found || (material_.is_like(i, j) && squares[Material::index(j)] == image);
    if (!found) return false;
  }
  return true;
}

Layout::Weight Layout::weight(u64 cell) const {
  const Squares squares = squares_of(cell);
  int staying = 0, fixing = 0;  // symmetries that keep the board; every man
  for (int t = 0; t < symmetries(); t++) {
    if (!stays(static_cast<Symmetry>(t), squares)) continue;
    staying++;
    bool all = true;
    for (int i = 0; i < material_.men; i++) {
      const Square s = squares[Material::index(i)];
      all = all && symmetric(static_cast<Symmetry>(t), s) == s;
    }
    fixing += all;
  }
  return {symmetries() / staying, labellings_ * fixing / staying};
}

}  // namespace hecatomb
