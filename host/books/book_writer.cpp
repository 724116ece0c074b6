#include "host/books/book_writer.h"

#include <algorithm>
#include <initializer_list>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;  // JSON readers keep integers up to there
constexpr std::size_t kJsonMoveBytes = 8;                       // "a7a8q",
constexpr std::size_t kPgnColumns = 79;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string_view variant_of(const BookEntry& entry) {
  return entry.variant_is_known ? variant_name(entry.variant) : std::string_view();
}

/// Whether a game begins where games of its variant do, with the counters at their start.
bool begins_at_start(const BookEntry& entry) {
  const Position start = start_position(entry.variant);
  return same_position(entry.start, start) && entry.start.halfmove == start.halfmove &&
         entry.start.fullmove == start.fullmove;
}

/// The FEN of the first position; most games have the same.
std::string start_of(const BookEntry& entry) {
  return begins_at_start(entry) ? std::string(start_fen(entry.variant)) : fen_of(entry.start);
}

// ---- JSON

void append_members(std::string& text, std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  for (const auto& [name, value] : members) {
    text.append("\"").append(name).append("\":");
    append_json_string(text, value);
    text += ',';
  }
}

void append_moves(std::string& text, const std::vector<Move>& moves) {
  if (moves.empty()) {
    text += "[]";
    return;
  }
  text.reserve(text.size() + moves.size() * kJsonMoveBytes);
  std::string_view before = "[\"";
  for (const Move move : moves) {
    text.append(before);
    append_uci(text, move);
    before = "\",\"";
  }
  text += "\"]";
}

void append_op_value(std::string& text, const BookOp& op) {
  if (op.moves) return append_moves(text, *op.moves);
  const std::vector<EpdOperand>& operands = op.op.operands;
  if (operands.empty()) {
    text += "null";
    return;
  }
  const std::optional<std::int64_t> number = operands[0].quoted ? std::nullopt : op.op.integer();
  if (number && *number <= kExactInDouble && *number >= -kExactInDouble) {
    text += std::to_string(*number);
  } else {
    append_json_string(text, op.op.text());
  }
}

void append_ops(std::string& text, const std::vector<BookOp>& ops) {
  text += '{';
  for (std::size_t i = 0; i < ops.size(); i++) {
    const std::string& opcode = ops[i].op.opcode;
    const auto first = std::find_if(ops.begin(), ops.end(), [&](const BookOp& op) { return op.op.opcode == opcode; });
    if (first != ops.begin() + static_cast<std::ptrdiff_t>(i)) continue;  // JSON names a member once
    if (i > 0) text += ',';
    append_json_string(text, opcode);
    text += ':';
    append_op_value(text, ops[i]);
  }
  text += '}';
}

void append_reports(std::string& text, const std::vector<Report>& reports) {
  text += '[';
  for (const Report& report : reports) {
    if (&report != &reports.front()) text += ',';
    text += "{\"line\":" + std::to_string(report.line) + ",\"ply\":" + std::to_string(report.error.ply) + ",\"kind\":";
    append_json_string(text, kind_name(report.error.kind));
    text += ",\"message\":";
    append_json_string(text, report.error.message);
    text += '}';
  }
  text += ']';
}

void append_json(std::string& text, const BookEntry& entry, std::string_view file, std::optional<std::uint64_t> count) {
  text += '{';
  append_members(text, {{"file", utf8_of(file)}});
  text += "\"line\":" + std::to_string(entry.line) + ',';
  append_members(text, {{"variant", variant_of(entry)}, {"name", entry.name}});
  text += "\"moves\":";
  append_moves(text, entry.moves);
  text += ',';
  const std::string fen = entry.is_usable ? start_of(entry) : "";
  append_members(text, {{"fen", fen},
                        {"final_fen", entry.moves.empty() ? fen : fen_of(entry.final)},
                        {"result", result_text(entry.outcome.result)},
                        {"reason", reason_text(entry.outcome.reason)},
                        {"tag_result", entry.claim}});
  text += "\"ops\":";
  append_ops(text, entry.ops);
  text += ",\"errors\":";
  append_reports(text, entry.errors);
  text += ",\"warnings\":";
  append_reports(text, entry.warnings);
  if (count) text += ",\"count\":" + std::to_string(*count);
  text += "}\n";
}

// ---- EPD

/// An operand in quotes, which hold neither quotes nor control characters.
void append_quoted_operand(std::string& text, std::string_view value) {
  text += '"';
  for (const char c : value) text += c == '"' ? '\'' : is_control(c) ? ' ' : c;
  text += '"';
}

void append_op(std::string& text, const EpdOp& op) {
  text.append(" ").append(op.opcode);
  for (const EpdOperand& operand : op.operands) {
    text += ' ';
    if (operand.quoted) {
      append_quoted_operand(text, operand.text);
    } else {
      text += operand.text;
    }
  }
  text += ';';
}

void append_epd(std::string& text, const BookEntry& entry, std::optional<std::uint64_t> count) {
  const std::string fen = fen_of(entry.final);
  const std::size_t fullmove = fen.rfind(' '), halfmove = fen.rfind(' ', fullmove - 1);
  text.append(fen, 0, halfmove).append(" hmvc").append(fen, halfmove, fullmove - halfmove);
  text.append("; fmvn").append(fen, fullmove).append(";");
  const auto has = [&entry](std::string_view opcode) {
    return std::any_of(entry.ops.begin(), entry.ops.end(), [&](const BookOp& op) { return op.op.opcode == opcode; });
  };
  text.append(" variant ").append(variant_of(entry)).append(";");
  for (const auto& [name, value] : names_of(entry.options)) {
    text.append(" ").append(name).append(" ").append(value).append(";");
  }
  for (const BookOp& op : entry.ops) {
    const std::string& opcode = op.op.opcode;
    if (opcode == "hmvc" || opcode == "fmvn" || opcode == "variant" || is_rule_option(opcode)) continue;
    if (count && op.op.opcode == "count") continue;
    append_op(text, op.op);
  }
  if (!has("id") && !entry.name.empty()) append_op(text, {"id", 0, {{entry.name, true, 0}}});
  if (count) text += " count " + std::to_string(*count) + ';';
  text += '\n';
}

// ---- PGN

void append_tag(std::string& text, std::string_view name, std::string_view value) {
  text.append("[").append(name).append(" \"");
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += is_control(c) ? ' ' : c;
  }
  text += "\"]\n";
}

struct RosterTag {
  std::string_view name, unknown;
};
constexpr RosterTag kRoster[] = {{"Event", "?"}, {"Site", "?"},  {"Date", "????.??.??"}, {"Round", "?"},
                                 {"White", "?"}, {"Black", "?"}, {"Result", "*"}};

/// Tags that the writer makes itself.
bool is_made(std::string_view name, std::optional<std::uint64_t> count) {
  const bool in_roster = std::any_of(std::begin(kRoster), std::end(kRoster),
                                     [name](const RosterTag& tag) { return is_same_name(tag.name, name); });
  return in_roster || is_same_name(name, "Variant") || is_same_name(name, "FEN") || is_same_name(name, "SetUp") ||
         (count && is_same_name(name, "Count"));
}

const PgnTag* last_of(const std::vector<PgnTag>& tags, std::string_view name) {
  const PgnTag* found = nullptr;
  for (const PgnTag& tag : tags) {
    if (is_same_name(tag.name, name)) found = &tag;
  }
  return found;
}

/// As other programs spell it: "Antichess"; chess is "Standard".
std::string pgn_variant(VariantId variant) {
  if (variant == VariantId::chess) return "Standard";
  std::string name(variant_name(variant));
  name[0] = upper_of(name[0]);
  return name;
}

void append_tags(std::string& text, const BookEntry& entry, std::string_view result,
                 std::optional<std::uint64_t> count) {
  for (const RosterTag& roster : kRoster) {
    const PgnTag* tag = last_of(entry.tags, roster.name);
    std::string_view value = tag == nullptr ? roster.unknown : std::string_view(tag->value);
    if (tag == nullptr && roster.name == "Event" && !entry.name.empty()) value = entry.name;
    append_tag(text, roster.name, roster.name == "Result" ? result : value);
  }
  append_tag(text, "Variant", pgn_variant(entry.variant));
  if (!begins_at_start(entry)) {
    append_tag(text, "SetUp", "1");
    append_tag(text, "FEN", fen_of(entry.start));
  }
  for (const PgnTag& tag : entry.tags) {
    if (!is_made(tag.name, count) && last_of(entry.tags, tag.name) == &tag) append_tag(text, tag.name, tag.value);
  }
  if (count) append_tag(text, "Count", std::to_string(*count));
}

/// Appends a word, in a new line where the old one is full.
void append_word(std::string& text, std::size_t& line_begin, std::string_view word) {
  const std::size_t column = text.size() - line_begin;
  if (column > 0 && column + 1 + word.size() > kPgnColumns) {
    text += '\n';
    line_begin = text.size();
  } else if (column > 0) {
    text += ' ';
  }
  text += word;
}

void append_pgn(std::string& text, const BookEntry& entry, std::optional<std::uint64_t> count) {
  const std::string_view by_rules = result_text(entry.outcome.result);
  const bool claim_holds = !entry.is_cut && !entry.claim.empty();
  const std::string_view result = by_rules == "*" && claim_holds ? entry.claim : by_rules;
  append_tags(text, entry, result, count);
  text += '\n';
  std::size_t line_begin = text.size();
  Position p = entry.start;
  for (const Move move : entry.moves) {
    const bool begins = text.size() == line_begin;
    if (p.side == kWhite) append_word(text, line_begin, std::to_string(p.fullmove) + '.');
    if (p.side == kBlack && begins) append_word(text, line_begin, std::to_string(p.fullmove) + "...");
    append_word(text, line_begin, san_of(p, move, entry.variant, entry.options));
    p = after_move(p, move, entry.variant, entry.options);
  }
  append_word(text, line_begin, result);
  text += "\n\n";
}

}  // namespace

void append_json_string(std::string& text, std::string_view value) {
  text += '"';
  while (!value.empty()) {
    std::size_t size = 0;
    while (size < value.size() && value[size] != '"' && value[size] != '\\' && !is_control(value[size])) size++;
    text.append(value, 0, size);
    if (size == value.size()) break;
    const char c = value[size];
    if (is_control(c)) {
      text += "\\u00";
      text += kHex[static_cast<unsigned char>(c) >> 4];
      text += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      text += '\\';
      text += c;
    }
    value.remove_prefix(size + 1);
  }
  text += '"';
}

void append_entry(std::string& text, const BookEntry& entry, BookFormat format, std::string_view file,
                  std::optional<std::uint64_t> count) {
  if (format == BookFormat::jsonl) return append_json(text, entry, file, count);
  if (!entry.is_usable) return;
  if (format == BookFormat::epd) return append_epd(text, entry, count);
  if (format == BookFormat::pgn) return append_pgn(text, entry, count);
  text.append(fen_of(entry.final)) += '\n';
}

}  // namespace hecatomb
