// The word somebody meant who mistyped one.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hecatomb {

/// The nearest of `words` by edit distance (a swap of neighbours counts once); empty where none is near.
std::string_view nearest_word(std::string_view word, std::span<const std::string> words);

/// "; did you mean 'perft'?" or "; expected one of a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace hecatomb
