// Bytes of files and pipes, packed or plain, in whatever pieces they come.
#include "host/books/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/error.h"

namespace hecatomb {
namespace {

using testing::HasSubstr;

std::string gzipped(const std::string& text) {
  std::string packed(text.size() + 200, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

struct Reading {
  std::string text;
  std::optional<Error> fault;
};

/// Reads `bytes`, which come in pieces of at most `piece`, into spans of `room`.
Reading read_all(const std::string& bytes, std::size_t piece, std::size_t room) {
  ByteSource source("text", [&bytes, piece, at = std::size_t{0}](std::span<char> span) mutable {
    const std::size_t n = std::min({piece, span.size(), bytes.size() - at});
    std::copy_n(bytes.data() + at, n, span.data());
    at += n;
    return n;
  });
  Reading reading;
  std::string buffer(room, '\0');
  while (const std::size_t n = source.read(buffer)) reading.text.append(buffer, 0, n);
  EXPECT_EQ(source.read(buffer), 0u) << "after the end comes nothing more";
  EXPECT_LE(source.bytes_taken(), bytes.size());
  reading.fault = source.fault();
  return reading;
}

/// Text that does not pack to almost nothing.
std::string sample(std::size_t size) {
  std::string text;
  for (unsigned x = 12345; text.size() < size; x = x * 1103515245 + 12345) {
    text += static_cast<char>('a' + (x >> 16) % 23);
    if ((x >> 20) % 11 == 0) text += '\n';
  }
  return text;
}

constexpr std::size_t kPieces[] = {1, 2, 7, 65536, 1 << 20};

TEST(ByteSource, GivesTheSameBytesInWhateverPiecesTheyCome) {
  const std::string text = sample(200000);
  for (const std::string& bytes : {text, gzipped(text), zstd_packed(text)}) {
    for (const std::size_t piece : kPieces) {
      const Reading reading = read_all(bytes, piece, piece == 1 ? 1000 : 77777);
      EXPECT_TRUE(reading.text == text) << piece;
      EXPECT_FALSE(reading.fault);
    }
  }
  for (const std::string& small : {std::string(), std::string("a"), std::string("\x1f"), std::string("\x28\xb5\x2f")}) {
    EXPECT_EQ(read_all(small, 1, 10).text, small);
  }
}

TEST(ByteSource, MembersAndFramesOneBehindTheOtherAreOneStream) {
  const std::string one = sample(1000), two = sample(70000);
  const std::string skippable = std::string("\x5f\x2a\x4d\x18\x03\x00\x00\x00", 8) + "abc";
  for (const std::size_t piece : kPieces) {
    EXPECT_TRUE(read_all(gzipped(one) + gzipped("") + gzipped(two), piece, 4096).text == one + two);
    EXPECT_TRUE(read_all(gzipped(one) + std::string(512, '\0'), piece, 4096).text == one) << "padding";
    EXPECT_TRUE(read_all(skippable + zstd_packed(one) + skippable + zstd_packed(two), piece, 4096).text == one + two);
    EXPECT_FALSE(read_all(zstd_packed(one) + skippable, piece, 4096).fault);
  }
}

TEST(ByteSource, AStreamThatIsCutGivesWhatItHasAndSaysSo) {
  const std::string text = sample(300000);
  for (const std::string& bytes : {gzipped(text), zstd_packed(text)}) {
    for (const std::size_t cut : {bytes.size() - 1, bytes.size() - 3, bytes.size() / 2, std::size_t{20}}) {
      const Reading reading = read_all(bytes.substr(0, cut), 999, 4096);
      EXPECT_TRUE(text.starts_with(reading.text));
      EXPECT_GE(reading.text.size(), cut > bytes.size() / 3 ? text.size() / 4 : 0) << cut;
      ASSERT_TRUE(reading.fault) << cut;
      EXPECT_EQ(reading.fault->kind, ErrorKind::truncated);
      EXPECT_THAT(reading.fault->message, HasSubstr("ends in the middle"));
    }
  }
}

TEST(ByteSource, AStreamThatIsDamagedGivesWhatItHasAndSaysSo) {
  const std::string text = sample(300000);
  for (std::string bytes : {gzipped(text), zstd_packed(text) + zstd_packed(text)}) {
    for (std::size_t i = 0; i < 64; i++) bytes[bytes.size() / 2 + i] = '\x5a';
    const Reading reading = read_all(bytes, 999, 4096);
    ASSERT_TRUE(reading.fault);
    EXPECT_THAT(reading.fault->message, HasSubstr("cannot be unpacked further"));
    EXPECT_LT(reading.text.size(), 2 * text.size());
  }
}

TEST(ByteSource, OtherPackersAreNamed) {
  for (const auto& [bytes, name] : {std::pair<std::string, std::string>{"BZh91AY&SY", "bzip2"},
                                    {"\xfd"
                                     "7zXZ\x01\x02",
                                     "xz"},
                                    {"PK\x03\x04\x05\x06", "zip"}}) {
    const Reading reading = read_all(bytes, 3, 100);
    EXPECT_EQ(reading.text, "");
    ASSERT_TRUE(reading.fault);
    EXPECT_THAT(reading.fault->message, HasSubstr(name));
  }
}

TEST(ByteSource, FilesAreToldByTheirContentAndTheirSizeIsKnown) {
  const std::string path = testing::TempDir() + "byte_source_test." + std::to_string(getpid()) + ".txt";
  const std::string bytes = gzipped("hello\n");
  std::ofstream(path, std::ios::binary) << bytes;
  ByteSource source = ByteSource::open(path);
  std::string buffer(100, '\0');
  EXPECT_EQ(source.read(buffer), 6u);
  EXPECT_EQ(buffer.substr(0, 6), "hello\n");
  EXPECT_EQ(source.bytes_in_all(), bytes.size());
  EXPECT_EQ(source.name(), path);
  std::filesystem::remove(path);
}

TEST(ByteSource, WhatCannotBeOpenedIsAnEnvironmentError) {
  EXPECT_THROW(ByteSource::open("/no/such/file"), EnvironmentError);
  EXPECT_THROW(ByteSource::open("/"), EnvironmentError);
}

}  // namespace
}  // namespace hecatomb
