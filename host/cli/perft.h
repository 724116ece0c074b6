// What the single perft and the suites share.
#pragma once
#include <string>
#include <vector>

#include "host/backend.h"
#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/drill.h"

namespace hecatomb {

struct PerftOptions {
  std::optional<std::string> fen, checkpoint;
  std::optional<int> depth;  ///< plies, as given
  int depth_plies = 0;       ///< the same, once it is known to be there
  bool divide = false, detail = false, unique = false;
  std::uint64_t table_bytes = std::uint64_t{256} << 20;  ///< at most
  bool table_is_given = false;                           ///< by --hash
  std::vector<std::string> suites;
  std::optional<u128> most_nodes;
  std::optional<int> most_depth;
  EngineCommand drill;  ///< program empty: no drill
};

inline constexpr int kMostDepth = 120;

/// Verifies the suites' checks, or drills their positions. Returns the exit code.
int run_suites(const PerftOptions& options, const CommandContext& context);

/// The command that counts a subtree again, for people to copy.
std::string perft_command(VariantId variant, const RuleOptions& rules, const std::string& fen, int depth_plies);

/// What a drill found, for machines and for people (perft_drill.cpp).
Json json_of(const DrillReport& report);
std::string text_of(const DrillReport& report, VariantId variant, const RuleOptions& rules);

/// Leaves a second, whole.
std::uint64_t rate(u128 leaves, double seconds);

}  // namespace hecatomb
