// What reading a text gives: the value, or an error that says where and why.
//
// The one idea: bad input is a value. Nothing in this folder throws for what a text says, so a batch can report a line
// and go on. One enum names every fault and every warning of all text formats; `kind_name` is what programs print and
// what scripts may match.
//
// Invariants: `message` is one line of printable ASCII that says where, what was found, what was expected and the
// nearest remedy; `column` counts bytes from 1 in the text given to the reader and is 0 where it means nothing; `ply`
// is 0 until somebody who plays a list of moves sets it. (The name Result belongs to games: common/outcome.h.)
#pragma once
#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace hecatomb {

/// Every kind of fault, then every kind of warning, in the order of the documentation.
enum class ErrorKind {
  empty,
  ranks,
  rank_width,
  piece,
  no_side,
  side,
  castling_chars,
  ep_field,
  ep_square,
  counter,
  pawn_rank,
  kings,
  opposite_check,
  empty_board,
  too_many_men,
  trailing,
  illegal_move,
  ambiguous_move,
  unreadable_move,
  after_end,
  unknown_variant,
  json,
  variant,
  option,
  line,       ///< the line itself: too long, or with bytes that no text has
  tag,        ///< a tag of a PGN that cannot be read
  movetext,   ///< of a PGN, around the moves: a comment or side line that is not closed, too many moves
  truncated,  ///< a packed stream that is cut or damaged
  castling_right,
  result_mismatch,
  after_draw,
};
inline constexpr int kErrorKinds = 31;

/// The printed name: "rank-width", "illegal-move", …
std::string_view kind_name(ErrorKind kind);

/// A fault or a warning.
struct Error {
  ErrorKind kind = ErrorKind::empty;
  std::string_view field = {};  ///< "board" "side" "castling" "en-passant" "halfmove" "fullmove", or empty; a literal
  int column = 0;               ///< from 1 in the text; 0: n/a
  int ply = 0;                  ///< from 1 in a list of moves; 0: n/a
  std::string message = {};
};
using Warning = Error;

/// An Error whose message begins with the field and the column.
Error error_at(ErrorKind kind, std::string_view field, int column, std::string_view text);

/// A value or the Error why there is none.
template <class T>
class [[nodiscard]] Expected {
 public:
  // Both implicit: a function returns its value or its error as it is.  NOLINTBEGIN(google-explicit-constructor)
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}
  // NOLINTEND(google-explicit-constructor)

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// Only if ok().
  const T& value() const {
    assert(ok());
    return *std::get_if<0>(&content_);
  }
  T& value() {
    assert(ok());
    return *std::get_if<0>(&content_);
  }
  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// Only if not ok().
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&content_);
  }
  Error& error() {
    assert(!ok());
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

}  // namespace hecatomb
