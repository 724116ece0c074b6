// What a subcommand is, what every one of them shares, and how it joins the program.
//
// The one idea: a subcommand is one file with one function `add_<name>(CLI::App&, CommandContext&)` that declares its
// options and hands over a function to run. main.cpp parses, checks what is shared, runs it and turns whatever happens
// into an exit code; so a subcommand only returns kExitDone or kExitRefused, or throws.
//
// Invariants
// - Exit codes: 0 done; 1 a difference, or input refused or read in part; 2 usage (UsageError); 3 environment
//   (EnvironmentError, no memory, a bug); 130 after Ctrl-C (main asks the stop flag when the command has returned).
// - When a command runs, `context` is checked: the backends are there, the rule options fit the -v given.
// - SIGPIPE is ignored: a reader that went away is a failed write, seen by flush_output() (host/cli/output.h).
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "host/backend.h"
#include "host/notation/rule_choice.h"

namespace hecatomb {

inline constexpr int kExitDone = 0;
inline constexpr int kExitRefused = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;

/// The command line itself is wrong. what() is one line that names the word and, where one is near, the valid word.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What every command takes, and what will be run.
struct CommandContext {
  bool json = false;                      ///< --json
  bool quiet = false;                     ///< --quiet: no progress
  unsigned threads = 0;                   ///< --threads; 0: all cores, as WorkPool takes it
  std::string backend = "auto";           ///< --backend as written; of a known form, and all in it are there
  std::optional<int> device;              ///< --device
  std::uint64_t device_memory_bytes = 0;  ///< --device-memory; 0: not given
  std::optional<VariantId> variant;       ///< -v
  RuleChoice rules;                       ///< --ep, --stalemate: what was said
  std::string command_line;               ///< as a shell takes it

  std::function<int(const CommandContext&)> run;  ///< set by the command that was chosen

  /// The -v given; UsageError without one.
  VariantId required_variant() const;
  /// The rule options for a variant; UsageError for one that the variant does not have.
  RuleOptions rules_for(VariantId id) const;
  /// What a backend is made with here; `table_bytes` as in BackendOptions. Warnings go to stderr.
  BackendOptions backend_options(std::uint64_t table_bytes = 0) const;
  /// For a command whose work has no variant or rules: UsageError if one was given. `why` completes "-v …: ".
  void refuse_rules(const std::string& why) const;
  /// For a command that the CPU backend alone answers: UsageError if another was asked for. `hint` says what to do.
  void require_cpu_backend(const std::string& hint) const;
};

/// Adds a subcommand with the options that all share. `run` is called after everything has been parsed and checked.
CLI::App& add_command(CLI::App& app, CommandContext& context, const std::string& name, const std::string& description,
                      std::function<int(const CommandContext&)> run);

/// An option whose value is one of `words`; a UsageError suggests the nearest.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target, std::vector<std::string> words,
                        const std::string& help);

/// An option whose value is a whole number from `min` to `max`.
CLI::Option* add_number(CLI::App& app, const std::string& name, std::uint64_t min, std::uint64_t max,
                        std::function<void(std::uint64_t)> take, const std::string& help);
/// The same, stored in any integer (or std::optional of one) that holds `max`.
template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& target, std::uint64_t min, std::uint64_t max,
                        const std::string& help) {
  using Integer = typename CLI::detail::wrapped_type<T, T>::type;
  return add_number(
      app, name, min, max, [&target](std::uint64_t n) { target = static_cast<Integer>(n); }, help);
}

/// An option whose value is a size in bytes: "0", "256M", "8G".
CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& size_bytes, const std::string& help);

// ---- the subcommands, one file each; main.cpp calls these in the order of the help -------------------------------
void add_perft(CLI::App& app, CommandContext& context);
void add_show(CLI::App& app, CommandContext& context);
void add_convert(CLI::App& app, CommandContext& context);
void add_playout(CLI::App& app, CommandContext& context);
void add_verify(CLI::App& app, CommandContext& context);
void add_solve(CLI::App& app, CommandContext& context);
void add_proof(CLI::App& app, CommandContext& context);
void add_bench(CLI::App& app, CommandContext& context);
void add_info(CLI::App& app, CommandContext& context);

}  // namespace hecatomb
