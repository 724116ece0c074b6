// hecatomb solve: can one side force a win? With the proof if it can.
#include "host/cli/solve.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>

#include "host/cli/show.h"
#include "host/cli/table.h"
#include "host/error.h"
#include "host/game.h"
#include "host/memory.h"
#include "host/notation/fen.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/proof_tables.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/solver/proof_file.h"
#include "host/storage/atomic_file.h"

namespace hecatomb {

std::string number_text(ProofNumber n) { return n == kInfinite ? "inf" : std::to_string(n); }
std::string_view side_name(Color side) { return side == kWhite ? "white" : "black"; }

namespace {

void check_options(const SolveOptions& options, const CommandContext& context) {
  context.require_cpu_backend("solve searches on the cpu backend; the reference checks proofs: hecatomb proof check");
  const bool is_file = options.openings && *options.openings != "all";
  if ((is_file ? context.variant.value_or(VariantId::antichess) : context.required_variant()) == VariantId::chess)
    throw UsageError("-v chess: solve is for antichess, suicide, losers and horde");
  if (options.clock != "none") {
    throw UsageError("--clock " + options.clock +
                     ": solve knows no half-move clock; a win may take any number of moves (--clock none)");
  }
  if (options.hash_bytes < kLeastHashBytes)
    throw UsageError("--hash " + std::to_string(options.hash_bytes) + " is too small; give at least 1M");
  if (options.proof && options.checkpoint) refuse_output_over("--proof", *options.proof, *options.checkpoint);
  if (options.proof && options.tables && (options.proof->ends_with(".dtw") || options.proof->ends_with(".wdl")))
    throw UsageError("--proof " + *options.proof + " has the name of a table; call it anything else, as x.hproof");
  if (!options.openings) return;
  if (options.proof || options.checkpoint)
    throw UsageError("--openings does not go with --proof or --checkpoint: those are for one question");
  if (is_file && (options.fen || !options.moves.empty()))
    throw UsageError("--openings FILE does not go with --fen or --moves: the file says where to begin");
}

std::string sentence_of(const SolveReport& report, Color prover) {
  const std::string name(name_of(prover));
  if (report.status == SolveStatus::proved) return "proved: " + name + " wins";
  if (report.status == SolveStatus::disproved) return "disproved: " + name + " cannot force a win";
  return "unknown whether " + name + " can force a win";
}

void print_text(const SolveReport& report, const SolveRequest& request, const std::optional<std::string>& proof_path) {
  std::cout << sentence_of(report, request.problem.prover) << '\n';
  if (report.status == SolveStatus::proved) {
    std::cout << "proof: " << counted(report.proof.positions, "position") << ", longest line "
              << report.proof.depth_plies << " plies"
              << (report.proof.leaves != 0 ? ", " + counted(report.proof.leaves, "position") + " won by tables" : "")
              << (proof_path ? ", " + *proof_path : "") << '\n';
    std::cout << "line:";
    for (const Move m : report.proof.line) std::cout << ' ' << uci_of(m);
    std::cout << '\n';
  } else {
    std::cout << "pn " << number_text(report.numbers.pn) << ", dn " << number_text(report.numbers.dn) << '\n';
  }
  std::cout << counted(report.expansions, "expansion") << " in " << format_duration(report.seconds) << ", "
            << format_si(static_cast<double>(report.expansions) / std::max(report.seconds, 1e-9)) << "/s\n";
}

/// Writes the proof. Returns what went wrong: the verdict is told all the same.
std::exception_ptr write_proof(AtomicFile& file, const SolveRequest& request, const SolveReport& report,
                               const ProofTables* tables) {
  try {
    const std::string names = tables == nullptr ? std::string() : tables->with_hashes(report.proof.tables);
    file.write(encode_proof(request.problem, report.proof, names));
    file.commit();
  } catch (const EnvironmentError&) {
    return std::current_exception();
  }
  return nullptr;
}

int solve_one(const SolveOptions& options, const CommandContext& context) {
  const std::optional<Game> game = game_of(options, context);
  if (!game) return kExitRefused;
  SolveRequest request = request_of(options, context, options.seconds);
  request.problem.variant = game->variant();
  request.problem.options = game->options();
  request.problem.root = game->position();
  request.problem.prover = prover_of(options, game->position());
  const std::unique_ptr<const ProofTables> tables = open_tables(options, {game->variant(), game->options()});
  if (tables) request.problem.endings = tables->endings();
  request.spill_path = options.proof.value_or("");
  request.checkpoint_path = options.checkpoint.value_or("");
  std::optional<AtomicFile> proof_file;  // now, as a place that cannot be written is better known before the search
  if (options.proof) proof_file.emplace(*options.proof);
  Progress progress({"solve", "expansions", options.nodes.value_or(0), 0},
                    ProgressOutput::standard_error(context.quiet));
  request.on_expansions = [&progress](std::uint64_t more) { progress.advance(more); };
  const SolveReport report = solve(request);
  progress.finish();
  const bool has_proof = report.status == SolveStatus::proved && proof_file;
  const std::exception_ptr not_written = has_proof ? write_proof(*proof_file, request, report, tables.get()) : nullptr;
  const std::optional<std::string> proof_path = has_proof && !not_written ? options.proof : std::nullopt;
  if (context.json) {
    print_json(json_of(report, request, proof_path));
  } else {
    print_text(report, request, proof_path);
  }
  if (!report.note.empty()) print_warning(report.note);
  if (report.stopped) {
    print_warning(
        "stopped after " + counted(report.expansions, "expansion") +
        (options.checkpoint ? "; the same command goes on from there" : "; --checkpoint FILE would keep them"));
  }
  if (not_written) std::rethrow_exception(not_written);
  return kExitDone;
}

int solve_command(const SolveOptions& options, const CommandContext& context) {
  check_options(options, context);
  return options.openings ? solve_openings(options, context) : solve_one(options, context);
}

double seconds_of(const std::string& text) {
  double seconds = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (code != std::errc{} || end != text.data() + text.size() || !(seconds > 0) || seconds > 1e9)
    throw UsageError("--time " + hecatomb::quoted(std::string_view(text)) + " is no number of seconds above 0");
  return seconds;
}

}  // namespace

std::string_view status_name(SolveStatus status) {
  switch (status) {
    case SolveStatus::proved:
      return "proved";
    case SolveStatus::disproved:
      return "disproved";
    case SolveStatus::unknown:
      break;
  }
  return "unknown";
}

std::unique_ptr<const ProofTables> open_tables(const SolveOptions& options, const TableRules& rules) {
  if (!options.tables) return nullptr;
  require_table_variant(rules.variant);
  return std::make_unique<const ProofTables>(*options.tables, rules);
}

Color prover_of(const SolveOptions& options, const Position& p) {
  if (options.prover == "white") return kWhite;
  if (options.prover == "black") return kBlack;
  return p.us();
}

std::optional<Game> game_of(const SolveOptions& options, const CommandContext& context) {
  const VariantId variant = context.required_variant();
  const std::string fen = options.fen.value_or(std::string(start_fen(variant)));
  Expected<Game> game = Game::from_fen(fen, variant, context.rules_for(variant));
  std::optional<Error> error;
  if (game) {
    error = game->play_all(moves_of(options.moves));
  } else {
    error = game.error();
  }
  if (!error) {
    for (const Warning& warning : game->warnings()) print_warning(warning.message);
    return std::move(*game);
  }
  if (context.json) {
    print_json({{"error", json_of(*error)}});
  } else if (error->ply == 0) {
    print_error_in(fen, *error);
  } else {
    print_error("--moves, ply " + std::to_string(error->ply) + ": " + error->message);
  }
  return std::nullopt;
}

SolveRequest request_of(const SolveOptions& options, const CommandContext& context, std::optional<double> seconds) {
  SolveRequest request;
  request.hash_bytes = options.hash_bytes;
  request.most_expansions = options.nodes.value_or(~std::uint64_t{0});
  const unsigned threads = context.threads != 0 ? context.threads : default_threads();
  for (unsigned i = 0; i < threads; i++) {
    request.profiles.push_back(options.profile.empty() ? &profile_of_thread(i) : find_search_profile(options.profile));
  }
  if (seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            std::chrono::duration<double>(*seconds));
    request.is_time_up = [end] { return std::chrono::steady_clock::now() >= end; };
  }
  return request;
}

Json json_of(const SolveReport& report, const SolveRequest& request, const std::optional<std::string>& proof_path) {
  Json out = {{"status", status_name(report.status)},
              {"for", side_name(request.problem.prover)},
              {"variant", variant_name(request.problem.variant)},
              {"fen", fen_of(request.problem.root)},
              {"expansions", std::to_string(report.expansions)},
              {"seconds", report.seconds},
              {"expansions_per_second", static_cast<double>(report.expansions) / std::max(report.seconds, 1e-9)}};
  out["proof"] = Json();
  out["line"] = Json::array();
  if (report.status == SolveStatus::proved) {
    out["proof"] = {{"positions", report.proof.positions},
                    {"depth_plies", report.proof.depth_plies},
                    {"file", proof_path ? Json(*proof_path) : Json()}};
    for (const Move m : report.proof.line) out["line"].push_back(uci_of(m));
  }
  out["pn"] = number_text(report.numbers.pn);
  out["dn"] = number_text(report.numbers.dn);
  out["tables"] = Json();
  if (request.problem.endings.most_men != 0)
    out["tables"] = {{"most_men", request.problem.endings.most_men}, {"leaves", report.proof.leaves}};
  out["threads"] = std::max<std::size_t>(request.profiles.size(), 1);
  out["hash_bytes"] = request.hash_bytes;
  if (!report.note.empty()) out["note"] = report.note;
  if (report.stopped) out["stopped"] = true;
  return out;
}

void add_solve(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<SolveOptions>();
  options->hash_bytes = default_hash_bytes(machine_memory_bytes());
  CLI::App& command = add_command(app, context, "solve", "can one side force a win? With a proof that anyone can check",
                                  [options](const CommandContext& c) { return solve_command(*options, c); });
  command.add_option("--fen", options->fen, "the position (default: the start of the variant)");
  command.add_option("--moves", options->moves, "moves to play first, UCI or SAN, with blanks between them");
  add_choice(command, "--for", options->prover, {"white", "black", "mover"},
             "whose win is to be proved (default: mover, the side to move)");
  add_size(
      command, "--hash", options->hash_bytes,
      "limit of memory, taken as it is needed (default: the power of two up to a quarter of the machine, at most 8G)");
  command.add_option_function<std::string>(
      "--time", [options](const std::string& text) { options->seconds = seconds_of(text); }, "seconds at most");
  add_number(command, "--nodes", options->nodes, 1, ~std::uint64_t{0},
             "expansions at most (several threads: up to 1,024 more each)");
  std::vector<std::string> profiles;
  for (const SearchProfile& profile : search_profiles()) profiles.emplace_back(profile.name);
  add_choice(command, "--profile", options->profile, profiles,
             "settings of the search for all threads (default: a different one each)");
  command.add_option("--proof", options->proof, "write the proof to this file")->type_name("FILE");
  command.add_option("--checkpoint", options->checkpoint, "keep what is solved here; the same command goes on from it")
      ->type_name("FILE");
  command
      .add_option("--openings", options->openings,
                  "many questions: a file as convert reads it, or all (every first move); see below")
      ->type_name("FILE");
  command
      .add_option("--tables", options->tables,
                  "directory of endgame tables (antichess, suicide): their positions need no search")
      ->type_name("DIR");
  add_choice(command, "--clock", options->clock, {"50", "75", "none"}, "none (default): wins of any length");
  command.footer(
      "A repetition never counts as a win. 'disproved' holds for every path; a search that ends without a verdict "
      "says\n"
      "'unknown'. With --threads 1 the search is the same every time under the same --hash.\n"
      "--openings: --time and --nodes are for each opening (default 10 seconds). Without --for both sides are asked "
      "about\n"
      "and share them: an eighth for each side, the mover first, then three eighths for each; a side that is "
      "disproved\n"
      "gives up its second share.");
}

}  // namespace hecatomb
