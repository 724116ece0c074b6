// A game: a position to begin with, moves, and what the rules say about the position reached.
//
// The one idea: everything that plays moves one after another (show, PGN, openings of playouts) asks the same object,
// so that "occurrences count from the given position", "play goes on through draws" and "no move after the end" are
// decided once.
//
// Invariants
// - The game is always at a position reached by legal moves; a move that is refused changes nothing.
// - Draws (rules 3 to 5) do not stop play; after a decision by rules 1 and 2 every move is an error of kind after-end.
// - `memory_[first_ … last_]` are the positions since the last capture or pawn move, at most those; `memory_[last_]` is
//   the one reached. A move writes the next one behind it and copies nothing; a memory that is full is moved to the
//   front, or into twice the room.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/outcome.h"
#include "host/notation/result.h"

namespace hecatomb {

/// What the rules say about the position reached.
struct Standing {
  Outcome outcome;      ///< without a claim, under the game's DrawRules
  Claims claims;        ///< none once the game is over
  int occurrences = 1;  ///< of the position in this game, this one included
  bool over() const { return outcome.result != Result::ongoing; }
};

class Game {
 public:
  /// Begins at a checked position.
  Game(const Position& start, VariantId variant, const RuleOptions& options = {}, const DrawRules& draws = {});
  /// Begins at a FEN. Errors: those of read_fen.
  static Expected<Game> from_fen(std::string_view fen, VariantId variant, const RuleOptions& options = {},
                                 const DrawRules& draws = {});

  /// Plays a move in UCI or SAN; the error says at which ply.
  std::optional<Error> play(std::string_view text);
  /// Plays moves until one is refused.
  std::optional<Error> play_all(std::span<const std::string_view> texts);
  /// Plays a legal move.
  void play(Move move);

  /// Until the next move is played.
  const Position& position() const { return memory_[last_]; }
  VariantId variant() const { return variant_; }
  const RuleOptions& options() const { return options_; }
  /// Moves played so far.
  int ply() const { return ply_; }
  /// What reading the FEN has mended.
  const std::vector<Warning>& warnings() const { return warnings_; }
  Standing standing() const;
  /// Whether the position reached is drawn by rules 3 to 5, where play may go on. Only where there is a legal move.
  bool is_drawn() const;

 private:
  int occurrences() const;
  void make_room();

  VariantId variant_;
  RuleOptions options_;
  DrawRules draws_;
  int ply_ = 0;
  std::vector<Position> memory_;
  std::size_t first_ = 0, last_ = 0;
  std::vector<Warning> warnings_;
};

}  // namespace hecatomb
