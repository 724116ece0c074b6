// A chess engine of somebody else as a child process, asked by UCI how many positions lie below each move.
//
// The one idea: the engine is not trusted. It may be missing, die, hang, talk nonsense or never stop talking; each of
// these is an EnvironmentError that names the program, what it was asked and what to do. What it counts is handed on
// as it stands: whether that is right is for drill() (host/drill.h) to say.
//
// Invariants: the engine runs without a shell, in a process group of its own (our Ctrl-C does not reach it), and is
// dead and reaped when the UciEngine is gone. It never waits longer than its limits, never keeps more than a line and
// an answer in memory, and stops waiting at a request to stop.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/types.h"
#include "host/count128.h"

namespace hecatomb {

/// How to start an engine, and how long to wait for it.
struct EngineCommand {
  std::string program;                      ///< a path, or a name that is looked up in PATH
  std::string variant_name = {};            ///< for UCI_Variant; empty: our id of the variant, or a known alias
  std::vector<std::string> arguments = {};  ///< after the program's name
  std::chrono::milliseconds handshake_timeout = std::chrono::seconds(30);  ///< for uciok and readyok
  std::chrono::milliseconds silence_timeout = std::chrono::minutes(10);    ///< between two lines of a count
};

/// What an engine answered to "go perft N".
struct EngineDivide {
  struct Below {
    std::string move;  ///< UCI, as the engine wrote it, in lower case
    u128 leaves;
  };
  std::vector<Below> divided;  ///< in the engine's order; a move may be there twice
  u128 sum = 0;                ///< of `divided`
  u128 total = 0;              ///< what the engine itself gave as the total
};

class UciEngine {
 public:
  /// Starts the program. Throws EnvironmentError if it cannot be started.
  explicit UciEngine(EngineCommand command);
  ~UciEngine();
  UciEngine(const UciEngine&) = delete;
  UciEngine& operator=(const UciEngine&) = delete;

  /// Greets the engine, chooses the variant and waits until the engine is ready; does nothing if that variant is chosen
  /// already. Returns false if stop_requested() came first. Throws EnvironmentError, also for an engine that does not
  /// play the variant.
  bool prepare(VariantId variant);

  /// Asks for the counts below each move of a position, `depth_plies` >= 1 deep: that of the FEN, or the one after
  /// `move` (UCI) in it. prepare() comes first. Returns nothing if stop_requested() came first; the engine is then of
  /// no further use. Throws EnvironmentError.
  std::optional<EngineDivide> divide(std::string_view fen, int depth_plies, std::string_view move = {});

  const std::string& program() const;
  /// After prepare(): what it calls itself ("id name"), or empty.
  const std::string& name() const;
  /// After prepare(): the value that UCI_Variant was given, or empty (an engine without that option).
  const std::string& variant_name() const;
  /// After prepare(): the values that UCI_Variant offers.
  const std::vector<std::string>& variants() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hecatomb
