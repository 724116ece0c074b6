// How the positions of a class are numbered: a dense index, side to move apart.
//
// The one idea: cell = 64 · row + square of the last man (row_map.h). The last man is one without a like man where
// there is one, and the most mobile of those, so that most moves stay in their row.
//
// Invariants
// - Every position of the class has a cell; squares_of(cell) is a position of it wherever is_cell(cell).
// - canonical(cell) is the least cell of the same position (seen through symmetries and like men). Positions and
//   canonical cells correspond one to one: cell_of(squares_of(c)) == c exactly for these. Cells that are not canonical
//   are mirror images (the men of the row stand symmetrically, or the last man has a like man in the row); while a
//   table is solved they are kept equal.
#pragma once
#include <memory>

#include "host/tables/material.h"
#include "host/tables/row_map.h"

namespace hecatomb {

class Layout {
 public:
  using Squares = std::array<Square, kMostTableMen>;  ///< by man of the material
  static constexpr u64 kPawnSquares = 0x00ffffffffffff00;

  explicit Layout(const Material& material);

  const Material& material() const { return material_; }
  const RowMap& rows() const { return *rows_; }
  int row_men() const { return material_.men - 1; }
  /// The man of the material that is the m-th of the row; the last one for m = row_men().
  int man(int m) const { return order_[Material::index(m)]; }
  int last_man() const { return order_[Material::index(row_men())]; }
  bool last_has_like() const { return last_has_like_; }
  int symmetries() const { return symmetries_; }
  /// Cells of one side to move.
  u64 cells() const { return u64{64} * rows_->rows(); }
  /// The same, without making a layout.
  static u64 cells_of(const Material& material);
  /// The last man, without making a layout.
  static int last_of(const Material& material);

  /// The squares of the last man that make a position with this row.
  u64 valid(u32 row) const {
    u64 squares = last_is_pawn_ ? kPawnSquares : ~u64{0};
    for (int m = 0; m < row_men(); m++) squares &= ~bit(rows_->squares(row)[Material::index(m)]);
    return squares;
  }
  bool is_cell(u64 cell) const { return (valid(static_cast<u32>(cell >> 6)) >> (cell & 63) & 1) != 0; }

  Squares squares_of(u64 cell) const;
  /// The canonical cell of a position, men in the order of the material.
  u64 cell_of(const Squares& squares) const;
  /// Any cell of it: quicker.
  u64 some_cell_of(const Squares& squares) const {
    u32 index = 0;
    for (int m = 0; m < row_men(); m++) index = index << 6 | static_cast<u32>(squares[Material::index(man(m))]);
    const u32 entry = rows_->entry(index);
    return u64{entry >> 3} << 6 |
           static_cast<u32>(symmetric(static_cast<Symmetry>(entry & 7), squares[Material::index(last_man())]));
  }
  u64 canonical(u64 cell) const { return cell_of(squares_of(cell)); }
  /// The cells of a row that are canonical.
  u64 canonical_set(u32 row) const;

  /// Of the orbit of a position under the symmetries: how many boards it holds, and how many orbits of boards with all
  /// men told apart.
  struct Weight {
    int placements = 0;
    int labelled_orbits = 0;
  };
  Weight weight(u64 cell) const;

 private:
  bool stays(Symmetry t, const Squares& squares) const;

  Material material_;
  std::array<int, kMostTableMen> order_{};
  bool last_is_pawn_ = false, last_has_like_ = false;
  int labellings_ = 1;  // orders of like men
  int symmetries_ = kSymmetries;
  std::shared_ptr<const RowMap> rows_;
};

}  // namespace hecatomb
