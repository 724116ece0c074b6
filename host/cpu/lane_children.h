// Children of several positions at once, from the sets of moves of all lanes, into a queue that is read several at a
// time again.
//
// The one idea: positions that are counted together are siblings and cousins, so most sets that hold a move in one lane
// hold one in most. A turn takes a square of each lane's set, finds where the men come from by a shift (sliders: by
// sliding back to the first man), and changes the planes of all lanes at once. What leaves the turn are whole planes:
// the lanes that had a move are packed and put at the end of the queue, which keeps positions plane by plane, as they
// will be read. Nothing is transposed, and nothing is done for a man alone but castling, en passant and the double
// steps that may allow it, which go through make().
#pragma once
#include "common/make.h"
#include "common/movegen.h"
#include "host/cpu/lane_words.h"

namespace hecatomb::inline HECATOMB_TARGET {

// ---- packing: the words of the lanes that are set in `lanes`, one behind the other. kBatch words are written.

#if defined(HECATOMB_SIMD_AVX512)
HECATOMB_HD void pack(u64* to, Lanes words, u32 lanes) {
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(static_cast<__mmask8>(lanes), raw(words)));
}
#elif defined(HECATOMB_SIMD_AVX2)
/// For each set of four lanes, the halves of those lanes in order.
struct PackOrder {
  alignas(32) u32 half[16][8];
};
constexpr PackOrder make_pack_order() {
  PackOrder order{};
  for (u32 lanes = 0; lanes < 16; lanes++) {
    int n = 0;
    for (u32 i = 0; i < 4; i++) {
      if ((lanes >> i & 1) == 0) continue;
      order.half[lanes][n++] = 2 * i;
      order.half[lanes][n++] = 2 * i + 1;
    }
  }
  return order;
}
inline constexpr PackOrder kPackOrder = make_pack_order();
HECATOMB_HD void pack(u64* to, Lanes words, u32 lanes) {
  const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(kPackOrder.half[lanes]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(raw(words), order));
}
#else
HECATOMB_HD void pack(u64* to, Batch words, u32 lanes) {
  int n = 0;
  for (int i = 0; i < kBatch; i++) {
    to[n] = lane(words, i);
    n += static_cast<int>(lanes >> i & 1);
  }
}
#endif

/// Up to `room` positions and a few more, plane by plane. Of their state only castling and en passant are kept.
template <int room>
struct PositionQueue {
  alignas(64) u64 plane[8][static_cast<unsigned>(room + 2 * kBatch)];
  int size = 0;

  HECATOMB_HD Board<Batch> load(int i) const {
    const auto at = [&](int k) { return load_word(plane[k] + i); };
    return {{at(0), at(1)}, at(2), at(3), at(4), at(5), at(6), at(7)};
  }
  /// Adds the lanes of `b` that are not zero in `full`.
  HECATOMB_HD void add(const Board<Batch>& b, Batch full) {
    const u32 lanes = bits_of(common(full, full));
    pack(plane[0] + size, b.men[0], lanes);
    pack(plane[1] + size, b.men[1], lanes);
    pack(plane[2] + size, b.pawns, lanes);
    pack(plane[3] + size, b.knights, lanes);
    pack(plane[4] + size, b.diagonal, lanes);
    pack(plane[5] + size, b.orthogonal, lanes);
    pack(plane[6] + size, b.kings, lanes);
    pack(plane[7] + size, b.state, lanes);
    size += popcount(lanes);
  }
  HECATOMB_HD void add(const Position& p) {
    u64 words[8];
    __builtin_memcpy(words, &p, sizeof words);
    HECATOMB_UNROLL
    for (int k = 0; k < 8; k++) plane[k][size] = words[k];
    size++;
  }
  HECATOMB_HD int whole_batches() const { return size - size % kBatch; }
  /// Drops the first n, which are whole batches and leave less than one.
  HECATOMB_HD void drop(int n) {
    size -= n;
    if (size == 0 || n == 0) return;
    for (auto& words : plane) store_word(words, load_word(words + n));
  }
  /// Adds empty boards, which have no moves, up to a multiple of kBatch; returns how many.
  int pad() {
    int added = 0;
    for (; size % kBatch != 0; added++) add(Position{});
    return added;
  }
};

/// The position of one lane.
HECATOMB_HD Position position_of(const Board<Batch>& b, int i) {
  const u64 words[8] = {lane(b.men[0], i),   lane(b.men[1], i),     lane(b.pawns, i), lane(b.knights, i),
                        lane(b.diagonal, i), lane(b.orthogonal, i), lane(b.kings, i), lane(b.state, i)};
  Position p;
  __builtin_memcpy(&p, words, sizeof p);
  return p;
}

/// A sink for for_each_set over Batch. `Out` has `queue()`, a PositionQueue, and is told `added()` after each addition
/// of up to kBatch children.
template <class V, Color us, class Out>
struct LaneChildren {
  const Board<Batch>& boards;
  const RuleOptions& options;
  Out& out;
  Batch en_passant;  ///< targets
  Batch may_allow;   ///< where double steps may allow en passant
  Batch homes;       ///< where kings and rooks stand that may castle
  bool may_castle;   ///< whether any lane has `homes`

  HECATOMB_HD LaneChildren(const Board<Batch>& b, const Reach<Batch>& r, const RuleOptions& o, Out& to)
      : boards(b), options(o), out(to), en_passant(r.ep_west | r.ep_east) {
    const Batch zero = splat(0), enemy_pawns = b.pawns & b.men[other(us)];
    may_allow = leap<us, 1, 0>(enemy_pawns) | leap<us, -1, 0>(enemy_pawns);
    homes = zero;
    if constexpr (V::castling != 0) {
      homes = select(b.state & splat(u64{V::castling} << 16), splat(kCastlingHomes), zero);
    }
    may_castle = V::castling != 0 && any(homes);
  }

  template <SetKind kind, int step>
  __attribute__((noinline)) void make_one_by_one(Batch targets) {
    for (int i = 0; i < kBatch; i++) {
      u64 to = lane(targets, i);
      if (to == 0) continue;
      const Position parent = position_of(boards, i);
      for (; to != 0; to &= to - 1) {
        const Move m = move_to<kind, step>(ctz(to), parent.occupied(), en_passant_targets<us>(parent));
        out.queue().add(make<V, us>(parent, m, options));
        out.added();
      }
    }
  }

  template <SetKind kind, int step>
  HECATOMB_HD Batch origins(Batch to) const {
    if constexpr (kind == SetKind::diagonal || kind == SetKind::orthogonal) {
      constexpr int df = ((step + 20) & 7) - 4, dr = (step - df) / 8;
      return slide<kWhite, -df, -dr>(to, ~(boards.men[0] | boards.men[1])) & boards.men[us];
    } else {
      return shift<-step>(to);
    }
  }

  HECATOMB_HD Batch rights_lost(Batch touched) const {
    const Batch zero = splat(0);
    Batch lost = zero;
    const auto lose = [&](u64 squares, u64 right) {
      lost = lost | select(touched & splat(squares), splat(right << 16), zero);
    };
    lose(0x90, kWhiteKingSide);
    lose(0x11, kWhiteQueenSide);
    lose(u64{0x90} << 56, kBlackKingSide);
    lose(u64{0x11} << 56, kBlackQueenSide);
    return lost;
  }

  template <SetKind kind, int step>
  HECATOMB_HD void make_all(Batch targets) {
    const Batch zero = splat(0), last = splat(kLastRanks);
    do {
      const Batch others = targets & decrement(targets), to = targets ^ others, stays = ~to;
      const Batch from = origins<kind, step>(to), both = from | to;
      Board<Batch> b = boards;
      b.men[us] = b.men[us] ^ both;
      b.men[other(us)] = b.men[other(us)] & stays;
      b.pawns = b.pawns & stays;
      b.knights = b.knights & stays;
      b.diagonal = b.diagonal & stays;
      b.orthogonal = b.orthogonal & stays;
      b.kings = b.kings & stays;
      b.state = b.state & splat(0xf0000);
      if constexpr (V::castling != 0) {
        if (may_castle && any(both & homes)) b.state = b.state & ~rights_lost(both & homes);
      }
      if constexpr (kind == SetKind::pawn || kind == SetKind::pawn_double) b.pawns = b.pawns ^ both;
      if constexpr (kind == SetKind::knight) b.knights = b.knights ^ both;
      if constexpr (kind == SetKind::king) b.kings = b.kings ^ both;
      if constexpr (kind == SetKind::diagonal) {
        b.diagonal = b.diagonal ^ both;
        b.orthogonal = b.orthogonal ^ select(boards.orthogonal & from, both, zero);
      }
      if constexpr (kind == SetKind::orthogonal) {
        b.orthogonal = b.orthogonal ^ both;
        b.diagonal = b.diagonal ^ select(boards.diagonal & from, both, zero);
      }
      if (kind == SetKind::pawn && any(to & last)) {
        add_promotions(b, to & last);
        if (any(to & ~last)) add(b, to & ~last);
      } else {
        add(b, to);
      }
      targets = others;
    } while (any(targets));
  }

  HECATOMB_HD void add(const Board<Batch>& b, Batch to) {
    out.queue().add(b, to);
    out.added();
  }
  __attribute__((noinline)) void add_promotions(const Board<Batch>& b, Batch to) {
    for (int i = 0; i < kPromotionChoices<V>; i++) {
      const Kind kind = promotion_choice(i);
      Board<Batch> made = b;
      made.pawns = b.pawns & ~to;
      if (kind == Kind::knight) made.knights = b.knights | to;
      if (kind == Kind::bishop || kind == Kind::queen) made.diagonal = b.diagonal | to;
      if (kind == Kind::rook || kind == Kind::queen) made.orthogonal = b.orthogonal | to;
      if (kind == Kind::king) made.kings = b.kings | to;
      add(made, to);
    }
  }

  template <SetKind kind, int step>
  HECATOMB_HD bool take(Batch targets) {
    if (!any(targets)) return false;
    if constexpr (kind == SetKind::castle_king || kind == SetKind::castle_queen) {
      make_one_by_one<kind, step>(targets);
    } else {
      if constexpr (kind == SetKind::pawn || kind == SetKind::pawn_double) {
        const Batch special = targets & (kind == SetKind::pawn ? en_passant : may_allow);
        if (any(special)) {
          make_one_by_one<kind, step>(special);
          targets = targets & ~special;
          if (!any(targets)) return false;
        }
      }
      make_all<kind, step>(targets);
    }
    return false;
  }
};

}  // namespace hecatomb::inline HECATOMB_TARGET
