// Inside hecatomb playout: its options, the openings it plays, and what is written of the games.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/playout_job.h"

namespace hecatomb {

struct PlayoutOptions {
  std::optional<std::string> fen, book;
  std::optional<std::size_t> plies;
  std::optional<std::uint64_t> games;
  std::uint64_t seed = 1;
  std::string draws = "auto", clock, repetition, dead;
  std::uint32_t max_plies = 10000;
  std::optional<double> until_ci;
  bool split = false, by_ply = false;
  std::uint32_t first_opening = 0, first_game = 0;
  std::optional<std::string> csv, html, pgn, output, checkpoint;
  std::optional<std::uint64_t> pgn_games;
};

/// One opening of a book, or the one that was given.
struct Opening {
  std::string name;
  Position position;
};

/// The openings to play, all under the same rules.
struct OpeningBook {
  VariantId variant = VariantId::chess;
  RuleOptions rules;
  std::vector<Opening> openings;
  std::uint64_t read = 0;     ///< entries
  std::uint64_t refused = 0;  ///< of them: nothing could be used
  std::uint64_t in_part = 0;  ///< of them: used up to an error
};

/// Reads the book or the FEN that is asked for, or takes the start. Nothing if that one FEN is refused, which is said.
/// Throws UsageError, EnvironmentError.
std::optional<OpeningBook> read_openings(const PlayoutOptions& options, const CommandContext& context);

/// What was played, and how.
struct PlayoutReport {
  const OpeningBook& book;
  const PlayoutJob& job;
  const PlayoutResult& result;
  std::string book_path;  ///< as it was given; empty without a book
  std::string command;    ///< that made the report
  std::string backend;
  unsigned threads = 1;
  double seconds = 0;
  std::uint64_t games_here = 0, plies_here = 0;  ///< without those of a checkpoint
};

/// What random games are, and what they are not: stands above every report.
inline constexpr std::string_view kRandomPlay =
    "random play: every legal move is as likely as any other; this is not playing strength";

Json json_of(const PlayoutReport& report);
std::string text_of(const PlayoutReport& report);
/// One line an opening, with an empty move, and one a first move.
std::string csv_of(const PlayoutReport& report);
/// One page that stands alone (host/report/html.h).
std::string html_of(const PlayoutReport& report);

/// The first `games_each` games of every opening that was played, as PGN.
std::string sample_games(const PlayoutReport& report, std::uint64_t games_each);

/// The words of the command line for draw rules: {"75", "5", "on"}.
struct DrawWords {
  std::string clock, repetition, dead;
};
DrawWords words_of(const DrawRules& draws);

}  // namespace hecatomb
