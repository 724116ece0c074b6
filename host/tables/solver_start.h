// What is known of a class before any quiet move inside it: captures, stalemates, promotions, en passant, sacrifices.
//
// The one idea: captures are compulsory, so a position in which one is possible is settled by smaller classes. So is
// what a promotion is worth, and a double step beside an enemy pawn, which must then capture one way or the other; and
// a quiet move to a position in which the opponent must capture and loses, a sacrifice, wins. All of this is worked out
// once, as the greatest of bytes, before the levels of solver.h.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "common/variant.h"
#include "host/tables/capture_worth.h"

namespace hecatomb {

/// Which game: antichess or suicide, with its options.
struct TableRules {
  VariantId variant = VariantId::antichess;
  RuleOptions options;
  friend constexpr bool operator==(const TableRules&, const TableRules&) = default;
  /// Whether a game only ends with a win of the side to move, so that all wins are even and all losses odd.
  bool wins_are_even() const { return variant == VariantId::antichess || options.stalemated_wins; }
};

/// One side to move: what is known of its cells.
template <class Code>
struct SolverSide {
  std::vector<Code> codes;      ///< by cell: the best of what is known, or none
  std::vector<u64> captures;    ///< by row: the mover must capture
  std::vector<u64> closed;      ///< by row: captures and stalemates, whose codes are final
  std::vector<u64> open;        ///< by row: the other cells
  std::vector<u64> partial;     ///< by row: those of `open` that have a code, as they can promote, step, sacrifice
  std::vector<u64> sacrifices;  ///< by row: those whose code is that of a sacrifice
  std::vector<u64> given;       ///< by row: those from which a sacrifice wins, be it not the quickest way
  Code* row(u32 row) { return &codes[std::size_t{row} << 6]; }
  const Code* row(u32 row) const { return &codes[std::size_t{row} << 6]; }
};
template <class Code>
using SolverSides = std::array<SolverSide<Code>, 2>;

template <class Code>
class SolverStart {
 public:
  /// Throws CodesTooShortError, as everything here.
  SolverStart(const Layout& layout, const TableRules& rules, const TableSource& tables);

  /// Works everything out; false if stop_requested() came first.
  bool run(SolverSides<Code>& sides) const;
  /// For a table of which everything else is known: codes and `captures` of the positions with captures, and for the
  /// others the code of the best sacrifice.
  bool run_captures_and_sacrifices(SolverSides<Code>& sides) const;

  const RowReader& reader() const { return reader_; }
  const ValueCode<Code>& codes() const { return codes_; }

 private:
  /// By side and cell: what it is worth for the opponent to have come there, where a capture is compulsory and loses.
  using Gifts = std::array<std::vector<Code>, 2>;

  bool run_captures(SolverSides<Code>& sides) const;
  void captures_of_row_man(const RowView& v, int m, Code* codes, u64& captures) const;
  void captures_of_last(const RowView& v, Code* codes, u64& captures) const;
  Gifts gifts_of(const SolverSides<Code>& sides) const;
  void best_gifts(const RowView& v, Color us, const Gifts& gifts, Code* best) const;
  void quiet_row(const RowView& v, Color us, SolverSides<Code>& sides, const Gifts& gifts) const;
  u64 movable(const RowView& v, Color us, u64 cells) const;
  void promotions(const RowView& v, Color us, u64 cells, Code* codes) const;
  void double_steps(const RowView& v, Color us, u64 cells, SolverSides<Code>& sides) const;
  Code double_step_code(const Layout::Squares& squares, int pawn, const SolverSides<Code>& sides) const;
  Code stalemate_code(Color us) const;
  const CaptureWorth<Code>& worth(int mover, int victim, Kind kind) const;

  const Layout& layout_;
  TableRules rules_;
  ValueCode<Code> codes_;
  RowReader reader_;
  std::vector<std::shared_ptr<const CaptureWorth<Code>>> worth_;  // by mover, victim (of the row, then the last), kind
  std::vector<std::optional<Successor<Code>>> promoted_;          // by man of the class and kind
  std::vector<std::optional<Successor<Code>>> en_passant_;        // by taker and taken, men of the class
};

}  // namespace hecatomb
