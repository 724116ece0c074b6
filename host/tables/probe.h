// Values of single positions: what the tables say, by the rules where they leave it to them.
//
// The one idea: a position with captures, or with an en passant possibility, is worth its best capture; a quiet one is
// what its table holds, or a sacrifice where that is better (table_file.h says why). So every position of up to as many
// men as there are tables has its value, whatever a file left out.
//
// Files of four and more men are mapped and unpacked block by block; smaller ones are unfolded whole.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/move.h"
#include "host/tables/table_store.h"

namespace hecatomb {

/// A legal move and the value of the position after it, for the side to move there.
struct ProbedMove {
  Move move;
  TableValue value_after = kDraw;
};

/// For one thread. Reads files as they are needed: FileRefusedError, EnvironmentError.
class TableProber {
 public:
  /// `store` must outlive it.
  explicit TableProber(TableStore& store) : store_(store) {}

  /// For the side to move, without 50-move rule, repetition and dead draws. Nothing where a table is missing.
  std::optional<TableValue> value(const Position& p);
  /// All legal moves, the best first; of equal ones that which comes first in the order of the rules. Nothing where a
  /// table is missing.
  std::optional<std::vector<ProbedMove>> moves(const Position& p);
  /// Best moves of both sides to the end of the game; of a draw none.
  std::optional<std::vector<Move>> line(const Position& p);
  /// After one of these gave nothing: what is missing, as a sentence.
  const std::string& missing() const { return missing_; }

 private:
  std::optional<TableValue> best_of(const Position& p, const MoveList& moves);
  std::optional<TableValue> quiet_value(const Position& p, const MoveList& moves);
  const TableFile* file_of(const Material& material);
  bool has(const Material& material);

  TableStore& store_;
  std::map<MaterialKey, std::unique_ptr<TableFile>> files_;
  std::map<MaterialKey, std::shared_ptr<const Table>> small_;
  std::string missing_;
};

}  // namespace hecatomb
