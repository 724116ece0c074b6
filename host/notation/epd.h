// One line of an EPD file, a perft suite, an opening book or a list of FENs.
//
// The one idea: a line is FEN fields (as many as FEN allows), then operations "opcode operand…" parted by semicolons,
// wherever the semicolons stand: "w - - ;D1 20 ;D2 400", "w - - D1 20; D2 400;", "w - - 0 1;". An opcode begins with a
// letter, so a fifth word that does not is a counter. Operations keep their order and their text; whoever needs a
// number or moves asks for them.
//
// Invariants: columns count in the line, from 1, a byte order mark at its start not counted. Quoted operands may hold
// blanks, commas and semicolons.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/move.h"
#include "host/notation/fen.h"

namespace hecatomb {

struct EpdOperand {
  std::string text;  ///< without the quotes
  bool quoted = false;
  int column = 0;
};

struct EpdOp {
  std::string opcode;
  int column = 0;
  std::vector<EpdOperand> operands;

  /// All operands, one blank between them.
  std::string text() const;
  /// The value, if there is just one operand and it is a whole number.
  std::optional<std::int64_t> integer() const;
};

/// A line taken apart, before any variant is known.
struct EpdText {
  Setup setup;  ///< counters of hmvc and fmvn included
  std::vector<EpdOp> ops;

  /// The first operation of that name, or null.
  const EpdOp* find(std::string_view opcode) const;
};

/// A line read by the rules of a variant.
struct EpdPosition {
  Position position;
  VariantId variant = VariantId::chess;  ///< by which it was read
  bool variant_differs = false;          ///< the line's own `variant` opcode says something else
  std::vector<EpdOp> ops;
  std::vector<Warning> warnings;

  /// The first operation of that name, or null.
  const EpdOp* find(std::string_view opcode) const;
};

/// Whether a line holds no position: blank, or a comment that begins with '#'.
bool is_epd_comment(std::string_view line);

/// The name X in a comment line "# variant: X", as it is written; nothing in other lines. Judge it by read_variant.
std::optional<std::string_view> variant_of_comment(std::string_view line);

/// Takes a line apart. Errors: those of read_setup; `counter` for hmvc and fmvn; `trailing` for what is no operation.
Expected<EpdText> read_epd_text(std::string_view line);

/// Reads a line. The variant is `variant` where given (the user's -v, or a comment line above), else what the line's
/// own opcode `variant` says; without either: unknown-variant.
Expected<EpdPosition> read_epd(std::string_view line, std::optional<VariantId> variant,
                               const RuleOptions& options = {});

/// The moves of an operation such as `bm` or `am`: alternatives in `p`, in SAN or UCI. Errors as read_move, with the
/// column of the move in the line.
Expected<std::vector<Move>> read_op_moves(const EpdOp& op, const Position& p, VariantId variant);

}  // namespace hecatomb
