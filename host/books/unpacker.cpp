#include "host/books/unpacker.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

namespace hecatomb {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzip = "\x1f\x8b"sv, kZstd = "\x28\xb5\x2f\xfd"sv;
constexpr int kGzipOnly = 16;  // added to the window's bits: zlib then wants a gzip header

/// Members one behind the other; bytes behind the last that begin no member are left out, as gunzip does, if they are
/// zero (padding of tapes), else refused.
class Gunzip final : public ByteSource::Unpacker {
 public:
  Gunzip() {
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  Step step(std::span<const char> input, std::span<char> output) override {
    Step step;
    if (!inside_) {
      while (any_ && step.taken < input.size() && input[step.taken] == 0) step.taken++;
      if (step.taken == input.size()) return step;
      inflateReset(&stream_);
      inside_ = any_ = true;
    }
    const std::size_t most = std::numeric_limits<uInt>::max();
    const std::span<const char> rest = input.subspan(step.taken);
    // zlib's interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    stream_.avail_in = static_cast<uInt>(std::min(rest.size(), most));
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(std::min(output.size(), most));
    const int code = inflate(&stream_, Z_NO_FLUSH);
    step.taken = input.size() - stream_.avail_in;
    step.given = output.size() - stream_.avail_out;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_STREAM_END) {
      inside_ = false;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      step.fault = stream_.msg == nullptr ? "its bytes are damaged" : stream_.msg;
    }
    return step;
  }
  bool is_inside() const override { return inside_; }
  std::string_view format() const override { return "gzip"; }

 private:
  z_stream stream_{};
  bool inside_ = false, any_ = false;
};

class Unzstd final : public ByteSource::Unpacker {
 public:
  Unzstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~Unzstd() override { ZSTD_freeDStream(stream_); }
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;

  Step step(std::span<const char> input, std::span<char> output) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t code = ZSTD_decompressStream(stream_, &out, &in);
    Step step{in.pos, out.pos, {}};
    if (ZSTD_isError(code) != 0) {
      step.fault = ZSTD_getErrorName(code);
    } else {
      // 0: a frame is finished; a call that did nothing (no input left) says nothing new.
      if (in.pos != 0 || out.pos != 0) inside_ = code != 0;
    }
    return step;
  }
  bool is_inside() const override { return inside_; }
  std::string_view format() const override { return "zstd"; }

 private:
  ZSTD_DStream* stream_;
  bool inside_ = false;
};

/// A frame that holds no data, only somebody's notes (RFC 8878, 3.1.2): 0x184D2A50 to 5F, low byte first.
bool is_skippable_frame(std::string_view bytes) {
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xf0) == 0x50 &&
         bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
}

}  // namespace

std::unique_ptr<ByteSource::Unpacker> unpacker_for(std::string_view first_bytes) {
  if (first_bytes.starts_with(kGzip)) return std::make_unique<Gunzip>();
  if (first_bytes.starts_with(kZstd) || is_skippable_frame(first_bytes)) return std::make_unique<Unzstd>();
  return nullptr;
}

std::vector<std::pair<std::string, std::string>> unpacking_libraries() {
  return {{"zlib", zlibVersion()}, {"zstd", ZSTD_versionString()}};
}

std::string_view unread_format(std::string_view first_bytes) {
  if (first_bytes.starts_with("BZh"sv)) return "bzip2";
  if (first_bytes.starts_with("\xfd"
                              "7zXZ"sv))
    return "xz";
  if (first_bytes.starts_with("7z\xbc\xaf"sv)) return "7-Zip";
  if (first_bytes.starts_with("PK\x03\x04"sv)) return "zip";
  return {};
}

}  // namespace hecatomb
