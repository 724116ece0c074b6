#include "host/books/merged_book.h"

#include <utility>

#include "common/hash.h"

namespace hecatomb {

bool MergedBook::Place::operator==(const Place& other) const {
  return same_position(position, other.position) && variant == other.variant && options == other.options &&
         halfmove == other.halfmove;
}

std::size_t MergedBook::PlaceHash::operator()(const Place& place) const { return hash_of(place.position).low; }

bool MergedBook::add(BookEntry&& entry, std::size_t file) {
  const Place place{entry.final, entry.variant, entry.options, entry.final.halfmove};
  const auto [at, is_new] = indices_.try_emplace(place, openings_.size());
  if (is_new) {
    openings_.push_back({std::move(entry), file, 1});
  } else {
    openings_[at->second].count++;
  }
  return is_new;
}

}  // namespace hecatomb
