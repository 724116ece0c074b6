// What UCI engines write, line by line: their options, and what they count.
//
// The one idea: engines agree on the form of a count only roughly ("e2e4: 20", "e2e4 - 20", "1. e2e4 20"), so a line is
// cut into words and numbers, and what is no count and no total is no error but simply something else.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/count128.h"

namespace hecatomb {

/// The words of a line, at blanks and at the further separators given.
std::vector<std::string_view> words_of(std::string_view line, std::string_view separators = {});

/// The values of "option name UCI_Variant type combo … var A var B" (of type string: none); nothing if the line is
/// something else.
std::optional<std::vector<std::string>> read_variant_option(std::string_view line);

/// A line of an answer to "go perft N".
struct CountLine {
  enum class Kind {
    other,
    count,      ///< `move` and what is below it
    total,      ///< "Nodes searched: N", "Total: N"
    searching,  ///< the engine looks for a best move instead
  };
  Kind kind = Kind::other;
  std::string move;  ///< count: UCI, in lower case
  u128 leaves = 0;   ///< count, total
};
CountLine read_count_line(std::string_view line);

}  // namespace hecatomb
