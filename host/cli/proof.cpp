// hecatomb proof: check a proof file by the reference, look into it, write it as JSON lines or as a page.
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <unordered_set>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/cli/proof_walk.h"
#include "host/cli/show.h"
#include "host/error.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/proof_tables.h"
#include "host/reference/proof_check.h"
#include "host/report/si.h"
#include "host/solver/proof_file.h"
#include "host/storage/atomic_file.h"
#include "host/storage/header.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr int kMostDepth = 1000;  // of a page; the longest proofs known are a fifth of that

struct ProofOptions {
  std::string action, file, moves;
  std::optional<std::string> tables, out;
  bool deep_leaves = false, jsonl = false;
  std::optional<int> depth_plies;
};

/// What -v, --ep and --stalemate say against the file; empty if nothing.
std::string contradiction(const CommandContext& context, VariantId variant, const RuleOptions& rules) {
  if (context.variant && *context.variant != variant)
    return "the proof is of " + std::string(variant_name(variant)) + ", not of " +
           std::string(variant_name(*context.variant));
  if (context.rules.restricted_ep.value_or(rules.restricted_ep) != rules.restricted_ep)
    return "the proof has another --ep";
  if (context.rules.stalemated_wins.value_or(rules.stalemated_wins) != rules.stalemated_wins)
    return "the proof has another --stalemate";
  return {};
}

/// The tables that a proof rests on, if --tables is given; null for a proof without, and for a file that is refused
/// anyhow.
std::unique_ptr<const ProofTables> tables_of(const ProofOptions& options) {
  if (!options.tables) return nullptr;
  try {
    const ProofFile file = ProofFile::open(options.file);
    if (file.tables().empty()) return nullptr;
    return std::make_unique<const ProofTables>(
        *options.tables, TableRules{file.problem().variant, file.problem().options}, file.tables());
  } catch (const FileRefusedError&) {
    return nullptr;
  }
}

int check(const ProofOptions& options, const CommandContext& context) {
  static_cast<void>(File::open_read(options.file));  // a file that is not there is no refused proof
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<const ProofTables> tables = tables_of(options);
  reference::ProofCheck checked = reference::check_proof(
      options.file,
      {.tables = tables ? std::optional(tables->access()) : std::nullopt, .deep_leaves = options.deep_leaves});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (checked.ok) {
    const ProofFile file = ProofFile::open(options.file);
    checked.message = contradiction(context, file.problem().variant, file.problem().options);
    checked.ok = checked.message.empty();
  }
  if (context.json) {
    print_json({{"ok", checked.ok},
                {"variant", checked.variant},
                {"fen", checked.fen},
                {"for", checked.prover},
                {"positions", checked.positions},
                {"depth_plies", checked.depth_plies},
                {"leaves", checked.leaves},
                {"message", checked.message},
                {"seconds", seconds}});
  } else if (checked.ok) {
    std::cout << "sound: " << checked.prover << " wins " << checked.variant << " from " << checked.fen << ", "
              << counted(checked.positions, "position") << ", longest line " << checked.depth_plies << " plies"
              << (checked.leaves != 0 ? ", " + counted(checked.leaves, "position") + " won by tables" : "") << " ("
              << format_duration(seconds) << ")\n";
  }
  if (!checked.ok) print_error(options.file + ": refused: " + checked.message);
  return checked.ok ? kExitDone : kExitRefused;
}

/// The file for whoever looks into it; nothing if it is refused, which is said.
std::optional<ProofFile> open_proof(const ProofOptions& options, const CommandContext& context) {
  try {
    ProofFile file = ProofFile::open(options.file);
    const std::string why = contradiction(context, file.problem().variant, file.problem().options);
    if (why.empty()) return file;
    print_error(options.file + ": refused: " + why);
  } catch (const FileRefusedError& error) {
    print_error(error.what());
  }
  return std::nullopt;
}

int show(const ProofOptions& options, const CommandContext& context) {
  const std::optional<ProofFile> file = open_proof(options, context);
  if (!file) return kExitRefused;
  const ProofProblem& problem = file->problem();
  Game game(problem.root, problem.variant, problem.options);
  if (const auto error = game.play_all(moves_of(options.moves))) {
    if (context.json) print_json({{"error", json_of(*error)}});
    if (!context.json) print_error("--moves, ply " + std::to_string(error->ply) + ": " + error->message);
    return kExitRefused;
  }
  const Position& p = game.position();
  const ProofPlace place = place_in(*file, p);
  Json replies = Json::array();
  bool is_answered = true;  // whether the proof knows what follows on every reply
  for (const Move m : moves_in(*file, place)) {
    const Position next = position_after(*file, p, m);
    const std::optional<ProofEntry> entry = file->find(next);
    is_answered &= entry || is_won_in(*file, next);
    replies.push_back({{"uci", uci_of(m)},
                       {"san", san_of(p, m, problem.variant, problem.options)},
                       {"rank", entry                     ? Json(entry->rank)
                                : is_over_in(*file, next) ? Json(0)
                                                          : Json()}});
  }
  const bool is_in_proof =
      place.entry || is_won_in(*file, p) || (p.side != problem.prover && !replies.empty() && is_answered);
  if (context.json) {
    print_json({{"variant", variant_name(problem.variant)},
                {"for", side_name(problem.prover)},
                {"root", fen_of(problem.root)},
                {"positions", file->positions()},
                {"depth_plies", file->depth_plies()},
                {"fen", fen_of(p)},
                {"in_proof", is_in_proof},
                {"rank", place.entry ? Json(place.entry->rank) : Json()},
                {"moves", replies}});
  } else {
    std::cout << side_name(problem.prover) << " wins " << variant_name(problem.variant) << " from "
              << fen_of(problem.root) << ": " << counted(file->positions(), "position") << ", "
              << counted(file->entries(), "move") << ", longest line " << file->depth_plies() << " plies\n"
              << fen_of(p) << '\n';
    if (place.entry)
      std::cout << (place.entry->move == kTableLeaf
                        ? "won by an endgame table"
                        : "at most " + std::to_string(place.entry->rank) + " plies to the end")
                << '\n';
    for (const Json& reply : replies) {
      std::cout << "  " << reply["san"].get<std::string>() << " (" << reply["uci"].get<std::string>() << ")\n";
    }
  }
  if (!is_in_proof) print_warning("the position is not in the proof");
  return is_in_proof ? kExitDone : kExitRefused;
}

/// Writes text to a file or stdout, whole or not at all.
class Output {
 public:
  explicit Output(const std::optional<std::string>& path) {
    if (path && *path != "-") file_.emplace(*path);
  }
  void write(const std::string& text) {
    if (file_) {
      file_->write(text);
    } else {
      std::cout << text;
    }
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

/// A line for the question, then one for every position that has a move.
int export_jsonl(const ProofOptions& options, const CommandContext& context) {
  const std::optional<ProofFile> file = open_proof(options, context);
  if (!file) return kExitRefused;
  const ProofProblem& problem = file->problem();
  Output out(options.out);
  out.write(json_text({{"variant", variant_name(problem.variant)},
                       {"fen", fen_of(problem.root)},
                       {"for", side_name(problem.prover)},
                       {"options", json_of(problem.options, problem.variant)},
                       {"entries", file->entries()}}) +
            "\n");
  std::unordered_set<Key, PositionKeyHash> seen{hash_of(problem.root)};
  std::vector<Position> open{problem.root};
  while (!open.empty() && !stop_requested()) {
    const Position p = open.back();
    open.pop_back();
    const ProofPlace place = place_in(*file, p);
    if (place.entry) {
      Json line = {{"fen", fen_of(p)}, {"rank", place.entry->rank}};
      line[place.move ? "move" : "table"] = place.move ? Json(uci_of(*place.move)) : Json(true);
      out.write(json_text(line) + "\n");
    }
    for (const Move m : moves_in(*file, place)) {
      const Position next = position_after(*file, p, m);
      if (!is_over_in(*file, next) && seen.insert(hash_of(next)).second) open.push_back(next);
    }
  }
  if (!stop_requested()) out.commit();
  return kExitDone;
}

int html(const ProofOptions& options, const CommandContext& context) {
  const std::optional<ProofFile> file = open_proof(options, context);
  if (!file) return kExitRefused;
  Output out(options.out);
  if (write_proof_page(*file, options.depth_plies.value_or(kMostDepth),
                       [&out](const std::string& text) { out.write(text); }))
    out.commit();
  return kExitDone;
}

int proof(const ProofOptions& options, const CommandContext& context) {
  if (options.action != "check" && (options.deep_leaves || options.tables))
    throw UsageError("--tables and --deep-leaves are for proof check");
  if (options.action != "show" && !options.moves.empty()) throw UsageError("--moves is for proof show");
  if (options.action != "export" && options.jsonl) throw UsageError("--jsonl is for proof export");
  if (options.action != "html" && options.depth_plies) throw UsageError("--depth is for proof html");
  if ((options.action == "check" || options.action == "show") && options.out)
    throw UsageError("-o is for proof export and proof html");
  if (options.out) refuse_output_over("-o", *options.out, options.file);
  if (options.action == "check") {
    if (context.backend != "auto" && context.backend != "reference")
      throw UsageError("--backend '" + context.backend + "': proofs are checked by the reference; leave it away");
    return check(options, context);
  }
  context.require_cpu_backend("only 'proof check' asks the reference");
  if (options.action == "show") return show(options, context);
  if (options.action == "html") return html(options, context);
  if (!options.jsonl) throw UsageError("proof export needs a format: --jsonl");
  return export_jsonl(options, context);
}

}  // namespace

void add_proof(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<ProofOptions>();
  CLI::App& command = add_command(app, context, "proof", "check, show or export a proof that solve has written",
                                  [options](const CommandContext& c) { return proof(*options, c); });
  add_choice(command, "ACTION", options->action, {"check", "show", "export", "html"},
             "check (by the reference), show, export or html")
      ->required();
  command.add_option("FILE", options->file, "the proof")->required();
  command.add_option("--moves", options->moves, "show: moves to play first, UCI or SAN");
  command.add_flag("--jsonl", options->jsonl,
                   "export: a line {\"fen\",\"move\",\"rank\"} for every position with a move");
  command.add_option("-o,--out", options->out, "export, html: the file to write (default: stdout)")->type_name("FILE");
  add_number(command, "--depth", options->depth_plies, 1, kMostDepth, "html: plies to show (default: all)");
  command.add_option("--tables", options->tables, "check: directory of the endgame tables that the proof rests on")
      ->type_name("DIR");
  command.add_flag("--deep-leaves", options->deep_leaves, "check: solve every table leaf again");
}

}  // namespace hecatomb
