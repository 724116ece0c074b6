// All moves of several positions at once as a table of sets, for drawing one of each: how many there are, in which set
// the move drawn is, and where the men of a set come from.
//
// The one idea: the sets of reach.h stand in memory in the order of rules.md, each with how many moves come before it.
// The set that holds a move is then found for all lanes by comparing, without a branch; one bit of it is the target.
#pragma once
#include "common/movegen.h"
#include "host/cpu/lane_words.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// The square of the k-th man of a set, from 0; the set has more than k.
HECATOMB_HD Square select_square(u64 set, u64 k) {
#if defined(__BMI2__)
  return ctz(__builtin_ia32_pdep_di(u64{1} << k, set));
#else
  for (; k != 0; k--) set &= set - 1;
  return ctz(set);
#endif
}

inline constexpr int kSets = 30;  ///< of for_each_set
inline constexpr int kFirstCastle = 28;
/// Those that a side may have: castling comes last.
template <class V, Color us>
inline constexpr int kSetsOf = (V::castling & (us == kWhite ? 3 : 12)) != 0 ? kSets : kFirstCastle;

/// The sets of all lanes of a group, how many moves come before each, and which move was drawn.
struct alignas(64) MoveTable {
  Reach<Batch> reach;
  u64 set[kSets][kBatch];
  u64 before[kSets][kBatch];
  u64 moves[kBatch];   ///< the number of legal moves
  u64 number[kBatch];  ///< of the move drawn; nothing where there are no moves
  u64 index[kBatch];   ///< of the set that holds it
};

/// A sink for for_each_set that fills a table.
template <class V, Color us>
struct Tabulate {
  MoveTable& table;
  const bool one_king;  ///< no lane has two: a step of kings holds one square at most
  Batch sum = splat(Type<Batch>{}, 0);
  int size = 0;
  template <SetKind kind, int step>
  HECATOMB_HD bool take(Batch targets) {
    constexpr bool castle = kind == SetKind::castle_king || kind == SetKind::castle_queen;
    if constexpr (castle && kSetsOf<V, us> == kFirstCastle) return false;
    store_word(table.set[size], targets);
    store_word(table.before[size], sum);
    size++;
    if (castle && kSkipRare<Batch> && !any(targets)) return false;
    if (kind == SetKind::king && (V::royal[us] || one_king)) {
      sum = sum + select(targets, splat(Type<Batch>{}, 1), splat(Type<Batch>{}, 0));
      return false;
    }
    PlaneSum<Batch> n;
    n.template add<1>(targets);
    if constexpr (kind == SetKind::pawn) {
      const Batch promoting = targets & splat(Type<Batch>{}, rank_mask(us == kWhite ? 7 : 0));
      if (!kSkipRare<Batch> || any(promoting)) {
        if constexpr (V::king_promotion) {
          n.template add<4>(promoting);
        } else {
          n.template add<1>(promoting);
          n.template add<2>(promoting);
        }
      }
    }
    sum = sum + n.total();
    return false;
  }
};

/// Where the men of each set come from.
struct Origins {
  int step[kSets];  ///< from origin to target; of sliders one step
  u8 line[kSets];   ///< of sliders: the row of Lines; else kNoLine
  int size = 0;
  template <SetKind kind, int distance>
  HECATOMB_HD bool take(u64) {
    constexpr bool slides = kind == SetKind::diagonal || kind == SetKind::orthogonal;
    step[size] = distance;
    line[size] = slides ? static_cast<u8>(line_of(distance)) : kNoLine;
    size++;
    return false;
  }
  static constexpr u8 kNoLine = 8;
  /// 1, 7, 8, 9 and their opposites as 0 … 7.
  static constexpr int line_of(int distance) {
    const int size_of_step = distance < 0 ? -distance : distance;
    return (size_of_step == 1 ? 0 : size_of_step - 6) + (distance < 0 ? 4 : 0);
  }
};

/// Behind each square, seen in each direction: all squares to the edge. The row of no line has all squares.
struct Lines {
  u64 behind[9][64];
  void fill() {
    constexpr int steps[8] = {1, 7, 8, 9, -1, -7, -8, -9};
    constexpr int files[8] = {1, -1, 0, 1, -1, 1, 0, -1}, ranks[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    for (int i = 0; i < 8; i++) {
      static_assert(Origins::line_of(9) == 3 && Origins::line_of(-1) == 4);
      for (Square s = 0; s < 64; s++) behind[Origins::line_of(steps[i])][s] = line_from(s, -files[i], -ranks[i]);
    }
    for (Square s = 0; s < 64; s++) behind[Origins::kNoLine][s] = ~u64{0};
  }
};

}  // namespace hecatomb::inline HECATOMB_TARGET
