// Pages: nothing of others gets out of its place, pictures show the numbers that they are given.
#include "host/report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

namespace hecatomb {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Html, TextOfOthersStaysText) {
  EXPECT_EQ(html_text("<script>alert(\"x\" && 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp;&amp; &#39;y&#39;)&lt;/script&gt;");
  EXPECT_EQ(html_text(std::string_view("a\0b\x1b\x7f\n", 6)), "a&#xFFFD;b&#xFFFD;&#xFFFD;\n");
  EXPECT_EQ(html_text("Gr\xc3\xbc\xc3\x9f"), "Gr\xc3\xbc\xc3\x9f");
  const std::string page = html_page("</title><b>", "<p>body</p>");
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, EndsWith("</html>\n"));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&lt;b&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("<p>body</p>"));
  EXPECT_THAT(page, Not(HasSubstr("http")));  // no network
}

TEST(Html, TablesSortByExactValues) {
  HtmlTable table({"name", "a < b"});
  table.row();
  table.cell("<i>x</i>");
  table.number("12.35 %", 0.1234567890625);
  EXPECT_EQ(table.html(),
            "<table><thead><tr><th>name</th><th>a &lt; b</th></tr></thead><tbody>\n"
            "<tr><td><i>x</i><td class=n data-v=0.1234567890625>12.35 %\n</tbody></table>\n");
}

TEST(Html, ScalesAreWholePercentsAndNeverEmpty) {
  const auto is = [](const HtmlScale& scale, double from, double to) {
    EXPECT_DOUBLE_EQ(scale.from, from);
    EXPECT_DOUBLE_EQ(scale.to, to);
  };
  is(percent_scale(0.4567, 0.5512), 0.45, 0.56);
  is(percent_scale(0, 0), 0, 0.01);
  is(percent_scale(1, 1), 0.99, 1);
  is(percent_scale(0.5, 0.5), 0.49, 0.5);
  is(percent_scale(0, 1), 0, 1);
}

TEST(Html, IntervalsLieWhereTheirNumbersAre) {
  const std::string bar = html_interval({0, 1}, 0.25, 0.375, 0.625);
  EXPECT_THAT(bar, HasSubstr("M50 1v10m0-5H125m0-5v10"));
  EXPECT_THAT(bar, HasSubstr("class=v d=\"M75 2v8\""));
  EXPECT_THAT(bar, HasSubstr("class=o d=\"M100 0v12\""));
  EXPECT_THAT(html_interval({0.5, 0.6}, 0.5, {}, 0.7), Not(HasSubstr("class")));
  EXPECT_THAT(html_interval({0.5, 0.6}, 0.5, {}, 0.7), HasSubstr("M0 1v10m0-5H200"));
}

/// The heights of a histogram's bars, the highest 100.
std::vector<double> heights_of(const std::string& svg) {
  std::vector<double> heights;
  static const std::regex bar("V([0-9.]+)H");
  for (auto i = std::sregex_iterator(svg.begin(), svg.end(), bar); i != std::sregex_iterator(); ++i) {
    heights.push_back(110 - std::stod((*i)[1]));
  }
  return heights;
}

TEST(Html, HistogramsLeaveNothingOut) {
  EXPECT_EQ(html_histogram({}, "plies"), "");
  EXPECT_EQ(html_histogram(std::vector<std::uint64_t>(7), "plies"), "");
  const std::vector<std::uint64_t> few = {0, 0, 3, 0, 12, 0};
  const std::string small = html_histogram(few, "plies");
  EXPECT_EQ(heights_of(small), (std::vector<double>{25, 0, 100}));
  EXPECT_THAT(small, HasSubstr(">2</text>"));
  EXPECT_THAT(small, HasSubstr(">plies; highest: 12</text>"));
  EXPECT_THAT(small, HasSubstr(">4</text>"));
  // 1 + 2 + … + 1001 in bars of eleven values: sums of the heights are the sum of all.
  std::vector<std::uint64_t> many(1001);
  for (std::size_t i = 0; i < many.size(); i++) many[i] = i + 1;
  const std::string large = html_histogram(many, "plies");
  EXPECT_THAT(large, HasSubstr("plies, 11 a bar; highest: 10956"));
  double sum = 0;
  for (const double height : heights_of(large)) sum += height / 100 * 10956;
  EXPECT_NEAR(sum, 1001 * 1002 / 2, 91 * 6);  // each height is written to a tenth
}

}  // namespace
}  // namespace hecatomb
