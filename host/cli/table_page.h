// The page of `hecatomb table report`: what a set of tables holds, for people, in one file that needs no network.
//
// The one idea: every figure is from the counts stored in the tables, the same as those of `table stats`; diagrams are
// inline SVG, sorting is a few lines of script, and without script the page is whole, too.
#pragma once
#include <string>
#include <vector>

#include "host/tables/table_store.h"

namespace hecatomb {

/// One side to move of a class.
struct PageSide {
  std::string longest_fen;   ///< a position with the longest win, or empty
  std::string longest_line;  ///< best play from there, in SAN with numbers
};

/// One class.
struct PageClass {
  Material material;
  Layout layout;
  TableCounts counts;
  std::uint64_t file_bytes = 0;
  std::array<PageSide, 2> sides{};
};

/// A class that could not be read, and why.
struct PageRefusal {
  std::string material, reason;
};

struct TablePage {
  std::string variant, options;  ///< options in words, or empty
  CountUnit unit = CountUnit::orbits;
  std::vector<PageClass> classes = {};
  std::vector<PageRefusal> refused = {};
};

/// The whole document.
std::string html_of(const TablePage& page);

}  // namespace hecatomb
