// The entries of perft suites: what an entry of a book asks for.
//
// The one idea: whatever a file is (EPD, FENs, PGN, TSV), the one reader of books settles what the position is; what is
// added here are the counts to verify, and whether an entry can be used at all.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/backend.h"
#include "host/books/book_entry.h"
#include "host/cli/perft.h"

namespace hecatomb {

struct SuiteCheck {
  int depth_plies;
  u128 expected;
  PerftAnswer answer = {};
  bool ok() const { return answer.status == PerftAnswer::Status::done && answer.leaves == expected; }
};

/// One position of a suite (of a game: the one it ends with) with its checks, or why it was refused.
struct SuiteEntry {
  std::string file;
  std::uint64_t line = 0;
  std::optional<Error> refused = {};
  Position position{};
  VariantId variant = VariantId::chess;
  RuleOptions rules = {};
  std::vector<SuiteCheck> checks = {};
  std::size_t open_checks = 0;
};

/// What was noticed while reading, over all files.
struct SuiteNotes {
  std::uint64_t skipped = 0;           ///< checks, by --max-nodes and --max-depth
  std::uint64_t unchecked = 0;         ///< positions without a check
  std::uint64_t dropped_castling = 0;  ///< positions with castling rights that they cannot have
};

/// The entries of one file, in order.
class SuiteFile {
 public:
  /// `warn` takes what people should know and what refuses nothing. All references must outlive it.
  SuiteFile(std::string name, const PerftOptions& options, SuiteNotes& notes,
            std::function<void(const std::string&)> warn)
      : name_(std::move(name)), options_(options), notes_(notes), warn_(std::move(warn)) {}

  SuiteEntry read(const BookEntry& read);

 private:
  std::optional<Error> read_checks(SuiteEntry& entry, const std::vector<BookOp>& ops);
  bool is_wanted(const SuiteCheck& check) const;
  void note(const std::vector<Report>& warnings);

  std::string name_;
  const PerftOptions& options_;
  SuiteNotes& notes_;
  std::function<void(const std::string&)> warn_;
  bool warned_ = false;  // that -v goes before what the file says
};

}  // namespace hecatomb
