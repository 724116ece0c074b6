#include "host/notation/epd.h"

#include <charconv>

#include "host/notation/san.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

constexpr std::string_view kVariantWord = "variant";
constexpr int kFenFields = 6, kFieldsWithoutCounters = 4;

int column_at(std::size_t offset) { return static_cast<int>(offset) + 1; }

std::size_t skip_blanks(std::string_view line, std::size_t i) {
  while (i < line.size() && is_blank(line[i])) i++;
  return i;
}

/// Where the word that begins at i ends.
std::size_t end_of_word(std::string_view line, std::size_t i) {
  while (i < line.size() && !is_blank(line[i]) && line[i] != ';') i++;
  return i;
}

/// Where the FEN fields end: after six words, at a semicolon, or where the fifth or sixth word is an opcode.
std::size_t end_of_fen(std::string_view line) {
  std::size_t end = 0;
  for (int field = 0; field < kFenFields; field++) {
    const std::size_t begin = skip_blanks(line, end);
    if (begin == line.size() || line[begin] == ';') break;
    if (field >= kFieldsWithoutCounters && is_letter(line[begin])) break;
    end = end_of_word(line, begin);
  }
  return end;
}

/// The operation that begins at i, up to its semicolon or the end of the line; moves i there.
Expected<EpdOp> read_op(std::string_view line, std::size_t& i) {
  EpdOp op;
  op.column = column_at(i);
  const std::size_t opcode_end = end_of_word(line, i);
  op.opcode = line.substr(i, opcode_end - i);
  if (!is_letter(line[i])) {
    return error_at(ErrorKind::trailing, "", op.column,
                    "found " + quoted(op.opcode) + " after the position; expected an operation such as D1 20 or bm e4");
  }
  for (i = skip_blanks(line, opcode_end); i < line.size() && line[i] != ';'; i = skip_blanks(line, i)) {
    const int column = column_at(i);
    const bool is_quoted = line[i] == '"';
    const std::size_t begin = is_quoted ? i + 1 : i;
    const std::size_t end = is_quoted ? line.find('"', begin) : end_of_word(line, begin);
    if (end == std::string_view::npos) {
      return error_at(ErrorKind::trailing, "", column, "a quote is opened and not closed; add '\"'");
    }
    op.operands.push_back({std::string(line.substr(begin, end - begin)), is_quoted, column});
    i = is_quoted ? end + 1 : end;
  }
  return op;
}

/// Sets a counter from an operation; nothing if all is well.
std::optional<Error> set_counter(const EpdOp& op, std::string_view field, int& counter) {
  const std::string digits = op.text();
  bool good = !digits.empty() && digits.size() <= 4;
  for (const char c : digits) good = good && is_digit(c);
  if (!good) {
    const int column = op.operands.empty() ? op.column : op.operands[0].column;
    return error_at(ErrorKind::counter, field, column,
                    op.opcode + " is " + quoted(digits) + ", expected a number from 0 to 9999");
  }
  counter = std::stoi(digits);
  return std::nullopt;
}

std::optional<Error> apply_counters(EpdText& epd) {
  for (const EpdOp& op : epd.ops) {
    std::optional<Error> error;
    if (op.opcode == "hmvc") error = set_counter(op, "halfmove", epd.setup.halfmove);
    if (op.opcode == "fmvn") error = set_counter(op, "fullmove", epd.setup.fullmove);
    if (error) return error;
  }
  if (epd.setup.fullmove == 0) epd.setup.fullmove = 1;
  return std::nullopt;
}

const EpdOp* find_op(const std::vector<EpdOp>& ops, std::string_view opcode) {
  for (const EpdOp& op : ops) {
    if (op.opcode == opcode) return &op;
  }
  return nullptr;
}

}  // namespace

std::string EpdOp::text() const {
  std::string joined;
  for (const EpdOperand& operand : operands) {
    if (&operand != &operands.front()) joined += ' ';
    joined += operand.text;
  }
  return joined;
}

std::optional<std::int64_t> EpdOp::integer() const {
  if (operands.size() != 1) return std::nullopt;
  const std::string& digits = operands[0].text;
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

const EpdOp* EpdText::find(std::string_view opcode) const { return find_op(ops, opcode); }
const EpdOp* EpdPosition::find(std::string_view opcode) const { return find_op(ops, opcode); }

bool is_epd_comment(std::string_view line) {
  line = trimmed(without_bom(line));
  return line.empty() || line[0] == '#';
}

std::optional<std::string_view> variant_of_comment(std::string_view line) {
  line = trimmed(without_bom(line));
  if (!line.starts_with('#')) return std::nullopt;
  line = trimmed(line.substr(1));
  for (const char c : kVariantWord) {
    if (line.empty() || lower_of(line[0]) != c) return std::nullopt;
    line.remove_prefix(1);
  }
  line = trimmed(line);
  if (!line.starts_with(':')) return std::nullopt;
  return trimmed(line.substr(1));
}

Expected<EpdText> read_epd_text(std::string_view line) {
  line = without_bom(line);
  std::size_t i = end_of_fen(line);
  Expected<Setup> setup = read_setup(line.substr(0, i));
  if (!setup) return std::move(setup.error());
  EpdText epd{*setup, {}};
  for (i = skip_blanks(line, i); i < line.size(); i = skip_blanks(line, i)) {
    if (line[i] == ';') {
      i++;
      continue;
    }
    Expected<EpdOp> op = read_op(line, i);
    if (!op) return std::move(op.error());
    epd.ops.push_back(std::move(*op));
  }
  if (auto error = apply_counters(epd)) return std::move(*error);
  return epd;
}

Expected<EpdPosition> read_epd(std::string_view line, std::optional<VariantId> variant, const RuleOptions& options) {
  Expected<EpdText> text = read_epd_text(line);
  if (!text) return std::move(text.error());
  const EpdOp* own = text->find("variant");
  EpdPosition epd;
  if (own != nullptr && variant) {
    epd.variant_differs = find_variant(own->text()) != variant;
  } else if (own != nullptr) {
    const Expected<VariantId> named = read_variant(own->text());
    if (!named) return error_at(ErrorKind::unknown_variant, "", own->column, named.error().message);
    variant = *named;
  }
  if (!variant) {
    return error_at(ErrorKind::unknown_variant, "", 0,
                    "the line names no variant; give -v, the operation 'variant horde;' or a line '# variant: horde'");
  }
  Expected<FenReading> reading = check_setup(text->setup, *variant, options);
  if (!reading) return std::move(reading.error());
  epd.position = reading->position;
  epd.variant = *variant;
  epd.ops = std::move(text->ops);
  epd.warnings = std::move(reading->warnings);
  return epd;
}

Expected<std::vector<Move>> read_op_moves(const EpdOp& op, const Position& p, VariantId variant) {
  std::vector<Move> moves;
  for (const EpdOperand& operand : op.operands) {
    std::string_view text = operand.text;
    if (text.ends_with(',')) text.remove_suffix(1);
    if (text == "e.p." && !moves.empty()) continue;  // belongs to the move before
    Expected<Move> move = read_move(p, text, variant);
    if (!move) {
      const Error& error = move.error();
      return error_at(error.kind, error.field, operand.column, error.message);
    }
    moves.push_back(*move);
  }
  return moves;
}

}  // namespace hecatomb
