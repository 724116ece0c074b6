// hecatomb table probe: values of positions and of their moves.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "host/cli/output.h"
#include "host/cli/table.h"
#include "host/error.h"
#include "host/notation/fen.h"
#include "host/notation/lines.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "host/report/progress.h"
#include "host/tables/probe.h"
#include "host/work.h"

namespace hecatomb {

namespace {

struct ProbeOptions {
  std::string directory;
  std::optional<std::string> fen, file;
  bool line = false;
};

constexpr std::size_t kMostInBatch = 4096;  // of a file; whoever writes into a pipe gets each answer at once

/// A question: a text, or what is wrong with it.
struct Asked {
  std::string text, place;
  std::optional<Error> error;
  std::optional<Position> position;
};

/// A position with what the tables say of it.
struct Probed {
  std::string fen;
  TableValue value = kDraw;
  std::vector<ProbedMove> moves = {};
  std::vector<Move> line = {};
};

/// Whether all of it is there already.
bool is_regular_file(const std::string& path) {
  struct stat status = {};
  return (path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) == 0 && S_ISREG(status.st_mode);
}

Json dtw_of(TableValue v) { return v == kDraw ? Json(nullptr) : Json(plies_of(v)); }

Json json_of(const Probed& probed, bool with_line) {
  Json moves = Json::array();
  for (const ProbedMove& move : probed.moves) {
    moves.push_back(
        {{"uci", uci_of(move.move)}, {"wdl", -outcome_of_value(move.value_after)}, {"dtw", dtw_of(move.value_after)}});
  }
  Json json = {{"fen", probed.fen},
               {"wdl", outcome_of_value(probed.value)},
               {"dtw", dtw_of(probed.value)},
               {"moves", std::move(moves)}};
  if (with_line) {
    json["line"] = Json::array();
    for (const Move move : probed.line) json["line"].push_back(uci_of(move));
  }
  return json;
}

std::string text_of(TableValue v) {
  if (v == kDraw) return "draw";
  return (v > 0 ? "win in " : "loss in ") + std::to_string(plies_of(v));
}

/// Of a move, for the side that makes it; the plies are those of the position after it, as in JSON.
std::string text_after(TableValue v) {
  if (v == kDraw) return "draw";
  const std::string word = v > 0 ? "loss" : "win";
  const int plies = plies_of(v);
  return plies == 0 ? word + " at once"
                    : word + ", " + std::to_string(plies) + (plies == 1 ? " ply more" : " plies more");
}

std::string text_of(const Probed& probed, bool with_line) {
  std::string text = probed.fen + ": " + text_of(probed.value) + '\n';
  for (const ProbedMove& move : probed.moves)
    text += "  " + uci_of(move.move) + ": " + text_after(move.value_after) + '\n';
  if (!with_line) return text;
  text += "  best play:";
  for (const Move move : probed.line) text += " " + uci_of(move);
  return text + (probed.line.empty() ? " none\n" : "\n");
}

class ProbeCommand {
 public:
  ProbeCommand(const ProbeOptions& options, const CommandContext& context)
      : options_(options),
        context_(context),
        rules_(table_rules(context)),
        store_(options.directory, rules_, kTableRoomBytes),
        prober_(store_) {}

  int one(const std::string& fen) { return answer_all({read(fen, "")}) ? kExitDone : kExitRefused; }

  int many(const std::string& path) {
    LineSource lines = LineSource::open(path, LineSource::kDefaultLimit, Waiting{stop_descriptor()});
    const std::size_t most = is_regular_file(path) ? kMostInBatch : 1;
    bool all = true;
    goes_on_ = true;
    std::vector<Asked> batch;
    Progress progress({"probe", "positions", 0, 0}, ProgressOutput::standard_error(context_.quiet));
    for (;;) {
      const auto next = lines.next();
      if (!next) break;
      const auto& line = *next;
      const std::string place = lines.name() + ":" + std::to_string(line.number);
      if (line.error) {
        batch.push_back({"", place, *line.error, std::nullopt});
      } else if (!is_blank_line(line.text) && !line.text.starts_with('#')) {
        batch.push_back(read(std::string(line.text), place));
      }
      if (batch.size() >= most) {
        all = answer_all(batch) && all;
        progress.advance(batch.size());
        batch.clear();
      }
      if (stop_requested()) break;
    }
    if (!batch.empty()) all = answer_all(batch) && all;
    return all ? kExitDone : kExitRefused;
  }

 private:
  static bool is_blank_line(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

  void refuse(const std::string& text, const Error& error, const std::string& place) {
    if (context_.json) {
      Json json = {{"error", json_of(error)}};
      if (!place.empty()) json["place"] = place;
      print_json(json);
    } else if (place.empty()) {
      print_error_in(text, error);
    } else {
      print_error(place + ": " + error.message);
    }
  }

  void refuse_missing(const std::string& fen, const std::string& place) {
    const std::string message = "not covered: " + missing_;
    if (context_.json) {
      Json json = {{"error", {{"kind", "not-covered"}, {"fen", fen}, {"message", message}}}};
      if (!place.empty()) json["place"] = place;
      print_json(json);
    } else {
      print_error((place.empty() ? "" : place + ": ") + fen + ": " + message);
    }
  }

  Asked read(const std::string& text, const std::string& place) const {
    const auto reading = read_fen(text, rules_.variant, rules_.options);
    if (!reading) return {text, place, reading.error(), std::nullopt};
    for (const Warning& warning : reading->warnings)
      print_warning((place.empty() ? "" : place + ": ") + warning.message);
    return {text, place, std::nullopt, reading->position};
  }

  /// What is known of positions; of each alone where a damaged table would end a batch.
  std::vector<std::optional<ProbedPosition>> probe_all(const std::vector<Position>& positions) {
    try {
      return prober_.positions(positions);
    } catch (const FileRefusedError& error) {
      if (error.refusal() != Refusal::kDamaged || !goes_on_) throw;
    }
    std::vector<std::optional<ProbedPosition>> probed;
    probed.reserve(positions.size());
    for (const Position& p : positions) probed.push_back(probe_alone(p));
    return probed;
  }

  /// What `ask` finds; where it finds nothing, missing_ says why.
  template <class Ask>
  auto ask_alone(Ask&& ask) -> decltype(ask()) {
    missing_.clear();
    try {
      auto found = ask();
      if (!found) missing_ = prober_.missing();
      return found;
    } catch (const FileRefusedError& error) {
      if (error.refusal() != Refusal::kDamaged || !goes_on_) throw;
      missing_ = error.what();
      return std::nullopt;
    }
  }
  std::optional<ProbedPosition> probe_alone(const Position& p) {
    return ask_alone([&] { return prober_.positions(std::span(&p, 1)).front(); });
  }
  std::optional<std::vector<Move>> line_of(const Position& p) {
    return ask_alone([&] { return prober_.line(p); });
  }

  /// In their order; false if one was refused.
  bool answer_all(const std::vector<Asked>& batch) {
    std::vector<Position> positions;
    for (const Asked& asked : batch) {
      if (asked.position) positions.push_back(*asked.position);
    }
    std::vector<std::optional<ProbedPosition>> probed = probe_all(positions);
    bool all = true;
    std::size_t at = 0;
    for (const Asked& asked : batch) {
      if (asked.position) {
        all = answer(*asked.position, asked.place, probed[at++]) && all;
      } else if (asked.error) {
        refuse(asked.text, *asked.error, asked.place);
        all = false;
      }
    }
    if (!batch.front().place.empty()) flush_output();
    return all;
  }

  bool answer(const Position& position, const std::string& place, std::optional<ProbedPosition>& found) {
    Probed probed{.fen = fen_of(position)};
    const auto line = found && options_.line ? line_of(position) : std::vector<Move>();
    if (!found || !line) {
      if (!found) static_cast<void>(probe_alone(position));  // once more: says what is missing
      refuse_missing(probed.fen, place);
      return false;
    }
    probed.value = found->value;
    probed.moves = std::move(found->moves);
    probed.line = *line;
    if (context_.json) {
      print_json(json_of(probed, options_.line));
    } else {
      std::cout << text_of(probed, options_.line);
    }
    return true;
  }

  const ProbeOptions& options_;
  const CommandContext& context_;
  TableRules rules_;
  TableStore store_;
  TableProber prober_;
  bool goes_on_ = false;  // after a damaged table, with the next position
  std::string missing_;   // why the last position asked alone is not covered
};

int probe(const ProbeOptions& options, const CommandContext& context) {
  context.require_cpu_backend("probing reads tables, whoever made them");
  if (options.fen.has_value() == options.file.has_value())
    throw UsageError("which position? Give --fen FEN, or a FILE of FENs ('-' for stdin)");
  if (!std::filesystem::is_directory(options.directory))
    throw NoTablesError(options.directory, table_rules(context), "tables", Metric::dtw);
  ProbeCommand command(options, context);
  return options.fen ? command.one(*options.fen) : command.many(*options.file);
}

}  // namespace

void add_table_probe(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App& command = add_command(app, context, "probe", "the value of a position and of its moves",
                                  [options](const CommandContext& c) { return probe(*options, c); });
  command.add_option("--dir", options->directory, "the directory of the set")->type_name("DIR")->required();
  command.add_option("--fen", options->fen, "the position");
  command.add_option("FILE", options->file, "FENs, one a line; '-' for stdin");
  command.add_flag("--line", options->line, "also best play to the end");
}

}  // namespace hecatomb
