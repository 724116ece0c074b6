// Parsing the command line, with CLI11's verdicts in our words and exit codes.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>

#include "host/cli/command.h"

namespace hecatomb {

/// Parses and checks what all commands share. Returns an exit code if there is nothing to run (--help, --version, no
/// command). Throws UsageError, and EnvironmentError for a backend or device that is not there.
std::optional<int> parse(CLI::App& app, CommandContext& context, int argc, char** argv);

}  // namespace hecatomb
