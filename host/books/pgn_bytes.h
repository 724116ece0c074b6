// The bytes of a PGN with what lies ahead, and in which line and how far into it reading is.
//
// The one idea: whoever reads sees the bytes one after another and as many ahead as it asks for, whatever pieces they
// come in. Memory is one buffer.
//
// Lines end with LF, CRLF or CR. Blanks besides the usual: byte order marks, U+00A0, U+200B, Ctrl-Z.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "host/notation/input.h"

namespace hecatomb {

class PgnBytes {
 public:
  PgnBytes(ByteReader reader, std::uint64_t first_line);

  /// The next byte; -1 at the end.
  int peek() { return at_ != end_ || fill() ? static_cast<unsigned char>(buffer_[at_]) : -1; }
  /// The byte so many behind it.
  int peek_at(std::size_t offset) {
    return ensure(offset + 1) ? static_cast<unsigned char>(buffer_[at_ + offset]) : -1;
  }
  /// Whether so many bytes lie ahead; they then lie in the buffer.
  bool ensure(std::size_t bytes) { return end_ - at_ >= bytes || fetch(bytes); }
  /// What of them lies in the buffer by now. It stays there until more is asked for.
  std::string_view ahead() const { return {buffer_.data() + at_, end_ - at_}; }
  /// Goes on behind so many bytes, all of them in the buffer.
  void take(std::size_t bytes) { at_ += bytes; }

  /// The size of what stands ahead and is a blank in more than one byte: a byte order mark, U+00A0, U+200B; else 0.
  std::size_t blank_sequence(std::size_t offset);
  /// Takes the line end that begins with c.
  void end_line(int c);
  void skip_blanks();
  void skip_rest_of_line();

  std::uint64_t line() const { return line_; }

  // What the shape of a game hangs on; whoever takes bytes that say something sets the first.
  bool line_is_fresh = true;     ///< only blanks since its start
  bool after_blank_line = true;  ///< the line before was blank, or there was none
  bool blank_since_tag = false;  ///< a blank line has followed since somebody took this back

 private:
  bool fill();
  bool fetch(std::size_t bytes);

  ByteReader reader_;
  std::string buffer_;
  std::size_t at_ = 0, end_ = 0;
  bool ended_ = false;
  std::uint64_t line_;
};

constexpr char kEndOfOldFiles = 0x1a;  // Ctrl-Z
constexpr bool is_line_end(int c) { return c == '\n' || c == '\r'; }
constexpr bool is_pgn_space(int c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == kEndOfOldFiles; }

}  // namespace hecatomb
