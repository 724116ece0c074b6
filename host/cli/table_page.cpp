#include "host/cli/table_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/report/html.h"
#include "host/report/si.h"

namespace hecatomb {

namespace {

/// What the pictures here need besides the page's own style.
constexpr std::string_view kStyle = R"(<style>
.win{fill:#2a7d3f}.draw{fill:#b9b9b9}.loss{fill:#b03a2e}.axis{stroke:#888}svg .win,svg .draw,svg .loss{stroke:none}
.side{display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start;margin:.6em 0}.side>div{min-width:20em;flex:1}
svg.board text{font:9.5px serif;fill:#000}
</style>
)";

/// The empty board, drawn once and used by every diagram.
constexpr std::string_view kBoardSymbol = R"svg(<svg width="0" height="0" style="position:absolute"><defs>
<pattern id="squares" width="20" height="20" patternUnits="userSpaceOnUse"><path fill="#f0e4cc" d="M0 0h20v20H0z"/>
<path fill="#c9a77c" d="M10 0h10v10H10zM0 10h10v10H0z"/></pattern><symbol id="board" viewBox="0 0 80 80">
<path fill="url(#squares)" stroke="#555" stroke-width=".5" d="M0 0h80v80H0z"/></symbol></defs></svg>
)svg";

std::string fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// 1234567 as "1 234 567", with narrow blanks.
std::string grouped(u64 number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, "\u202f");
  return text;
}

double share(u64 part, u64 whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The longest win (1) or loss (-1), in plies; -1 if there is none.
int longest_plies(const SideCounts& side, int outcome) {
  int longest = -1;
  for (const auto& entry : side.by_value) {
    if (outcome_of_value(entry.first) == outcome) longest = std::max(longest, plies_of(entry.first));
  }
  return longest;
}

double bits_of(const PageClass& one) {
  const u64 positions = one.counts[0].positions(CountUnit::merged) + one.counts[1].positions(CountUnit::merged);
  return positions == 0 ? 0 : 8.0 * static_cast<double>(one.file_bytes) / static_cast<double>(positions);
}

const char* side_name(Color side) { return side == kWhite ? "White" : "Black"; }

/// Who wins, as a bar of three colours.
std::string outcome_bar(u64 wins, u64 draws, u64 losses) {
  const u64 all = wins + draws + losses;
  std::string svg = "<svg width=\"300\" height=\"14\" role=\"img\"><title>" + fixed(share(wins, all), 2) + " % won, " +
                    fixed(share(draws, all), 2) + " % drawn, " + fixed(share(losses, all), 2) + " % lost</title>";
  double x = 0;
  for (const auto& [count, name] : {std::pair{wins, "win"}, {draws, "draw"}, {losses, "loss"}}) {
    const double width = 3 * share(count, all);
    svg += "<rect class=\"" + std::string(name) + "\" x=\"" + fixed(x, 1) + "\" width=\"" + fixed(width, 1) +
           "\" height=\"14\"/>";
    x += width;
  }
  return svg + "</svg>";
}

/// How long wins (upwards) and losses (downwards) are; heights by the logarithm, so that rare lengths are seen.
std::string histogram(const SideCounts& side, CountUnit unit) {
  const auto in_unit = static_cast<std::size_t>(unit);
  constexpr double half = 50;
  u64 most = 1;
  int plies = 1;
  for (const auto& [value, counts] : side.by_value) {
    if (value == kDraw) continue;
    most = std::max(most, counts[in_unit]);
    plies = std::max(plies, plies_of(value));
  }
  const double step = std::clamp(360.0 / (plies + 1), 1.5, 12.0);
  std::string bars[2];
  for (const auto& [value, counts] : side.by_value) {
    if (value == kDraw || counts[in_unit] == 0) continue;
    const double height =
        half * std::log2(1.0 + static_cast<double>(counts[in_unit])) / std::log2(1.0 + static_cast<double>(most));
    bars[value > 0 ? 0 : 1] += "M" + fixed(plies_of(value) * step, 1) + " " + fixed(half, 0) + "h" +
                               fixed(step * 0.8, 1) + "v" + fixed(value > 0 ? -height : height, 1) + "h" +
                               fixed(-step * 0.8, 1) + "z";
  }
  const double width = (plies + 1) * step;
  std::string svg =
      "<svg width=\"" + fixed(width + 30, 0) + "\" height=\"" + fixed(2 * half + 24, 0) +
      "\" role=\"img\"><title>positions by plies to the end: won upwards, lost downwards, logarithmic; the "
      "highest bar is " +
      std::to_string(most) + "</title><g transform=\"translate(4 4)\"><path class=\"win\" d=\"" + bars[0] +
      "\"/><path class=\"loss\" d=\"" + bars[1] + "\"/><path class=\"axis\" d=\"M0 " + fixed(half, 0) + "h" +
      fixed(width, 1) + "\"/>";
  for (int tick = 0, every = plies > 60 ? 20 : (plies > 20 ? 10 : 5); tick <= plies; tick += every) {
    svg += "<text x=\"" + fixed(tick * step, 1) + "\" y=\"" + fixed(2 * half + 14, 0) + "\">" + std::to_string(tick) +
           "</text>";
  }
  return svg + "</g></svg>";
}

/// A diagram of the board field of a FEN.
std::string board_of(const std::string& fen) {
  constexpr std::string_view letters = "KQRBNPkqrbnp";
  std::string svg = "<svg class=\"board\" width=\"160\" height=\"160\" viewBox=\"0 0 80 80\" role=\"img\"><title>" +
                    fen + "</title><use href=\"#board\"/>";
  int file = 0, rank = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') {
      file = 0;
      rank++;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      svg += "<text x=\"" + std::to_string(10 * file) + "\" y=\"" + std::to_string(10 * rank + 8) + "\">&#" +
             std::to_string(9812 + letters.find(c)) + ";</text>";
      file++;
    }
  }
  return svg + "</svg>";
}

void add_row(HtmlTable& table, const PageClass& one, Color side, CountUnit unit) {
  const SideCounts& counts = one.counts[side];
  const std::string name = one.material.name();
  const u64 all = counts.positions(unit);
  const auto number = [&](u64 n) { table.number(grouped(n), static_cast<double>(n)); };
  const auto percent = [&](u64 part) { table.number(fixed(share(part, all), 2), share(part, all)); };
  const auto plies = [&](int n) { table.number(n < 0 ? "&ndash;" : std::to_string(n), n); };
  table.row();
  table.cell("<a href=\"#" + name + "\">" + name + "</a>");
  table.cell(side_name(side));
  number(static_cast<u64>(one.material.men));
  number(all);
  percent(counts.capture_positions[static_cast<std::size_t>(unit)]);
  for (const int outcome : {1, 0, -1}) {
    number(counts.total(unit, outcome));
    percent(counts.total(unit, outcome));
  }
  plies(longest_plies(counts, 1));
  plies(longest_plies(counts, -1));
  number(one.file_bytes);
  table.number(fixed(bits_of(one), 3), bits_of(one));
}

std::string section_of(const PageClass& one, CountUnit unit) {
  const std::string name = one.material.name();
  std::string text = "<details id=\"" + name + "\"" + (one.material.men == 2 ? " open" : "") + "><summary><b>" + name +
                     "</b>, " + format_size(one.file_bytes) + ", " + fixed(bits_of(one), 3) +
                     " bits a position</summary>\n";
  for (const Color side : {kWhite, kBlack}) {
    const SideCounts& counts = one.counts[side];
    const u64 wins = counts.total(unit, 1), draws = counts.total(unit, 0), losses = counts.total(unit, -1);
    text += "<div class=\"side\"><div><b>" + std::string(side_name(side)) + " to move</b>: " + grouped(wins) +
            " won, " + grouped(draws) + " drawn, " + grouped(losses) + " lost<br>" + outcome_bar(wins, draws, losses) +
            "<br>" + histogram(counts, unit) + "</div>";
    const int longest = longest_plies(counts, 1);
    if (longest >= 0 && !one.sides[side].longest_fen.empty()) {
      text += board_of(one.sides[side].longest_fen) + "<div>Longest win, " + std::to_string(longest) +
              " plies:<br><code>" + one.sides[side].longest_fen + "</code><br>" + one.sides[side].longest_line +
              "</div>";
    }
    text += "</div>\n";
  }
  return text + "</details>\n";
}

std::string totals_of(const TablePage& page) {
  u64 positions = 0, merged = 0, bytes = 0, wins = 0, draws = 0, losses = 0;
  int longest = -1;
  std::string longest_in;
  for (const PageClass& one : page.classes) {
    bytes += one.file_bytes;
    for (const SideCounts& side : one.counts) {
      positions += side.positions(page.unit);
      merged += side.positions(CountUnit::merged);
      wins += side.total(page.unit, 1);
      draws += side.total(page.unit, 0);
      losses += side.total(page.unit, -1);
      const int plies = longest_plies(side, 1);
      if (plies > longest) {
        longest = plies;
        longest_in = one.material.name();
      }
    }
  }
  std::string text = "<p>" + counted(page.classes.size(), "class");
  if (page.classes.size() != 1) text = "<p>" + std::to_string(page.classes.size()) + " classes";
  text += ", both sides to move: " + grouped(positions) + " positions (" +
          std::string(kCountUnitNames[static_cast<std::size_t>(page.unit)]) + "); " + grouped(wins) + " won (" +
          fixed(share(wins, positions), 2) + " %), " + grouped(draws) + " drawn (" + fixed(share(draws, positions), 2) +
          " %), " + grouped(losses) + " lost (" + fixed(share(losses, positions), 2) + " %).<br>" +
          outcome_bar(wins, draws, losses) + "</p>\n<p>On disk " + grouped(bytes) + " bytes (" + format_size(bytes) +
          "), " + fixed(merged == 0 ? 0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(merged), 3) +
          " bits for each of " + grouped(merged) + " stored positions.</p>\n";
  if (longest >= 0)
    text += "<p>Longest win: " + std::to_string(longest) + " plies, in <a href=\"#" + longest_in + "\">" + longest_in +
            "</a>.</p>\n";
  if (!page.refused.empty()) {
    text += "<p>Not read:</p>\n<ul>\n";
    for (const PageRefusal& one : page.refused)
      text += "<li>" + html_text(one.material) + ": " + html_text(one.reason) + "</li>\n";
    text += "</ul>\n";
  }
  return text;
}

constexpr std::string_view kUnitsInWords[] = {
    "An orbit is a board with all men told apart, up to symmetry.", "A placement is a board, like men not told apart.",
    "Merged are the entries of the tables: boards up to symmetry, like men not told apart."};

}  // namespace

std::string html_of(const TablePage& page) {
  const std::string title =
      "Endgame tables of " + page.variant + (page.options.empty() ? "" : " (" + page.options + ")");
  std::string body =
      std::string(kStyle) + std::string(kBoardSymbol) + totals_of(page) + "<p>" +
      std::string(kUnitsInWords[static_cast<std::size_t>(page.unit)]) +
      " Lengths are plies to the end of the game under best play, without the 50-move rule. White is the "
      "side named first; with colours changed the figures are the same. Won, drawn and lost are meant for "
      "the side to move.</p>\n";
  HtmlTable table{"class", "to move",     "men",          "positions", "must capture, %",
                  "won",   "%",           "drawn",        "%",         "lost",
                  "%",     "longest win", "longest loss", "bytes",     "bits a position"};
  for (const PageClass& one : page.classes) {
    for (const Color side : {kWhite, kBlack}) add_row(table, one, side, page.unit);
  }
  body += table.html() +
          "<h2>Class by class</h2>\n<p>Histograms count positions by plies to the end: won upwards, lost downwards, "
          "heights logarithmic.</p>\n";
  for (const PageClass& one : page.classes) body += section_of(one, page.unit);
  return html_page(title, body);
}

}  // namespace hecatomb
