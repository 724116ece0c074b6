#include "host/report/html.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace hecatomb {

namespace {

constexpr std::string_view kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.5em;margin-bottom:.2em}h2{font-size:1.2em;margin-top:1.6em}
.note{background:#fff3cd;border-left:4px solid #d39e00;padding:.5em .8em}
table{border-collapse:collapse;margin:.6em 0}
th,td{padding:.15em .7em;text-align:left;border-bottom:1px solid #ddd;white-space:nowrap}
th{border-bottom:2px solid #888;cursor:pointer;position:sticky;top:0;background:#fff}
td.n{text-align:right;font-variant-numeric:tabular-nums}
details{border-bottom:1px solid #ddd;padding:.2em 0}summary{cursor:pointer}
code{font-size:.9em;overflow-wrap:anywhere}
svg{vertical-align:middle;fill:none;stroke:#1f5fa8}svg.h{fill:#1f5fa8;stroke:none}
svg text{fill:#555;stroke:none;font-size:11px}svg .o{stroke:#bbb}svg .v{stroke:#c0392b;stroke-width:2}
@media(prefers-color-scheme:dark){body,th{background:#181818;color:#ddd}.note{background:#3a3000}
th,td,details{border-color:#444}svg{stroke:#6aa9f0}svg.h{fill:#6aa9f0}svg text{fill:#aaa}a{color:#8cf}}
)";

// A cell sorts by data-v where it has one, else by its text; a second click turns the order round.
constexpr std::string_view kScript = R"(
document.querySelectorAll('th').forEach(th=>th.onclick=()=>{
const i=th.cellIndex,body=th.closest('table').tBodies[0],key=r=>{const c=r.cells[i];return 'v' in c.dataset?+c.dataset.v:c.textContent};
const up=th.dataset.up=th.dataset.up=='1'?'0':'1',sign=up=='1'?1:-1;
const rows=[...body.rows].map(r=>[key(r),r]);
rows.sort((a,b)=>sign*(typeof a[0]=='number'&&typeof b[0]=='number'?a[0]-b[0]:String(a[0]).localeCompare(b[0])));
body.append(...rows.map(r=>r[1]))});
const show=()=>{const e=location.hash.length>1&&document.getElementById(location.hash.slice(1));
if(e&&e.tagName=='DETAILS'){e.open=true;e.scrollIntoView()}};
addEventListener('hashchange',show);show();
)";

constexpr double kIntervalWidth = 200;
constexpr std::size_t kMostBars = 100;

/// Without zeros at the end: "12.5", at most one digit behind the point.
std::string tenths(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, std::round(value * 10) / 10, std::chars_format::fixed, 1);
  std::string out(text, end.ptr);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string exact(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
          out += "&#xFFFD;";
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string html_page(std::string_view title, std::string_view body) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
  page += html_text(title);
  page += "</title>\n<style>";
  page += kStyle;
  page += "</style>\n</head>\n<body>\n<h1>";
  page += html_text(title);
  page += "</h1>\n";
  page += body;
  page += "<script>";
  page += kScript;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

HtmlTable::HtmlTable(std::initializer_list<std::string_view> heads) : html_("<table><thead><tr>") {
  for (const std::string_view head : heads) html_ += "<th>" + html_text(head) + "</th>";
  html_ += "</tr></thead><tbody>";
}

void HtmlTable::row() { html_ += "\n<tr>"; }

void HtmlTable::cell(std::string_view html) {
  html_ += "<td>";
  html_ += html;
}

void HtmlTable::number(std::string_view text, double value) {
  html_ += "<td class=n data-v=" + exact(value) + ">" + html_text(text);
}

std::string HtmlTable::html() const { return html_ + "\n</tbody></table>\n"; }

HtmlScale percent_scale(double low, double high) {
  const double from = std::floor(std::clamp(low, 0.0, 1.0) * 100), to = std::ceil(std::clamp(high, 0.0, 1.0) * 100);
  if (from < to) return {from / 100, to / 100};
  return from > 0 ? HtmlScale{(from - 1) / 100, from / 100} : HtmlScale{0, 0.01};
}

std::string html_interval(const HtmlScale& scale, double low, std::optional<double> value, double high) {
  const auto x = [&](double v) {
    return tenths(kIntervalWidth * std::clamp((v - scale.from) / (scale.to - scale.from), 0.0, 1.0));
  };
  std::string out = "<svg width=200 height=12>";
  if (scale.from < 0.5 && 0.5 < scale.to) out += "<path class=o d=\"M" + x(0.5) + " 0v12\"/>";
  out += "<path d=\"M" + x(low) + " 1v10m0-5H" + x(high) + "m0-5v10\"/>";
  if (value) out += "<path class=v d=\"M" + x(*value) + " 2v8\"/>";
  return out + "</svg>";
}

std::string html_share(double share) {
  return "<svg class=h width=200 height=12><path d=\"M0 1H" + tenths(kIntervalWidth * std::clamp(share, 0.0, 1.0)) +
         "v10H0z\"/></svg>";
}

std::string html_histogram(std::span<const std::uint64_t> counts, std::string_view unit) {
  const auto occurred = [](std::uint64_t n) { return n != 0; };
  const auto first = static_cast<std::size_t>(std::find_if(counts.begin(), counts.end(), occurred) - counts.begin());
  if (first == counts.size()) return {};
  const auto end =
      static_cast<std::size_t>(std::find_if(counts.rbegin(), counts.rend(), occurred).base() - counts.begin());
  const std::size_t per_bar = (end - first + kMostBars - 1) / kMostBars;
  std::vector<std::uint64_t> bars((end - first + per_bar - 1) / per_bar);
  for (std::size_t i = first; i < end; i++) bars[(i - first) / per_bar] += counts[i];
  const std::uint64_t most = *std::max_element(bars.begin(), bars.end());
  const double width = 600 / static_cast<double>(bars.size());
  std::string path = "M0 110";
  for (std::size_t i = 0; i < bars.size(); i++) {
    path += "V" + tenths(110 - 100 * static_cast<double>(bars[i]) / static_cast<double>(most)) + "H" +
            tenths(width * static_cast<double>(i + 1));
  }
  const std::string each = per_bar == 1 ? "" : ", " + std::to_string(per_bar) + " a bar";
  return "<svg class=h width=620 height=128 viewBox=\"0 0 620 128\"><path d=\"" + path + "V110z\"/><text x=0 y=124>" +
         std::to_string(first) + "</text><text x=300 y=124 text-anchor=middle>" + html_text(unit) + each +
         "; highest: " + std::to_string(most) + "</text><text x=600 y=124 text-anchor=end>" + std::to_string(end - 1) +
         "</text></svg>";
}

}  // namespace hecatomb
