// hecatomb solve --openings: many questions, a line each as they are answered.
//
// Without --for both sides are asked about. They share the budget in four parts: a short look for each, for most wins
// are near, then a long one for each.
#include <iomanip>
#include <iostream>

#include "host/books/book.h"
#include "host/cli/book_reports.h"
#include "host/cli/solve.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

constexpr double kDefaultSeconds = 10;             // an opening, where neither --time nor --nodes is given
constexpr unsigned kShortLook = 8, kLongLook = 3;  // shares of the budget: 1/8 and 3/8

struct Opening {
  std::string name;
  ProofProblem problem;  // but for the prover
};

/// What has been found about a win of one side.
struct SideAnswer {
  SolveStatus status = SolveStatus::unknown;
  ProofNumbers numbers;
};

/// What has been found about an opening.
struct Answer {
  std::optional<SideAnswer> sides[2];  // by prover; of those that were asked about
  SolveStatus status = SolveStatus::unknown;
  SolveReport report;  // of the last search
  SolveRequest request;
  std::uint64_t expansions = 0;
  double seconds = 0;
};

class Openings {
 public:
  Openings(const SolveOptions& options, const CommandContext& context) : options_(options), context_(context) {}

  int run() {
    if (!read()) return kExitRefused;
    for (const Opening& opening : openings_) {
      if (stop_requested()) break;
      print(opening, answer(opening));
      flush_output();
      answered_++;
    }
    if (stop_requested()) {
      print_warning("stopped with " + std::to_string(answered_) + " of " + counted(openings_.size(), "opening") +
                    " answered");
    }
    return is_refused_ ? kExitRefused : kExitDone;
  }

 private:
  bool read() {
    if (!read_openings()) return false;
    if (!options_.tables) return true;
    for (Opening& opening : openings_) opening.problem.endings = tables_of(opening.problem).endings();
    return true;
  }

  /// Those of --tables for the rules of a question.
  const ProofTables& tables_of(const ProofProblem& problem) {
    for (const auto& [rules, tables] : tables_) {
      if (rules == TableRules{problem.variant, problem.options}) return *tables;
    }
    const TableRules rules{problem.variant, problem.options};
    return *tables_.emplace_back(rules, open_tables(options_, rules)).second;
  }

  bool read_openings() {
    if (options_.openings != "all") return read_file();
    const std::optional<Game> game = game_of(options_, context_);
    if (!game) return false;
    MoveList legal;
    list_legal(game->position(), game->variant(), legal);
    for (const Move m : legal) {
      ProofProblem problem{.variant = game->variant(), .options = game->options()};
      problem.root = after_move(game->position(), m, game->variant(), game->options());
      openings_.push_back({san_of(game->position(), m, game->variant(), game->options()), problem});
    }
    return true;
  }

  bool read_file() {
    const std::string path = options_.openings.value_or("");
    Book book = Book::open(path, {context_.variant, context_.rules});
    BookReports reports([](std::string_view line) { std::cerr << line << '\n'; });
    BookItem item;
    while (book.next(item) && !stop_requested()) {
      const BookEntry entry = read_item(std::move(item));
      reports.add(entry, path);
      is_refused_ |= !entry.errors.empty();
      if (!entry.is_usable) continue;
      if (entry.variant == VariantId::chess) {
        print_error(path + ":" + std::to_string(entry.line) + ": chess has no solve");
        is_refused_ = true;
        continue;
      }
      ProofProblem problem{.variant = entry.variant, .options = entry.options};
      problem.root = entry.final;
      openings_.push_back({entry.name.empty() ? "line " + std::to_string(entry.line) : entry.name, problem});
    }
    reports.end_file(path);
    return true;
  }

  void look(const Opening& opening, Color prover, unsigned parts, Answer& answer) const {
    const bool is_limited = options_.seconds || options_.nodes;
    const double share = parts == 0 ? 1 : parts / static_cast<double>(kShortLook);
    std::optional<double> seconds = options_.seconds;
    if (!is_limited) seconds = kDefaultSeconds;
    if (seconds) *seconds *= share;
    answer.request = request_of(options_, context_, seconds);
    if (options_.nodes) {
      answer.request.most_expansions =
          std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(*options_.nodes) * share));
    }
    answer.request.problem = opening.problem;
    answer.request.problem.prover = prover;
    const SolveReport& report = answer.report = solve(answer.request);
    answer.expansions += report.expansions;
    answer.seconds += report.seconds;
    answer.status = report.status;
    answer.sides[prover] = {report.status, report.numbers};
  }

  Answer answer(const Opening& opening) const {
    Answer found;
    const Color mover = opening.problem.root.us();
    if (!options_.prover.empty()) {
      look(opening, prover_of(options_, opening.problem.root), 0, found);
      return found;
    }
    bool is_disproved[2] = {false, false};
    for (const unsigned parts : {1U, kLongLook}) {
      for (const Color prover : {mover, other(mover)}) {
        if (is_disproved[prover]) continue;
        look(opening, prover, parts, found);
        if (found.status == SolveStatus::proved || stop_requested()) return found;
        is_disproved[prover] = found.status == SolveStatus::disproved;
      }
    }
    const bool is_drawn = is_disproved[0] && is_disproved[1];
    found.status = is_drawn ? SolveStatus::disproved : SolveStatus::unknown;
    return found;
  }

  static Json json_of_sides(const Answer& answer) {
    Json sides = Json::array();
    for (const Color prover : {kWhite, kBlack}) {
      const auto& side = answer.sides[prover];
      if (!side) continue;
      sides.push_back({{"for", side_name(prover)},
                       {"status", status_name(side->status)},
                       {"pn", number_text(side->numbers.pn)},
                       {"dn", number_text(side->numbers.dn)}});
    }
    return sides;
  }

  void print(const Opening& opening, const Answer& answer) const {
    const bool is_won = answer.status == SolveStatus::proved;
    const bool is_asked = !options_.prover.empty();
    if (context_.json) {
      Json out = {{"opening", opening.name}};
      out.update(json_of(answer.report, answer.request, std::nullopt));
      out["status"] = status_name(answer.status);
      if (!is_asked && !is_won) {
        out["for"] = "both";
        out["pn"] = out["dn"] = Json();  // those of each side are in "sides"
      }
      if (!is_asked) out["sides"] = json_of_sides(answer);
      out["expansions"] = std::to_string(answer.expansions);
      out["seconds"] = answer.seconds;
      print_json(out);
      return;
    }
    std::string verdict(status_name(answer.status));
    if (is_won) verdict = std::string(name_of(answer.request.problem.prover)) + " wins";
    if (answer.status == SolveStatus::disproved) verdict = is_asked ? "no win" : "drawn";
    std::cout << std::left << std::setw(24) << opening.name << ' ' << std::setw(12) << verdict << std::right
              << std::setw(12) << format_count(answer.expansions) << std::setw(10) << format_duration(answer.seconds);
    if (is_won) {
      std::cout << "  " << counted(answer.report.proof.positions, "position") << ", " << answer.report.proof.depth_plies
                << " plies";
    }
    std::cout << std::endl;
  }

  const SolveOptions& options_;
  const CommandContext& context_;
  std::vector<std::pair<TableRules, std::unique_ptr<const ProofTables>>> tables_;
  std::vector<Opening> openings_;
  std::uint64_t answered_ = 0;
  bool is_refused_ = false;
};

}  // namespace

int solve_openings(const SolveOptions& options, const CommandContext& context) {
  return Openings(options, context).run();
}

}  // namespace hecatomb
