// hecatomb table report: what tables hold, as a page for people.
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include "host/cli/output.h"
#include "host/cli/table.h"
#include "host/cli/table_page.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/variant_name.h"
#include "host/report/progress.h"
#include "host/report/si.h"
#include "host/storage/atomic_file.h"
#include "host/tables/probe.h"

namespace hecatomb {

namespace {

struct ReportOptions {
  TableSelection selection;
  std::string unit = "orbits", html;
};

std::string options_in_words(const TableRules& rules) {
  if (rules.variant != VariantId::suicide) return {};
  return std::string(rules.options.restricted_ep ? "ep restricted" : "ep normal") + ", " +
         (rules.options.stalemated_wins ? "stalemated wins" : "stalemate: fewer men win");
}

/// Best play to the end, in SAN with numbers; empty where a smaller table is missing.
std::string best_line(const Position& start, const TableRules& rules, TableProber& prober) {
  const auto line = prober.line(start);
  std::string text;
  Position p = start;
  for (const Move move : line.value_or(std::vector<Move>{})) {
    if (p.side == kWhite || text.empty())
      text += (text.empty() ? "" : " ") + std::to_string(p.fullmove) + (p.side == kWhite ? "." : "...");
    text += " " + san_of(p, move, rules.variant, rules.options);
    p = after_move(p, move, rules.variant, rules.options);
  }
  return text;
}

PageClass read_class(const Material& material, const TableStore& store, TableProber& prober) {
  const auto file = store.open(material);
  PageClass one{
      .material = material, .layout = file->layout(), .counts = file->counts(), .file_bytes = file->size_bytes()};
  for (const Color side : {kWhite, kBlack}) {
    const auto cell = one.counts[side].longest_win_cell;
    if (!cell) continue;
    const Position p = position_of_cell(one.layout, side, *cell);
    one.sides[side] = {fen_of(p), best_line(p, store.rules(), prober)};
  }
  return one;
}

int report(const ReportOptions& options, const CommandContext& context) {
  const TableRules rules = table_rules(context);
  context.require_cpu_backend("report reads what is stored");
  if (options.html == "-") throw UsageError("--html - would mix the page with the summary; name a file");
  const auto [materials, are_all_there] = selected_tables(options.selection, rules);
  for (const Material& material : materials) {
    for (const Metric metric : {Metric::dtw, Metric::wdl})
      refuse_output_over("--html", options.html, table_path(options.selection.directory, material, metric));
  }
  TableStore store(options.selection.directory, rules, kTableRoomBytes);
  TableProber prober(store);
  TablePage page{.variant = std::string(variant_name(rules.variant)),
                 .options = options_in_words(rules),
                 .unit = count_unit_named(options.unit)};
  Progress progress({"report", "tables", materials.size(), 0}, ProgressOutput::standard_error(context.quiet));
  std::set<std::string> told;  // what several classes need is told once
  const auto refuse = [&](const Material& material, const EnvironmentError& error) {
    const bool is_its_own = error.path() == table_path(options.selection.directory, material, Metric::dtw);
    page.refused.push_back({material.name(), (is_its_own ? "" : error.path() + ": ") + error.reason()});
    if (told.insert(error.what()).second) progress.message(std::string("hecatomb: error: ") + error.what());
  };
  for (const Material& material : materials) {
    if (stop_requested()) break;
    try {
      page.classes.push_back(read_class(material, store, prober));
    } catch (const FileRefusedError& error) {
      if (error.refusal() != Refusal::kDamaged) throw;
      refuse(material, error);
    } catch (const MissingTableError& error) {
      refuse(material, error);
    }
    progress.advance();
  }
  progress.finish();
  const bool stopped = stop_requested();
  const std::string html = html_of(page);
  if (!stopped) write_atomically(options.html, html);
  if (context.json) {
    print_json({{"variant", page.variant},
                {"tables", page.classes.size()},
                {"refused", page.refused.size()},
                {"html", stopped ? Json() : Json(options.html)},
                {"bytes", html.size()},
                {"stopped", stopped}});
  } else if (!stopped) {
    std::cout << options.html << ": " << counted(page.classes.size(), "table") << ", " << format_size(html.size())
              << '\n';
  }
  if (stopped) print_warning("stopped; nothing was written");
  return page.refused.empty() && are_all_there ? kExitDone : kExitRefused;
}

}  // namespace

void add_table_report(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App& command = add_command(app, context, "report", "what tables hold, as a page for people",
                                  [options](const CommandContext& c) { return report(*options, c); });
  add_selection(command, options->selection, "these classes (default: all that are there)");
  command.add_option("--html", options->html, "the page to write: one file, no network needed")
      ->type_name("FILE")
      ->required();
  add_count_unit(command, options->unit);
}

}  // namespace hecatomb
