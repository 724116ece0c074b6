// One tag of a PGN, [Name "value"], as people have them: blanks anywhere, quotes in the value, no bracket behind it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "host/books/pgn_bytes.h"

namespace hecatomb {

struct PgnTag {
  std::string name, value;
  std::uint64_t line = 0;
};

/// Names of tags are compared without case.
bool is_same_tag(std::string_view a, std::string_view b);

/// How a tag ends; all but the first two are faults that leave nothing of it.
enum class TagEnd { good, no_bracket, not_closed, no_quote, no_name, too_long };

inline constexpr std::size_t kMostTagBytes = 4096;  ///< of a name or a value

/// Whether what stands ahead has the shape of a tag: a bracket, a name, a quote.
bool is_tag_ahead(PgnBytes& in);

/// Takes a tag from its bracket on, up to where it ends or is broken. The value is handed out as UTF-8.
TagEnd read_tag(PgnBytes& in, PgnTag& tag);

/// What is wrong with a tag that cannot be read, and what to write.
std::string fault_of(const PgnTag& tag, TagEnd end);

/// Skips the rest of a broken tag: of its line, and lines behind it that look like neither tags nor movetext.
void skip_broken_tag(PgnBytes& in);

}  // namespace hecatomb
