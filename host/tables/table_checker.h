// What the entries of a table should be, by the moves of host/reference.
//
// The one idea: an entry is right if it is the best of its successors' entries. The moves are the reference's, and so
// is what they lead to: a move that keeps the men is one man on another square of the same table; what a move that
// changes them leads to is read off the board that the reference makes, once for each way the men can change, and kept
// as which of our men stands where in the other table. Boards are made again only for double steps and what follows an
// en passant possibility.
//
// Nothing here is shared with what solves, stores or probes, but for the numbering of the entries (layout.h).
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "host/reference/reference.h"
#include "host/tables/solver_start.h"

namespace hecatomb {

/// For one thread.
class TableChecker {
 public:
  /// `table` must outlive it; `tables` gives smaller ones as they are needed.
  TableChecker(const Table& table, const TableRules& rules, TableSource tables);

  /// The best of the values of an entry's moves, or the result of a game that is over.
  TableValue value(Color side, u64 cell);

 private:
  using Board = std::array<char, 64>;

  /// Where a board belongs.
  struct BoardPlace {
    Material material;
    bool swapped = false;  ///< the colours of the table are changed
    Layout::Squares squares{};
  };

  /// What a way to change the men leads to.
  struct Change {
    std::shared_ptr<const Table> table;  ///< nothing: the game is over
    TableValue worth_of_end = kDraw;
    std::vector<TableValue> worth;            ///< of the move, by code of the table
    Color side = kWhite;                      ///< to move there
    Square flip = 0;                          ///< the colours are changed there, and so the ranks
    std::array<int, kMostTableMen> man_at{};  ///< by man of that table: ours
  };

  void set_up(Color side, const Layout::Squares& squares);
  TableValue worth_of(const reference::Move& move, Color side);
  TableValue worth_of_quiet(int man, Square to, Color side) const;
  const Change& change_by(const reference::Move& move, int mover, int victim);
  Change read_change(const reference::Move& move, int mover) const;
  bool may_allow_en_passant(const reference::Move& move, int man) const;

  TableValue value_of_end(const reference::Position& p) const;
  TableValue value_of_board(const reference::Position& p);
  static std::optional<BoardPlace> place_of_board(const Board& board);
  std::shared_ptr<const Table> table_of(const Material& material) const;

  const Table& table_;
  reference::Rules rules_;
  TableSource tables_;
  std::vector<TableValue> worth_;  // of a move inside the table, by code
  std::array<bool, 2> has_pawns_{};
  std::vector<std::unique_ptr<const Change>> changes_;  // by mover, victim (or none), kind afterwards

  // The position that is looked at.
  reference::Position position_;
  Layout::Squares squares_{};
  std::array<u8, 64> man_on_{};
  u32 row_index_ = 0;
  std::array<int, kMostTableMen> shift_{};  // of a man's digit in it; -1 for the last man
  std::vector<reference::Move> moves_;
};

}  // namespace hecatomb
