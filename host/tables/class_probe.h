// A class opened for probing: any position of it without an en passant possibility.
//
// The one idea: what a file leaves out is a look at captures, of the mover or after each of its quiet moves. With few
// men that is a few pairs of men, each a look-up whether one attacks the other, and for those that do one in a smaller
// table in memory; no move is made and no list of moves.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "host/tables/table_file.h"

namespace hecatomb {

/// For one thread.
class ClassProbe {
 public:
  /// `tables` gives the smaller classes as they are needed; what it throws comes out of value().
  ClassProbe(std::unique_ptr<const TableFile> file, const TableRules& rules, TableSource tables);

  const Layout& layout() const { return file_->layout(); }
  /// For the side to move. Throws FileRefusedError.
  TableValue value(Color us, const Layout::Squares& squares);

 private:
  using Code = u16;
  struct Man {
    Kind kind;
    Color color;
  };

  bool attacks(int man, Square from, Square to, u64 occupied) const;
  std::optional<Code> best_capture(Color us, const Layout::Squares& squares, u64 occupied, Code enough);
  Code best_sacrifice(Color us, const Layout::Squares& squares, u64 occupied);
  u64 quiet_targets(int man, const Layout::Squares& squares, u64 occupied) const;
  const Successor<Code>& after(int mover, int victim, Kind kind);

  std::unique_ptr<const TableFile> file_;
  TableSource tables_;
  ValueCode<Code> codes_;
  std::vector<Man> men_;
  std::vector<std::unique_ptr<const Successor<Code>>> successors_;  // by mover, victim, kind; as needed
};

}  // namespace hecatomb
