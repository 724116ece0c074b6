// Headers, locks and atomic files: what every file of ours shares. The journal has a test file of its own.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/storage/atomic_file.h"
#include "host/storage/checksum.h"
#include "host/storage/header.h"
#include "host/storage/lock.h"
#include "tests/support/storage_fixture.h"

namespace hecatomb {
namespace {

// ---- Checksum ----

TEST(ChecksumTest, IsXxh3WithItsPublishedValues) {
  EXPECT_EQ(xxh3({}), 0x2D06800538D394C2ULL);  // XXH3_64bits("", 0) of the specification
  EXPECT_NE(xxh3(bytes_of("a")), xxh3(bytes_of("b")));
  EXPECT_NE(xxh3(bytes_of("a"), 1), xxh3(bytes_of("a"), 2));
}

// ---- Header ----

TEST_F(StorageTest, HeaderComesBackAsItWas) {
  const FileHeader header = sample_header();
  const std::string text = encode_header(header);
  EXPECT_EQ(text.size() % 64, 0U);
  EXPECT_EQ(text.substr(0, text.find('\n') + 1), "hecatomb-file 1 00000256\n");
  EXPECT_NE(text.find("\nvariant=antichess\noption.ep=restricted\noption.stalemate=stalemated-wins\nparam.depth=5\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nparam.odd=50%25%0A=%7F%09\n"), std::string::npos) << text;
  spit(path("f"), text + "content");
  const StoredHeader stored = read_header(File::open_read(path("f")));
  EXPECT_EQ(stored.header, header);
  EXPECT_EQ(stored.size_bytes, text.size());
  EXPECT_NO_THROW(require_header(stored.header, header, path("f")));
}

TEST_F(StorageTest, HeaderSizesAreMultiplesOf64ForEveryLength) {
  for (std::size_t length = 0; length < 130; ++length) {
    FileHeader header = sample_header();
    header.params["x"] = std::string(length, 'x');
    const std::string text = encode_header(header);
    ASSERT_EQ(text.size() % 64, 0U);
    spit(path("f"), text);
    ASSERT_EQ(read_header(File::open_read(path("f"))).header, header) << length;
  }
}

TEST_F(StorageTest, HeaderRefusesEveryFlippedBitAndEveryCut) {
  const std::string text = encode_header(sample_header());
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      spit(path("f"), damaged);
      ASSERT_TRUE(outcome_of([&] { read_header(File::open_read(path("f"))); }).refusal)
          << "byte " << i << " bit " << bit;
    }
    spit(path("f"), text.substr(0, i));
    ASSERT_TRUE(outcome_of([&] { read_header(File::open_read(path("f"))); }).refusal) << "cut at " << i;
  }
}

TEST_F(StorageTest, HeaderTellsStrangersFromDamage) {
  const auto refusal_of = [&](const std::string& text) {
    spit(path("f"), text);
    return outcome_of([&] { read_header(File::open_read(path("f"))); });
  };
  EXPECT_EQ(refusal_of("").refusal, Refusal::kDamaged);
  EXPECT_EQ(refusal_of(std::string(500, '\0')).refusal, Refusal::kNotOurs);
  EXPECT_EQ(refusal_of("[Event \"?\"]\n").refusal, Refusal::kNotOurs);
  const FileOutcome newer = refusal_of("hecatomb-file 2 anything may follow here");
  EXPECT_EQ(newer.refusal, Refusal::kVersion);
  EXPECT_NE(newer.text.find("version 2, this program reads version 1"), std::string::npos) << newer.text;
  std::string damaged = encode_header(sample_header());
  damaged[60] ^= 1;
  const FileOutcome flipped = refusal_of(damaged);
  EXPECT_EQ(flipped.refusal, Refusal::kDamaged);
  EXPECT_NE(flipped.text.find("its checksum is wrong"), std::string::npos) << flipped.text;
}

TEST_F(StorageTest, HeaderAcceptsOnlyWhatAWriterMakes) {
  // A sound checksum over fields in another order: written by another program, not by this one.
  std::string text =
      encode_header({.kind = "journal", .job = "perft", .variant = "horde", .options = {}, .params = {}});
  const std::size_t job = text.find("job=perft\n");
  text.erase(job, 10).insert(text.find("kind="), "job=perft\n");
  text.resize(text.size() - 22);
  char line[32];
  std::snprintf(line, sizeof line, "xxh3=%016llx\n", static_cast<unsigned long long>(xxh3(bytes_of(text))));
  spit(path("f"), text + line);
  EXPECT_EQ(outcome_of([&] { read_header(File::open_read(path("f"))); }).refusal, Refusal::kDamaged);
}

TEST_F(StorageTest, HeaderNamesAreChecked) {
  for (const char* name : {"", "Perft", "a b", "a=b", "a\nb"}) {
    FileHeader header = sample_header();
    header.job = name;
    EXPECT_THROW(encode_header(header), std::invalid_argument) << name;
    header = sample_header();
    header.options[name] = "x";
    EXPECT_THROW(encode_header(header), std::invalid_argument) << name;
  }
  FileHeader long_one = sample_header();
  long_one.params["fen"] = std::string(kMaxHeaderBytes, 'x');
  EXPECT_THROW(encode_header(long_one), std::invalid_argument);
}

TEST_F(StorageTest, HeaderUnderAnythingElseIsRefusedWithWhatToDo) {
  const FileHeader expected = sample_header();
  const auto check = [&](const std::function<void(FileHeader&)>& change, Refusal refusal, const std::string& says) {
    FileHeader found = expected;
    change(found);
    const FileOutcome outcome = outcome_of([&] { require_header(found, expected, "the-file"); });
    EXPECT_EQ(outcome.refusal, refusal) << outcome.text;
    EXPECT_NE(outcome.text.find(says), std::string::npos) << outcome.text;
    EXPECT_TRUE(outcome.text.starts_with("the-file: cannot use this file: it holds a ")) << outcome.text;
  };
  check([](FileHeader& h) { h.kind = "table"; }, Refusal::kKind, "a table of perft for antichess, expected a journal");
  check([](FileHeader& h) { h.version = 7; }, Refusal::kVersion, "version 7, this program reads version 1");
  check([](FileHeader& h) { h.job = "playout"; }, Refusal::kJob, "of playout for antichess, expected one of perft");
  check([](FileHeader& h) { h.variant = "horde"; }, Refusal::kVariant,
        "for horde, expected antichess. Run with --variant horde, or name another file");
  check([](FileHeader& h) { h.options["ep"] = "always"; }, Refusal::kOptions, "ep is 'always', expected 'restricted'");
  check([](FileHeader& h) { h.options.erase("ep"); }, Refusal::kOptions, "ep is not there, expected 'restricted'");
  check([](FileHeader& h) { h.options["castling"] = "no"; }, Refusal::kOptions, "castling is 'no', expected none");
  check([](FileHeader& h) { h.params["depth"] = "6"; }, Refusal::kParams, "depth is '6', expected '5'");
  FileHeader other_depth = expected;
  other_depth.params["depth"] = "6";
  EXPECT_NO_THROW(require_header(other_depth, expected, "f", ParamsMustMatch::kNo));
}

// ---- Locks ----

TEST_F(StorageTest, LocksKeepOtherProcessesOutUntilTheirEnd) {
  const auto child_is_kept_out = [&] {
    return exit_code(status_of_child([&] { _exit(is_in_use([&] { FileLock lock(path("lock")); }) ? 42 : 43); })) == 42;
  };
  {
    const FileLock lock(path("lock"));
    EXPECT_TRUE(child_is_kept_out());
    EXPECT_TRUE(is_in_use([&] { FileLock second(path("lock")); })) << "within one process too";
    EXPECT_TRUE(child_is_kept_out()) << "a failed attempt does not release the lock";
  }
  EXPECT_FALSE(child_is_kept_out());
}

TEST_F(StorageTest, LocksOfTheParentSurviveAChildThatInheritsThem) {
  auto* lock = new FileLock(path("lock"));
  status_of_child([&] { delete lock; });
  EXPECT_TRUE(is_in_use([&] { FileLock second(path("lock")); }));
  delete lock;
}

TEST_F(StorageTest, LocksEndWithAKilledProcess) {
  // The child tells through a pipe that it holds the lock, and is then killed.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FileLock lock(path("lock"));
    const char ready = 'x';
    if (write(ends[1], &ready, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char ready = 0;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  EXPECT_TRUE(is_in_use([&] { FileLock lock(path("lock")); }));
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_NO_THROW(FileLock(path("lock")));
  close(ends[0]);
  close(ends[1]);
}

// ---- Atomic files ----

TEST_F(StorageTest, AtomicFileAppearsWhole) {
  spit(path("f"), "old");
  {
    AtomicFile file(path("f"));
    file.write("new ");
    file.write(std::string(3 << 20, 'x'));
    file.write(" end");
    EXPECT_EQ(slurp(path("f")), "old");
    file.commit();
  }
  EXPECT_EQ(slurp(path("f")), "new " + std::string(3 << 20, 'x') + " end");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(StorageTest, AtomicFileWithoutCommitLeavesNothing) {
  spit(path("f"), "old");
  {
    AtomicFile file(path("f"));
    file.write("new");
  }
  EXPECT_EQ(slurp(path("f")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(StorageTest, AtomicFileOnAFullDiskLeavesTheOldOne) {
  spit(path("f"), "old");
  EXPECT_EQ(exit_code(status_of_child([&] {
              limit_file_size(1000);
              try {
                write_atomically(path("f"), std::string(5000, 'x'));
              } catch (const EnvironmentError&) {
                _exit(42);
              }
            })),
            42);
  EXPECT_EQ(slurp(path("f")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(StorageTest, AtomicFileKilledBeforeItsRenameIsTakenOver) {
  spit(path("f"), "old");
  ASSERT_TRUE(was_killed(status_of_child([&] {
    arm_faults("before-rename:1");
    write_atomically(path("f"), "a long new text");
  })));
  EXPECT_EQ(slurp(path("f")), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"f", "f.part"}));
  write_atomically(path("f"), "new");
  EXPECT_EQ(slurp(path("f")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(StorageTest, AtomicFileHasOneWriter) {
  AtomicFile first(path("f"));
  first.write("first");
  EXPECT_TRUE(is_in_use([&] { AtomicFile second(path("f")); }));
  first.commit();
  EXPECT_EQ(slurp(path("f")), "first");
  EXPECT_NO_THROW(write_atomically(path("f"), "second"));
}

TEST_F(StorageTest, AtomicFileKeepsModesAndLinks) {
  spit(path("real"), "old");
  ASSERT_EQ(chmod(path("real").c_str(), 0600), 0);
  fs::create_symlink("real", path("link"));
  write_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(slurp(path("real")), "new");
  struct stat status = {};
  ASSERT_EQ(stat(path("real").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  spit(path("victim"), "precious");
  fs::create_symlink("victim", path("g.part"));
  EXPECT_THROW(write_atomically(path("g"), "new"), EnvironmentError);
  EXPECT_EQ(slurp(path("victim")), "precious");
}

TEST_F(StorageTest, AtomicFileWritesToDevicesDirectly) {
  write_atomically("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_atomically("/dev/full", "text"), EnvironmentError);
}

TEST_F(StorageTest, ErrorsSayWhatToDo) {
  try {
    write_atomically(path("missing/f"), "text");
    FAIL();
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(error.reason(), "No such file or directory");
    EXPECT_NE(error.remedy().find(path("missing") + " must exist"), std::string::npos) << error.what();
  }
  EXPECT_THROW(AtomicFile file(directory_), EnvironmentError);
  EXPECT_THROW(File::open_read(path("missing")), EnvironmentError);
}

}  // namespace
}  // namespace hecatomb
