// What every key of a position has to tell apart, whoever makes it.
#pragma once
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "common/hash.h"

namespace hecatomb::test {

/// Both halves of `key(position)` change with the side, each castling right, each possibility of en passant, the
/// colours, and the color, presence and kind of each man; and not with the counters. `key`: Position to Key.
template <class KeyOf>
void expect_key_of_every_part(const Position& p, KeyOf&& key_of) {
  const Key key = key_of(p);
  const auto differ = [](Key a, Key b) { return a.low != b.low && a.high != b.high; };
  const auto differs = [&](const Position& changed) { return differ(key_of(changed), key); };
  Position q = p;
  q.side ^= 1;
  ASSERT_TRUE(differs(q)) << "side";
  for (int i = 0; i < 8; i++) {
    q = p;
    q.ep_west = static_cast<u8>(q.ep_west ^ (1u << i));
    ASSERT_TRUE(differs(q)) << "ep_west " << i;
    q = p;
    q.ep_east = static_cast<u8>(q.ep_east ^ (1u << i));
    ASSERT_TRUE(differs(q)) << "ep_east " << i;
  }
  for (int i = 0; i < 4; i++) {
    q = p;
    q.castling = static_cast<u8>(q.castling ^ (1u << i));
    ASSERT_TRUE(differs(q)) << "castling " << i;
  }
  for (Square s = 0; s < 64; s++) {
    if ((p.occupied() & bit(s)) == 0) continue;
    q = p;
    q.men[0] = (p.men[0] & ~bit(s)) | (p.men[1] & bit(s));
    q.men[1] = (p.men[1] & ~bit(s)) | (p.men[0] & bit(s));
    ASSERT_TRUE(differs(q)) << "colour " << s;
    q = p;
    for (u64* plane : {q.men, q.men + 1, &q.pawns, &q.knights, &q.diagonal, &q.orthogonal, &q.kings}) *plane &= ~bit(s);
    ASSERT_TRUE(differs(q)) << "without the man on " << s;
    const u64 man = p.men[0] & bit(s) ? 0 : 1;
    std::vector<Key> keys;
    for (int kind = 0; kind < 6; kind++) {  // every kind in its place
      Position r = q;
      r.men[man] |= bit(s);
      if (kind == 0) r.pawns |= bit(s);
      if (kind == 1) r.knights |= bit(s);
      if (kind == 2 || kind == 4) r.diagonal |= bit(s);
      if (kind == 3 || kind == 4) r.orthogonal |= bit(s);
      if (kind == 5) r.kings |= bit(s);
      const Key other = key_of(r);
      for (const Key& earlier : keys) ASSERT_TRUE(differ(other, earlier)) << kind;
      ASSERT_EQ(other == key, r.kind_at(s) == p.kind_at(s));
      keys.push_back(other);
    }
  }
  q = p;
  q.halfmove = static_cast<u16>(q.halfmove + 1);
  q.fullmove = static_cast<u16>(q.fullmove + 1);
  ASSERT_EQ(key_of(q), key) << "counters must not matter";
  std::swap(q.men[0], q.men[1]);
  ASSERT_TRUE(differs(q)) << "colours";
}

}  // namespace hecatomb::test
