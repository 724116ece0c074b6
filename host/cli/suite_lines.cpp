#include "host/cli/suite_lines.h"

#include <algorithm>
#include <utility>

#include "host/notation/text.h"

namespace hecatomb {

namespace {

bool is_check(std::string_view opcode) {
  return opcode.size() >= 2 && lower_of(opcode[0]) == 'd' && is_digit(opcode[1]);
}

/// Why an entry is no position to count; nothing for a line whose other operations are wrong (a best move, say).
const Report* refusal_of(const BookEntry& read) {
  return read.errors.empty() || (read.is_usable && !read.is_game) ? nullptr : read.errors.data();
}

}  // namespace

bool SuiteFile::is_wanted(const SuiteCheck& check) const {
  return (!options_.most_nodes || check.expected <= *options_.most_nodes) &&
         (!options_.most_depth || check.depth_plies <= *options_.most_depth);
}

/// The operations D1, D2, … of a line.
std::optional<Error> SuiteFile::read_checks(SuiteEntry& entry, const std::vector<BookOp>& ops) {
  bool any = false;
  for (const BookOp& book_op : ops) {
    const EpdOp& op = book_op.op;
    if (!is_check(op.opcode)) continue;
    any = true;
    const std::optional<u128> depth = parse_decimal(std::string_view(op.opcode).substr(1));
    const std::optional<u128> expected = op.operands.size() == 1 ? parse_decimal(op.operands[0].text) : std::nullopt;
    if (!depth || *depth > kMostDepth || !expected) {
      return error_at(ErrorKind::trailing, "", op.column,
                      op.opcode + " " + op.text() + " is no check; write it as D1 20, with depths up to " +
                          std::to_string(kMostDepth));
    }
    const SuiteCheck check{static_cast<int>(*depth), *expected};
    if (is_wanted(check)) {
      entry.checks.push_back(check);
    } else {
      notes_.skipped++;
    }
  }
  notes_.unchecked += !any;
  entry.open_checks = entry.checks.size();
  return std::nullopt;
}

void SuiteFile::note(const std::vector<Report>& warnings) {
  bool castling = false;
  for (const Report& report : warnings) {
    castling = castling || report.error.kind == ErrorKind::castling_right;
    if (report.error.kind == ErrorKind::variant && !std::exchange(warned_, true))
      warn_(name_ + ":" + std::to_string(report.line) + ": " + report.error.message);
  }
  notes_.dropped_castling += castling;
}

SuiteEntry SuiteFile::read(const BookEntry& read) {
  SuiteEntry entry{.file = name_, .line = read.line};
  if (const Report* refusal = refusal_of(read)) {
    entry.line = refusal->line;
    entry.refused = refusal->error;
    return entry;
  }
  note(read.warnings);
  entry.position = read.final;
  entry.variant = read.variant;
  entry.rules = read.options;
  entry.refused = read_checks(entry, read.ops);
  return entry;
}

}  // namespace hecatomb
