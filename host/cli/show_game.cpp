// hecatomb show --pgn: the position that a game of a file ends with.
#include <iostream>

#include "host/books/book.h"
#include "host/cli/show.h"
#include "host/work.h"

namespace hecatomb {

namespace {

/// The error with its place in the file at the front of its message.
Error placed(const std::string& path, const Report& report) {
  Error error = report.error;
  error.message = path + ":" + std::to_string(report.line) + ": " +
                  (error.ply > 0 ? "ply " + std::to_string(error.ply) + ": " : "") + error.message;
  return error;
}

/// The number-th entry, or why there is none.
Expected<BookEntry> find_game(const std::string& path, std::uint64_t number, const CommandContext& context) {
  Book book = Book::open(path, {context.variant, context.rules});
  BookItem item;
  std::uint64_t games = 0;
  while (book.next(item) && !stop_requested()) {
    if (++games == number) return read_item(std::move(item));
  }
  return Error{ErrorKind::option, "", 0, 0,
               path + " has " + std::to_string(games) + (games == 1 ? " game" : " games") + ", so there is no --game " +
                   std::to_string(number)};
}

void print_faults(const std::string& path, const std::vector<Report>& errors, const CommandContext& context) {
  if (context.json && !errors.empty()) return print_json({{"error", json_of(placed(path, errors.front()))}});
  for (const Report& report : errors) print_error(placed(path, report).message);
}

}  // namespace

int show_game(const std::string& path, std::uint64_t number, const CommandContext& context) {
  const Expected<BookEntry> found = find_game(path, number, context);
  if (!found) {
    if (context.json) {
      print_json({{"error", json_of(found.error())}});
    } else {
      print_error(found.error().message);
    }
    return kExitRefused;
  }
  const BookEntry& entry = *found;
  print_faults(path, entry.errors, context);
  if (!entry.is_usable || (context.json && !entry.errors.empty())) return kExitRefused;
  Game game(entry.start, entry.variant, entry.options);
  for (const Move move : entry.moves) game.play(move);
  std::vector<Warning> warnings;
  warnings.reserve(entry.warnings.size());
  for (const Report& report : entry.warnings) warnings.push_back(placed(path, report));
  if (context.json) {
    std::cout << json_text_of(game, warnings) << '\n';
  } else {
    for (const Warning& warning : warnings) print_warning(warning.message);
    std::cout << text_of(game);
  }
  return entry.errors.empty() ? kExitDone : kExitRefused;
}

}  // namespace hecatomb
