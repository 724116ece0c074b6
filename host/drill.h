// Drilling: from a position where our perft and a UCI engine's differ down to the first one whose move lists differ.
//
// The one idea: if the counts below a position differ, then its move lists differ or the counts below one of its moves
// do. So one divide a ply leads, after at most `depth_plies` of them, to a position where one side has a move that the
// other has not: a fault that can be seen.
//
// Invariants: of several moves whose counts differ, the first in the order of their texts is followed, so that the same
// fault always gives the same report. Positions go to the engine as FEN; only where it then contradicts what it counted
// before is it asked again with the last move (for an en passant square that our FEN may wrongly lack).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "host/backend.h"
#include "host/uci_engine.h"

namespace hecatomb {

/// Where a drill ended.
struct DrillReport {
  enum class Status {
    agrees,        ///< the same moves with the same counts
    differs,       ///< the move lists differ at `fen`
    inconsistent,  ///< no list differs, but one side contradicts its own counts; `note` says which and how
    uncounted,     ///< our backend could not count (overflow, or check:A,B disagree); `note` says why
    stopped,       ///< stop_requested() came first
  };
  /// The counts below one position of the way down.
  struct Level {
    int depth_plies;
    u128 ours;
    u128 engines;
  };
  Status status = Status::stopped;
  std::vector<std::string> path;                     ///< UCI moves from the first position to `fen`
  std::string fen;                                   ///< where the drill ended
  std::vector<Level> levels;                         ///< one a position that was compared, the first position first
  std::vector<std::string> only_ours, only_engines;  ///< differs: moves at `fen`, sorted
  std::string note;                                  ///< one line; of differs: only if the FEN hides it

  bool agrees() const { return status == Status::agrees; }
};

/// Compares the counts below `position`, depth_plies >= 1 deep (0 always agrees), and goes down where they differ.
/// Prepares the engine for the variant. An engine that writes castling as king takes rook (e1h1) is understood.
/// The engine is not told our rule options: what they change is a difference. Calls on_level, if there is one, for each
/// position that has been compared. Throws EnvironmentError.
DrillReport drill(const Position& position, int depth_plies, VariantId variant, const RuleOptions& options,
                  Backend& ours, UciEngine& engine, const std::function<void()>& on_level = {});

}  // namespace hecatomb
