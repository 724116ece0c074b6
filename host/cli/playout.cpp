// hecatomb playout: random games from one position or from the openings of a book, and what they say.
#include "host/cli/playout.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>
#include <set>

#include "host/books/pgn_reader.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/playout_checkpoint.h"
#include "host/playout_statistics.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/storage/atomic_file.h"

namespace hecatomb {

namespace {

constexpr std::uint64_t kDefaultGames = 10000;
constexpr std::uint64_t kDefaultPgnGames = 10;
constexpr std::uint64_t kUnitsBeforeAWarning = 8;  // in which no game is decided
constexpr std::uint64_t kMostSplitGames = std::uint64_t{1} << 53;

DrawRules draws_of(const PlayoutOptions& options) {
  DrawRules draws;
  if (options.draws == "claim") draws = {100, 3, true};
  if (options.draws == "none") draws = {0, 0, false};
  if (!options.clock.empty()) draws.clock_plies = options.clock == "none" ? 0 : options.clock == "50" ? 100 : 150;
  if (!options.repetition.empty())
    draws.repetitions = options.repetition == "none" ? 0 : options.repetition == "3" ? 3 : 5;
  if (!options.dead.empty()) draws.dead = options.dead == "on";
  return draws;
}

/// Options that do not go together.
void check_options(const PlayoutOptions& options, const CommandContext& context) {
  if (options.fen && options.book) throw UsageError("--fen and --book both name the openings; give one of them");
  if (options.csv == "-" || options.html == "-" || options.pgn == "-")
    throw UsageError("--csv, --html and --pgn go to files beside the report, which has stdout; name a file");
  std::set<std::filesystem::path> paths;
  for (const auto& [name, path] : {std::pair{"-o", &options.output},
                                   {"--csv", &options.csv},
                                   {"--html", &options.html},
                                   {"--pgn", &options.pgn},
                                   {"--checkpoint", &options.checkpoint}}) {
    if (!*path || **path == "-") continue;
    if (!paths.insert(whole_path(**path)).second)
      throw UsageError("'" + **path + "' is named twice; each report and the checkpoint need a file of their own");
    if (options.book) refuse_output_over(name, **path, *options.book);
  }
  if (options.plies && !options.book) throw UsageError("--plies is for the games of a --book");
  if (options.by_ply && !context.json) throw UsageError("--by-ply is part of the JSON report; add --json");
  if (options.pgn_games && !options.pgn)
    throw UsageError("--pgn-games says how many games go to a --pgn FILE; add --pgn FILE");
  if (options.split && options.until_ci) throw UsageError("--split shares out --games; --until-ci has no such number");
  if (options.split && !options.games) throw UsageError("--split shares out the games of --games N; add --games");
  if (options.games && *options.games > kMostGames && !options.split)
    throw UsageError("--games '" + std::to_string(*options.games) + "': an opening has " + std::to_string(kMostGames) +
                     " games at most");
}

/// The games of each opening.
std::vector<std::uint64_t> games_of(const PlayoutOptions& options, std::size_t openings) {
  const std::uint64_t most = kMostGames - options.first_game;
  std::vector<std::uint64_t> games(openings);
  for (std::size_t i = 0; i < openings; i++) {
    const std::uint64_t wanted = options.games.value_or(options.until_ci ? most : kDefaultGames);
    games[i] = options.split ? split_games(wanted, openings, i) : wanted;
    if (games[i] > most)
      throw UsageError("--games: an opening would get " + std::to_string(games[i]) + " games; it has " +
                       std::to_string(most) + " at most (2^32 - 1, less --first-game)");
  }
  return games;
}

/// Says so where --games ended the play before the intervals were as narrow as asked.
void warn_of_wide_intervals(const PlayoutResult& result, double half_width) {
  std::uint64_t wide = 0;
  double widest = 0;
  for (const PlayoutTally& tally : result.openings) {
    const double half = score_of(tally.results).interval(deviations_95()).half_width();
    wide += half > half_width;
    widest = std::max(widest, half);
  }
  if (wide == 0) return;
  print_warning("--games ended the play of " + counted(wide, "opening") +
                " before --until-ci was reached; the widest interval is +-" + std::to_string(widest));
}

/// Plays the job, with progress and a checkpoint.
PlayoutReport play(PlayoutJob& job, PlayoutResult& result, const OpeningBook& book, const PlayoutOptions& options,
                   const CommandContext& context) {
  WorkPool pool(context.threads);
  const std::unique_ptr<Backend> backend = make_backend(context.backend, pool, context.backend_options());
  PlayoutReport report{book,          job, result, options.book.value_or(""), context.command_line, backend->name(),
                       pool.threads()};
  std::optional<PlayoutCheckpoint> checkpoint;
  if (options.checkpoint) {
    checkpoint.emplace(*options.checkpoint, job);
    if (checkpoint->dropped_bytes() != 0)
      print_warning(*options.checkpoint + ": dropped a record that was written in part");
    job.known = [&](const PlayoutRange& range) { return checkpoint->known(range); };
  }
  const std::uint64_t total = options.until_ci && !options.games ? 0 : most_games(job);
  Progress progress({"playout", "games", total, checkpoint ? checkpoint->games_known() : 0},
                    ProgressOutput::standard_error(context.quiet));
  std::uint64_t units = 0;
  bool any_decided = !options.until_ci;
  job.on_unit = [&](const PlayoutRange& range, const PlayoutTally& tally) {
    report.games_here += range.games;
    report.plies_here += tally.plies();
    progress.advance(range.games);
    units++;
    any_decided = any_decided || tally.count(Result::ongoing) != range.games;
    if (!any_decided && units == kUnitsBeforeAWarning) {
      progress.message("hecatomb: warning: of " + counted(report.games_here, "game") +
                       " none is decided within --max-plies " + std::to_string(job.rules.max_plies) +
                       ": no interval gets narrow so, and the play goes on until --games or Ctrl-C");
    }
    if (checkpoint) {
      checkpoint->add(range, tally);
    } else {
      fault_point("after-unit", units);
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  result = run_playouts(job, *backend);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.backend = backend->name();
  progress.finish();
  if (options.until_ci && result.complete) warn_of_wide_intervals(result, *options.until_ci);
  job.known = nullptr;
  job.on_unit = nullptr;
  if (!result.complete) {
    print_warning("stopped: " + counted(report.games_here, "game") + " finished here" +
                  (checkpoint ? "; the same command goes on from there" : "; --checkpoint FILE would keep them"));
  }
  return report;
}

/// The command that plays one game again.
std::string command_for(const PlayoutJob& job, const PlayoutDifference& found) {
  const DrawWords words = words_of(job.rules.draws);
  return "hecatomb playout -v " + std::string(variant_name(job.variant)) +
         (job.rules.options.restricted_ep ? " --ep restricted" : "") +
         (job.rules.options.stalemated_wins ? " --stalemate stalemated-wins" : "") + " --fen '" +
         fen_of(job.openings[found.opening]) + "' --first-opening " +
         std::to_string(job.first_opening + found.opening) + " --first-game " + std::to_string(found.game) +
         " --games 1 --seed " + std::to_string(job.seed) + " --clock " + words.clock + " --repetition " +
         words.repetition + " --dead " + words.dead + " --max-plies " + std::to_string(job.rules.max_plies);
}

int report_difference(const PlayoutJob& job, const PlayoutDifference& found, const CommandContext& context) {
  const std::string again = command_for(job, found);
  const std::string message = "the backends differ in game " + std::to_string(found.game) + " from " +
                              fen_of(job.openings[found.opening]) + " (" + found.note + ")";
  if (context.json) print_json({{"error", {{"kind", "difference"}, {"message", message}, {"reproduce", again}}}});
  print_error(message + "\nto reproduce: " + again + " --backend " + context.backend);
  return kExitRefused;
}

/// The files that reports go to, opened before the games are played: hours of play are not lost for a wrong path.
struct ReportFiles {
  explicit ReportFiles(const PlayoutOptions& options) {
    if (options.output && *options.output != "-") output.emplace(*options.output);
    if (options.csv) csv.emplace(*options.csv);
    if (options.html) html.emplace(*options.html);
    if (options.pgn) pgn.emplace(*options.pgn);
  }
  std::optional<AtomicFile> output, csv, html, pgn;
};

void write(AtomicFile& file, const std::string& text) {
  file.write(text);
  file.commit();
}

/// Scores are of decided games alone: that must be known where most are not.
void warn_of_unfinished(const PlayoutReport& report) {
  std::uint64_t games = 0, unfinished = 0;
  for (const PlayoutTally& tally : report.result.openings) {
    games += tally.games();
    unfinished += tally.count(Result::ongoing);
  }
  if (2 * unfinished <= games) return;
  print_warning(std::to_string(unfinished) + " of " + counted(games, "game") + " are unfinished after --max-plies " +
                std::to_string(report.job.rules.max_plies) + "; scores are of the others alone");
}

void write_report(const PlayoutReport& report, const PlayoutOptions& options, ReportFiles& files,
                  const CommandContext& context) {
  const std::string text = context.json ? json_text(json_of(report)) + "\n" : text_of(report);
  if (files.output) {
    write(*files.output, text);
  } else {
    std::cout << text;
  }
  if (files.csv) write(*files.csv, csv_of(report));
  if (files.html) write(*files.html, html_of(report));
  if (files.pgn) write(*files.pgn, sample_games(report, options.pgn_games.value_or(kDefaultPgnGames)));
  warn_of_unfinished(report);
  if (context.quiet || context.json) return;
  const double seconds = std::max(report.seconds, 1e-9);
  std::cerr << counted(report.games_here, "game") << " in " << format_duration(report.seconds) << ", "
            << format_si(static_cast<double>(report.games_here) / seconds) << " games/s, "
            << format_si(static_cast<double>(report.plies_here) / seconds) << " plies/s, " << report.backend << ", "
            << counted(report.threads, "thread") << '\n';
}

int playout(const PlayoutOptions& options, const CommandContext& context) {
  check_options(options, context);
  const std::optional<OpeningBook> book = read_openings(options, context);
  if (!book) return kExitRefused;
  if (book->openings.empty() && !stop_requested()) {
    const std::string message = options.book.value_or("") + ": no opening could be read";
    if (context.json) print_json({{"error", {{"kind", "empty"}, {"message", message}}}});
    print_error(message);
    return kExitRefused;
  }
  std::vector<Position> openings;
  openings.reserve(book->openings.size());
  for (const Opening& opening : book->openings) openings.push_back(opening.position);
  const std::vector<std::uint64_t> games = games_of(options, openings.size());
  PlayoutJob job{.variant = book->variant,
                 .rules = {book->rules, draws_of(options), options.max_plies},
                 .seed = options.seed,
                 .by_ply = options.by_ply,
                 .openings = openings,
                 .games = games,
                 .first_opening = options.first_opening,
                 .first_game = options.first_game,
                 .half_width = options.until_ci};
  ReportFiles files(options);
  PlayoutResult result;
  const PlayoutReport report = play(job, result, *book, options, context);
  if (result.difference) return report_difference(job, *result.difference, context);
  write_report(report, options, files, context);
  return book->refused + book->in_part != 0 ? kExitRefused : kExitDone;
}

/// A fraction above 0 and up to 0.5.
void take_half_width(PlayoutOptions& options, const std::string& value) {
  double width = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), width);
  if (code != std::errc{} || end != value.data() + value.size() || !(width > 0 && width <= 0.5)) {
    throw UsageError("--until-ci '" + value +
                     "' is no fraction above 0 and up to 0.5; 0.005 is half a percentage point");
  }
  options.until_ci = width;
}

}  // namespace

void add_playout(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<PlayoutOptions>();
  CLI::App& command = add_command(app, context, "playout", "random games from openings, with statistics",
                                  [options](const CommandContext& checked) { return playout(*options, checked); });
  command.add_option("--fen", options->fen, "the position to play from (default: the variant's start)");
  command.add_option("--book", options->book, "openings: PGN, EPD, FENs or TSV, also packed; '-' is stdin")
      ->type_name("FILE");
  add_number(command, "--plies", options->plies, 0, PgnReader::kMostMoves, "plies of each game of the book to use");
  add_number(command, "--games", options->games, 1, kMostSplitGames,
             "games of each opening (default 10000); with --until-ci the most (default: no limit)");
  add_number(command, "--seed", options->seed, 0, ~std::uint64_t{0}, "of the random numbers (default 1)");
  add_choice(command, "--draws", options->draws, {"auto", "claim", "none"},
             "auto: clock 75, repetition 5, dead on; claim: 50, 3, on; none: none, none, off");
  add_choice(command, "--clock", options->clock, {"50", "75", "none"},
             "moves without capture or pawn move: 50, 75, none");
  add_choice(command, "--repetition", options->repetition, {"3", "5", "none"}, "occurrence that draws: 3, 5, none");
  add_choice(command, "--dead", options->dead, {"on", "off"}, "draw of dead positions: on, off");
  add_number(command, "--max-plies", options->max_plies, 0, kMostPlayoutPlies,
             "longer games are unfinished (default 10000)");
  command.add_option_function<std::string>(
      "--until-ci", [options](const std::string& value) { take_half_width(*options, value); },
      "play until the 95 % interval of every score is at most +-X, as 0.005");
  command.add_flag("--split", options->split, "share --games out among the openings");
  command.add_flag("--by-ply", options->by_ply, "also count games and moves ply by ply (JSON)");
  command.add_option("--csv", options->csv, "also write openings and first moves to this file")->type_name("FILE");
  command.add_option("--html", options->html, "also write a page with tables and pictures to this file")
      ->type_name("FILE");
  command.add_option("--pgn", options->pgn, "also write sample games to this file")->type_name("FILE");
  add_number(command, "--pgn-games", options->pgn_games, 1, kMostGames, "sample games of each opening (default 10)");
  command.add_option("-o,--output", options->output, "write the report to this file instead of stdout")
      ->type_name("FILE");
  command.add_option("--checkpoint", options->checkpoint, "keep what is finished here, and go on from it")
      ->type_name("FILE");
  add_number(command, "--first-opening", options->first_opening, 0, kMostGames,
             "number of the first opening, for its random numbers (default 0)");
  add_number(command, "--first-game", options->first_game, 0, kMostGames - 1, "number of the first game (default 0)");
}

}  // namespace hecatomb
