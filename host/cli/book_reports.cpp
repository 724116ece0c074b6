#include "host/cli/book_reports.h"

#include <optional>

namespace hecatomb {

void BookReports::add(const BookEntry& entry, const std::string& name) {
  for (const Report& error : entry.errors) add_error(error, name);
  std::optional<ErrorKind> last;
  for (const Report& warning : entry.warnings) {
    const ErrorKind kind = warning.error.kind;
    if (kind != ErrorKind::castling_right && kind != ErrorKind::variant) {
      print_line("warning", warning, name);
      warnings_++;
    } else if (last != kind) {  // an entry counts once, with however many rights
      const auto [at, is_first] = often_.try_emplace(kind);
      if (is_first) at->second.first = warning;
      at->second.entries++;
      last = kind;
    }
  }
}

void BookReports::print_line(std::string_view kind_of_line, const Report& report, const std::string& name) {
  std::string text("hecatomb: ");
  text.append(kind_of_line).append(": ").append(name).append(":").append(std::to_string(report.line));
  if (report.error.column > 0) text.append(":").append(std::to_string(report.error.column));
  if (report.error.ply > 0) text.append(": ply ").append(std::to_string(report.error.ply));
  text.append(": ").append(kind_name(report.error.kind)).append(": ").append(report.error.message);
  print_(text);
}

void BookReports::end_file(const std::string& name) {
  for (const auto& [kind, often] : often_) {
    warnings_++;
    std::string text = "hecatomb: warning: " + name + ": " + std::string(kind_name(kind)) + ": ";
    if (often.entries > 1) text.append("in ").append(std::to_string(often.entries)).append(" entries, the first: ");
    text.append("line ").append(std::to_string(often.first.line)).append(": ").append(often.first.error.message);
    print_(text);
  }
  often_.clear();
}

}  // namespace hecatomb
