// Rows of a table: where all men but one stand, up to the symmetries of the board and the order of like men.
//
// The one idea: a table is rows of 64 cells. A row says where all men but the last stand, a cell where the last one
// stands; so moves of a row's man map 64 positions at once, and those of the last man stay in the row. Which row an
// arrangement belongs to, and by which symmetry, is looked up in one array indexed by the squares, six bits each.
//
// Invariants
// - squares(r) is the least arrangement (squares as digits to the base 64, first man first) of all that belong to row
// r;
//   rows are numbered in this order; entry(index_of(squares(r))) is row r by the identity.
// - Arrangements with two men on a square, or a pawn on a last rank, have no row.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/endgame_index.h"

namespace hecatomb {

inline constexpr int kMostRowMen = 4;

/// What rows of two classes must have in common to be the same rows.
struct RowShape {
  int men = 0;
  bool has_pawns = false;                   ///< in the class, the last man included: only two symmetries then
  std::array<bool, kMostRowMen> is_pawn{};  ///< by man of the row
  std::array<u8, kMostRowMen> group{};      ///< like men have equal numbers and stand side by side
  friend auto operator<=>(const RowShape&, const RowShape&) = default;
  int symmetries() const { return has_pawns ? kPawnSymmetries : kSymmetries; }
};

class RowMap {
 public:
  using Squares = std::array<u8, kMostRowMen>;
  static constexpr u32 kNoRow = ~u32{0};

  explicit RowMap(const RowShape& shape);
  /// How many rows the one of this shape has, without making it. Any thread.
  static u32 count(const RowShape& shape);
  /// The one of this shape, shared; those of four men, 64 MiB and more, only as long as somebody holds them. Any
  /// thread.
  static std::shared_ptr<const RowMap> of(const RowShape& shape);

  int men() const { return shape_.men; }
  u32 rows() const { return static_cast<u32>(squares_.size()); }
  const Squares& squares(u32 row) const { return squares_[row]; }
  /// Symmetries besides the identity (bit t) that keep the row: cells x and symmetric(t, x) are the same position.
  u8 stabilizer(u32 row) const { return stabilizers_[row]; }

  /// Squares as digits; man m is worth 64^(men - 1 - m).
  static u32 index_of(std::span<const Square> squares) {
    u32 index = 0;
    for (const Square s : squares) index = index << 6 | static_cast<u32>(s);
    return index;
  }
  u32 index_of_row(u32 row) const {
    u32 index = 0;
    for (int m = 0; m < shape_.men; m++) index = index << 6 | squares_[row][static_cast<std::size_t>(m)];
    return index;
  }
  /// How far the digit of a man is from the right.
  int shift_of(int man) const { return 6 * (shape_.men - 1 - man); }
  /// kNoRow, or 8 · row + the symmetry that takes the arrangement (and the last man with it) to the row.
  u32 entry(u32 index) const { return entries_[index]; }

 private:
  void add_row(u32 index);

  RowShape shape_;
  std::vector<std::array<u8, kMostRowMen>> orders_;  // of men, in which like men change places
  std::vector<u32> entries_;
  std::vector<Squares> squares_;
  std::vector<u8> stabilizers_;
};

}  // namespace hecatomb
