// hecatomb show: one position, or one position after moves.
#include "host/cli/show.h"

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <utility>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"

namespace hecatomb {

namespace {

constexpr std::size_t kTextColumns = 100;

struct ShowOptions {
  std::optional<std::string> fen, file, pgn;
  std::optional<std::uint64_t> game;
  std::string moves;
  bool batch = false;
};

/// UCI and SAN of every legal move, sorted by UCI.
std::vector<std::pair<std::string, std::string>> named_moves(const Game& game) {
  MoveList legal;
  list_legal(game.position(), game.variant(), legal);
  std::vector<std::pair<std::string, std::string>> names;
  names.reserve(static_cast<std::size_t>(legal.size));
  for (const Move m : legal) {
    names.emplace_back(uci_of(m), san_of(game.position(), m, game.variant(), game.options()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string_view> claim_names(const Claims& claims) {
  std::vector<std::string_view> names;
  if (claims.threefold) names.push_back(reason_text(Reason::threefold));
  if (claims.fifty_moves) names.push_back(reason_text(Reason::fifty_moves));
  return names;
}

std::string board_drawing(const Position& p) {
  std::string text;
  for (int rank = 7; rank >= 0; rank--) {
    text += "  " + std::to_string(rank + 1) + " ";
    for (int file = 0; file < 8; file++) {
      const Square s = 8 * rank + file;
      const Kind kind = p.kind_at(s);
      const char letter = kind == Kind::none ? '.' : letter_of(kind);
      text += ' ';
      text += p.men[kBlack] & bit(s) ? lower_of(letter) : letter;
    }
    text += '\n';
  }
  return text + "\n     a b c d e f g h\n";
}

/// "a2a3 (a3), …" in lines of at most kTextColumns.
std::string move_lines(const std::vector<std::pair<std::string, std::string>>& moves) {
  std::string text, line;
  for (std::size_t i = 0; i < moves.size(); i++) {
    const std::string move = moves[i].first + " (" + moves[i].second + ")" + (i + 1 < moves.size() ? "," : "");
    if (!line.empty() && 3 + line.size() + move.size() > kTextColumns) text += "  " + std::exchange(line, "") + '\n';
    line += (line.empty() ? "" : " ") + move;
  }
  return line.empty() ? text : text + "  " + line + '\n';
}

/// For people, where there is a fault: the FEN, or the moves with the ply and its column.
void print_fault(const std::string& fen, const std::string& moves, Error error) {
  if (error.ply == 0) {
    print_error_in(fen, error);
    return;
  }
  const std::string_view word = moves_of(moves)[static_cast<std::size_t>(error.ply) - 1];
  error.column = static_cast<int>(word.data() - moves.data()) + 1;
  error.message = "--moves, ply " + std::to_string(error.ply) + ": " + error.message;
  print_error_in(moves, error);
}

int show_one(const ShowOptions& options, const CommandContext& context) {
  const VariantId variant = context.required_variant();
  const std::string fen = options.fen.value_or(std::string(start_fen(variant)));
  Expected<Game> game = Game::from_fen(fen, variant, context.rules_for(variant));
  std::optional<Error> error;
  if (game) {
    error = game->play_all(moves_of(options.moves));
  } else {
    error = game.error();
  }
  if (error) {
    if (context.json) {
      print_json({{"error", json_of(*error)}});
    } else {
      print_fault(fen, options.moves, *error);
    }
    return kExitRefused;
  }
  if (context.json) {
    std::cout << json_text_of(*game) << '\n';
  } else {
    for (const Warning& warning : game->warnings()) print_warning(warning.message);
    std::cout << text_of(*game);
  }
  return kExitDone;
}

int show(const ShowOptions& options, const CommandContext& context) {
  context.require_cpu_backend("show answers by the rules core alone; 'hecatomb verify' compares it with the reference");
  if (options.pgn) {
    if (options.batch || options.file || options.fen || !options.moves.empty())
      throw UsageError("--pgn goes with --game alone: the file says where the game begins, and its moves");
    return show_game(*options.pgn, options.game.value_or(1), context);
  }
  if (options.game) throw UsageError("--game N is for --pgn FILE: the N-th game of the file");
  if (!options.batch) {
    if (options.file)
      throw UsageError("show reads a FILE only with --batch; did you mean --fen '" + *options.file + "'?");
    return show_one(options, context);
  }
  if (options.fen || !options.moves.empty()) {
    throw UsageError("--fen and --moves do not go with --batch: every line has its own");
  }
  return show_batch(options.file.value_or("-"), context);
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i])) i++;
    if (i > begin) words.push_back(text.substr(begin, i - begin));
    if (i < text.size()) i++;
  }
  return words;
}

std::vector<std::string_view> moves_of(std::string_view text) {
  std::vector<std::string_view> moves;
  for (const std::string_view word : words_of(text)) {
    if (moves.empty() || word != "e.p.") moves.push_back(word);
  }
  return moves;
}

std::string json_text_of(const Game& game, const std::vector<Warning>& more) {
  const Standing standing = game.standing();
  // By hand, as these names need no escapes: twice as fast as a document that is built and then written.
  std::string legal, san, claims;
  const auto add = [](std::string& list, std::initializer_list<std::string_view> parts) {
    if (!list.empty()) list += ',';
    for (const std::string_view part : parts) list += part;
  };
  for (const auto& [uci, name] : named_moves(game)) {
    add(legal, {"\"", uci, "\""});
    add(san, {"\"", uci, "\":\"", name, "\""});
  }
  for (const std::string_view name : claim_names(standing.claims)) add(claims, {"\"", name, "\""});
  Json warnings = Json::array();
  for (const Warning& warning : game.warnings()) warnings.push_back(json_of_warning(warning));
  for (const Warning& warning : more) warnings.push_back(json_of_warning(warning));

  std::string text = R"({"fen":")" + fen_of(game.position());
  text.append(R"(","legal":[)").append(legal).append(R"(],"san":{)").append(san);
  text.append(R"(},"result":")").append(result_text(standing.outcome.result));
  text.append(R"(","reason":")").append(reason_text(standing.outcome.reason));
  text.append(R"(","claims":[)").append(claims);
  text.append(R"(],"over":)").append(standing.over() ? "true" : "false");
  return text + ",\"warnings\":" + json_text(warnings) + "}";
}

std::string text_of(const Game& game) {
  const Standing standing = game.standing();
  const auto moves = named_moves(game);
  std::string text = board_drawing(game.position());
  const auto add = [&text](std::string_view label, std::string_view value) {
    text.append(label).append(12 - label.size(), ' ').append(value) += '\n';
  };
  text += '\n';
  add("variant", variant_name(game.variant()));
  add("fen", fen_of(game.position()));
  add("to move", name_of(game.position().us()));
  std::string result(result_text(standing.outcome.result));
  if (standing.over()) result += " (" + std::string(reason_text(standing.outcome.reason)) + "), the game is over";
  add("result", result);
  std::string claims;
  for (const std::string_view name : claim_names(standing.claims)) {
    claims.append(claims.empty() ? "" : ", ").append(name);
  }
  add("claims", claims.empty() ? "none" : claims);
  add("legal moves", std::to_string(moves.size()));
  return text + move_lines(moves);
}

void add_show(CLI::App& app, CommandContext& context) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App& command = add_command(app, context, "show", "a position: legal moves, result, claims",
                                  [options](const CommandContext& checked) { return show(*options, checked); });
  command.add_option("--fen", options->fen, "the position (default: the start of the variant)");
  command.add_option("--moves", options->moves, "moves to play first, UCI or SAN, with blanks between them");
  command.add_option("--pgn", options->pgn, "a file of games or positions (as convert reads it): where a game ends")
      ->type_name("FILE");
  add_number(command, "--game", options->game, 1, ~std::uint64_t{0}, "which of them (default: 1, the first)");
  command.add_flag("--batch", options->batch, "JSON lines in (FILE, default stdin), JSON lines out");
  command.add_option("FILE", options->file, R"(for --batch: lines {"id","variant","fen","moves","options"})");
}

}  // namespace hecatomb
