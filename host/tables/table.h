// A solved table in memory: the value of every cell, as a code into a list of the values that occur.
//
// The one idea: few different values occur (antichess with four men: some 176), so a cell is one byte, two where a
// table has more than 256 of them. What is stored is exact whatever the distances are.
//
// Invariants: code 0 is kNoValue (cells without a position); the other values are sorted. Equal positions have equal
// codes.
#pragma once
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/tables/layout.h"
#include "host/tables/value_code.h"

namespace hecatomb {

class Table {
 public:
  /// Takes the values of all cells, White to move first.
  Table(const Material& material, std::array<std::span<const TableValue>, 2> values);
  /// From codes, `cells()` of each side.
  Table(const Material& material, std::vector<TableValue> values, std::vector<u8> codes);

  /// The same table that says only who wins.
  Table without_distances() const;

  const Layout& layout() const { return layout_; }
  const std::vector<TableValue>& values() const { return values_; }
  /// Bytes of a code.
  std::size_t width() const { return values_.size() <= 256 ? 1 : 2; }
  const std::vector<u8>& codes() const { return codes_; }

  u32 code_at(Color side, u64 cell) const {
    const u64 at = cell + (side == kWhite ? 0 : layout_.cells());
    return width() == 1 ? codes_[at] : static_cast<u32>(codes_[2 * at] | codes_[2 * at + 1] << 8);
  }
  TableValue at(Color side, u64 cell) const { return values_[code_at(side, cell)]; }
  u64 size_bytes() const { return codes_.size(); }

 private:
  Layout layout_;
  std::vector<TableValue> values_;
  std::vector<u8> codes_;
};

/// The table of the codes a class was solved with, cells of White to move, then of Black.
template <class Code>
Table table_of_codes(const Layout& layout, const ValueCode<Code>& codes,
                     const std::array<std::span<const Code>, 2>& by_cell);

/// The first entry in which two tables of one class differ, as side and cell.
std::optional<std::pair<Color, u64>> first_difference(const Table& a, const Table& b);

}  // namespace hecatomb
