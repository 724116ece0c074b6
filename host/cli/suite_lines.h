// The lines of perft suites: what a line asks for, and what the comments above it say.
//
// The one idea: a line becomes an entry, whether it can be read or not; everything that decides how it is read (-v, the
// comments of its file, its own operations) is settled here, so that running the entries knows nothing of text.
//
// Precedence of the rules: what the command line says, then the line's own operations, then the comments above. A new
// "# variant" takes rule options back that were said before a position.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/backend.h"
#include "host/cli/perft.h"
#include "host/cli/rule_choice.h"
#include "host/notation/epd.h"
#include "host/notation/lines.h"

namespace hecatomb {

struct SuiteCheck {
  int depth_plies;
  u128 expected;
  PerftAnswer answer = {};
  bool ok() const { return answer.status == PerftAnswer::Status::done && answer.leaves == expected; }
};

/// One line of a suite: a position with its checks, or why it was refused.
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
  std::uint64_t unchecked = 0;         ///< positions whose line has no check
  std::uint64_t dropped_castling = 0;  ///< positions with castling rights that they cannot have
};

/// The lines of one file, in order.
class SuiteFile {
 public:
  /// `warn` takes what people should know and what refuses nothing. All references must outlive it.
  SuiteFile(std::string name, const PerftOptions& options, const CommandContext& context, SuiteNotes& notes,
            std::function<void(const std::string&)> warn)
      : name_(std::move(name)), options_(options), context_(context), notes_(notes), warn_(std::move(warn)) {}

  /// The entry of a line; nothing for a comment that can be read and for a blank line.
  std::optional<SuiteEntry> read(const Line& line);

 private:
  std::optional<Error> read_comment(const Line& line);
  std::optional<Error> read_position(const Line& line, SuiteEntry& entry);
  Expected<RuleOptions> rules_of(const EpdPosition& read) const;
  std::optional<Error> read_checks(SuiteEntry& entry, const std::vector<EpdOp>& ops);
  bool is_wanted(const SuiteCheck& check) const;
  void warn_of_other_variant(std::uint64_t line, std::string_view said);

  std::string name_;
  const PerftOptions& options_;
  const CommandContext& context_;
  SuiteNotes& notes_;
  std::function<void(const std::string&)> warn_;
  std::optional<VariantId> variant_;  // of the comments
  RuleChoice choice_;                 // likewise
  bool any_position_ = false;         // since the last comment that said something
  bool warned_ = false;               // that -v goes before what the file says
};

}  // namespace hecatomb
