// The fast rules core against the reference, position by position: which moves, in which order, and what they lead to.
#include "common/movegen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "common/hash.h"
#include "host/notation/fen.h"
#include "tests/support/key_checks.h"
#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

constexpr int kPositions = 20000;

std::string text_of(const MoveList& list) {
  std::string text;
  for (const Move m : list) text += uci_of_move(m) + ' ';
  return text;
}

std::string text_of(const std::vector<reference::Move>& list) {
  std::string text;
  for (const reference::Move& m : list) text += reference::uci(m) + ' ';
  return text;
}

bool same_move(Move m, const reference::Move& r) {
  const bool castles = m.kind == MoveKind::castle_king || m.kind == MoveKind::castle_queen;
  return m.from == r.from && m.to == r.to &&
         (m.promotion == Kind::none ? 0 : ".pnbrqk"[static_cast<int>(m.promotion)]) == r.promotion &&
         (m.kind == MoveKind::en_passant) == r.en_passant && castles == r.castling;
}

/// The invariants of common/position.h; an empty text, or what is wrong.
template <class V>
std::string broken_invariant(const Position& p) {
  const u64 lines = p.diagonal | p.orthogonal;
  if ((p.men[kWhite] & p.men[kBlack]) != 0) return "men of both sides on one square";
  if ((p.pawns & (p.knights | lines | p.kings)) != 0 || (p.knights & (lines | p.kings)) != 0 || (lines & p.kings) != 0)
    return "a man of two kinds";
  if ((p.pawns | p.knights | lines | p.kings) != p.occupied()) return "men and kinds differ";
  if (p.side > kBlack) return "side";
  if ((p.castling & ~V::castling) != 0) return "a castling right that the variant has not";
  const u64 white_rooks = p.orthogonal & ~p.diagonal & p.men[kWhite], white_king = p.kings & p.men[kWhite] & bit(4);
  const u64 black_rooks = p.orthogonal & ~p.diagonal & p.men[kBlack], black_king = p.kings & p.men[kBlack] & bit(60);
  if ((p.castling & kWhiteKingSide) != 0 && (white_king == 0 || (white_rooks & bit(7)) == 0)) return "right K";
  if ((p.castling & kWhiteQueenSide) != 0 && (white_king == 0 || (white_rooks & bit(0)) == 0)) return "right Q";
  if ((p.castling & kBlackKingSide) != 0 && (black_king == 0 || (black_rooks & bit(63)) == 0)) return "right k";
  if ((p.castling & kBlackQueenSide) != 0 && (black_king == 0 || (black_rooks & bit(56)) == 0)) return "right q";
  for (const Color c : {kWhite, kBlack}) {
    if (V::royal[c] && popcount(p.kings & p.men[c]) != 1) return "not one royal king";
    if (popcount(p.men[c]) > V::max_men[c]) return "too many men";
  }
  const bool first_rank = (V::double_step_from[kWhite] & rank_mask(0)) != 0;
  if ((p.pawns & (rank_mask(7) | (first_rank ? rank_mask(0) & p.men[kBlack] : rank_mask(0)))) != 0)
    return "a pawn on a last rank";
  if (p.side == kWhite ? in_check<V, kBlack>(p) : in_check<V, kWhite>(p)) return "the side that moved is in check";
  return "";
}

/// The en passant bits must be exactly the legal captures of the reference, direction by direction.
std::string en_passant_fault(const Position& p, const std::vector<reference::Move>& legal) {
  u8 west = 0, east = 0;
  for (const reference::Move& m : legal) {
    if (!m.en_passant) continue;
    (m.to % 8 < m.from % 8 ? west : east) |= static_cast<u8>(1u << (m.to % 8));
  }
  return west == p.ep_west && east == p.ep_east ? "" : "en passant bits differ from the legal captures";
}

class Movegen : public testing::TestWithParam<RuleSet> {};

INSTANTIATE_TEST_SUITE_P(Rules, Movegen, testing::ValuesIn(kRuleSets),
                         [](const auto& param) { return test_name(param.param); });

template <class V>
void compare_moves(const RuleSet& rules, const Position& p, const std::vector<reference::Move>& expected) {
  MoveList list;
  list_moves<V>(p, list);
  ASSERT_EQ(text_of(list), text_of(expected));
  ASSERT_EQ(count_moves<V>(p), list.size);
  const reference::Position before = to_reference(p);
  ASSERT_EQ(in_check<V>(p), reference::in_check(reference_rules(rules), before, before.white_to_move));
  for (int i = 0; i < list.size; i++) {
    ASSERT_TRUE(same_move(list.moves[i], expected[static_cast<std::size_t>(i)])) << uci_of_move(list.moves[i]);
    ASSERT_EQ(nth_move<V>(p, i), list.moves[i]) << "move number " << i;
  }
}

/// Every child, compared field by field with the reference's.
template <class V>
void compare_children(const RuleSet& rules, const Position& p, const std::vector<reference::Move>& moves) {
  const reference::Rules reference_set = reference_rules(rules);
  const reference::Position before = to_reference(p);
  for (int i = 0; i < static_cast<int>(moves.size()); i++) {
    const reference::Move& move = moves[static_cast<std::size_t>(i)];
    const Position child = make<V>(p, nth_move<V>(p, i), rules.options);
    reference::Position expected = reference::make_move(before, move);
    SCOPED_TRACE("after " + reference::uci(move) + ": " + fen_of(child));
    ASSERT_EQ(broken_invariant<V>(child), "");
    if (expected.ep_square >= 0) {
      const std::vector<reference::Move> replies = reference::legal_moves(reference_set, expected);
      ASSERT_EQ(en_passant_fault(child, replies), "");
      const bool usable = std::any_of(replies.begin(), replies.end(), [](const auto& m) { return m.en_passant; });
      if (!usable) expected.ep_square = -1;
    } else {
      ASSERT_EQ(child.ep_west | child.ep_east, 0);
    }
    const reference::Position got = to_reference(child);
    ASSERT_TRUE(got.board == expected.board) << "the boards differ";
    ASSERT_EQ(got.white_to_move, expected.white_to_move);
    ASSERT_EQ(got.castling, expected.castling);
    ASSERT_EQ(got.ep_square, expected.ep_square);
    ASSERT_EQ(got.halfmove_clock, expected.halfmove_clock);
    ASSERT_EQ(got.fullmove_number, expected.fullmove_number);
  }
}

TEST_P(Movegen, SameMovesInTheSameOrderAndSameChildren) {
  const RuleSet rules = GetParam();
  const u64 seed = 1;
  RandomPositions stream(rules, seed);
  int captures_only = 0, checks = 0, en_passant = 0, castlings = 0, promotions = 0, without_moves = 0;
  for (int n = 0; n < kPositions; n++) {
    const Position& p = stream.next();
    SCOPED_TRACE("position " + std::to_string(n) + ", " + describe(rules, p, seed));
    const auto legal = reference::legal_moves(reference_rules(rules), to_reference(p));
    with_variant(rules.variant, [&](auto v) {
      using V = decltype(v);
      EXPECT_EQ(broken_invariant<V>(p), "");
      EXPECT_EQ(en_passant_fault(p, legal), "");
      compare_moves<V>(rules, p, legal);
      if (!testing::Test::HasFailure()) compare_children<V>(rules, p, legal);
      checks += in_check<V>(p);
    });
    if (testing::Test::HasFailure()) return;
    const auto any = [&legal](auto f) { return std::any_of(legal.begin(), legal.end(), f); };
    captures_only += any([](const auto& m) { return m.capture; });
    en_passant += any([](const auto& m) { return m.en_passant; });
    castlings += any([](const auto& m) { return m.castling; });
    promotions += any([](const auto& m) { return m.promotion != 0; });
    without_moves += legal.empty();
  }
  // The stream must go where faults are.
  EXPECT_GT(captures_only, kPositions / 10);
  EXPECT_GT(en_passant, kPositions / 200);
  EXPECT_GT(promotions, kPositions / 100);
  EXPECT_GT(without_moves, kPositions / 1000);
  with_variant(rules.variant, [&](auto v) {
    using V = decltype(v);
    if (V::castling != 0) {
      EXPECT_GT(castlings, kPositions / 100);
    }
    if (V::royal[kBlack]) {
      EXPECT_GT(checks, kPositions / 100);
    }
  });
}

TEST_P(Movegen, FenOfAChildIsTheReferences) {
  const RuleSet rules = GetParam();
  const u64 seed = 2;
  RandomPositions stream(rules, seed);
  Random random(seed);
  for (int n = 0; n < 3000; n++) {
    const Position p = stream.next();
    const Move move = random_move(rules, p, random);
    if (move.from == move.to) continue;
    const auto legal = reference::legal_moves(reference_rules(rules), to_reference(p));
    const auto found = std::find_if(legal.begin(), legal.end(), [move](const auto& m) { return same_move(move, m); });
    ASSERT_NE(found, legal.end()) << describe(rules, p, seed) << " " << uci_of_move(move);
    const reference::Position expected = reference::make_move(to_reference(p), *found);
    const std::string fen = fen_of(after(rules, p, move));
    ASSERT_EQ(fen, reference::write_fen(reference_rules(rules), expected))
        << describe(rules, p, seed) << " " << uci_of_move(move);
    // And back: what is read is what was written, bit by bit.
    const auto reading = read_fen(fen, rules.variant, rules.options);
    ASSERT_TRUE(reading.ok()) << fen << ": " << reading.error().message;
    const Position child = after(rules, p, move);
    ASSERT_EQ(std::memcmp(&reading->position, &child, sizeof child), 0) << fen;
  }
}

/// Two readers of FEN that share no line must say the same of setups of which many are faulty.
TEST_P(Movegen, BothFenReadersJudgeRandomSetupsAlike) {
  const RuleSet rules = GetParam();
  Random random(3);
  int refused = 0;
  for (int n = 0; n < 5000; n++) {
    const std::string fen = SetupMaker(rules.variant, random).fen();
    const auto expected = reference::read_fen(reference_rules(rules), fen);
    const auto reading = read_fen(fen, rules.variant, rules.options);
    ASSERT_EQ(reading.ok() ? "" : std::string(kind_name(reading.error().kind)), expected.error) << fen;
    if (!reading.ok()) {
      refused++;
      continue;
    }
    ASSERT_EQ(fen_of(reading->position), reference::write_fen(reference_rules(rules), expected.position)) << fen;
    ASSERT_EQ(reading->warnings.size(), expected.dropped_castling.size()) << fen;
  }
  EXPECT_GT(5000 - refused, 500);
}

// ---------------------------------------------------------------------------------------------------------------- hash

Position read(std::string_view fen, VariantId variant) {
  const auto reading = read_fen(fen, variant);
  EXPECT_TRUE(reading.ok()) << fen;
  return reading->position;
}

Position play(const Position& from, std::string_view moves, VariantId variant) {
  Position p = from;
  MoveList list;
  for (std::size_t at = 0; at < moves.size();) {
    const std::size_t end = std::min(moves.find(' ', at), moves.size());
    const std::string_view word = moves.substr(at, end - at);
    with_variant(variant, [&](auto v) {
      list_moves<decltype(v)>(p, list);
      const auto* found = std::find_if(list.begin(), list.end(), [&](Move m) { return uci_of_move(m) == word; });
      ASSERT_NE(found, list.end()) << word << " in " << fen_of(p);
      p = make<decltype(v)>(p, *found, {});
    });
    at = end + 1;
  }
  return p;
}

TEST(Make, CountersStayAtTheirLargest) {
  Position p = start_position(VariantId::chess);
  p.halfmove = p.fullmove = 0xffff;
  p = play(p, "g1f3 g8f6", VariantId::chess);
  EXPECT_EQ(p.halfmove, 0xffff);
  EXPECT_EQ(p.fullmove, 0xffff);
  EXPECT_EQ(play(p, "e2e4", VariantId::chess).halfmove, 0);
}

TEST(Hash, MoveOrderDoesNotMatter) {
  const Position start = start_position(VariantId::chess);
  const Position a = play(start, "g1f3 g8f6 c2c3 b8c6", VariantId::chess);
  const Position b = play(start, "c2c3 b8c6 g1f3 g8f6", VariantId::chess);
  EXPECT_NE(a.halfmove, b.halfmove);
  EXPECT_TRUE(same_position(a, b));
  EXPECT_EQ(hash_of(a), hash_of(b));
  const Position back = play(start, "g1f3 g8f6 f3g1 f6g8", VariantId::chess);
  EXPECT_EQ(hash_of(back), hash_of(start));  // counters apart
}

TEST(Hash, UselessEnPassantSquareDoesNotMatterAndAUsefulOneDoes) {
  const auto key = [](std::string_view fen) { return hash_of(read(fen, VariantId::chess)); };
  EXPECT_EQ(key("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
  EXPECT_EQ(key("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"), key("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));  // pinned
  EXPECT_NE(key("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
}

TEST_P(Movegen, KeyChangesWithEveryPartOfThePosition) {
  const RuleSet rules = GetParam();
  const u64 seed = 4;
  RandomPositions stream(rules, seed);
  for (int n = 0; n < 2000; n++) {
    const Position p = stream.next();
    SCOPED_TRACE(describe(rules, p, seed));
    ASSERT_NO_FATAL_FAILURE(test::expect_key_of_every_part(p, [](const Position& q) { return hash_of(q); }));
  }
}

/// A square of any plane must reach every bit of both halves, the squares of the high end included: each bit flips in
/// about half of all positions.
TEST(Hash, EverySquareReachesEveryBit) {
  constexpr int sample_count = 400;
  std::vector<Position> samples;
  RandomPositions stream({VariantId::chess}, 5);
  while (samples.size() < sample_count) samples.push_back(stream.next());
  u64 Position::*const planes[] = {&Position::pawns, &Position::knights, &Position::diagonal, &Position::orthogonal,
                                   &Position::kings};
  for (int plane = 0; plane < 7; plane++) {
    for (Square s = 0; s < 64; s++) {
      int flips[128] = {};
      for (const Position& p : samples) {
        Position q = p;
        (plane < 5 ? q.*planes[plane] : q.men[plane - 5]) ^= bit(s);
        const Key a = hash_of(p), b = hash_of(q);
        for (int i = 0; i < 64; i++) {
          flips[i] += static_cast<int>((a.low ^ b.low) >> i & 1);
          flips[64 + i] += static_cast<int>((a.high ^ b.high) >> i & 1);
        }
      }
      for (int i = 0; i < 128; i++) {
        // 400 fair coins: 200, standard deviation 10. Six of them to either side.
        ASSERT_GT(flips[i], 140) << "plane " << plane << " square " << s << " bit " << i;
        ASSERT_LT(flips[i], 260) << "plane " << plane << " square " << s << " bit " << i;
      }
    }
  }
}

TEST(Hash, NoCollisionAmongAMillionPositions) {
  struct Entry {
    Key key;
    std::array<u64, 8> words;
  };
  constexpr std::size_t wanted = 1000000;
  std::vector<Entry> entries;
  entries.reserve(2 * wanted);
  for (const RuleSet& rules : {RuleSet{VariantId::chess}, RuleSet{VariantId::antichess}, RuleSet{VariantId::horde}}) {
    RandomPositions stream(rules, 6);
    for (std::size_t n = 0; n < 2 * wanted / 3; n++) {
      const Position& p = stream.next();
      Entry e{hash_of(p), {}};
      Position bare = p;
      bare.halfmove = bare.fullmove = 0;
      std::memcpy(e.words.data(), &bare, sizeof bare);
      entries.push_back(e);
    }
  }
  const auto by_words = [](const Entry& a, const Entry& b) { return a.words < b.words; };
  std::sort(entries.begin(), entries.end(), by_words);
  std::size_t equal_keys = 0;
  for (std::size_t i = 1; i < entries.size(); i++) {
    if (entries[i].words == entries[i - 1].words) equal_keys += entries[i].key == entries[i - 1].key;
  }
  const auto last =
      std::unique(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.words == b.words; });
  EXPECT_EQ(equal_keys, static_cast<std::size_t>(entries.end() - last)) << "equal positions with different keys";
  entries.erase(last, entries.end());
  EXPECT_GE(entries.size(), wanted);
  std::vector<u64> half(entries.size());
  for (const bool low : {true, false}) {
    std::transform(entries.begin(), entries.end(), half.begin(),
                   [low](const Entry& e) { return low ? e.key.low : e.key.high; });
    std::sort(half.begin(), half.end());
    EXPECT_EQ(std::adjacent_find(half.begin(), half.end()), half.end()) << "one half of two keys is equal";
  }
}

}  // namespace
}  // namespace hecatomb::test
