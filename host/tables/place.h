// Where a position stands: the class its table is of, the side to move there, and the squares by man.
#pragma once
#include <optional>

#include "host/tables/layout.h"

namespace hecatomb {

struct Place {
  Material material;
  Color side = kWhite;  ///< to move in the table, whose colours may be changed
  Layout::Squares squares{};
};

/// Nothing for a position of more than kMostTableMen men, or in which a side has none.
std::optional<Place> place_of(const Position& p);

}  // namespace hecatomb
