// The words of movetext that are no moves: results, annotations, typography.
#pragma once
#include <string>
#include <string_view>

namespace hecatomb {

/// Typography in ASCII: dashes (U+2010 to U+2015, U+2212, Windows' 0x96 and 0x97) are hyphens, the ellipsis is three
/// dots, one half is 1/2 (also Latin-1's). Everything else as it is.
void take_out_typography(std::string_view text, std::string& out);

/// The result that a word is, or empty.
inline std::string_view result_of(std::string_view word) {
  if (word.empty() || (word[0] != '0' && word[0] != '1')) return {};
  if (word == "1-0") return "1-0";
  if (word == "0-1") return "0-1";
  if (word == "1/2-1/2" || word == "1/2") return "1/2-1/2";
  return {};
}

/// The move number that a word begins with, dots behind it included: "12.", "12...", "12" alone or before a letter.
/// Empty where there is none: "1-0".
std::string_view number_of(std::string_view word);

/// Whether a word, not an empty one, says something about the move before it: "!?", "+-", "=", "e.p.". Two hyphens are
/// a null move.
bool is_annotation(std::string_view word);

/// The result that a tag claims, with dashes, halves and blanks of any kind ("1 – 0", "½-½"); empty for other texts.
std::string_view read_claim(std::string_view text);

}  // namespace hecatomb
