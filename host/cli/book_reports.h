// What is wrong with the entries of a book, for people: one line each with file, line and ply; what a whole book has on
// every line is said once.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "host/books/book_entry.h"

namespace hecatomb {

class BookReports {
 public:
  using Print = std::function<void(std::string_view)>;
  /// `print` gets whole lines, with "hecatomb: error: " before them.
  explicit BookReports(Print print) : print_(std::move(print)) {}

  /// Errors and warnings of an entry of the file `name`.
  void add(const BookEntry& entry, const std::string& name);
  /// One error of an entry.
  void add_error(const Report& report, const std::string& name) { print_line("error", report, name); }
  /// After the last entry of a file: one line a kind for rights in vain and variants that the user has overruled.
  void end_file(const std::string& name);
  /// Warnings so far; those of end_file count once a file and kind.
  std::uint64_t warnings() const { return warnings_; }

 private:
  void print_line(std::string_view kind_of_line, const Report& report, const std::string& name);

  struct Often {
    std::uint64_t entries = 0;
    Report first;
  };
  Print print_;
  std::map<ErrorKind, Often> often_;  // of this file
  std::uint64_t warnings_ = 0;
};

}  // namespace hecatomb
