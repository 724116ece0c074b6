// The program: parse, check what all commands share, run one, and turn whatever happens into an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/cli/parse.h"
#include "host/cli/table.h"
#include "host/error.h"
#include "host/work.h"

namespace hecatomb {
namespace {

/// One line a subcommand, in the order of the help.
void add_commands(CLI::App& app, CommandContext& context) {
  add_perft(app, context);
  add_show(app, context);
  add_convert(app, context);
  add_playout(app, context);
  add_table(app, context);
  add_verify(app, context);
  add_solve(app, context);
  add_proof(app, context);
  add_bench(app, context);
  add_info(app, context);
}

/// Occupies the standard descriptors that the caller closed, so that no file of ours becomes "stdout". Reading or
/// writing them still fails.
void occupy_standard_descriptors() {
  for (int fd = 0; fd <= 2; fd++) {
    if (::fcntl(fd, F_GETFD) < 0) static_cast<void>(::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY));
  }
}

int run(int argc, char** argv) {
  arm_faults_from_environment();
  CLI::App app("Counts, plays and checks positions of antichess, suicide, losers, horde and chess.", "hecatomb");
  CommandContext context;
  add_commands(app, context);
  if (const std::optional<int> code = parse(app, context, argc, argv)) {
    flush_output();
    return *code;
  }
  const StopSignals signals;
  const int code = context.run(context);
  flush_output();
  return stop_requested() ? kExitInterrupted : code;
}

int run_and_report(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    print_error(error.what());
    return kExitUsage;
  } catch (const EnvironmentError& error) {
    print_error(error.what());
  } catch (const std::bad_alloc&) {
    print_error("out of memory; ask for less (--hash, --threads) or free some");
  } catch (const std::exception& error) {
    print_error(std::string("internal error: ") + error.what() + " (this is a bug in hecatomb; please report it)");
  }
  return kExitEnvironment;
}

}  // namespace
}  // namespace hecatomb

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a failed write, too
  hecatomb::occupy_standard_descriptors();
  return hecatomb::run_and_report(argc, argv);
}
