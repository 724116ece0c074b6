#include "host/cli/command.h"

#include <charconv>
#include <utility>

#include "host/cli/output.h"
#include "host/notation/nearest_word.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

constexpr std::uint64_t kMostThreads = 4096;
constexpr std::uint64_t kMostDevices = 1024;

/// An option with a text that `take` judges.
CLI::Option* add_text(CLI::App& app, const std::string& name, const std::function<void(const std::string&)>& take,
                      const std::string& help) {
  return app.add_option_function<std::string>(name, take, help);
}

std::string option_value(const std::string& name, std::string_view value) {
  const std::size_t dashes = name.find("--");  // a positional has none
  return name.substr(dashes == std::string::npos ? 0 : dashes) + " " + quoted(value);
}

void take_variant(CommandContext& context, const std::string& name) {
  const Expected<VariantId> variant = read_variant(name);
  if (!variant) throw UsageError("-v: " + variant.error().message);
  context.variant = *variant;
}

void add_rule_option(CLI::App& app, CommandContext& context, std::string_view name, const std::string& help) {
  add_text(
      app, "--" + std::string(name),
      [&context, name](const std::string& value) {
        if (const auto error = choose_rule(context.rules, name, value))
          throw UsageError("--" + std::string(name) + ": " + error->message);
      },
      help);
}

/// "--proof ''" names no file; CLI11 would take it as not given.
void refuse_empty_paths(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    if (type != "FILE" && type != "DIR") continue;
    for (const std::string& value : option->results()) {
      if (value.empty()) throw UsageError(option->get_name() + " '' is empty; name a file or leave it away");
    }
  }
}

void add_shared_options(CLI::App& app, CommandContext& context) {
  add_text(
      app, "-v,--variant", [&context](const std::string& name) { take_variant(context, name); },
      "antichess, suicide, losers, horde or chess");
  add_rule_option(app, context, kRuleOptionNames[0], "normal or restricted (suicide, losers)");
  add_rule_option(app, context, kRuleOptionNames[1], "fewer-men or stalemated-wins (suicide)");
  app.add_flag("--json", context.json, "JSON instead of text");
  add_number(app, "--threads", context.threads, 1, kMostThreads, "threads (default: all cores)");
  app.add_option("--backend", context.backend, "cpu, cuda, reference, check:A,B or auto (default)");
  add_number(app, "--device", context.device, 0, kMostDevices, "number of the CUDA device");
  add_size(app, "--device-memory", context.device_memory_bytes, "limit of its memory (default: 80 % of what is free)");
  app.add_flag("--quiet", context.quiet, "no progress");
}

}  // namespace

VariantId CommandContext::required_variant() const {
  if (!variant) throw UsageError("no variant is given; add -v antichess, suicide, losers, horde or chess");
  return *variant;
}

RuleOptions CommandContext::rules_for(VariantId id) const {
  const Expected<RuleOptions> options = rule_options_of(rules, id);
  if (!options) throw UsageError(options.error().message);
  return *options;
}

BackendOptions CommandContext::backend_options(std::uint64_t table_bytes) const {
  BackendOptions options;
  options.table_bytes = table_bytes;
  options.device = device.value_or(-1);
  options.device_memory_bytes = device_memory_bytes;
  options.on_warning = [](const std::string& text) { print_warning(text); };
  return options;
}

void CommandContext::refuse_rules(const std::string& why) const {
  if (rules.restricted_ep) throw UsageError("--ep: " + why);
  if (rules.stalemated_wins) throw UsageError("--stalemate: " + why);
}

void CommandContext::require_cpu_backend(const std::string& hint) const {
  if (backend != "auto" && backend != "cpu") throw UsageError("--backend '" + backend + "': " + hint);
}

CLI::App& add_command(CLI::App& app, CommandContext& context, const std::string& name, const std::string& description,
                      std::function<int(const CommandContext&)> run) {
  CLI::App* command = app.add_subcommand(name, description);
  command->set_help_flag("-h,--help", "this help");
  command->get_formatter()->column_width(36);
  add_shared_options(*command, context);
  command->callback([&context, command, run = std::move(run)] {
    refuse_empty_paths(*command);
    context.run = run;
  });
  return *command;
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target, std::vector<std::string> words,
                        const std::string& help) {
  std::string shown;
  for (const std::string& word : words) shown += (shown.empty() ? "" : "|") + word;
  const auto take = [&target, name, words = std::move(words)](const std::string& value) {
    for (const std::string& word : words) {
      if (value == word) {
        target = value;
        return;
      }
    }
    throw UsageError(option_value(name, value) + " is unknown" + suggestion(value, words));
  };
  return add_text(app, name, take, help)->type_name(shown);
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::uint64_t min, std::uint64_t max,
                        std::function<void(std::uint64_t)> take, const std::string& help) {
  const auto read = [name, min, max, take = std::move(take)](const std::string& value) {
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (code != std::errc{} || end != value.data() + value.size() || number < min || number > max) {
      throw UsageError(option_value(name, value) + " is no whole number from " + std::to_string(min) + " to " +
                       std::to_string(max));
    }
    take(number);
  };
  return add_text(app, name, read, help)->type_name("N");
}

CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& size_bytes, const std::string& help) {
  const auto read = [name, &size_bytes](const std::string& value) {
    const std::optional<std::uint64_t> size = parse_size(value);
    if (!size) throw UsageError(option_value(name, value) + " is no size; expected bytes such as 0, 4096, 256M or 8G");
    size_bytes = *size;
  };
  return add_text(app, name, read, help)->type_name("SIZE");
}

}  // namespace hecatomb
