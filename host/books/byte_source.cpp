#include "host/books/byte_source.h"

#include <algorithm>
#include <utility>

#include "host/books/unpacker.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr std::size_t kMagicBytes = 6;  // the longest mark of a packed format that is known

Error cut_short(std::string_view format, const std::string& why) {
  return {ErrorKind::truncated, "", 0, 0,
          "the " + std::string(format) + " stream " + why + "; what stands before that is read, fetch the file again"};
}

}  // namespace

ByteSource ByteSource::open(const std::string& path, std::function<void()> before_waiting) {
  Input input = open_input(path, "games", {stop_descriptor(), std::move(before_waiting)});
  ByteSource source(std::move(input.name), std::move(input.read));
  source.bytes_in_all_ = input.size_bytes;
  return source;
}

ByteSource::ByteSource(std::string name, Reader reader) : name_(std::move(name)), reader_(std::move(reader)) {}
ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

/// Adds bytes behind those that are not used yet; false at the end.
bool ByteSource::fill() {
  if (ended_) return false;
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= std::exchange(begin_, 0);
  const std::size_t n = reader_(std::span(buffer_).subspan(end_));
  end_ += n;
  bytes_taken_ += n;
  ended_ = n == 0;
  return n > 0;
}

void ByteSource::choose_unpacker() {
  begun_ = true;
  while (end_ - begin_ < kMagicBytes && fill()) {
  }
  const std::string_view first(buffer_.data() + begin_, end_ - begin_);
  unpacker_ = unpacker_for(first);
  const std::string_view unread = unread_format(first);
  if (unread.empty()) return;
  fault_ = Error{ErrorKind::truncated, "", 0, 0,
                 "this is a " + std::string(unread) + " file; unpack it and pass the text, or a pipe with it as '-'"};
  begin_ = end_ = 0;
  ended_ = true;
}

std::size_t ByteSource::take_plain(std::span<char> room) {
  if (begin_ == end_) {
    if (ended_) return 0;
    const std::size_t n = reader_(room);
    bytes_taken_ += n;
    ended_ = n == 0;
    return n;
  }
  const std::size_t n = std::min(room.size(), end_ - begin_);
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), n, room.begin());
  begin_ += n;
  return n;
}

std::size_t ByteSource::take_unpacked(std::span<char> room) {
  while (!fault_) {
    const bool at_end = begin_ == end_ && !fill();
    const Unpacker::Step step = unpacker_->step(std::span(buffer_).subspan(begin_, end_ - begin_), room);
    begin_ += step.taken;
    if (!step.fault.empty()) {
      fault_ = cut_short(unpacker_->format(), "cannot be unpacked further (" + step.fault + ")");
    } else if (at_end && step.given == 0) {
      if (unpacker_->is_inside() && !stop_requested()) fault_ = cut_short(unpacker_->format(), "ends in the middle");
      return 0;
    }
    if (step.given > 0) return step.given;
  }
  return 0;
}

std::size_t ByteSource::read(std::span<char> room) {
  if (room.empty()) return 0;
  if (!begun_) choose_unpacker();
  return unpacker_ ? take_unpacked(room) : take_plain(room);
}

}  // namespace hecatomb
