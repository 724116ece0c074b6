// What a move that changes the material leads to: the value of the position after it, found in another table.
//
// The one idea: how men, colours and numbering of two classes correspond is worked out once; then a look-up is a few
// shifts, one array for the row and one for the code.
#pragma once
#include <functional>
#include <memory>

#include "host/tables/table.h"
#include "host/tables/value_code.h"

namespace hecatomb {

/// Gives the table of a class that is solved already.
using TableSource = std::function<std::shared_ptr<const Table>(const Material&)>;

/// Where the men of a class stand in the numbering of another one.
class SuccessorPlace {
 public:
  static constexpr int kNobody = -1;

  /// Man `mover` captures man `victim` (or kNobody) and is of `kind` afterwards.
  SuccessorPlace(const Material& m, int mover, int victim, Kind kind, const TableSource& tables);

  /// Nothing: the side to move has no men left and has won.
  const Table* table() const { return table_.get(); }

 protected:
  u32 square(const Layout::Squares& squares, std::size_t m) const {
    return static_cast<u32>(squares[Material::index(from_[m])] ^ flip_);
  }

  std::shared_ptr<const Table> table_;
  const RowMap* rows_ = nullptr;
  std::size_t row_men_ = 0;
  std::array<int, kMostTableMen> from_{};  // by man of the other table's row, then its last man: our man
  Square flip_ = 0;                        // the colours are changed there, and so the ranks
  Color side_ = kWhite;                    // to move there
};

template <class Code>
class Successor : public SuccessorPlace {
 public:
  /// Throws CodesTooShortError.
  Successor(const Material& m, int mover, int victim, Kind kind, const TableSource& tables,
            const ValueCode<Code>& codes);

  /// For the side that moved: the value of the position with the men on `squares` (by man of the class before the move;
  /// the victim's is not looked at).
  Code value(const Layout::Squares& squares) const {
    if (!table_) return won_;
    u32 index = 0;
    for (std::size_t m = 0; m < row_men_; m++) index = index << 6 | square(squares, m);
    const u32 entry = rows_->entry(index), last = square(squares, row_men_);
    return at_cell(u64{entry >> 3} << 6 |
                   static_cast<u32>(symmetric(static_cast<Symmetry>(entry & 7), static_cast<Square>(last))));
  }

  /// For each x of `last_squares`: values[x] becomes the greater of itself and the value with man `last` on x.
  void maximise(Layout::Squares squares, int last, u64 last_squares, Code* values) const;

 private:
  Code at_cell(u64 cell) const { return before_[table_->code_at(side_, cell)]; }

  Code won_;                  // the opponent has no men left: what the move is worth
  std::vector<Code> before_;  // by code of the other table: what the move is worth
};

}  // namespace hecatomb
