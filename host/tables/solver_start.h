// What is known of a class before any quiet move: captures, stalemates, promotions, en passant.
//
// The one idea: captures are compulsory, so a position in which one is possible is settled by smaller classes. So is
// what a promotion is worth, and a double step beside an enemy pawn, which must then capture one way or the other. All
// of this is worked out once, before the levels of solver.h.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "common/variant.h"
#include "host/tables/row_view.h"
#include "host/tables/successor.h"

namespace hecatomb {

/// Which game: antichess or suicide, with its options.
struct TableRules {
  VariantId variant = VariantId::antichess;
  RuleOptions options;
  friend constexpr bool operator==(const TableRules&, const TableRules&) = default;
};

/// One side to move: what is known of its cells.
struct SolverSide {
  std::vector<TableValue> values;  ///< by cell: the best of what leads out of the class, or kNoValue
  std::vector<u64> captures;       ///< by row: the mover must capture
  std::vector<u64> closed;         ///< by row: captures and stalemates, whose values are final
  std::vector<u64> open;           ///< by row: the other cells
  std::vector<u64> partial;        ///< by row: those of `open` that have a value
};

class SolverStart {
 public:
  SolverStart(const Layout& layout, const TableRules& rules, const TableSource& tables);

  /// Works everything out; false if stop_requested() came first.
  bool run(std::array<SolverSide, 2>& sides) const;
  /// `captures` alone, and the values of these cells.
  bool run_captures(std::array<SolverSide, 2>& sides) const;
  const RowReader& reader() const { return reader_; }

 private:
  const Successor& after(int mover, int victim, Kind kind) const;
  void captures_of_row_man(const RowView& v, int m, TableValue* values, u64& captures) const;
  void captures_of_last(const RowView& v, TableValue* values, u64& captures) const;
  void quiet_row(const RowView& v, Color us, std::array<SolverSide, 2>& sides) const;
  u64 movable(const RowView& v, Color us, u64 cells) const;
  void promotions(const RowView& v, Color us, u64 cells, TableValue* values) const;
  void double_steps(const RowView& v, Color us, u64 cells, std::array<SolverSide, 2>& sides) const;
  TableValue double_step_value(const Layout::Squares& squares, int pawn, const std::array<SolverSide, 2>& sides) const;
  TableValue stalemate_value(Color us) const;

  const Layout& layout_;
  TableRules rules_;
  RowReader reader_;
  std::vector<std::optional<Successor>> successors_;
};

}  // namespace hecatomb
