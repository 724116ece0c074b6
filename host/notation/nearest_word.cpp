#include "host/notation/nearest_word.h"

#include <algorithm>
#include <cstddef>

namespace hecatomb {

namespace {

constexpr std::size_t kLongestWord = 40;  // what is longer is no slip of the finger

/// Levenshtein's distance with swaps of neighbours (optimal string alignment), row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); j++) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); i++) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, above[j] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string> words) {
  std::string_view best;
  std::size_t best_distance = kLongestWord;
  if (word.size() > kLongestWord) return best;
  for (const std::string& known : words) {
    const std::size_t distance = edit_distance(word, known);
    // Half of the word right is enough: a wrong guess costs little.
    if (distance >= best_distance || 2 * distance > std::max(word.size(), known.size())) continue;
    best = known;
    best_distance = distance;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& words) {
  const std::string_view nearest = nearest_word(word, words);
  if (!nearest.empty()) return "; did you mean '" + std::string(nearest) + "'?";
  std::string text = "; expected one of ";
  for (const std::string& known : words) {
    if (&known != &words.front()) text += ", ";
    text += known;
  }
  return text;
}

}  // namespace hecatomb
