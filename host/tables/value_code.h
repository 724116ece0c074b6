// The values of a table while it is solved: codes of one byte that order as the values do.
//
// The one idea: what a position is worth is one byte, so 64 cells are one cache line, the best of two moves is a
// maximum of bytes, and a step back is a complement: a loss in d has the code c, the win in d + 1 that leads to it ~c.
// Where all wins are even and all losses odd (the game ends only with a win of the side to move: antichess, and suicide
// where the stalemated side wins) a code stands for two plies, so a byte reaches 252 plies; otherwise 126. A class that
// is longer is solved with codes of two bytes.
#pragma once
#include <limits>

#include "common/types.h"
#include "host/tables/value.h"

namespace hecatomb {

/// Thrown where a distance does not fit into the codes used.
struct CodesTooShortError {};

template <class Code>
class ValueCode {
 public:
  static constexpr Code kNone = 0;  ///< no position, or nothing known: below all others
  static constexpr Code kDrawn = static_cast<Code>(Code{1} << (8 * sizeof(Code) - 1));
  static constexpr Code kTop = std::numeric_limits<Code>::max();

  explicit constexpr ValueCode(bool wins_are_even) : shift_(wins_are_even ? 1 : 0) {}

  /// The longest distance that has a code.
  constexpr int most_plies() const {
    return sizeof(Code) == 1 ? ((kDrawn - 2) << shift_) : kMostPlies;  // win(), loss() of it stay clear of kDrawn
  }
  constexpr Code win(int plies) const { return static_cast<Code>(kTop - (plies >> shift_)); }
  constexpr Code loss(int plies) const { return static_cast<Code>(1 + (plies >> shift_)); }
  /// Throws CodesTooShortError.
  constexpr Code of(TableValue v) const {
    if (v == kNoValue) return kNone;
    if (v == kDraw) return kDrawn;
    if (plies_of(v) > most_plies()) throw CodesTooShortError{};
    return v > 0 ? win(plies_of(v)) : loss(plies_of(v));
  }
  constexpr TableValue value(Code c) const {
    if (c == kNone) return kNoValue;
    if (c == kDrawn) return kDraw;
    if (c > kDrawn) return win_in((kTop - c) << shift_);
    return loss_in(((c - 1) << shift_) + shift_);
  }
  /// What a move is worth for the side that makes it, from the code of the position after it.
  constexpr Code before(Code c) const {
    return static_cast<Code>(static_cast<Code>(~c) + (c >= kDrawn ? 1 : 0) + (shift_ == 0 && c > kDrawn ? 1 : 0));
  }
  /// The same for a loss alone.
  static constexpr Code before_loss(Code c) { return static_cast<Code>(~c); }

 private:
  int shift_;
};

}  // namespace hecatomb
