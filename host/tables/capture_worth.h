// What a capture is worth, by the squares of the men that stay: a dense array without symmetry.
//
// The one idea: a smaller table is folded by symmetries and looked at millions of times, so it is spread out once, with
// the man whose squares are our cells as the lowest digit. What a capture is worth is then 64 codes in one place, for
// all squares of the last man.
//
// Memory: 64^(men - 1) codes for each man that can be captured, an eighth of that for each way to promote by capturing.
#pragma once
#include <vector>

#include "host/tables/row_view.h"
#include "host/tables/successor.h"

namespace hecatomb {

template <class Code>
class CaptureWorth {
 public:
  /// Man `mover` (of the row, or row_men() for the last one) captures `victim` (the same) and becomes `kind`.
  CaptureWorth(const Layout& layout, const RowReader& reader, int mover, int victim, Kind kind,
               const TableSource& tables, const ValueCode<Code>& codes);

  /// For all squares of the last man, who is neither mover nor victim: the mover, of the row, goes to `to`.
  const Code* row(const RowView& v, int mover, Square to) const { return &worth_[index_of(v, mover, to)]; }
  /// For one square: the mover goes to `to`, the last man is mover or victim.
  Code one(const RowView& v, int mover, Square to) const { return worth_[index_of(v, mover, to)]; }

  static std::uint64_t memory_bytes(const Material& material);

 private:
  struct Digit {
    int shift = -1;  // in bits; -1: the victim, who has none
    u32 mask = 63;   // a man who has promoted stands on a last rank: his file is enough
  };
  u32 index_of(const RowView& v, int mover, Square to) const {
    u32 index = 0;
    for (int m = 0; m < row_men_; m++) {
      const Digit& digit = digits_[Material::index(m)];
      if (digit.shift < 0) continue;
      const Square s = m == mover ? to : v.at[Material::index(m)];
      index |= (static_cast<u32>(s) & digit.mask) << digit.shift;
    }
    if (mover == row_men_)
      index |= (static_cast<u32>(to) & digits_[Material::index(mover)].mask) << digits_[Material::index(mover)].shift;
    return index;
  }
  void fill(const RowReader& reader, const Successor<Code>& successor, int mover, Kind kind);

  int row_men_;
  std::array<Digit, kMostTableMen> digits_{};
  std::vector<Code> worth_;
};

}  // namespace hecatomb
