// The openings of hecatomb playout: a book in any format, a FEN, or the start.
#include <iostream>

#include "host/books/book.h"
#include "host/books/merged_book.h"
#include "host/cli/book_reports.h"
#include "host/cli/playout.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/work.h"

namespace hecatomb {

namespace {

class BookLoader {
 public:
  explicit BookLoader(std::optional<std::size_t> plies) : plies_(plies) {}

  OpeningBook load(const std::string& path, const CommandContext& context) {
    Book file = Book::open(path, {context.variant, context.rules});
    BookItem item;
    while (!stop_requested() && file.next(item)) {
      if (stop_requested()) break;  // the item may be cut
      take(read_item(std::move(item), plies_), file.name());
      item = BookItem{};
    }
    reports_.end_file(file.name());
    for (const MergedBook::Opening& opening : merged_.openings()) {
      book_.openings.push_back({opening.entry.name, opening.entry.final});
    }
    return std::move(book_);
  }

 private:
  void take(BookEntry&& entry, const std::string& name) {
    book_.read++;
    reports_.add(entry, name);
    if (!entry.is_usable) {
      book_.refused++;
      return;
    }
    if (merged_.openings().empty()) {
      book_.variant = entry.variant;
      book_.rules = entry.options;
    } else if (entry.variant != book_.variant || entry.options != book_.rules) {
      const std::string what = entry.variant != book_.variant ? "this is " + std::string(variant_name(entry.variant))
                                                              : std::string("the rule options differ");
      const std::string first(variant_name(book_.variant));
      reports_.add_error({entry.line,
                          {.kind = ErrorKind::variant,
                           .message = what + ", the book began with " + first +
                                      "; openings are compared under the same rules: give -v and the "
                                      "options, or a book each"}},
                         name);
      book_.refused++;
      return;
    }
    book_.in_part += std::uint64_t{!entry.errors.empty()};
    entry.moves = {};
    entry.tags = {};
    entry.ops = {};
    merged_.add(std::move(entry), 0);
  }

  std::optional<std::size_t> plies_;
  BookReports reports_{[](std::string_view line) { std::cerr << line << '\n'; }};
  MergedBook merged_;
  OpeningBook book_;
};

}  // namespace

std::optional<OpeningBook> read_openings(const PlayoutOptions& options, const CommandContext& context) {
  if (options.book) return BookLoader(options.plies).load(*options.book, context);
  OpeningBook book;
  book.variant = context.required_variant();
  book.rules = context.rules_for(book.variant);
  const std::string fen = options.fen.value_or(std::string(start_fen(book.variant)));
  const Expected<FenReading> read = read_fen(fen, book.variant, book.rules);
  if (!read) {
    if (context.json) print_json({{"error", json_of(read.error())}});
    if (!context.json) print_error_in(fen, read.error());
    return std::nullopt;
  }
  for (const Warning& warning : read->warnings) print_warning(warning.message);
  book.read = 1;
  book.openings.push_back({options.fen ? "" : "start", read->position});
  return book;
}

}  // namespace hecatomb
