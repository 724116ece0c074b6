// What `solve` says about one question: shared by the single one and the many of --openings.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/game.h"
#include "host/proof_tables.h"
#include "host/solver/solver.h"

namespace hecatomb {

struct SolveOptions {
  std::optional<std::string> fen;
  std::string moves;
  std::string prover;  ///< white, black, mover; empty: not said
  std::uint64_t hash_bytes = 0;
  std::optional<double> seconds;
  std::optional<std::uint64_t> nodes;
  std::string profile;
  std::optional<std::string> tables, proof, checkpoint, openings;
  std::string clock = "none";
};

/// Decimal digits, or "inf".
std::string number_text(ProofNumber n);
/// "white", "black".
std::string_view side_name(Color side);

/// "proved", "disproved", "unknown".
std::string_view status_name(SolveStatus status);

/// {"status","for","expansions",…}: the document of one question.
Json json_of(const SolveReport& report, const SolveRequest& request, const std::optional<std::string>& proof_path);

/// The tables of --tables; null without. UsageError for a variant that has none.
std::unique_ptr<const ProofTables> open_tables(const SolveOptions& options, const TableRules& rules);

/// Who is asked about at a position.
Color prover_of(const SolveOptions& options, const Position& p);

/// The game the options begin with; if there is none, that is said to the user.
std::optional<Game> game_of(const SolveOptions& options, const CommandContext& context);

/// A request with what the options say, but for the problem. `seconds` from now.
SolveRequest request_of(const SolveOptions& options, const CommandContext& context, std::optional<double> seconds);

/// Many openings, a line each. Returns the exit code.
int solve_openings(const SolveOptions& options, const CommandContext& context);

}  // namespace hecatomb
