#include "host/cli/parse.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "host/cuda_backend.h"
#include "host/notation/nearest_word.h"

namespace hecatomb {

namespace {

constexpr const char* kProgram = "hecatomb " HECATOMB_VERSION;

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// CLI11 would take an unknown command for a superfluous word.
void refuse_unknown_command(const CLI::App& app, std::string_view word) {
  if (word.starts_with('-')) return;
  const std::vector<std::string> names = command_names(app);
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  throw UsageError("unknown command '" + std::string(word) + "'" + suggestion(word, names));
}

/// The name of a command as it is typed, without the program's: "table probe".
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr || parent->get_parent() == nullptr ? command.get_name()
                                                              : full_name(*parent) + " " + command.get_name();
}

/// The first word that nothing has taken, if there is one: mostly the cause of whatever else is wrong.
void refuse_unknown_word(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const bool is_root = command.get_parent() == nullptr;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); };
  auto word = std::find_if(words.begin(), words.end(), is_option);
  if (word == words.end()) word = words.begin();
  if (word == words.end()) return;
  const std::string owner = full_name(command);
  const std::vector<std::string> commands = is_root ? std::vector<std::string>() : command_names(command);
  if (!commands.empty() && !is_option(*word))
    throw UsageError("unknown command '" + owner + " " + *word + "'" + suggestion(*word, commands));
  if (!is_option(*word)) throw UsageError("'" + *word + "' is one word too many for " + owner);
  const std::string name = word->substr(0, word->find('='));
  if (is_root) throw UsageError("unknown option '" + name + "'; options of a command come after its name");
  const std::vector<std::string> names = option_names(command);
  const bool any_near = !nearest_word(name, names).empty();
  throw UsageError("unknown option '" + name + "' of " + owner +
                   (any_near ? suggestion(name, names) : "; see hecatomb " + owner + " --help"));
}

/// For a command that was typed without one of its own: which there are.
void refuse_missing_command(const CLI::App& command) {
  const std::vector<std::string> names = command_names(command);
  if (names.empty() || !command.get_subcommands().empty()) return;
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(name);
  throw UsageError(full_name(command) + " needs one of its commands: " + list);
}

/// What CLI11 says about an option without a value, or with two, names types and counts.
std::string in_our_words(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  if (error.get_name() != "ArgumentMismatch") return text;
  return option + (text.ends_with("missing") ? " needs a value" : " is given more than once");
}

const std::vector<std::string>& backend_words() {
  static const std::vector<std::string> words = {"cpu", "cuda", "reference"};
  return words;
}

/// "auto", a name, or "check:A,B" as one or two names.
std::vector<std::string> backends_of(const std::string& value) {
  constexpr std::string_view check = "check:";
  if (value == "auto") return {"cpu"};
  std::vector<std::string> names = {value};
  if (value.starts_with(check)) {
    const std::size_t comma = value.find(',');
    if (comma != std::string::npos) names = {value.substr(check.size(), comma - check.size()), value.substr(comma + 1)};
    if (names.size() != 2 || names[0] == names[1]) {
      throw UsageError("--backend '" + value + "' does not name two backends to compare, as check:cpu,reference does");
    }
  }
  for (const std::string& name : names) {
    const std::vector<std::string>& words = backend_words();
    if (std::find(words.begin(), words.end(), name) != words.end()) continue;
    std::vector<std::string> expected = words;
    if (names.size() == 1) expected.insert(expected.end(), {"auto", "check:A,B"});
    throw UsageError("--backend: unknown backend '" + name + "'" + suggestion(name, expected));
  }
  return names;
}

void check_shared(const CommandContext& context) {
  const std::vector<std::string> names = backends_of(context.backend);
  if (context.variant) static_cast<void>(context.rules_for(*context.variant));
  const bool has_cuda = std::find(names.begin(), names.end(), "cuda") != names.end();
  const bool may_use_device = has_cuda || context.backend == "auto";
  const std::string hint = "; use --backend cuda, or leave it away";
  if (context.device && !may_use_device)
    throw UsageError("--device: the backend '" + context.backend + "' uses no CUDA device" + hint);
  if (context.device_memory_bytes != 0 && !may_use_device)
    throw UsageError("--device-memory: the backend '" + context.backend + "' uses no CUDA device" + hint);
  if (has_cuda || context.device) require_cuda_device(context.backend_options());
}

/// A word as a shell takes it, in quotes where it must be.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::optional<int> parse(CLI::App& app, CommandContext& context, int argc, char** argv) {
  app.set_help_flag("-h,--help", "this help");
  app.set_version_flag("--version", kProgram, "the version");
  app.require_subcommand(0, 1);
  if (argc > 1) refuse_unknown_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    std::cout << kProgram << '\n';
    return kExitDone;
  } catch (const CLI::Success&) {
    std::cout << app.help();
    return kExitDone;
  } catch (const CLI::ParseError& error) {
    refuse_unknown_word(app);
    for (const CLI::App* command : app.get_subcommands()) {
      for (const CLI::App* inner : command->get_subcommands()) refuse_unknown_word(*inner);
      refuse_unknown_word(*command);
      refuse_missing_command(*command);
    }
    throw UsageError(in_our_words(error));
  }
  if (!context.run) {
    std::cerr << app.help();
    return kExitUsage;
  }
  check_shared(context);
  context.command_line = "hecatomb";
  for (int i = 1; i < argc; i++) context.command_line += ' ' + shell_word(argv[i]);
  return std::nullopt;
}

}  // namespace hecatomb
