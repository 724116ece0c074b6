// What every file of ours shares. The journal tests go over every byte and every length of a small file; kills are
// fault points in a forked child.
#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "host/storage/atomic_file.h"
#include "host/storage/checksum.h"
#include "host/storage/header.h"
#include "host/storage/journal.h"
#include "host/storage/lock.h"
#include "host/work.h"

namespace hecatomb {
namespace {

namespace fs = std::filesystem;

int status_of_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      body();
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

bool was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }
int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void spit(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// Every test has a directory of its own.
class StorageTest : public testing::Test {
 protected:
  void SetUp() override {
    // In memory where possible: on a disk the thousands of fsyncs of these tests take most of their time.
    const std::string parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : testing::TempDir();
    std::string name = parent + "hecatomb_storage_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override {
    fs::remove_all(directory_);
    arm_faults("");
    reset_stop();
  }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(directory_)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string directory_;
};

FileHeader sample_header() {
  return {.kind = "journal",
          .version = 1,
          .job = "perft",
          .variant = "antichess",
          .options = {{"stalemate", "stalemated-wins"}, {"ep", "restricted"}},
          .params = {{"fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1"}, {"depth", "5"}, {"odd", "50%\n=\x7F\t"}}};
}

// What opening or reading a file was refused for, and the text; nothing if it was accepted.
struct Outcome {
  std::optional<Refusal> refusal;
  std::string text;
};

Outcome outcome_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const FileRefusedError& error) {
    return {error.refusal(), error.what()};
  }
  return {};
}

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
  EXPECT_EQ(refusal_of("").refusal, Refusal::kNotOurs);
  EXPECT_EQ(refusal_of(std::string(500, '\0')).refusal, Refusal::kNotOurs);
  EXPECT_EQ(refusal_of("[Event \"?\"]\n").refusal, Refusal::kNotOurs);
  const Outcome newer = refusal_of("hecatomb-file 2 anything may follow here");
  EXPECT_EQ(newer.refusal, Refusal::kVersion);
  EXPECT_NE(newer.text.find("version 2, this program reads version 1"), std::string::npos) << newer.text;
  std::string damaged = encode_header(sample_header());
  damaged[60] ^= 1;
  const Outcome flipped = refusal_of(damaged);
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
    const Outcome outcome = outcome_of([&] { require_header(found, expected, "the-file"); });
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

// ---- Journal ----

using Records = std::vector<std::string>;

const Records kRecords = {"first", "", "the third, longer than the others by far", std::string(3, '\0'), "last!"};

Records open_journal(const std::string& path, JournalReport* report = nullptr, const Records& add = {}) {
  Records found;
  Journal journal(
      path, sample_header(),
      [&](std::span<const std::byte> bytes) {
        std::string& text = found.emplace_back();
        for (const std::byte b : bytes) text.push_back(static_cast<char>(b));
      },
      SyncPolicy{std::chrono::milliseconds::max()});
  if (report != nullptr) *report = journal.report();
  for (const std::string& record : add) journal.append(bytes_of(record));
  return found;
}

Records first_records(std::size_t count) {
  return {kRecords.begin(), kRecords.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Offsets at which kRecords start in their journal, and last its size.
std::vector<std::size_t> record_offsets() {
  std::vector<std::size_t> offsets = {encode_header(sample_header()).size()};
  for (const std::string& record : kRecords) offsets.push_back(offsets.back() + 16 + record.size());
  return offsets;
}

TEST_F(StorageTest, JournalReturnsWhatWasAppended) {
  JournalReport report;
  EXPECT_TRUE(open_journal(path("j"), &report, kRecords).empty());
  EXPECT_TRUE(report.created);
  EXPECT_EQ(fs::file_size(path("j")), record_offsets().back());
  EXPECT_EQ(open_journal(path("j"), &report, {"more"}), kRecords);
  EXPECT_FALSE(report.created);
  EXPECT_EQ(report.records, kRecords.size());
  EXPECT_EQ(report.dropped_bytes, 0U);
  Records all = kRecords;
  all.push_back("more");
  EXPECT_EQ(open_journal(path("j")), all);
  std::size_t count = 0;
  EXPECT_EQ(read_journal(path("j"), sample_header(), [&](std::span<const std::byte>) { ++count; }).records, count);
  EXPECT_EQ(count, all.size());
}

TEST_F(StorageTest, JournalCutAnywhereKeepsTheWholeRecordsBefore) {
  open_journal(path("whole"), nullptr, kRecords);
  const std::string whole = slurp(path("whole"));
  const std::vector<std::size_t> offsets = record_offsets();
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    spit(path("j"), whole.substr(0, length));
    // The last boundary at or before the cut; a cut within the header leaves nothing.
    std::size_t kept = 0;
    while (kept < kRecords.size() && offsets[kept + 1] <= length) ++kept;
    const bool torn_header = length < offsets[0];
    JournalReport report;
    ASSERT_EQ(open_journal(path("j"), &report, {"next"}), first_records(kept)) << "cut at " << length;
    ASSERT_EQ(report.created, torn_header) << length;
    ASSERT_EQ(report.records, kept) << length;
    ASSERT_EQ(report.dropped_bytes, torn_header ? length : length - offsets[kept]) << length;
    Records after = first_records(kept);
    after.push_back("next");
    ASSERT_EQ(open_journal(path("j"), &report), after) << "appending after a cut at " << length;
    ASSERT_EQ(report.dropped_bytes, 0U);
  }
}

TEST_F(StorageTest, JournalNoticesEveryFlippedBit) {
  open_journal(path("whole"), nullptr, kRecords);
  const std::string whole = slurp(path("whole"));
  const std::vector<std::size_t> offsets = record_offsets();
  const std::size_t last = offsets[kRecords.size() - 1];
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      spit(path("j"), damaged);
      JournalReport report;
      Records found;
      const Outcome outcome = outcome_of([&] { found = open_journal(path("j"), &report); });
      if (i >= last + 16) {  // the payload of the last record: dropped and reported, as if torn
        ASSERT_FALSE(outcome.refusal) << outcome.text;
        ASSERT_EQ(found, first_records(kRecords.size() - 1));
        ASSERT_EQ(report.dropped_bytes, whole.size() - last);
        continue;
      }
      ASSERT_TRUE(outcome.refusal) << "byte " << i << " bit " << bit;
      ASSERT_EQ(slurp(path("j")), damaged) << "a refused journal is left alone";
      if (i < offsets[0]) continue;
      ASSERT_EQ(outcome.refusal, Refusal::kDamaged);
      const std::size_t start = *std::prev(std::upper_bound(offsets.begin(), offsets.end(), i));
      ASSERT_NE(outcome.text.find("at offset " + std::to_string(start) + " is damaged"), std::string::npos)
          << outcome.text;
      ASSERT_NE(outcome.text.find("truncate --size=" + std::to_string(start)), std::string::npos) << outcome.text;
    }
  }
}

TEST_F(StorageTest, JournalDropsATailThatAPowerCutLeftAsZeros) {
  open_journal(path("whole"), nullptr, kRecords);
  const std::string whole = slurp(path("whole"));
  const std::vector<std::size_t> offsets = record_offsets();
  for (std::size_t length = offsets[0]; length <= whole.size(); ++length) {
    std::string text = whole.substr(0, length);
    text.resize(whole.size() + 100, '\0');
    spit(path("j"), text);
    JournalReport report;
    const Records found = open_journal(path("j"), &report);
    ASSERT_EQ(found, first_records(found.size())) << length;
    ASSERT_GT(report.dropped_bytes, 0U);
    std::size_t kept = 0;
    while (kept < kRecords.size() && offsets[kept + 1] <= length) ++kept;
    // Record 4 is three zero bytes: a cut within them restores it.
    ASSERT_TRUE(found.size() == kept || (kept == 3 && found.size() == 4)) << length;
  }
}

TEST_F(StorageTest, JournalRefusesRecordsOfAnotherPlaceOrJournal) {
  open_journal(path("j"), nullptr, {"same", "same"});
  const std::string text = slurp(path("j"));
  const std::size_t size = 16 + 4;
  // Record 1 twice, instead of records 1 and 2, and a third to make it no tail.
  spit(path("k"),
       text.substr(0, text.size() - size) + text.substr(text.size() - 2 * size, size) + "not zeros, no record");
  EXPECT_EQ(outcome_of([&] { open_journal(path("k")); }).refusal, Refusal::kDamaged);

  FileHeader other = sample_header();
  other.params["depth"] = "6";
  const std::string other_header = encode_header(other);
  ASSERT_EQ(other_header.size(), text.size() - 2 * size);
  spit(path("k"), other_header + text.substr(other_header.size()));
  EXPECT_EQ(outcome_of([&] { Journal(path("k"), other, {}); }).refusal, Refusal::kDamaged);
}

TEST_F(StorageTest, JournalOfAnotherJobIsRefusedAndLeftAlone) {
  open_journal(path("j"), nullptr, kRecords);
  const std::string before = slurp(path("j"));
  FileHeader other = sample_header();
  other.variant = "losers";
  EXPECT_EQ(outcome_of([&] { Journal(path("j"), other, {}); }).refusal, Refusal::kVariant);
  EXPECT_EQ(slurp(path("j")), before);
  spit(path("text"), "my notes");
  EXPECT_EQ(outcome_of([&] { Journal(path("text"), other, {}); }).refusal, Refusal::kNotOurs);
  EXPECT_EQ(slurp(path("text")), "my notes");
}

TEST_F(StorageTest, JournalKilledInTheMiddleOfARecordGoesOn) {
  for (const std::uint64_t kill_at : {1U, 2U, 3U, 5U}) {
    const std::string file = path("j" + std::to_string(kill_at));
    ASSERT_TRUE(was_killed(status_of_child([&] {
      arm_faults("mid-record:" + std::to_string(kill_at));
      open_journal(file, nullptr, kRecords);
    })));
    JournalReport report;
    const Records rest(kRecords.begin() + static_cast<std::ptrdiff_t>(kill_at - 1), kRecords.end());
    EXPECT_EQ(open_journal(file, &report, rest), first_records(kill_at - 1));
    EXPECT_EQ(report.dropped_bytes, (16 + kRecords[kill_at - 1].size()) / 2);
    EXPECT_EQ(open_journal(file), kRecords);
  }
}

// A job as jobs are: units in any order on several threads, one record each, resumed by skipping what is recorded.
void run_job(const std::string& path, unsigned threads, std::uint64_t units) {
  std::vector<bool> done(units);
  Journal journal(path, sample_header(), [&](std::span<const std::byte> bytes) {
    ASSERT_EQ(bytes.size(), 1U);
    ASSERT_FALSE(done[static_cast<std::size_t>(bytes[0])]) << "recorded twice";
    done[static_cast<std::size_t>(bytes[0])] = true;
  });
  WorkPool pool(threads);
  pool.run(units, [&](std::uint64_t index, unsigned) {
    if (done[index]) return;
    const auto record = static_cast<std::byte>(index);
    fault_point("after-unit", journal.append(std::span(&record, 1)));
  });
}

TEST_F(StorageTest, AJobThatIsKilledAndResumedRecordsEveryUnitOnce) {
  constexpr std::uint64_t kUnits = 60;
  for (const unsigned threads : {1U, 3U}) {
    const std::string file = path("j" + std::to_string(threads));
    for (const std::uint64_t kill_at : {1U, 17U, 59U}) {
      ASSERT_TRUE(was_killed(status_of_child([&] {
        arm_faults("after-unit:" + std::to_string(kill_at));
        run_job(file, threads, kUnits);
      })));
      EXPECT_GE(read_journal(file, sample_header(), {}).records, kill_at);
    }
    run_job(file, threads, kUnits);
    EXPECT_EQ(read_journal(file, sample_header(), {}).records, kUnits);
  }
}

TEST_F(StorageTest, AJobThatIsInterruptedKeepsWhatIsFinished) {
  arm_faults("interrupt-after-unit:17");
  run_job(path("j"), 1, 60);
  EXPECT_EQ(read_journal(path("j"), sample_header(), {}).records, 17U);
  arm_faults("");
  reset_stop();
  run_job(path("j"), 2, 60);
  EXPECT_EQ(read_journal(path("j"), sample_header(), {}).records, 60U);
}

TEST_F(StorageTest, JournalSyncsByItsPolicy) {
  const auto syncs_of = [&](std::chrono::milliseconds interval) {
    fs::remove(path("j"));
    Journal journal(path("j"), sample_header(), {}, SyncPolicy{interval});
    for (const std::string& record : kRecords) journal.append(bytes_of(record));
    const std::uint64_t during = journal.syncs();
    journal.sync();
    journal.sync();
    return std::pair(during, journal.syncs());
  };
  EXPECT_EQ(syncs_of(std::chrono::milliseconds::zero()), std::pair(std::uint64_t{5}, std::uint64_t{5}));
  EXPECT_EQ(syncs_of(std::chrono::milliseconds::max()), std::pair(std::uint64_t{0}, std::uint64_t{1}));
  EXPECT_EQ(syncs_of(std::chrono::hours(1)), std::pair(std::uint64_t{0}, std::uint64_t{1}));
}

// Limits the size of files, as a full disk would; for children only.
void limit_file_size(std::uint64_t size_bytes) {
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit = {size_bytes, size_bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(StorageTest, JournalOnAFullDiskStaysSound) {
  const std::size_t header_bytes = record_offsets()[0];
  const int status = status_of_child([&] {
    limit_file_size(header_bytes + 100);
    Journal journal(path("j"), sample_header(), {});
    journal.append(bytes_of("small"));
    try {
      journal.append(bytes_of(std::string(200, 'x')));
      _exit(1);
    } catch (const EnvironmentError& error) {
      if (std::string(error.what()).find("cannot write: File too large") == std::string::npos) _exit(2);
    }
    if (fs::file_size(path("j")) != header_bytes + 16 + 5) _exit(3);
    journal.append(bytes_of("fits"));
  });
  ASSERT_EQ(exit_code(status), 0);
  JournalReport report;
  EXPECT_EQ(open_journal(path("j"), &report), (Records{"small", "fits"}));
  EXPECT_EQ(report.dropped_bytes, 0U);
}

// ---- Locks ----

// Whether `body` fails as the file is in use.
bool is_in_use(const std::function<void()>& body) {
  try {
    body();
  } catch (const EnvironmentError& error) {
    return error.reason() == "it is in use by another process";
  }
  return false;
}

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

TEST_F(StorageTest, JournalIsForOneProcess) {
  const Journal journal(path("j"), sample_header(), {});
  EXPECT_TRUE(is_in_use([&] { Journal(path("j"), sample_header(), {}); }));
  EXPECT_EQ(read_journal(path("j"), sample_header(), {}).records, 0U) << "reading is free";
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
