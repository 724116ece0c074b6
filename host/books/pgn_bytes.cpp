#include "host/books/pgn_bytes.h"

#include <algorithm>
#include <span>
#include <utility>

namespace hecatomb {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 17;

}  // namespace

PgnBytes::PgnBytes(ByteReader reader, std::uint64_t first_line)
    : reader_(std::move(reader)), buffer_(kBufferBytes, '\0'), line_(first_line) {}

/// Reads more behind what is not used yet; false at the end.
bool PgnBytes::fill() {
  if (ended_ || end_ - at_ == buffer_.size()) return false;
  buffer_.replace(0, end_ - at_, buffer_, at_, end_ - at_);
  end_ -= std::exchange(at_, 0);
  const std::size_t n = reader_(std::span(buffer_).subspan(end_));
  end_ += n;
  ended_ = n == 0;
  return !ended_;
}

bool PgnBytes::fetch(std::size_t bytes) {
  while (end_ - at_ < bytes) {
    if (!fill()) return false;
  }
  return true;
}

std::size_t PgnBytes::blank_sequence(std::size_t offset) {
  ensure(offset + 3);
  const std::string_view text = ahead().substr(offset, 3);
  if (text == "\xef\xbb\xbf" || text == "\xe2\x80\x8b") return 3;
  return text.starts_with("\xc2\xa0") ? 2 : 0;
}

void PgnBytes::end_line(int c) {
  take(1);
  if (c == '\r' && peek() == '\n') take(1);
  line_++;
  after_blank_line = line_is_fresh;
  blank_since_tag = blank_since_tag || line_is_fresh;
  line_is_fresh = true;
}

void PgnBytes::skip_blanks() {
  for (int c = peek(); c >= 0; c = peek()) {
    const std::size_t size = is_pgn_space(c) ? 1 : c >= 0x80 ? blank_sequence(0) : 0;
    if (size == 0) return;
    take(size);
  }
}

void PgnBytes::skip_rest_of_line() {
  for (int c = peek(); c >= 0 && !is_line_end(c); c = peek()) {
    while (at_ < end_ && !is_line_end(buffer_[at_])) at_++;
  }
}

}  // namespace hecatomb
