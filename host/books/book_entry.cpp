#include "host/books/book_entry.h"

#include <algorithm>
#include <utility>

#include "host/books/pgn_words.h"
#include "host/game.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

constexpr std::string_view kNoVariantTag = "From Position";  // lichess: a game of chess or of anything else

void set_variant(BookEntry& entry, std::optional<VariantId> variant) {
  entry.variant = variant.value_or(VariantId::chess);
  entry.variant_is_known = variant.has_value();
}

Error error_of(ErrorKind kind, std::string text) { return {kind, "", 0, 0, std::move(text)}; }

}  // namespace

Error goes_before(std::string_view said, VariantId variant) {
  return error_of(ErrorKind::variant,
                  "the file says " + quoted(said) + ", -v " + std::string(variant_name(variant)) + " overrides it");
}

namespace {

// ---- games

/// What the variant of a game is, and where it says so.
std::optional<Error> choose_variant(const PgnGame& game, const BookRules& rules, BookEntry& entry) {
  const PgnTag* tag = game.find("Variant");
  const bool says_none = tag == nullptr || trimmed(tag->value).empty() || find_variant(tag->value) == std::nullopt;
  const bool is_from_position = tag != nullptr && is_same_name(tag->value, kNoVariantTag);
  set_variant(entry, rules.variant);
  if (rules.variant) {
    const bool differs = tag != nullptr && !is_from_position && find_variant(tag->value) != rules.variant;
    if (differs) {
      entry.warnings.push_back({tag->line, goes_before("Variant " + tag->value, *rules.variant)});
    }
    return std::nullopt;
  }
  if (!says_none) {
    set_variant(entry, find_variant(tag->value));
    return std::nullopt;
  }
  if (tag != nullptr && !is_from_position && !trimmed(tag->value).empty()) return read_variant(tag->value).error();
  return error_of(ErrorKind::unknown_variant, std::string("the game names no variant") +
                                                  (is_from_position ? " (\"From Position\" is none)" : "") +
                                                  "; give -v, or the tag [Variant \"Horde\"]");
}

/// The game before its first move.
Expected<Game> begin(const PgnGame& game, const BookEntry& entry) {
  const PgnTag* fen = game.find("FEN");
  if (fen == nullptr) return Game(start_position(entry.variant), entry.variant, entry.options);
  return Game::from_fen(fen->value, entry.variant, entry.options);
}

std::uint64_t line_of(const PgnGame& game, std::string_view tag_name) {
  const PgnTag* tag = game.find(tag_name);
  return tag == nullptr ? game.line : tag->line;
}

/// Plays the moves up to the first that is refused.
void play_moves(const PgnGame& text, std::optional<std::size_t> most_plies, Game& game, BookEntry& entry) {
  bool drawn = false;
  entry.moves.reserve(text.moves());
  for (std::size_t i = 0; i < text.moves(); i++) {
    if (i == most_plies) {
      entry.is_cut = true;
      return;
    }
    const auto [word, line] = text.move(i);
    const int ply = static_cast<int>(i) + 1;
    if (i == text.moves_in_game) {
      entry.errors.push_back(
          {line,
           {ErrorKind::after_end, "", 0, ply,
            "move " + quoted(word) + " comes after the result " + std::string(text.result) + "; remove one of them"}});
      return;
    }
    Expected<Move> move = read_move(game.position(), word, entry.variant);
    if (!move) {
      move.error().ply = ply;
      entry.errors.push_back({line, std::move(move.error())});
      return;
    }
    if (!drawn && game.is_drawn()) {
      drawn = true;
      entry.warnings.push_back(
          {line,
           {ErrorKind::after_draw, "", 0, ply,
            "move " + quoted(word) + " comes after a draw (" +
                std::string(reason_text(game.standing().outcome.reason)) + "); the game is read on"}});
    }
    game.play(*move);
    entry.moves.push_back(*move);
  }
}

/// What the file claims, and where that is at odds with itself or with the rules.
void judge_claim(const PgnGame& game, BookEntry& entry) {
  const PgnTag* tag = game.find("Result");
  const std::string_view by_tag = tag == nullptr ? std::string_view() : read_claim(tag->value);
  entry.claim = by_tag.empty() ? game.result : by_tag;
  if (!by_tag.empty() && !game.result.empty() && by_tag != game.result) {
    entry.warnings.push_back(
        {game.result_line, error_of(ErrorKind::result_mismatch, "the movetext ends with " + std::string(game.result) +
                                                                    ", the tag Result says " + std::string(by_tag))});
  }
  const auto ends_game = [](const Report& report) { return report.error.kind == ErrorKind::after_end; };
  const bool whole = !entry.is_cut && std::all_of(entry.errors.begin(), entry.errors.end(), ends_game);
  const std::string_view result = result_text(entry.outcome.result);
  if (!whole || result == "*" || entry.claim.empty() || entry.claim == "*" || entry.claim == result) return;
  entry.warnings.push_back(
      {by_tag.empty() ? game.result_line : tag->line,
       error_of(ErrorKind::result_mismatch, "the result is given as " + std::string(entry.claim) +
                                                ", by the rules it is " + std::string(result) + " (" +
                                                std::string(reason_text(entry.outcome.reason)) + ")")});
}

std::string event_of(const PgnGame& game) {
  const PgnTag* tag = game.find("Event");
  return tag == nullptr || tag->value == "?" ? "" : tag->value;
}

void take_warnings(const std::vector<Warning>& warnings, std::uint64_t line, BookEntry& entry) {
  for (const Warning& warning : warnings) entry.warnings.push_back({line, warning});
}

void read_game(const PgnGame& text, const BookRules& rules, std::optional<std::size_t> most_plies, BookEntry& entry) {
  entry.errors = text.errors;
  entry.warnings.insert(entry.warnings.end(), text.warnings.begin(), text.warnings.end());
  if (std::optional<Error> error = choose_variant(text, rules, entry)) {
    entry.errors.push_back({line_of(text, "Variant"), std::move(*error)});
    return;
  }
  Expected<RuleOptions> options = rule_options_of(rules.choice, entry.variant);
  if (!options) {
    entry.errors.push_back({text.line, std::move(options.error())});
    return;
  }
  entry.options = *options;
  if (text.broken_setup) return;
  Expected<Game> game = begin(text, entry);
  if (!game) {
    entry.errors.push_back({line_of(text, "FEN"), std::move(game.error())});
    return;
  }
  take_warnings(game->warnings(), line_of(text, "FEN"), entry);
  entry.is_usable = true;
  entry.start = game->position();
  play_moves(text, most_plies, *game, entry);
  entry.final = game->position();
  entry.outcome = game->standing().outcome;
  judge_claim(text, entry);
}

// ---- positions

/// The moves of an operation that has moves.
void read_moves(BookOp& op, BookEntry& entry) {
  const std::string& opcode = op.op.opcode;
  if (opcode == "bm" || opcode == "am" || opcode == "pm" || opcode == "sm") {
    Expected<std::vector<Move>> moves = read_op_moves(op.op, entry.start, entry.variant);
    if (moves) {
      op.moves = std::move(*moves);
    } else {
      entry.errors.push_back({entry.line, std::move(moves.error())});
    }
  } else if (opcode == "pv") {
    Position p = entry.start;
    std::vector<Move> line;
    for (const EpdOperand& operand : op.op.operands) {
      const Expected<Move> move = read_move(p, operand.text, entry.variant);
      if (!move) {
        const Error& error = move.error();
        entry.errors.push_back({entry.line, error_at(error.kind, error.field, operand.column, error.message)});
        return;
      }
      line.push_back(*move);
      p = after_move(p, *move, entry.variant, entry.options);
    }
    op.moves = std::move(line);
  }
}

/// The rule options of a line: what the user says, then the line's own operations, then the comments above it.
Expected<RuleOptions> rules_of_line(const EpdPosition& read, const BookItem& item) {
  RuleChoice own;
  for (const EpdOp& op : read.ops) {
    if (!is_rule_option(op.opcode)) continue;
    if (auto error = choose_rule(own, op.opcode, op.text()))
      return error_at(ErrorKind::option, "", op.column, error->message);
  }
  return rule_options_of(item.user.choice.over(own.over(item.file.choice)), read.variant);
}

/// Reads a line under the rules of its variant, which the line itself may name.
Expected<EpdPosition> read_under_rules(const BookItem& item, RuleOptions& options) {
  const std::optional<VariantId> variant = item.user.variant ? item.user.variant : item.file.variant;
  Expected<EpdPosition> read = read_epd(item.text, variant);
  if (!read) return read;
  Expected<RuleOptions> chosen = rules_of_line(*read, item);
  if (!chosen) return std::move(chosen.error());
  options = *chosen;
  // Options change what a position is: it is read again under them.
  return options == RuleOptions{} ? std::move(read) : read_epd(item.text, variant, options);
}

void read_line(const BookItem& item, BookEntry& entry) {
  Expected<EpdPosition> read = read_under_rules(item, entry.options);
  if (!read) {
    set_variant(entry, item.user.variant ? item.user.variant : item.file.variant);
    entry.errors.push_back({item.line, std::move(read.error())});
    return;
  }
  set_variant(entry, read->variant);
  entry.is_usable = true;
  entry.start = entry.final = read->position;
  take_warnings(read->warnings, item.line, entry);
  if (read->variant_differs) {
    const std::string said = "variant " + read->find("variant")->text();
    entry.warnings.push_back(
        {item.line, item.user.variant ? goes_before(said, entry.variant)
                                      : error_of(ErrorKind::variant,
                                                 "the line says " + quoted(said) + ", the comment above (" +
                                                     std::string(variant_name(entry.variant)) + ") goes before")});
  }
  for (EpdOp& op : read->ops) {
    for (EpdOperand& operand : op.operands) operand.text = utf8_of(operand.text);
    op.opcode = utf8_of(op.opcode);
    if (op.opcode == "id") entry.name = op.text();
    entry.ops.push_back({std::move(op), std::nullopt});
    read_moves(entry.ops.back(), entry);
  }
  entry.outcome = Game(entry.start, entry.variant, entry.options).standing().outcome;
}

}  // namespace

BookEntry read_item(BookItem&& item, std::optional<std::size_t> most_plies) {
  BookEntry entry;
  entry.line = item.line;
  entry.name = std::move(item.name);
  entry.is_game = item.is_game;
  entry.warnings = std::move(item.notes);
  if (item.fault) {
    set_variant(entry, item.user.variant);
    entry.errors.push_back({item.line, std::move(*item.fault)});
  } else if (item.is_game) {
    read_game(item.game, item.user, most_plies, entry);
    if (entry.name.empty()) entry.name = event_of(item.game);
    if (!item.eco.empty()) entry.ops.push_back({{"eco", 0, {{std::move(item.eco), true, 0}}}, std::nullopt});
    entry.tags = std::move(item.game.tags);
  } else {
    read_line(item, entry);
  }
  const auto by_line = [](const Report& a, const Report& b) { return a.line < b.line; };
  std::stable_sort(entry.errors.begin(), entry.errors.end(), by_line);
  std::stable_sort(entry.warnings.begin(), entry.warnings.end(), by_line);
  return entry;
}

}  // namespace hecatomb
