// FEN, read in two steps: a Setup is what the text says, a Position is what the rules allow.
//
// The one idea: the first step knows only the text (fields, letters, numbers, columns) and no variant; the second knows
// the variant and points back at the columns. With several faults the leftmost field's is named, then those of the
// position as a whole: empty-board, kings, too-many-men, pawn-rank, ep-square, opposite-check.
//
// Invariants: a Position that comes out of here keeps everything common/position.h promises: en passant only where such
// a capture is legal under the options, castling rights only where king and rook stand and the variant has them.
// fen_of(read_fen(fen_of(p))) is fen_of(p) for every such position.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/variant.h"
#include "host/notation/result.h"

namespace hecatomb {

/// What a FEN says, unchecked; columns count from 1.
struct Setup {
  std::array<char, 64> men{};             ///< the FEN letter by square, 0 where empty
  std::array<int, 64> man_columns{};      ///< of each letter
  Color side = kWhite;                    ///< to move
  u8 castling = 0;                        ///< of CastlingRight
  std::array<int, 4> castling_columns{};  ///< of the letters K Q k q
  Square en_passant = -1;                 ///< as written, on rank 3 or 6
  int halfmove = 0, fullmove = 1;         ///< 0 … 9999, 1 … 9999
  int board_column = 0, side_column = 0, en_passant_column = 0;
};

/// A checked position and what was mended on the way (kind castling-right: one warning for each letter dropped).
struct FenReading {
  Position position;
  std::vector<Warning> warnings;
};

/// Reads one to six fields, separated by blanks (space, tab, CR, LF). The side to move is required; the other trailing
/// fields may be missing and read as "- - 0 1".
Expected<Setup> read_setup(std::string_view text);

/// Checks a setup by the rules of the variant.
Expected<FenReading> check_setup(const Setup& setup, VariantId variant, const RuleOptions& options = {});

/// Both steps.
Expected<FenReading> read_fen(std::string_view text, VariantId variant, const RuleOptions& options = {});

/// Six fields. The en passant square is written only where such a capture is legal. Counters past 9999 are written as
/// 9999, the largest that can be read.
std::string fen_of(const Position& p);

}  // namespace hecatomb
