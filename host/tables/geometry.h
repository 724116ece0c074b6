// Moves of one man as sets, for men that stand on a set of squares: the few the solver of tables needs.
//
// The one idea: quiet moves of all men but pawns can be taken back, so the squares a man reaches from a set are also
// those from which it reaches the set.
#pragma once
#include <array>

#include "common/bitboard.h"
#include "common/endgame_index.h"

namespace hecatomb {

namespace detail {

/// One square per step s; df is how it changes the file.
template <int s, int df>
constexpr u64 step_set(u64 x) {
  constexpr u64 keep = df == 0    ? ~u64{0}
                       : df == 1  ? ~kFileA
                       : df == 2  ? ~(kFileA | kFileA << 1)
                       : df == -1 ? ~kFileH
                                  : ~(kFileH | kFileH >> 1);
  return shift<s>(x) & keep;
}

template <int s, int df>
u64 slide_set(u64 from, u64 empty) {
  constexpr u64 keep = df == 0 ? ~u64{0} : (df > 0 ? ~kFileA : ~kFileH);
  return ray<s>(from, empty & keep) & keep;
}

constexpr std::array<std::array<u64, 64>, 64> between_table() {
  std::array<std::array<u64, 64>, 64> table{};
  for (int a = 0; a < 64; a++) {
    for (int df = -1; df <= 1; df++) {
      for (int dr = -1; dr <= 1; dr++) {
        if (df == 0 && dr == 0) continue;
        u64 passed = 0;
        for (int f = (a & 7) + df, r = (a >> 3) + dr; f >= 0 && f < 8 && r >= 0 && r < 8; f += df, r += dr) {
          const int b = 8 * r + f;
          table[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = passed;
          passed |= bit(b);
        }
      }
    }
  }
  return table;
}

}  // namespace detail

/// The squares between two on a line, without the two; empty where they are on none.
inline constexpr auto kBetween = detail::between_table();
inline u64 between(Square a, Square b) { return kBetween[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]; }

/// The squares beside those of a set.
constexpr u64 beside(u64 x) { return detail::step_set<1, 1>(x) | detail::step_set<-1, -1>(x); }

/// Squares that men of a kind (no pawn) on `from` attack: empty ones and the first ones that are not.
inline u64 attacks_of(Kind kind, u64 from, u64 empty) {
  using detail::slide_set;
  using detail::step_set;
  u64 to = 0;
  if (kind == Kind::knight) {
    return step_set<17, 1>(from) | step_set<10, 2>(from) | step_set<-6, 2>(from) | step_set<-15, 1>(from) |
           step_set<-17, -1>(from) | step_set<-10, -2>(from) | step_set<6, -2>(from) | step_set<15, -1>(from);
  }
  if (kind == Kind::king) {
    const u64 row = from | beside(from);
    return beside(from) | beside(from) << 8 | from << 8 | row >> 8;
  }
  if (kind != Kind::rook) {
    to = slide_set<9, 1>(from, empty) | slide_set<-7, 1>(from, empty) | slide_set<7, -1>(from, empty) |
         slide_set<-9, -1>(from, empty);
  }
  if (kind != Kind::bishop) {
    to |= slide_set<1, 1>(from, empty) | slide_set<-1, -1>(from, empty) | slide_set<8, 0>(from, empty) |
          slide_set<-8, 0>(from, empty);
  }
  return to;
}

/// Squares that pawns of a colour attack.
constexpr u64 pawn_attacks(Color color, u64 from) { return color == kWhite ? beside(from) << 8 : beside(from) >> 8; }
/// One square forward.
constexpr u64 forward(Color color, u64 x) { return color == kWhite ? x << 8 : x >> 8; }
constexpr Square forward(Color color, Square s) { return color == kWhite ? s + 8 : s - 8; }

/// Ranks as a side counts them, from 0.
constexpr u64 rank_of_side(Color color, int rank) { return rank_mask(color == kWhite ? rank : 7 - rank); }

/// symmetric() as a table.
inline constexpr auto kSymmetric = [] {
  std::array<std::array<u8, 64>, kSymmetries> table{};
  for (int t = 0; t < kSymmetries; t++) {
    for (int s = 0; s < 64; s++)
      table[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)] =
          static_cast<u8>(symmetric(static_cast<Symmetry>(t), s));
  }
  return table;
}();

}  // namespace hecatomb
