// The public face of the reference implementation of the rules.
//
// The idea: say each rule once, in the plainest way there is (a board of 64 characters, moves made on a copy), without
// any thought for speed. What the fast backends compute is compared with what this computes, so it shares nothing with
// them: no header of the project, no table, no trick, only the standard library.
//
// Invariants:
// - Squares are numbered a1 = 0, b1 = 1, ... h8 = 63. A man is its FEN letter, upper case for White; '.' is an empty
//   square.
// - A Position that read_fen or start_position returned, and every one reached from it by make_move with a listed move,
//   satisfies what read_fen demands.
// - Nothing here keeps state between calls; only a Game remembers, and it remembers positions, not hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hecatomb::reference {

enum class Variant { kAntichess, kSuicide, kLosers, kHorde, kChess };

/// All variants, in the order of the enumeration.
inline constexpr std::array<Variant, 5> kAllVariants = {Variant::kAntichess, Variant::kSuicide, Variant::kLosers,
                                                        Variant::kHorde, Variant::kChess};

/// A variant with its rule options.
struct Rules {
  Variant variant = Variant::kChess;
  bool restricted_ep = false;    ///< suicide, losers: no en passant while another legal capture exists
  bool stalemated_wins = false;  ///< suicide: the side without a legal move wins, instead of the side with fewer men
};

/// The id of a variant: antichess, suicide, losers, horde or chess.
std::string variant_name(Variant variant);

/// The reverse of variant_name for exactly these five ids. Throws std::invalid_argument for any other text.
Variant variant_from_name(std::string_view name);

/// Whether the variant has the options that are set; every other function may be given only such rules.
bool has_options(const Rules& rules);

struct Position {
  std::array<char, 64> board{};
  bool white_to_move = true;
  std::array<bool, 4> castling{};  ///< rights still held, in the order K Q k q
  int ep_square = -1;              ///< the square jumped over if the last move was a double step that allows en
                                   ///< passant, whether or not anybody can take; else -1
  int halfmove_clock = 0;
  int fullmove_number = 1;
};

struct Move {
  int from = 0;
  int to = 0;
  char promotion = 0;  ///< 0, or one of q r b n k
  bool capture = false;
  bool en_passant = false;  ///< implies capture
  bool castling = false;    ///< from and to are those of the king

  bool operator==(const Move&) const = default;
};

// ---------------------------------------------------------------------------------------------------------------- FEN

/// What read_fen makes of a text. If `error` is empty, `position` is set; else it says why the text was refused: one of
/// empty, ranks, rank-width, piece, no-side, side, castling-chars, ep-field, ep-square, counter, pawn-rank, kings,
/// opposite-check, empty-board, too-many-men, trailing.
struct FenReading {
  std::string error;
  Position position;
  std::string dropped_castling;  ///< letters that were given but not held by king and rook, or unknown to the variant
};

/// Reads a FEN of one to six fields. With several faults the first is named in this order: empty, trailing, the board
/// (ranks, then rank by rank and from the left: piece, rank-width), no-side, side, castling-chars, ep-field, counter,
/// then the position as a whole: empty-board, kings, too-many-men, pawn-rank, ep-square, opposite-check.
FenReading read_fen(const Rules& rules, std::string_view text);

/// Writes all six fields. The en passant square is written only where a legal en passant capture exists, so never in a
/// position without moves; a position drawn by rule still has its moves and so keeps it.
std::string write_fen(const Rules& rules, const Position& position);

/// The position a game of the variant begins with.
Position start_position(Variant variant);

/// A square as text ("e4") and back; square_from_text gives -1 for what is no square.
std::string square_text(int square);
int square_from_text(std::string_view text);

// -------------------------------------------------------------------------------------------------------------- moves

/// The legal moves in the order of rules.md, by which random games number them. Empty when the game is over by men or
/// because there is no move; draws by rule do not empty it.
std::vector<Move> legal_moves(const Rules& rules, const Position& position);

/// The same in no particular order, into a list that the caller keeps: for whoever looks at billions of positions.
void list_legal_moves(const Rules& rules, const Position& position, std::vector<Move>& moves);

/// The position after a legal move. The move must be one that legal_moves listed.
Position make_move(const Position& position, const Move& move);

/// UCI text: e2e4, e7e8q, castling as e1g1.
std::string uci(const Move& move);

/// Whether the king of that side is royal in this variant and attacked.
bool in_check(const Rules& rules, const Position& position, bool white);

/// The place of a move in the order of rules.md: class, direction, target square, promotion; compared left to right.
/// `position` is the one before the move.
std::array<int, 4> order_key(const Position& position, const Move& move);

// ------------------------------------------------------------------------------------------------------------- results

/// How a position stands. `reason` is empty while the game goes on, else one of no-pieces, no-moves, stalemate-count,
/// bare-king, mate, stalemate, horde-destroyed, insufficient-material, closed-position, fivefold, 75-moves.
struct Outcome {
  bool over = false;
  std::string result = "*";  ///< "*", "1-0", "0-1" or "1/2-1/2"
  std::string reason;
  std::vector<std::string> claims;  ///< of "threefold" and "50-moves", in that order; empty once the game is over
};

/// `occurrences`: how often the position has been on the board in this game, now included.
Outcome outcome(const Rules& rules, const Position& position, int occurrences = 1);

/// Whether the game is over by men or for want of a legal move, so that nothing may be played any more. An Outcome may
/// be over without that: draws by rule do not forbid a move.
bool is_decided(const Rules& rules, const Position& position);

/// A draw because nobody can bring about a win: insufficient-material (antichess, chess) or closed-position (horde).
/// The position must not be decided.
bool is_dead(const Rules& rules, const Position& position);

/// Whether two positions count as the same for repetition: men, side to move, castling rights and legal en passant
/// possibilities.
bool same_position(const Rules& rules, const Position& a, const Position& b);

/// A game from a given position. Occurrences count from that position, itself included.
class Game {
 public:
  Game(const Rules& rules, const Position& start) : rules_(rules), positions_{start} {}

  /// Plays a move given in UCI. Returns an empty string, or the kind of the error and plays nothing: after-end (the
  /// game is decided), unreadable-move (not the shape of a move), illegal-move.
  std::string play(std::string_view uci_text);

  const Position& position() const { return positions_.back(); }
  int occurrences() const;
  Outcome outcome() const { return reference::outcome(rules_, position(), occurrences()); }

 private:
  Rules rules_;
  std::vector<Position> positions_;
};

// --------------------------------------------------------------------------------------------------------------- perft

/// The number of legal move sequences of exactly `depth` moves; perft(0) = 1. Draws by rule do not cut the tree.
/// The count is exact as long as it is below 2^64, far beyond what this implementation can reach in a lifetime.
std::uint64_t perft(const Rules& rules, const Position& position, int depth);

/// perft(depth - 1) after each legal move, in the order of legal_moves. `depth` is at least 1.
std::vector<std::pair<Move, std::uint64_t>> divide(const Rules& rules, const Position& position, int depth);

// -------------------------------------------------------------------------------------------------------------- random

/// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11).
std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// The place, in the order of legal_moves, of the move that a random game plays: uniform over `move_count` >= 1 moves
/// and a function of its arguments alone. `ply` counts from the position of the opening.
std::size_t draw_move(std::uint64_t seed, std::uint32_t game, std::uint32_t opening, std::uint32_t ply,
                      std::uint32_t move_count);

/// What ends a random game besides a win by the rules.
struct DrawRules {
  int clock_plies = 150;  ///< half-move clock: 100, 150, or 0 for none
  int repetitions = 5;    ///< occurrence of a position: 3, 5, or 0 for none
  bool dead = true;       ///< insufficient material, closed position
};

/// A random game with what is counted of it, a number a ply played.
struct RandomGame {
  std::vector<Move> moves;
  std::vector<std::size_t> move_counts;  ///< legal moves to choose from
  std::vector<std::size_t> drawn;        ///< the place of the move played among them
  std::vector<bool> had_to_capture;      ///< captures are compulsory, and there was one
  std::string result = "*";              ///< "*" if it is not over after `most_plies`
  std::string reason = "unfinished";     ///< as in Outcome, or threefold, 50-moves, unfinished
};

/// Plays a random game: at each position wins by the rules go first, then dead positions, repetition, the clock and
/// `most_plies`; then a move is drawn. Occurrences count from `start`, itself included.
RandomGame play_random_game(const Rules& rules, const Position& start, const DrawRules& draws, std::uint64_t seed,
                            std::uint32_t game, std::uint32_t opening, std::size_t most_plies);

}  // namespace hecatomb::reference
