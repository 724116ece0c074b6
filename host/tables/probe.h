// Values of positions: what the tables say, by the rules where they leave it to them.
//
// The one idea: a position is worth what its table says (class_probe.h), one with an en passant possibility its best
// move. So every position of up to as many men as there are tables has its value, whatever a file left out.
//
// Many positions at once are asked for in the order of classes, sides and cells, so that each block of a file is
// unpacked once. Files of four men are mapped and unpacked block by block; smaller ones are unfolded whole; larger ones
// are probed by making moves, as the classes below them would fill the memory.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/move.h"
#include "host/tables/class_probe.h"
#include "host/tables/place.h"
#include "host/tables/table_store.h"

namespace hecatomb {

/// A legal move and the value of the position after it, for the side to move there.
struct ProbedMove {
  Move move;
  TableValue value_after = kDraw;
};

/// A position with all its legal moves, the best first; of equal ones that which comes first in the order of the rules.
struct ProbedPosition {
  TableValue value = kDraw;
  std::vector<ProbedMove> moves = {};
};

/// For one thread. Reads files as they are needed: FileRefusedError, EnvironmentError.
class TableProber {
 public:
  /// `store` must outlive it.
  explicit TableProber(TableStore& store);

  /// For the side to move, without 50-move rule, repetition and dead draws. Nothing where a table is missing.
  std::optional<TableValue> value(const Position& p);
  /// The same of many, in their order.
  std::vector<std::optional<TableValue>> values(std::span<const Position> asked);
  /// Of many positions with their moves. Nothing where a table is missing.
  std::vector<std::optional<ProbedPosition>> positions(std::span<const Position> asked);
  /// The moves of one.
  std::optional<std::vector<ProbedMove>> moves(const Position& p);
  /// Best moves of both sides to the end of the game; of a draw none.
  std::optional<std::vector<Move>> line(const Position& p);
  /// After one of these gave nothing for a single position: what is missing, as a sentence.
  const std::string& missing() const { return missing_; }

 private:
  struct MissingTable {};  // thrown, and caught in value_at()
  std::optional<TableValue> value_by_moves(const Position& p);
  std::optional<TableValue> value_at(const Place& place, const Position& p);
  std::optional<TableValue> value_of_large(const Place& place, const Position& p);
  std::shared_ptr<const Table> small_table(const Material& material);
  ClassProbe* opened(const Material& material);
  bool has(const Material& material);

  TableStore& store_;
  std::map<MaterialKey, std::unique_ptr<ClassProbe>> classes_;
  std::map<MaterialKey, std::unique_ptr<const TableFile>> large_;
  std::map<MaterialKey, std::shared_ptr<const Table>> small_;
  std::string missing_;
};

}  // namespace hecatomb
