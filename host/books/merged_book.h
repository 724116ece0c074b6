// Entries of books with equal positions merged, in the order of their first appearance.
//
// The one idea: what counts is the position an entry ends with (a game: the position reached). Two are equal if
// variant, rule options and the first five fields of their FENs agree (men, side, castling, usable en passant,
// half-move clock); the move number never counts. They are compared as they are, the hash only finds them.
//
// Memory is the entries that are different. Of an entry that was met before only the count is kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/books/book_entry.h"

namespace hecatomb {

class MergedBook {
 public:
  struct Opening {
    BookEntry entry;          ///< the first that ends with this position
    std::size_t file = 0;     ///< as given to add()
    std::uint64_t count = 1;  ///< entries that end with it
  };

  /// Adds a usable entry. Returns whether its position is new.
  bool add(BookEntry&& entry, std::size_t file);

  const std::vector<Opening>& openings() const { return openings_; }

 private:
  struct Place {
    Position position;
    VariantId variant;
    RuleOptions options;
    int halfmove;
    bool operator==(const Place& other) const;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  std::vector<Opening> openings_;
  std::unordered_map<Place, std::size_t, PlaceHash> indices_;
};

}  // namespace hecatomb
