// Random positions of every variant, and the same position as the reference implementation sees it.
//
// The one idea: faults of a move generator hide in positions that ordinary games rarely reach. So the stream mixes
// random games from the start with short random games from random setups: a few men, many men, castling rights, a
// double step just made beside an enemy pawn, blocked pawns, kings on their home squares. Everything follows from the
// seed, which every test prints (`describe`).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/outcome.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/reference/reference.h"

namespace hecatomb::test {

/// xorshift64*, so that a seed means the same everywhere.
class Random {
 public:
  explicit Random(u64 seed) : state_(seed * 0x9e3779b97f4a7c15 | 1) {
    for (int i = 0; i < 8; i++) next();
  }
  u64 next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }
  /// 0 … n - 1; n > 0.
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<u64>(n) >> 32); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  u64 state_;
};

/// A variant with its options.
struct RuleSet {
  VariantId variant = VariantId::chess;
  RuleOptions options = {};
};

/// Every variant, and every rule option once.
inline constexpr RuleSet kRuleSets[] = {{VariantId::antichess},
                                        {VariantId::suicide},
                                        {VariantId::suicide, {.restricted_ep = true}},
                                        {VariantId::suicide, {.stalemated_wins = true}},
                                        {VariantId::losers},
                                        {VariantId::losers, {.restricted_ep = true}},
                                        {VariantId::horde},
                                        {VariantId::chess}};

/// As options of the command line: "-v losers --ep restricted".
inline std::string arguments_of(const RuleSet& rules) {
  std::string text = "-v " + std::string(variant_name(rules.variant));
  if (rules.options.restricted_ep) text += " --ep restricted";
  if (rules.options.stalemated_wins) text += " --stalemate stalemated-wins";
  return text;
}

/// The name of a parameterised test: letters, digits and underscores.
inline std::string test_name(const RuleSet& rules) {
  std::string name(variant_name(rules.variant));
  if (rules.options.restricted_ep) name += "_restricted_ep";
  if (rules.options.stalemated_wins) name += "_stalemated_wins";
  return name;
}
inline std::ostream& operator<<(std::ostream& out, const RuleSet& rules) { return out << arguments_of(rules); }

/// What a failing test prints: how to see the position with the program.
inline std::string describe(const RuleSet& rules, const Position& p, u64 seed) {
  return "seed " + std::to_string(seed) + ": hecatomb show " + arguments_of(rules) + " --fen '" + fen_of(p) + "'";
}

// ---- the reference's view

inline reference::Rules reference_rules(const RuleSet& rules) {
  return {.variant = reference::variant_from_name(variant_name(rules.variant)),
          .restricted_ep = rules.options.restricted_ep,
          .stalemated_wins = rules.options.stalemated_wins};
}

/// The same position for the reference, man by man. An en passant square that nobody may use is not in a Position, so
/// it is not in the result either.
inline reference::Position to_reference(const Position& p) {
  reference::Position r;
  r.board.fill('.');
  for (u64 men = p.occupied(); men != 0; men &= men - 1) {
    const Square s = ctz(men);
    const char letter = ".pnbrqk"[static_cast<int>(p.kind_at(s))];
    const bool white = (p.men[kWhite] & bit(s)) != 0;
    r.board[static_cast<std::size_t>(s)] = white ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  r.white_to_move = p.side == kWhite;
  for (std::size_t i = 0; i < 4; i++) r.castling[i] = (p.castling >> i & 1) != 0;
  r.ep_square = p.en_passant_square();
  r.halfmove_clock = p.halfmove;
  r.fullmove_number = p.fullmove;
  return r;
}

inline std::string uci_of_move(Move m) {
  std::string text = reference::square_text(m.from) + reference::square_text(m.to);
  if (m.promotion != Kind::none) text += ".pnbrqk"[static_cast<int>(m.promotion)];
  return text;
}

// ---- random setups

/// Men put on the board at random. Not all of what it makes is a position: let a FEN reader judge.
class SetupMaker {
 public:
  SetupMaker(VariantId variant, Random& random) : variant_(variant), random_(random) {}

  std::string fen() {
    men_.fill(0);
    castling_.clear();
    en_passant_ = "-";
    white_to_move_ = random_.one_in(2);
    if (variant_ != VariantId::antichess && variant_ != VariantId::suicide) put_kings();
    if (random_.one_in(2)) put_double_step();
    if (random_.one_in(3)) put_blocked_pawns();
    put_men();
    return text();
  }

 private:
  bool horde() const { return variant_ == VariantId::horde; }
  bool royal() const { return horde() || variant_ == VariantId::losers || variant_ == VariantId::chess; }
  char& man(int square) { return men_[static_cast<std::size_t>(square)]; }
  static char of_side(char letter, bool white) { return white ? static_cast<char>(letter - 'a' + 'A') : letter; }
  bool put(int square, char letter, bool white) {
    if (man(square) != 0) return false;
    man(square) = of_side(letter, white);
    return true;
  }

  void put_kings() {
    for (const bool white : {false, true}) {
      if (white && horde()) continue;
      const int home = white ? 0 : 56;
      if (random_.one_in(3)) {  // at home, with some rooks
        put(home + 4, 'k', white);
        if (!random_.one_in(4) && put(home + 7, 'r', white)) castling_ += of_side('k', white);
        if (!random_.one_in(4) && put(home, 'r', white)) castling_ += of_side('q', white);
      } else {
        while (!put(random_.below(64), 'k', white)) {
        }
      }
    }
  }

  /// A pawn of the side not to move that has just gone two steps, with takers on one side or on both.
  void put_double_step() {
    const int file = random_.below(8), rank = white_to_move_ ? 4 : 3, back = white_to_move_ ? 8 : -8;
    const int square = 8 * rank + file;
    if (man(square) != 0 || man(square + back) != 0 || man(square + 2 * back) != 0) return;
    put(square, 'p', !white_to_move_);
    if (file > 0 && !random_.one_in(3)) put(square - 1, 'p', white_to_move_);
    if (file < 7 && !random_.one_in(3)) put(square + 1, 'p', white_to_move_);
    en_passant_ = reference::square_text(square + back);
    // Sometimes the line that such a capture opens: king and slider on the rank.
    if (royal() && random_.one_in(2) && !(horde() && white_to_move_)) {
      const bool left = random_.one_in(2);
      move_king(8 * rank + (left ? 0 : 7));
      put(8 * rank + (left ? 7 : 0), random_.one_in(2) ? 'r' : 'q', !white_to_move_);
    }
  }

  void move_king(int square) {
    if (man(square) != 0) return;
    for (char& other : men_) {
      if (other == of_side('k', white_to_move_)) other = 0;
    }
    put(square, 'k', white_to_move_);
  }

  void put_blocked_pawns() {
    const int rams = 1 + random_.below(4);
    for (int i = 0; i < rams; i++) {
      const int square = (horde() ? 0 : 8) + random_.below(horde() ? 48 : 40);
      if (man(square) != 0 || man(square + 8) != 0) continue;
      put(square, 'p', true);
      put(square + 8, 'p', false);
    }
  }

  char random_kind() {
    if (random_.one_in(3)) return 'p';
    return (royal() ? "nbrqnbrq" : "nbrqkbrk")[random_.below(8)];
  }

  void put_men() {
    const int most_men[] = {2, 4, 9, 15};
    const int most = most_men[random_.below(4)];
    for (const bool white : {false, true}) {
      int men = random_.below(most + 1);
      if (white && horde() && random_.one_in(2)) men = 2 * men + random_.below(6);
      for (int i = 0; i < men; i++) {
        const char kind = white && horde() && !random_.one_in(4) ? 'p' : random_kind();
        const int low = kind != 'p' || (white && horde()) ? 0 : 8;
        put(low + random_.below((kind == 'p' ? 56 : 64) - low), kind, white);
      }
    }
  }

  std::string text() {
    std::string fen;
    for (int rank = 7; rank >= 0; rank--) {
      int gap = 0;
      for (int file = 0; file < 8; file++) {
        const char letter = man(8 * rank + file);
        if (letter == 0) {
          gap++;
          continue;
        }
        if (gap > 0) fen += std::to_string(gap);
        gap = 0;
        fen += letter;
      }
      if (gap > 0) fen += std::to_string(gap);
      if (rank > 0) fen += '/';
    }
    fen += white_to_move_ ? " w " : " b ";
    fen += castling_.empty() ? "-" : castling_;
    fen += ' ' + en_passant_ + ' ' + std::to_string(clock()) + ' ' + std::to_string(1 + random_.below(200));
    return fen;
  }

  int clock() {
    if (en_passant_ != "-") return 0;
    const int clock_bases[] = {0, 0, 95, 145};
    return clock_bases[random_.below(4)] + random_.below(10);
  }

  VariantId variant_;
  Random& random_;
  std::array<char, 64> men_{};
  bool white_to_move_ = true;
  std::string castling_, en_passant_;
};

/// A random setup that the rules accept.
inline Position random_setup(const RuleSet& rules, Random& random) {
  for (;;) {
    const auto reading = read_fen(SetupMaker(rules.variant, random).fen(), rules.variant, rules.options);
    if (reading.ok()) return reading->position;
  }
}

// ---- random games

/// A random legal move, or a null move (from == to) where there is none.
inline Move random_move(const RuleSet& rules, const Position& p, Random& random) {
  return with_variant(rules.variant, [&](auto v) {
    using V = decltype(v);
    const int n = count_moves<V>(p);
    return n == 0 ? Move{} : nth_move<V>(p, random.below(n));
  });
}

inline Position after(const RuleSet& rules, const Position& p, Move m) {
  return with_variant(rules.variant, [&](auto v) { return make<decltype(v)>(p, m, rules.options); });
}

/// An endless stream of reachable positions, finished ones included.
class RandomPositions {
 public:
  RandomPositions(const RuleSet& rules, u64 seed) : rules_(rules), random_(seed), position_{} {}

  const Position& next() {
    const Move move = plies_left_ > 0 ? random_move(rules_, position_, random_) : Move{};
    if (move.from != move.to) {
      position_ = after(rules_, position_, move);
      plies_left_--;
    } else {
      const bool from_start = random_.one_in(12);
      position_ = from_start ? start_position(rules_.variant) : random_setup(rules_, random_);
      plies_left_ = from_start ? 20 + random_.below(200) : 1 + random_.below(20);
    }
    return position_;
  }

 private:
  RuleSet rules_;
  Random random_;
  Position position_;
  int plies_left_ = 0;
};

}  // namespace hecatomb::test
