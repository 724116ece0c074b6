// The one reader of games and positions: PGN, EPD files, lists of FENs, TSV files (`eco name pgn`), plain or packed.
//
// The one idea: the format is told by the first line that says something, never by the name of the file; what comes out
// is always the same (BookItem, and by read_item BookEntry). So whatever takes a book takes every format.
//
// Comments of EPD files and FEN lists say what holds for the lines below them: "# variant: horde",
// "# options: ep=restricted", "# ep: restricted". A TSV file may begin with a line of column names; without one the
// columns are eco, name, pgn. Columns besides those become tags of the game (variant, fen).
//
// Invariants: memory is constant: some buffers and one item. What is wrong in the file is an item with a fault or an
// entry with errors; only what the machine refuses is an EnvironmentError. After a Ctrl-C (stop_requested) the last
// item may be incomplete: whoever reads asks then, and leaves it out.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/books/book_entry.h"
#include "host/books/byte_source.h"

namespace hecatomb {

class Book {
 public:
  /// Opens a file, "-" for stdin; `user` is what the user says about variant and rules. Throws EnvironmentError.
  /// `before_waiting` is called before every wait for a slow writer; it may be empty.
  static Book open(const std::string& path, const BookRules& user = {}, std::function<void()> before_waiting = {});
  Book(ByteSource source, const BookRules& user);
  ~Book();
  Book(Book&&) noexcept;
  Book& operator=(Book&&) noexcept;

  /// Cuts out the next item; false after the last. The item's memory is used again.
  bool next(BookItem& item);

  /// The path, or "stdin".
  const std::string& name() const;
  /// Bytes of the file itself read so far, and in all (0: not known).
  std::uint64_t bytes_taken() const;
  std::uint64_t bytes_in_all() const;

  /// One of the formats above.
  class Format;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hecatomb
