// What a drill found, for machines and for people.
#include "host/cli/perft.h"

namespace hecatomb {

namespace {

std::string_view status_text(DrillReport::Status status) {
  switch (status) {
    case DrillReport::Status::agrees:
      return "agrees";
    case DrillReport::Status::differs:
      return "differs";
    case DrillReport::Status::inconsistent:
      return "inconsistent";
    case DrillReport::Status::uncounted:
      return "uncounted";
    case DrillReport::Status::stopped:
      break;
  }
  return "stopped";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "none" : text;
}

}  // namespace

Json json_of(const DrillReport& report) {
  Json levels = Json::array();
  for (const DrillReport::Level& level : report.levels) {
    levels.push_back({{"depth", level.depth_plies}, {"ours", decimal(level.ours)}, {"engine", decimal(level.engines)}});
  }
  return {{"agrees", report.agrees()},     {"status", status_text(report.status)},
          {"path", report.path},           {"fen", report.fen},
          {"only_ours", report.only_ours}, {"only_engine", report.only_engines},
          {"levels", std::move(levels)},   {"note", report.note}};
}

std::string text_of(const DrillReport& report, VariantId variant, const RuleOptions& rules) {
  if (report.agrees()) return "the engine agrees: " + decimal(report.levels.front().ours) + " leaves\n";
  std::string text;
  for (const DrillReport::Level& level : report.levels) {
    text += "depth " + std::to_string(level.depth_plies) + ": ours " + decimal(level.ours) + ", the engine's " +
            decimal(level.engines) + '\n';
  }
  if (report.status == DrillReport::Status::stopped) {
    return text + "stopped before the drill was finished; nothing is found out about " + report.fen + '\n';
  }
  text += "after: " + joined(report.path) + "\nposition: " + report.fen + '\n';
  if (report.status == DrillReport::Status::differs) {
    text += "moves only of ours: " + joined(report.only_ours) +
            "\nmoves only of the engine's: " + joined(report.only_engines) +
            "\nto reproduce: " + perft_command(variant, rules, report.fen, 1) + '\n' +
            (report.note.empty() ? "" : report.note + '\n');
  } else {
    text += std::string(status_text(report.status)) + (report.note.empty() ? "" : ": " + report.note) + '\n';
  }
  return text;
}

}  // namespace hecatomb
