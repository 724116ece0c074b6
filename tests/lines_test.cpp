// Lines of files, pipes and other sources, in whatever pieces the bytes come.
#include "host/notation/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/work.h"

namespace hecatomb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Gives `text` in pieces of at most `piece` bytes.
LineSource::Reader reader_of(std::string text, std::size_t piece) {
  return [text = std::move(text), piece, at = std::size_t{0}](std::span<char> room) mutable {
    const std::size_t n = std::min({piece, room.size(), text.size() - at});
    std::copy_n(text.data() + at, n, room.data());
    at += n;
    return n;
  };
}

/// "number:text", or "number!kind@column".
std::vector<std::string> lines_of(LineSource source) {
  std::vector<std::string> lines;
  while (const std::optional<Line> line = source.next()) {
    std::string text = std::to_string(line->number);
    if (line->error) {
      EXPECT_TRUE(line->text.empty());
      text += "!" + std::string(kind_name(line->error->kind)) + "@" + std::to_string(line->error->column);
    } else {
      text += ":" + std::string(line->text);
    }
    lines.push_back(text);
  }
  EXPECT_FALSE(source.next().has_value()) << "after the end comes nothing more";
  return lines;
}

std::vector<std::string> lines_of(const std::string& text, std::size_t piece, std::size_t limit_bytes = 100) {
  return lines_of(LineSource("text", reader_of(text, piece), limit_bytes));
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(testing::TempDir() + "lines_test." + std::to_string(getpid())) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Lines, AreTheSameInWhateverPiecesTheyCome) {
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 1000u}) {
    EXPECT_THAT(lines_of("one\ntwo\r\n\nfour", piece), ElementsAre("1:one", "2:two", "3:", "4:four"));
    EXPECT_THAT(lines_of("one\n", piece), ElementsAre("1:one"));
    EXPECT_THAT(lines_of("\n", piece), ElementsAre("1:"));
    EXPECT_THAT(lines_of("\r\n\r\n", piece), ElementsAre("1:", "2:"));
    EXPECT_THAT(lines_of("a\rb\r\r\n", piece), ElementsAre("1:a\rb\r"));
    EXPECT_THAT(lines_of("\xef\xbb\xbfone\n\xef\xbb\xbftwo", piece), ElementsAre("1:one", "2:two"));
    EXPECT_THAT(lines_of("\xef\xbb\xbf", piece), ElementsAre("1:"));
    EXPECT_THAT(lines_of("M\xfcller\nM\xc3\xbcller\n\x1a", piece),
                ElementsAre("1:M\xfcller", "2:M\xc3\xbcller", "3:\x1a"));
  }
}

TEST(Lines, BytesThatAreNoTextAreAnErrorOfTheirLine) {
  const std::string text = std::string("good\nba") + '\0' + "d\n\x01\nx\x7f\tgood";
  for (const std::size_t piece : {1u, 1000u}) {
    EXPECT_THAT(lines_of(text, piece), ElementsAre("1:good", "2!line@3", "3!line@1", "4:x\x7f\tgood"));
  }
  LineSource utf16("text", reader_of(std::string("\xff\xfe[\0E\0", 6), 1000));
  EXPECT_THAT(utf16.next()->error->message, HasSubstr("UTF-16"));
  LineSource binary("text", reader_of(std::string("\x1f\x8b\x08\0", 4), 1000));
  EXPECT_THAT(binary.next()->error->message, HasSubstr("\"\\x1f\""));
}

TEST(Lines, ALineTooLongIsSkipped) {
  for (const std::size_t piece : {1u, 3u, 1000u}) {
    EXPECT_THAT(lines_of("a\n" + std::string(11, 'x') + "\nb\n" + std::string(10, 'y') + "\nc", piece, 10),
                ElementsAre("1:a", "2!line@11", "3:b", "4:" + std::string(10, 'y'), "5:c"));
    EXPECT_THAT(lines_of(std::string(5000, 'x'), piece, 10), ElementsAre("1!line@11"));
  }
}

long peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Lines, MemoryDoesNotGrowWithTheLine) {
  const long before = peak_memory_kib();
  std::size_t left = std::size_t{1} << 28;
  bool ended = false;
  LineSource source("endless", [&](std::span<char> room) {
    if (left == 0) {
      if (ended) return std::size_t{0};
      ended = true;
      room[0] = '\n';
      room[1] = 'z';
      return std::size_t{2};
    }
    const std::size_t n = std::min(room.size(), left);
    left -= n;
    return n;
  });
  const std::optional<Line> first = source.next();
  ASSERT_TRUE(first && first->error);
  EXPECT_EQ(first->error->column, (1 << 20) + 1);
  EXPECT_EQ(source.next()->text, "z");
  EXPECT_FALSE(source.next());
  EXPECT_LT(peak_memory_kib() - before, 32 * 1024) << "of a line of 256 MiB";
}

TEST(Lines, LongLinesWithinTheLimitAreWhole) {
  const std::string large = std::string(1 << 20, 'x');
  LineSource source("text", reader_of(large + "\r\n" + large + "\n", 1 << 30), (1 << 20) + 1);
  EXPECT_EQ(source.next()->text, large);
  EXPECT_EQ(source.next()->text, large);
  EXPECT_FALSE(source.next());
}

TEST(Lines, OfAFile) {
  std::string text;
  for (int i = 0; i < 50000; i++) text += "line " + std::to_string(i) + "\r\n";
  const TemporaryFile file(text);
  LineSource source = LineSource::open(file.path());
  EXPECT_EQ(source.name(), file.path());
  std::uint64_t lines = 0;
  while (const std::optional<Line> line = source.next()) {
    ASSERT_FALSE(line->error);
    EXPECT_EQ(line->text, "line " + std::to_string(lines));
    EXPECT_EQ(line->number, ++lines);
  }
  EXPECT_EQ(lines, 50000u);
}

TEST(Lines, OfAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "one\ntwo", 7), 7);
  close(ends[1]);
  EXPECT_THAT(lines_of(LineSource::open("/dev/fd/" + std::to_string(ends[0]))), ElementsAre("1:one", "2:two"));
  close(ends[0]);
}

// Each read below would wait for ever: the writer of the pipe is this process.
TEST(Lines, ARequestToStopEndsAWait) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "one\ntwo\nin part", 15), 15);
  LineSource source = LineSource::open("/dev/fd/" + std::to_string(ends[0]), LineSource::kDefaultLimit,
                                       {stop_descriptor(), request_stop});
  EXPECT_EQ(source.next()->text, "one");
  EXPECT_EQ(source.next()->text, "two");
  EXPECT_FALSE(source.next()) << "the rest has not come whole";
  EXPECT_FALSE(source.next());
  reset_stop();
  close(ends[0]);
  close(ends[1]);
}

TEST(Lines, ARequestToStopEndsTheWaitForAWriter) {
  const std::string path = testing::TempDir() + "lines_test.fifo." + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  LineSource source = LineSource::open(path, LineSource::kDefaultLimit, {stop_descriptor(), request_stop});
  EXPECT_FALSE(source.next()) << "nothing has come, which is not the same as an empty file";
  reset_stop();
  EXPECT_EQ(unlink(path.c_str()), 0);
}

TEST(Lines, LinesThatHaveComeAreHandedOutAfterAStop) {
  const TemporaryFile file("one\ntwo\nlast");
  LineSource source = LineSource::open(file.path(), LineSource::kDefaultLimit, {stop_descriptor(), {}});
  EXPECT_EQ(source.next()->text, "one");
  request_stop();
  EXPECT_EQ(source.next()->text, "two");
  EXPECT_FALSE(source.next());
  reset_stop();
}

TEST(Lines, OfNothing) {
  const TemporaryFile file("");
  EXPECT_THAT(lines_of(LineSource::open(file.path())), ElementsAre("1!empty@0"));
  EXPECT_THAT(lines_of("", 1), ElementsAre("1!empty@0"));
  LineSource source = LineSource::open(file.path());
  EXPECT_THAT(source.next()->error->message, HasSubstr(file.path() + " is empty"));
}

std::string refusal_of(const std::string& path) {
  try {
    LineSource::open(path);
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "opened";
}

TEST(Lines, OfWhatCannotBeOpened) {
  EXPECT_THAT(refusal_of("/no/such/file.epd"), HasSubstr("/no/such/file.epd: cannot open for reading: No such file"));
  EXPECT_THAT(refusal_of(testing::TempDir()), HasSubstr("it is a directory"));
  if (geteuid() == 0) return;  // root may read everything
  const TemporaryFile file("text");
  chmod(file.path().c_str(), 0);
  EXPECT_THAT(refusal_of(file.path()), HasSubstr("Permission denied. Check its permissions"));
}

}  // namespace
}  // namespace hecatomb
