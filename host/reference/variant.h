// How the variants differ, as a row of data each. The idea: code asks for a property ("are captures compulsory?") and
// never for a variant by name, except where a rule belongs to one variant alone.
#pragma once

#include "host/reference/reference.h"

namespace hecatomb::reference {

struct VariantFacts {
  const char* name;
  const char* start_fen;
  bool captures_compulsory;
  bool white_king_royal;
  bool black_king_royal;
  bool white_castles;
  bool black_castles;
  bool pawns_on_white_rank_one;  // with a double step from there
  int most_white_men;
  const char* promotions;
};

const VariantFacts& facts(Variant variant);

inline bool king_is_royal(const Rules& rules, bool white) {
  return white ? facts(rules.variant).white_king_royal : facts(rules.variant).black_king_royal;
}

/// Rule 1: the men on the board decide, whoever is to move.
bool is_over_by_men(const Rules& rules, const Position& position);

/// The en passant square if a legal en passant capture exists, else -1.
int usable_ep_square(const Rules& rules, const Position& position);

}  // namespace hecatomb::reference
