// Playing a move: the position after it, by value. Also the one place where en passant possibilities arise.
#pragma once
#include "common/move.h"
#include "common/reach.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// Sets the en passant possibilities of `p` after the other side's double step on file `file`: every capture that is
/// legal by all rules and options, or none. `p.ep_west` and `p.ep_east` must be 0 before.
template <class V, Color us>
HECATOMB_HD_NOINLINE void set_en_passant(Position& p, int file, const RuleOptions& options) {
  constexpr Color them = other(us);
  const Square target = file + (us == kWhite ? 40 : 16);
  const u64 target_bit = bit(target), victim = bit(target + (us == kWhite ? -8 : 8));
  const u64 pawns = p.pawns & p.men[us];
  const u64 from[2] = {leap<them, 1, 1>(target_bit) & pawns,
                       leap<them, -1, 1>(target_bit) & pawns};  // to the west, east
  if ((from[0] | from[1]) == 0) return;
  if (V::has_restricted_ep && options.restricted_ep && reach_of<V, us>(board_of(p)).captures != 0) return;
  u8 allowed[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    if (from[i] == 0) continue;
    if constexpr (V::royal[us]) {
      const u64 occupied = (p.occupied() ^ from[i] ^ victim) | target_bit;
      if (is_attacked<us>(p, p.kings & p.men[us], occupied, p.men[them] & ~victim)) continue;
    }
    allowed[i] = static_cast<u8>(1u << file);
  }
  p.ep_west = allowed[0];
  p.ep_east = allowed[1];
}

/// Where kings and rooks stand that may castle.
inline constexpr u64 kCastlingHomes = 0x9100'0000'0000'0091;

/// The castling rights that are gone when a man leaves or enters one of the squares `touched`.
HECATOMB_HD u8 lost_rights(u64 touched) {
  u32 lost = 0;
  if (touched & (bit(4) | bit(7))) lost |= kWhiteKingSide;
  if (touched & (bit(4) | bit(0))) lost |= kWhiteQueenSide;
  if (touched & (bit(60) | bit(63))) lost |= kBlackKingSide;
  if (touched & (bit(60) | bit(56))) lost |= kBlackQueenSide;
  return static_cast<u8>(lost);
}

template <class V, Color us>
HECATOMB_HD void make_special(Position& c, Move m, const RuleOptions& options) {
  const u64 to = bit(m.to);
  if (m.promotion != Kind::none) {
    c.pawns ^= to;
    if (m.promotion == Kind::knight) c.knights |= to;
    if (m.promotion == Kind::bishop || m.promotion == Kind::queen) c.diagonal |= to;
    if (m.promotion == Kind::rook || m.promotion == Kind::queen) c.orthogonal |= to;
    if (V::king_promotion && m.promotion == Kind::king) c.kings |= to;
    return;
  }
  switch (m.kind) {
    case MoveKind::double_step:
      set_en_passant<V, other(us)>(c, m.to & 7, options);
      break;
    case MoveKind::en_passant: {
      const u64 victim = us == kWhite ? to >> 8 : to << 8;
      c.pawns ^= victim;
      c.men[other(us)] ^= victim;
      break;
    }
    case MoveKind::castle_king:
    case MoveKind::castle_queen: {
      const u64 rook = (m.kind == MoveKind::castle_king ? u64{0xa0} : u64{0x09}) << (us == kWhite ? 0 : 56);
      c.orthogonal ^= rook;
      c.men[us] ^= rook;
      break;
    }
    case MoveKind::normal:
      break;
  }
}

/// The position after the legal move `m` of the side `us`, which is to move.
template <class V, Color us>
HECATOMB_HD Position make(const Position& p, Move m, const RuleOptions& options) {
  const u64 from = bit(m.from), to = bit(m.to), keep = ~(from | to);
  const auto moved = [&](u64 plane) { return (plane & keep) | ((u64{0} - ((plane >> m.from) & 1)) & to); };
  Position c;
  c.men[us] = p.men[us] ^ (from | to);
  c.men[other(us)] = p.men[other(us)] & ~to;
  c.pawns = moved(p.pawns);
  c.knights = moved(p.knights);
  c.diagonal = moved(p.diagonal);
  c.orthogonal = moved(p.orthogonal);
  c.kings = moved(p.kings);
  c.ep_west = c.ep_east = 0;
  c.castling = V::castling != 0 && p.castling != 0 ? p.castling & static_cast<u8>(~lost_rights(from | to)) : u8{0};
  c.side = other(us);
  const bool irreversible = ((p.men[other(us)] & to) | (p.pawns & from)) != 0;
  c.halfmove = irreversible ? u16{0} : static_cast<u16>(p.halfmove + (p.halfmove != 0xffff));
  c.fullmove = static_cast<u16>(p.fullmove + (us == kBlack && p.fullmove != 0xffff));
  if (m.promotion != Kind::none || m.kind != MoveKind::normal) make_special<V, us>(c, m, options);
  return c;
}

/// The position after the legal move `m` of the side to move.
template <class V>
HECATOMB_HD_NOINLINE Position make(const Position& p, Move m, const RuleOptions& options) {
  return p.side == kWhite ? make<V, kWhite>(p, m, options) : make<V, kBlack>(p, m, options);
}

}  // namespace hecatomb::inline HECATOMB_TARGET
