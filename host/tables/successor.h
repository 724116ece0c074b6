// What a move that changes the material leads to: the value of the position after it, found in another table.
//
// The one idea: how men, colours and numbering of two classes correspond is worked out once; then a look-up is a few
// shifts, one array for the row and one for the code.
#pragma once
#include <functional>
#include <memory>

#include "host/tables/table.h"

namespace hecatomb {

/// Gives the table of a class that is solved already.
using TableSource = std::function<std::shared_ptr<const Table>(const Material&)>;

class Successor {
 public:
  static constexpr int kNobody = -1;

  /// Man `mover` captures man `victim` (or kNobody) and is of `kind` afterwards.
  Successor(const Material& m, int mover, int victim, Kind kind, const TableSource& tables);

  /// For the side that moved: the value of the position with the men on `squares` (by man of the class before the move;
  /// the victim's is not looked at).
  TableValue value(const Layout::Squares& squares) const {
    if (!table_) return loss_in(1);
    u32 index = 0;
    for (std::size_t m = 0; m < row_men_; m++) index = index << 6 | square(squares, m);
    return at(index, square(squares, row_men_));
  }

  /// For each x of `last_squares`: values[x] becomes the greater of itself and the value with man `last` on x.
  void maximise(Layout::Squares squares, int last, u64 last_squares, TableValue* values) const;

 private:
  u32 square(const Layout::Squares& squares, std::size_t m) const {
    return static_cast<u32>(squares[Material::index(from_[m])] ^ flip_);
  }
  TableValue at(u32 index, u32 last) const {
    const u32 entry = rows_->entry(index);
    return at_cell(u64{entry >> 3} << 6 |
                   static_cast<u32>(symmetric(static_cast<Symmetry>(entry & 7), static_cast<Square>(last))));
  }
  TableValue at_cell(u64 cell) const { return before_[table_->code_at(side_, cell)]; }

  std::shared_ptr<const Table> table_;  // none: the side to move has no men left and has won
  const RowMap* rows_ = nullptr;
  std::size_t row_men_ = 0;
  std::array<int, kMostTableMen> from_{};  // by man of the other table's row, then its last man: our man
  Square flip_ = 0;                        // the colours are changed there, and so the ranks
  Color side_ = kWhite;                    // to move there
  std::vector<TableValue> before_;         // by code: what the move is worth
};

}  // namespace hecatomb
