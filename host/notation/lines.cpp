#include "host/notation/lines.h"

#include <utility>

#include "host/notation/text.h"

namespace hecatomb {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

/// Bytes that no text format has: control characters other than blanks and the end mark of old systems (0x1a).
constexpr bool is_binary(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 && !is_blank(c) && byte != 0x1a;
}

std::optional<Error> fault_of_bytes(std::string_view text, std::uint64_t number) {
  std::size_t at = 0;
  while (at < text.size() && !is_binary(text[at])) at++;
  if (at == text.size()) return std::nullopt;
  const bool utf16 = number == 1 && (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"));
  return error_at(ErrorKind::line, "", static_cast<int>(at) + 1,
                  "the byte " + quoted(text.substr(at, 1)) + " belongs to no text" +
                      (utf16 ? "; the file is UTF-16, save it as UTF-8" : "; is this a binary or compressed file?"));
}

}  // namespace

LineSource LineSource::open(const std::string& path, std::size_t limit_bytes, Waiting waiting) {
  const int stop_descriptor = waiting.stop_descriptor;
  Input input = open_input(path, "lines", std::move(waiting));
  return {std::move(input.name), std::move(input.read), limit_bytes, stop_descriptor};
}

LineSource::LineSource(std::string name, Reader reader, std::size_t limit_bytes, int stop_descriptor)
    : name_(std::move(name)),
      reader_(std::move(reader)),
      limit_bytes_(limit_bytes),
      stop_descriptor_(stop_descriptor),
      buffer_(kBufferBytes) {}

bool LineSource::fill() {
  begin_ = 0;
  end_ = reader_(buffer_);
  any_ = any_ || end_ > 0;
  ended_ = end_ == 0;
  return !ended_;
}

/// Finds the rest of the line; false if the input ended before there was a byte of it.
bool LineSource::take_rest_of_line(std::string_view& text) {
  long_line_.clear();
  too_long_ = false;
  bool any = false;
  for (;;) {
    if (begin_ == end_ && !fill()) break;
    any = true;
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    const std::size_t newline = rest.find('\n');
    const std::string_view part = rest.substr(0, newline);
    begin_ += part.size() + (newline == std::string_view::npos ? 0 : 1);
    too_long_ = too_long_ || long_line_.size() + part.size() > limit_bytes_;
    if (newline != std::string_view::npos && long_line_.empty()) {
      text = part;
      return true;
    }
    if (!too_long_) long_line_ += part;
    if (newline != std::string_view::npos) break;
  }
  text = long_line_;
  return any;
}

Line LineSource::judged(std::string_view text) {
  Line line;
  line.number = ++number_;
  if (too_long_) {
    line.error = error_at(
        ErrorKind::line, "", static_cast<int>(limit_bytes_ + 1),
        "the line is longer than " + std::to_string(limit_bytes_) + " bytes and is skipped; is a line end missing?");
    return line;
  }
  if (text.ends_with('\r')) text.remove_suffix(1);
  text = without_bom(text);
  line.error = fault_of_bytes(text, line.number);
  if (!line.error) line.text = text;
  return line;
}

std::optional<Line> LineSource::next() {
  std::string_view text;
  const bool taken = take_rest_of_line(text);
  if (ended_ && is_readable(stop_descriptor_)) return std::nullopt;
  if (taken) return judged(text);
  if (any_ || number_ > 0) return std::nullopt;
  Line line;
  line.number = ++number_;
  line.error = error_at(ErrorKind::empty, "", 0, name_ + " is empty; expected at least one line");
  return line;
}

}  // namespace hecatomb
