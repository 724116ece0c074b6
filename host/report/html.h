// Reports as pages of HTML that stand alone: no network, no second file, nothing but a few lines of script that sort
// tables and open what a link points into.
//
// The one idea: a report is a frame, tables, and small pictures in SVG, each so short that thousands fit into one page.
//
// Invariants: text of others (names, positions) enters a page through html_text alone; whatever else is passed in is
// HTML already. Without script everything is there to read, unsorted.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hecatomb {

/// Text that may hold anything as HTML: for elements and for attribute values in quotes. Control characters, which no
/// page may have, become U+FFFD; bytes that are no UTF-8 are left for the browser to replace.
std::string html_text(std::string_view text);

/// A whole page. `title` is text, `body` HTML.
std::string html_page(std::string_view title, std::string_view body);

/// A table with a line of heads, that sorts by the column whose head is clicked.
class HtmlTable {
 public:
  /// Heads are text.
  HtmlTable(std::initializer_list<std::string_view> heads);
  /// Begins a row; cells follow, as many as there are heads.
  void row();
  /// A cell of HTML, on the left; sorts by its text.
  void cell(std::string_view html);
  /// A number as it is to be read, on the right; sorts by `value`.
  void number(std::string_view text, double value);
  std::string html() const;

 private:
  std::string html_;
};

/// What a row of pictures below each other has in common: the values at their left and right ends, from < to.
struct HtmlScale {
  double from = 0, to = 1;
};

/// The least scale of whole percents that shows everything from `low` to `high`, both in [0, 1].
HtmlScale percent_scale(double low, double high);

/// A bar from `low` to `high` with a mark at `value`, if there is one, and a line at one half where the scale has it.
std::string html_interval(const HtmlScale& scale, double low, std::optional<double> value, double high);

/// A bar of the share of a whole, in [0, 1].
std::string html_share(double share);

/// How often each of the values 0, 1, 2, … occurred, as bars of equally many values each, with the first and the last
/// value that occurred, and what the highest bar holds, written beside them. Empty if nothing occurred.
std::string html_histogram(std::span<const std::uint64_t> counts, std::string_view unit);

}  // namespace hecatomb
