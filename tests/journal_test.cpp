// The journal: over every byte and every length of a small one; kills are fault points in a forked child.
#include "host/storage/journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/storage/header.h"
#include "host/work.h"
#include "tests/support/storage_fixture.h"

namespace hecatomb {
namespace {

class JournalTest : public StorageTest {};

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

TEST_F(JournalTest, ReturnsWhatWasAppended) {
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

TEST_F(JournalTest, CutAnywhereKeepsTheWholeRecordsBefore) {
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

TEST_F(JournalTest, NoticesEveryFlippedBit) {
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
      const FileOutcome outcome = outcome_of([&] { found = open_journal(path("j"), &report); });
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

TEST_F(JournalTest, DropsATailThatAPowerCutLeftAsZeros) {
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

TEST_F(JournalTest, RefusesRecordsOfAnotherPlaceOrJournal) {
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

TEST_F(JournalTest, OfAnotherJobIsRefusedAndLeftAlone) {
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

TEST_F(JournalTest, KilledInTheMiddleOfARecordGoesOn) {
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

TEST_F(JournalTest, AJobThatIsKilledAndResumedRecordsEveryUnitOnce) {
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

TEST_F(JournalTest, AJobThatIsInterruptedKeepsWhatIsFinished) {
  arm_faults("interrupt-after-unit:17");
  run_job(path("j"), 1, 60);
  EXPECT_EQ(read_journal(path("j"), sample_header(), {}).records, 17U);
  arm_faults("");
  reset_stop();
  run_job(path("j"), 2, 60);
  EXPECT_EQ(read_journal(path("j"), sample_header(), {}).records, 60U);
}

TEST_F(JournalTest, SyncsByItsPolicy) {
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

TEST_F(JournalTest, OnAFullDiskStaysSound) {
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

TEST_F(JournalTest, IsForOneProcess) {
  const Journal journal(path("j"), sample_header(), {});
  EXPECT_TRUE(is_in_use([&] { Journal(path("j"), sample_header(), {}); }));
  EXPECT_EQ(read_journal(path("j"), sample_header(), {}).records, 0U) << "reading is free";
}

}  // namespace
}  // namespace hecatomb
