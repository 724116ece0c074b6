// One line of `show --batch`: a JSON object in, a JSON object out.
#include <algorithm>
#include <exception>
#include <utility>

#include "host/cli/show.h"
#include "host/notation/nearest_word.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

constexpr int kDeepest = 64;  // levels of brackets: what is written back is written recursively

Error json_error(std::string_view field, int column, const std::string& message) {
  return {ErrorKind::json, field, column, 0, message};
}

/// The column at which brackets are nested too deep, or 0.
int too_deep_at(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); i++) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') i++;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return static_cast<int>(i) + 1;
    } else if (c == ']' || c == '}') {
      depth--;
    }
  }
  return 0;
}

/// The end of the JSON string that begins at i.
std::size_t end_of_string(std::string_view text, std::size_t i) {
  for (i++; i < text.size() && text[i] != '"'; i++) {
    if (text[i] == '\\') i++;
  }
  return i + 1;
}

/// The value of a member as it stands in the text of an object that has been read: an id may be a number that no type
/// of ours holds. The last of several, as the reader takes it; "null" for a name that is written with escapes.
std::string_view value_text(std::string_view object, std::string_view name) {
  std::string_view found = "null", key;
  std::size_t value_begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < object.size(); i++) {
    const char c = object[i];
    if (c == '"') {
      const std::size_t end = end_of_string(object, i);
      if (depth == 1 && value_begin == 0) key = object.substr(i + 1, end - i - 2);
      i = end - 1;
    } else if (c == '{' || c == '[') {
      depth++;
    } else if (c == ':' && depth == 1) {
      value_begin = i + 1;
    } else if (c == '}' || c == ']' || c == ',') {
      if (depth == 1 && value_begin != 0) {
        if (key == name) found = trimmed(object.substr(value_begin, i - value_begin));
        value_begin = 0;
      }
      depth -= c != ',';
    }
  }
  return found;
}

/// The parser's message without its own name and its "at line 1, column 5".
std::string reason_of(const std::exception& error) {
  std::string_view text = error.what();
  for (const std::string_view end_of_prefix : {"] ", "parse error at line", ": "}) {
    const std::size_t at = text.find(end_of_prefix);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + end_of_prefix.size());
  }
  return std::string(text);
}

Expected<Json> read_object(std::string_view line) {
  if (const int column = too_deep_at(line)) {
    return json_error(
        "", column,
        "column " + std::to_string(column) + ": more than " + std::to_string(kDeepest) + " brackets inside each other");
  }
  try {
    Json object = Json::parse(line);
    if (object.is_object()) return object;
    return json_error("", 1, std::string("a line must be a JSON object, this is ") + object.type_name());
  } catch (const Json::parse_error& error) {
    const int column = std::max(1, static_cast<int>(error.byte));
    return json_error("", column, "column " + std::to_string(column) + ": " + reason_of(error));
  } catch (const Json::exception& error) {  // a number that no double holds
    return json_error("", 0, reason_of(error));
  }
}

/// The member, or null where it is missing or null.
const Json* member(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

std::optional<Error> wrong_type(std::string_view field, const Json& value, const std::string& expected) {
  return json_error(field, 0, quoted(field) + " must be " + expected + ", this is " + std::string(value.type_name()));
}

/// What a line asks for. Texts point into the line's JSON.
struct Question {
  VariantId variant = VariantId::chess;
  RuleOptions options;
  std::optional<std::string_view> fen;
  std::vector<std::string_view> moves;
};

std::optional<Error> read_variant_of(const Json& object, const CommandContext& context, Question& question) {
  const Json* name = member(object, "variant");
  if (name == nullptr) {
    if (context.variant) question.variant = *context.variant;
    if (context.variant) return std::nullopt;
    return Error{ErrorKind::variant, "variant", 0, 0, "no variant is given; add \"variant\" to the line, or -v"};
  }
  if (!name->is_string()) return wrong_type("variant", *name, "a string");
  Expected<VariantId> variant = read_variant(name->get_ref<const std::string&>());
  if (!variant) return Error{ErrorKind::variant, "variant", 0, 0, std::move(variant.error().message)};
  question.variant = *variant;
  return std::nullopt;
}

std::optional<Error> read_rules_of(const Json& object, const CommandContext& context, Question& question) {
  RuleChoice choice;
  if (const Json* options = member(object, "options")) {
    if (!options->is_object()) return wrong_type("options", *options, "an object");
    for (const auto& [name, value] : options->items()) {
      if (value.is_null()) continue;
      if (!value.is_string()) return wrong_type("options", value, "an object of strings");
      std::optional<Error> error = choose_rule(choice, name, value.get_ref<const std::string&>());
      if (error) error->field = "options";
      if (error) return error;
    }
  }
  Expected<RuleOptions> options = rule_options_of(choice.over(context.rules), question.variant);
  if (!options) options.error().field = "options";
  if (!options) return std::move(options.error());
  question.options = *options;
  return std::nullopt;
}

std::optional<Error> read_moves_of(const Json& object, Question& question) {
  const Json* moves = member(object, "moves");
  if (moves == nullptr) return std::nullopt;
  if (moves->is_string()) {
    question.moves = moves_of(moves->get_ref<const std::string&>());
    return std::nullopt;
  }
  if (!moves->is_array()) return wrong_type("moves", *moves, "an array of strings");
  for (const Json& move : *moves) {
    if (!move.is_string()) return wrong_type("moves", move, "an array of strings");
    question.moves.push_back(move.get_ref<const std::string&>());
  }
  return std::nullopt;
}

/// What is asked, as far as it can be read: types first, then words.
std::optional<Error> read_question(const Json& object, const CommandContext& context, Question& question) {
  if (const Json* fen = member(object, "fen")) {
    if (!fen->is_string()) return wrong_type("fen", *fen, "a string");
    question.fen = fen->get_ref<const std::string&>();
  }
  if (std::optional<Error> error = read_moves_of(object, question)) return error;
  if (std::optional<Error> error = read_variant_of(object, context, question)) return error;
  return read_rules_of(object, context, question);
}

/// A warning for each member that means nothing.
std::vector<Warning> unknown_keys(const Json& object) {
  static const std::vector<std::string> known = {"id", "variant", "fen", "moves", "options"};
  std::vector<Warning> warnings;
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    warnings.push_back(json_error(
        "", 0, "the key " + quoted(std::string_view(name)) + " means nothing here" + suggestion(name, known)));
  }
  return warnings;
}

Expected<Game> game_of(const Question& question) {
  const std::string_view fen = question.fen.value_or(start_fen(question.variant));
  Expected<Game> game = Game::from_fen(fen, question.variant, question.options);
  if (!game) return game;
  if (std::optional<Error> error = game->play_all(question.moves)) return std::move(*error);
  return game;
}

}  // namespace

std::string answer_error(std::string_view id, std::uint64_t number, const Error& error) {
  return "{\"id\":" + std::string(id) + "," + json_text({{"line", number}, {"error", json_of(error)}}).substr(1);
}

std::string answer_line(std::string_view line, std::uint64_t number, const CommandContext& context, bool& ok) {
  ok = false;
  const Expected<Json> object = read_object(line);
  if (!object) return answer_error("null", number, object.error());
  const std::string_view id = object->contains("id") ? value_text(line, "id") : "null";
  Question question;
  if (const std::optional<Error> error = read_question(*object, context, question))
    return answer_error(id, number, *error);
  const Expected<Game> game = game_of(question);
  if (!game) return answer_error(id, number, game.error());
  ok = true;
  return "{\"id\":" + std::string(id) + "," + json_text_of(*game, unknown_keys(*object)).substr(1);
}

}  // namespace hecatomb
