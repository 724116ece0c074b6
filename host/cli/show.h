// What `show` says about a game: shared by the one position of `show` and the many of `show --batch`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/game.h"

namespace hecatomb {

/// {"fen","legal","san","result","reason","claims","over","warnings"} of the position reached, in this order,
/// as text on one line. `more` are warnings besides those of the game.
std::string json_text_of(const Game& game, const std::vector<Warning>& more = {});

/// The same for people: the board and what follows.
std::string text_of(const Game& game);

/// Answers every JSON line of a file ("-": stdin) by one JSON line, in order. Returns the exit code.
int show_batch(const std::string& path, const CommandContext& context);

/// Shows the position that game `number` (from 1) of a file of games or positions ends with. Returns the exit code.
int show_game(const std::string& path, std::uint64_t number, const CommandContext& context);

/// Answers the JSON line with that number; `ok` tells whether the answer is no error.
std::string answer_line(std::string_view line, std::uint64_t number, const CommandContext& context, bool& ok);

/// The answer {"id","line","error"}; `id` as it came, JSON text.
std::string answer_error(std::string_view id, std::uint64_t number, const Error& error);

/// The words between blanks.
std::vector<std::string_view> words_of(std::string_view text);

/// The moves of a text, between blanks; "e.p." as a word of its own belongs to the move before it.
std::vector<std::string_view> moves_of(std::string_view text);

}  // namespace hecatomb
