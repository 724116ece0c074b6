// Sample games of hecatomb playout as PGN: the games that were counted, played once more from their numbers.
#include <algorithm>

#include "host/books/book_writer.h"
#include "host/cli/playout.h"
#include "host/notation/legal.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

PlayoutRecord play(const PlayoutJob& job, const Position& opening, const GameId& id, std::vector<Position>& memory,
                   std::vector<Move>& moves) {
  return with_variant(job.variant, [&](auto v) {
    GameHistory history(memory.data(), static_cast<int>(memory.size()));
    return play_game<decltype(v)>(opening, id, job.rules, history, [&](Move move) { moves.push_back(move); });
  });
}

BookEntry entry_of(const PlayoutReport& report, std::size_t opening, std::uint32_t game,
                   std::vector<Position>& memory) {
  const PlayoutJob& job = report.job;
  BookEntry entry;
  entry.variant = job.variant;
  entry.variant_is_known = true;
  entry.options = job.rules.options;
  entry.is_game = entry.is_usable = true;
  entry.start = entry.final = job.openings[opening];
  const std::uint32_t number = job.first_opening + static_cast<std::uint32_t>(opening);
  const PlayoutRecord record = play(job, entry.start, {job.seed, number, game}, memory, entry.moves);
  for (const Move move : entry.moves) entry.final = after_move(entry.final, move, job.variant, job.rules.options);
  entry.outcome = record.outcome;
  entry.claim = result_text(record.outcome.result);
  const std::string& name = report.book.openings[opening].name;
  entry.tags = {{"Event", "Random game " + std::to_string(game) + " of opening " + std::to_string(number) +
                              (name.empty() ? "" : ": " + name)},
                {"Site", "?"},
                {"Date", "????.??.??"},
                {"Round", std::to_string(number) + "." + std::to_string(game)},
                {"White", "random play, seed " + std::to_string(job.seed)},
                {"Black", "random play, seed " + std::to_string(job.seed)},
                {"Termination", std::string(reason_text(record.outcome.reason))}};
  return entry;
}

}  // namespace

std::string sample_games(const PlayoutReport& report, std::uint64_t games_each) {
  std::string text;
  std::vector<Position> memory(report.job.rules.draws.repetitions != 0 ? report.job.rules.max_plies + 1 : 0);
  for (std::size_t i = 0; i < report.result.openings.size(); i++) {
    const std::uint64_t games = std::min(games_each, report.result.openings[i].games());
    for (std::uint32_t game = 0; game < games; game++) {
      append_entry(text, entry_of(report, i, report.job.first_game + game, memory), BookFormat::pgn, "");
    }
  }
  return text;
}

}  // namespace hecatomb
