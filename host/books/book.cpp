#include "host/books/book.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "host/books/pgn_reader.h"
#include "host/notation/epd.h"
#include "host/notation/lines.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"
#include "host/work.h"

namespace hecatomb {

class Book::Format {
 public:
  Format() = default;
  virtual ~Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;
  virtual bool next(BookItem& item) = 0;
};

namespace {

constexpr std::size_t kSniffedBytes = std::size_t{1} << 16;

void clear(BookItem& item, const BookRules& user, const BookRules& file = {}) {
  item.line = 0;
  item.user = user;
  item.file = file;
  item.notes.clear();
  item.fault.reset();
  item.is_game = false;
  item.game.clear();
  item.text.clear();
  item.name.clear();
  item.eco.clear();
}

// ---- PGN

class PgnBook final : public Book::Format {
 public:
  PgnBook(PgnReader::Reader reader, const BookRules& rules) : reader_(std::move(reader)), rules_(rules) {}

  bool next(BookItem& item) override {
    clear(item, rules_);
    item.is_game = true;
    if (!reader_.next(item.game)) return false;
    item.line = item.game.line;
    return true;
  }

 private:
  PgnReader reader_;
  BookRules rules_;
};

// ---- lines of FEN or EPD

/// "KEY: VALUE" of a comment "# KEY: VALUE", the key in lower case; an empty key in other comments.
std::pair<std::string, std::string_view> key_and_value(std::string_view comment) {
  comment = trimmed(trimmed(comment).substr(1));
  const std::size_t colon = comment.find(':');
  if (colon == std::string_view::npos) return {};
  std::string key;
  for (const char c : trimmed(comment.substr(0, colon))) key += lower_of(c);
  return {std::move(key), trimmed(comment.substr(colon + 1))};
}

/// "ep=restricted stalemate=stalemated-wins"
std::optional<Error> choose_rules(RuleChoice& choice, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find_first_of(" \t"));
    words = trimmed(words.substr(word.size()));
    const std::size_t equals = std::min(word.find('='), word.size());
    if (auto error = choose_rule(choice, word.substr(0, equals), word.substr(std::min(equals + 1, word.size()))))
      return error;
  }
  return std::nullopt;
}

class LineBook final : public Book::Format {
 public:
  LineBook(LineSource lines, const BookRules& user) : lines_(std::move(lines)), user_(user) {}

  bool next(BookItem& item) override {
    clear(item, user_);
    for (;;) {
      const std::optional<Line> line = lines_.next();
      if (!line) return false;
      item.line = line->number;
      item.fault = line->error;
      if (!item.fault && is_epd_comment(line->text)) {
        if (!trimmed(line->text).empty()) item.fault = read_comment(line->text, item);
        if (!item.fault) continue;
      }
      any_position_ = true;
      item.file = file_;
      item.text = line->text;
      return true;
    }
  }

 private:
  /// "# variant: horde", "# options: ep=restricted stalemate=fewer-men", "# ep: restricted"; others say nothing. A new
  /// variant takes options back that were said before a position.
  std::optional<Error> read_comment(std::string_view text, BookItem& item) {
    const auto [key, value] = key_and_value(text);
    if (key == "options") return choose_rules(file_.choice, value);
    if (is_rule_option(key)) return choose_rule(file_.choice, key, value);
    if (key != "variant") return std::nullopt;
    if (std::exchange(any_position_, false)) file_.choice = {};
    file_.variant.reset();  // what follows is not judged by the rules of what went before
    const Expected<VariantId> variant = read_variant(value);
    if (!variant) return variant.error();
    file_.variant = *variant;
    if (user_.variant && user_.variant != file_.variant)
      item.notes.push_back({item.line, goes_before("variant: " + std::string(value), *user_.variant)});
    return std::nullopt;
  }

  LineSource lines_;
  BookRules user_, file_;
  bool any_position_ = false;  // since the last variant
};

// ---- TSV

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    std::string_view cell = trimmed(line.substr(0, tab));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    if (tab == line.size()) return cells;
    line.remove_prefix(tab + 1);
  }
}

class TableBook final : public Book::Format {
 public:
  TableBook(LineSource lines, const BookRules& rules) : lines_(std::move(lines)), rules_(rules) {}

  bool next(BookItem& item) override {
    for (;;) {
      clear(item, rules_);
      const std::optional<Line> line = lines_.next();
      if (!line) return false;
      item.line = line->number;
      item.fault = line->error;
      if (item.fault) return true;
      if (is_epd_comment(line->text)) continue;
      const std::vector<std::string_view> cells = cells_of(line->text);
      if (std::exchange(is_first_, false) && take_names(cells)) continue;
      read_row(cells, item);
      return true;
    }
  }

 private:
  /// Whether the row names the columns: one is called pgn.
  bool take_names(const std::vector<std::string_view>& cells) {
    const bool is_header =
        std::any_of(cells.begin(), cells.end(), [](std::string_view cell) { return is_same_name(cell, "pgn"); });
    if (is_header) columns_.assign(cells.begin(), cells.end());
    return is_header;
  }

  void read_row(const std::vector<std::string_view>& cells, BookItem& item) {
    if (cells.size() != columns_.size()) {
      item.fault = error_at(ErrorKind::line, "", 0,
                            "found " + std::to_string(cells.size()) + " columns, expected " +
                                std::to_string(columns_.size()) + " with tabs between them (" + columns_text() + ")");
      return;
    }
    std::string_view moves;
    std::vector<PgnTag> tags;
    for (std::size_t i = 0; i < cells.size(); i++) {
      if (is_same_name(columns_[i], "pgn")) {
        moves = cells[i];
      } else if (is_same_name(columns_[i], "name")) {
        item.name = utf8_of(cells[i]);
        tags.push_back({"Opening", item.name, item.line});
      } else if (is_same_name(columns_[i], "eco")) {
        item.eco = utf8_of(cells[i]);
        tags.push_back({"ECO", item.eco, item.line});
      } else if (is_same_name(columns_[i], "variant")) {
        tags.push_back({"Variant", std::string(cells[i]), item.line});
      } else if (is_same_name(columns_[i], "fen")) {
        tags.push_back({"FEN", std::string(cells[i]), item.line});
      }
    }
    PgnReader reader(
        [&moves](std::span<char> room) {
          const std::size_t n = moves.copy(room.data(), room.size());
          moves.remove_prefix(n);
          return n;
        },
        item.line);
    reader.next(item.game);
    item.is_game = true;
    item.game.line = item.line;
    item.game.tags.insert(item.game.tags.begin(), tags.begin(), tags.end());
  }

  std::string columns_text() const {
    std::string text;
    for (const std::string& column : columns_) text += (text.empty() ? "" : ", ") + quoted(column);
    return text;
  }

  LineSource lines_;
  BookRules rules_;
  bool is_first_ = true;
  std::vector<std::string> columns_ = {"eco", "name", "pgn"};
};

// ---- which of them

enum class FormatName { pgn, lines, table };

/// Whether a word is meant as the board of a FEN: ranks with slashes between them.
bool is_board(std::string_view word) {
  std::size_t slashes = 0;
  for (const char c : word) slashes += c == '/' ? 1 : 0;
  return slashes >= 2 && word.find_first_not_of("pnbrqkPNBRQK0123456789/~") == std::string_view::npos;
}

/// Whether a word looks like a move: "e4", "Nf3+", "e2e4", "O-O".
bool is_move(std::string_view word) {
  while (!word.empty() && std::string_view("+#!?").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  if (word == "O-O" || word == "O-O-O") return true;
  return word.size() >= 2 && word.size() <= 7 &&
         std::string_view("KQRBNabcdefgh").find(word[0]) != std::string_view::npos &&
         read_square(word.substr(word.size() - 2)) >= 0;
}

/// Whether a line looks like PGN: a tag, a comment, an escape, "1. e4", "1.e4", "e4 e5", "*".
bool is_pgn(std::string_view line) {
  if (std::string_view("[{%(;*").find(line[0]) != std::string_view::npos) return true;
  if (is_move(line.substr(0, line.find_first_of(" \t")))) return true;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && digits < line.size() && line[digits] == '.';
}

/// Whether a line begins as a tag does: [Name "value.
bool is_tag(std::string_view line) {
  if (line.size() < 2 || line[0] != '[' || !is_letter(line[1])) return false;
  const std::size_t name_end = line.find_first_of(" \t\"]", 1);
  return name_end != std::string_view::npos && trimmed(line.substr(name_end)).starts_with('"');
}

/// Whether a line with tabs is surely a row: a column of it is the beginning of a game, or the columns are named.
bool is_row(std::string_view line) { return line.find("\t1.") != std::string_view::npos || line.starts_with("eco\t"); }

/// Judges by the first line that leaves no doubt: a position, a tag, a row; where there is none, by the first that has
/// some likeness (so an odd first line does not turn a whole file into something else). Nothing: there is too little
/// text to say.
std::optional<FormatName> format_of(std::string_view text, bool is_all) {
  std::optional<FormatName> likely;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find_first_of("\n\r");
    if (end == std::string_view::npos && !is_all) return std::nullopt;
    const std::string_view line = trimmed(without_bom(trimmed(rest.substr(0, end))));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty() || line[0] == '#' || line[0] == '\x1a') continue;
    if (is_board(line.substr(0, line.find_first_of(" \t;")))) return FormatName::lines;
    if (is_tag(line)) return FormatName::pgn;
    if (is_row(line)) return FormatName::table;
    if (!likely && is_pgn(line)) likely = FormatName::pgn;
    if (!likely && line.find('\t') != std::string_view::npos) likely = FormatName::table;
  }
  return is_all ? std::optional(likely.value_or(FormatName::lines)) : std::nullopt;
}

}  // namespace

struct Book::State {
  ByteSource source;
  BookRules rules;
  std::string sniffed;  // read to tell the format, not yet given to its reader
  std::size_t sniffed_used = 0;
  std::unique_ptr<Format> format;
  std::uint64_t last_line = 1;
  bool is_empty = false, is_json = false, fault_told = false, any_item = false;

  std::size_t read(std::span<char> room) {
    if (sniffed_used == sniffed.size()) return source.read(room);
    const std::size_t n = sniffed.copy(room.data(), room.size(), sniffed_used);
    sniffed_used += n;
    if (sniffed_used == sniffed.size()) {
      sniffed = {};
      sniffed_used = 0;
    }
    return n;
  }

  LineSource lines_of(ByteReader reader) const {
    return {source.name(), std::move(reader), LineSource::kDefaultLimit, stop_descriptor()};
  }

  /// Reads until the format can be told.
  FormatName sniffed_format() {
    for (;;) {
      const std::size_t size = sniffed.size();
      sniffed.resize(kSniffedBytes);
      const std::size_t n = source.read(std::span(sniffed).subspan(size));
      sniffed.resize(size + n);
      if (const std::optional<FormatName> name = format_of(sniffed, n == 0)) return *name;
    }
  }

  void choose_format() {
    const FormatName name = sniffed_format();
    is_empty = sniffed.empty();
    is_json = trimmed(sniffed).starts_with("{\"");
    const auto reader = [this](std::span<char> room) { return read(room); };
    switch (name) {
      case FormatName::pgn:
        format = std::make_unique<PgnBook>(reader, rules);
        break;
      case FormatName::table:
        format = std::make_unique<TableBook>(lines_of(reader), rules);
        break;
      case FormatName::lines:
        format = std::make_unique<LineBook>(lines_of(reader), rules);
        break;
    }
  }
};

Book Book::open(const std::string& path, const BookRules& user, std::function<void()> before_waiting) {
  return {ByteSource::open(path, std::move(before_waiting)), user};
}
Book::Book(ByteSource source, const BookRules& user)
    : state_(std::make_unique<State>(State{std::move(source), user, {}, 0, nullptr, 1, false, false, false, false})) {}
Book::~Book() = default;
Book::Book(Book&&) noexcept = default;
Book& Book::operator=(Book&&) noexcept = default;

bool Book::next(BookItem& item) {
  State& state = *state_;
  if (!state.format) state.choose_format();
  const bool nothing_came = state.is_empty && state.source.fault();  // the fault says it all
  if (!state.fault_told && !nothing_came && state.format->next(item)) {
    state.last_line = std::max(state.last_line, item.line);
    state.any_item = true;
    return true;
  }
  const bool has_nothing = !state.any_item && !state.source.fault();
  if ((!has_nothing && !state.source.fault()) || std::exchange(state.fault_told, true)) return false;
  clear(item, state.rules);
  item.line = state.last_line;
  std::string nothing = "there is neither a game nor a position in " + name();
  if (state.is_json) nothing += ": it is JSON, and PGN, EPD, lists of FENs and TSV are what is read";
  item.fault = has_nothing ? error_at(ErrorKind::empty, "", 0, nothing) : state.source.fault();
  return true;
}

const std::string& Book::name() const { return state_->source.name(); }
std::uint64_t Book::bytes_taken() const { return state_->source.bytes_taken(); }
std::uint64_t Book::bytes_in_all() const { return state_->source.bytes_in_all(); }

}  // namespace hecatomb
