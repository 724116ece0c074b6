// Positions whose only use is to have their moves counted, made as fast as they are counted.
//
// The one idea: when the class of the moving man is known (it is, set by set), a quiet move or a capture changes the
// planes of a position by one mask: child = (parent & ~to) ^ ((from | to) & planes of the class), a whole vector at a
// time; only a queen needs a second plane. Moves that do more (promotion, en passant, castling, a double step beside an
// enemy pawn, a castling right lost) go through make(). Counters are left as they were: nobody reads them here.
// Measured: three times as fast as make() for every child, 1.4 times for the whole of perft.
#pragma once
#include "common/movegen.h"

namespace hecatomb::inline HECATOMB_TARGET {

#if defined(HECATOMB_SIMD)
using Chunk = RawLanes;
inline constexpr int kChunkWords = kLanes;
HECATOMB_HD Chunk load_chunk(const u64* p) { return load(p); }
HECATOMB_HD Chunk splat_chunk(u64 x) { return x - Chunk{}; }
#else
using Chunk = u64;
inline constexpr int kChunkWords = 1;
HECATOMB_HD Chunk load_chunk(const u64* p) { return *p; }
HECATOMB_HD Chunk splat_chunk(u64 x) { return x; }
#endif

/// A position as its eight words (its layout is asserted in position.h).
HECATOMB_HD const u64* words_of(const Position& p) { return reinterpret_cast<const u64*>(&p); }

/// Which of a position's eight words a move of a man of this class flips at `from` and `to`.
template <Color us, SetKind kind>
struct FlippedWords {
  alignas(64) static constexpr u64 mask[8] = {us == kWhite ? ~u64{0} : 0,
                                              us == kBlack ? ~u64{0} : 0,
                                              kind == SetKind::pawn || kind == SetKind::pawn_double ? ~u64{0} : 0,
                                              kind == SetKind::knight ? ~u64{0} : 0,
                                              kind == SetKind::diagonal ? ~u64{0} : 0,
                                              kind == SetKind::orthogonal ? ~u64{0} : 0,
                                              kind == SetKind::king ? ~u64{0} : 0,
                                              0};
};
alignas(64) inline constexpr u64 kMenWords[8] = {~u64{0}, ~u64{0}, ~u64{0}, ~u64{0}, ~u64{0}, ~u64{0}, ~u64{0}, 0};

/// A sink for for_each_set. `Out` has `Position* next()` (room for one more) and is told `added()` after each.
template <class V, Color us, class Out>
struct LeafParents {
  const Position& p;
  const RuleOptions& options;
  u64 occupied, ep;
  Position base;  ///< p with the other side to move and no en passant
  Out& out;

  LeafParents(const Position& parent, const RuleOptions& o, u64 ep_targets, Out& sink)
      : p(parent), options(o), occupied(parent.occupied()), ep(ep_targets), base(parent), out(sink) {
    base.ep_west = base.ep_east = 0;
    base.side = other(us);
  }

  __attribute__((noinline)) void make_any(Move m) {
    *out.next() = make<V, us>(p, m, options);
    out.added();
  }

  template <SetKind kind>
  HECATOMB_HD void make_plain(Square from, Square to) {
    const u64 to_bit = bit(to), both = bit(from) | to_bit;
    Position* child = out.next();
    HECATOMB_UNROLL
    for (int i = 0; i < 8; i += kChunkWords) {
      const Chunk kept = load_chunk(words_of(base) + i) & ~(splat_chunk(to_bit) & load_chunk(kMenWords + i));
      const Chunk made = kept ^ (splat_chunk(both) & load_chunk(FlippedWords<us, kind>::mask + i));
      __builtin_memcpy(reinterpret_cast<u64*>(child) + i, &made, sizeof made);
    }
    if constexpr (kind == SetKind::diagonal) {
      child->orthogonal = (p.orthogonal & ~to_bit) ^ (both & (u64{0} - (p.orthogonal >> from & 1)));
    } else if constexpr (kind == SetKind::orthogonal) {
      child->diagonal = (p.diagonal & ~to_bit) ^ (both & (u64{0} - (p.diagonal >> from & 1)));
    }
    out.added();
  }

  /// Whether a move does no more than move one man and perhaps take another.
  template <SetKind kind>
  HECATOMB_HD bool is_plain(u64 from, u64 to) const {
    if constexpr (kind == SetKind::castle_king || kind == SetKind::castle_queen) return false;
    if constexpr (kind == SetKind::pawn_double) {
      if ((((to & ~kFileA) >> 1 | (to & ~kFileH) << 1) & p.pawns & p.men[other(us)]) != 0) return false;
    }
    constexpr u64 homes = 0x9100'0000'0000'0091;
    return V::castling == 0 || p.castling == 0 || ((from | to) & homes) == 0;
  }

  template <SetKind kind, int step>
  HECATOMB_HD bool take(u64 targets) {
    if constexpr (kind == SetKind::pawn) {
      const u64 special = targets & (kLastRanks | ep);
      targets ^= special;
      if (special != 0) {
        const auto any_move = [this](Move m) { make_any(m); };
        EachMove<V, decltype(any_move)> each{occupied, ep, any_move};
        each.template take<kind, step>(special);
      }
    }
    for (; targets != 0; targets &= targets - 1) {
      const Square to = ctz(targets), from = origin<kind, step>(to, occupied);
      if (is_plain<kind>(bit(from), bit(to))) {
        make_plain<kind>(from, to);
      } else {
        make_any(move_to<kind, step>(to, occupied, ep));
      }
    }
    return false;
  }
};

}  // namespace hecatomb::inline HECATOMB_TARGET
