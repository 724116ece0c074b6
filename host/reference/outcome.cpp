// When a game is over and who has won: the list of rules.md from top to bottom, the first that holds.
#include "host/reference/board.h"
#include "host/reference/variant.h"

namespace hecatomb::reference {

namespace {

Outcome won_by(bool white, std::string reason) { return {true, white ? "1-0" : "0-1", std::move(reason), {}}; }
Outcome drawn(std::string reason) { return {true, "1/2-1/2", std::move(reason), {}}; }

/// Rule 1. Not over unless the men decide.
Outcome outcome_by_men(const Rules& rules, const Position& position) {
  const int white = count_men(position.board, true);
  const int black = count_men(position.board, false);
  const bool mover = position.white_to_move;
  switch (rules.variant) {
    case Variant::kAntichess:
    case Variant::kSuicide:
      if (white == 0 || black == 0) return won_by(white == 0, "no-pieces");
      break;
    case Variant::kLosers:  // each side has its king, so one man is a bare king; the side to move is asked first
      if ((mover ? white : black) == 1) return won_by(mover, "bare-king");
      if ((mover ? black : white) == 1) return won_by(!mover, "bare-king");
      break;
    case Variant::kHorde:
      if (white == 0) return won_by(false, "horde-destroyed");
      break;
    case Variant::kChess:
      break;
  }
  return {};
}

/// Rule 2, for a side to move that has no legal move.
Outcome outcome_without_moves(const Rules& rules, const Position& position) {
  const bool mover = position.white_to_move;
  const bool checked = in_check(rules, position, mover);
  const int own = count_men(position.board, mover);
  const int other = count_men(position.board, !mover);
  switch (rules.variant) {
    case Variant::kAntichess:
      return won_by(mover, "no-moves");
    case Variant::kSuicide:
      if (rules.stalemated_wins) return won_by(mover, "no-moves");
      if (own == other) return drawn("stalemate-count");
      return won_by(own < other ? mover : !mover, "stalemate-count");
    case Variant::kLosers:
      return won_by(mover, checked ? "mate" : "stalemate");
    default:
      return checked ? won_by(!mover, "mate") : drawn("stalemate");
  }
}

bool is_dark(int square) { return (file_of(square) + rank_of(square)) % 2 == 0; }

/// Antichess: bishops and pawns only, every white man on squares of one colour and every black man on the other, and
/// each white pawn stopped by a black one in front of it, with no pawn left over.
bool antichess_is_insufficient(const Board& board) {
  if (count_letter(board, 'B') == 0 || count_letter(board, 'b') == 0) return false;
  bool white_colour_known = false;
  bool white_on_dark = false;
  for (int square = 0; square < 64; ++square) {
    const char man = man_on(board, square);
    if (man == kEmpty) continue;
    if (lower(man) != 'b' && lower(man) != 'p') return false;
    const bool implied = is_white(man) == is_dark(square);  // the colour that this man claims for White
    if (white_colour_known && implied != white_on_dark) return false;
    white_colour_known = true;
    white_on_dark = implied;
    if (man == 'P' && man_on(board, square + 8) != 'p') return false;
    if (man == 'p' && man_on(board, square - 8) != 'P') return false;
  }
  return true;
}

/// Chess: bare kings; one bishop or knight besides them; or only bishops, all on squares of one colour.
bool chess_is_insufficient(const Board& board) {
  int minors = 0;
  int knights = 0;
  int dark_bishops = 0;
  for (int square = 0; square < 64; ++square) {
    const char kind = lower(man_on(board, square));
    if (kind == kEmpty || kind == 'k') continue;
    if (kind != 'n' && kind != 'b') return false;
    ++minors;
    if (kind == 'n') ++knights;
    if (kind == 'b' && is_dark(square)) ++dark_bishops;
  }
  return minors <= 1 || (knights == 0 && (dark_bishops == 0 || dark_bishops == minors));
}

/// Horde: Black is to move, and whatever he plays White has no move; but not if he can take White's last man.
bool horde_is_closed(const Rules& rules, const Position& position) {
  if (position.white_to_move) return false;
  const bool sole_man = count_men(position.board, true) == 1;
  for (const Move& move : legal_moves(rules, position)) {
    if (sole_man && move.capture) return false;
    if (!legal_moves(rules, make_move(position, move)).empty()) return false;
  }
  return true;
}

}  // namespace

bool is_over_by_men(const Rules& rules, const Position& position) { return outcome_by_men(rules, position).over; }

bool is_decided(const Rules& rules, const Position& position) { return legal_moves(rules, position).empty(); }

bool is_dead(const Rules& rules, const Position& position) {
  switch (rules.variant) {
    case Variant::kAntichess:
      return antichess_is_insufficient(position.board);
    case Variant::kChess:
      return chess_is_insufficient(position.board);
    case Variant::kHorde:
      return horde_is_closed(rules, position);
    default:
      return false;
  }
}

Outcome outcome(const Rules& rules, const Position& position, int occurrences) {
  Outcome by_men = outcome_by_men(rules, position);
  if (by_men.over) return by_men;
  if (legal_moves(rules, position).empty()) return outcome_without_moves(rules, position);
  if (is_dead(rules, position)) {
    return drawn(rules.variant == Variant::kHorde ? "closed-position" : "insufficient-material");
  }
  if (occurrences >= 5) return drawn("fivefold");
  if (position.halfmove_clock >= 150) return drawn("75-moves");
  Outcome open;
  if (occurrences >= 3) open.claims.emplace_back("threefold");
  if (position.halfmove_clock >= 100) open.claims.emplace_back("50-moves");
  return open;
}

}  // namespace hecatomb::reference
