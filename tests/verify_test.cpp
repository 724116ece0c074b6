// What verify and bench tell while they run, and what a stop leaves.
#include "host/verify.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/bench.h"
#include "host/work.h"

namespace hecatomb {
namespace {

struct StopGuard {  // the stop flag and the faults are the process's: leave them as they were
  ~StopGuard() {
    arm_faults("");
    reset_stop();
  }
};

/// A check backend that finds a difference in every item.
class AlwaysDiffers : public Backend {
 public:
  std::string name() const override { return "check:a,b"; }
  bool can(Job, VariantId) const override { return true; }
  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    for (std::size_t i = 0; i < batch.items.size(); i++) {
      answers[i].status = PerftAnswer::Status::differs;
      answers[i].note = "a 1, b 2";
    }
  }
  void playout(const PlayoutBatch&, std::span<PlayoutAnswer> answers) override {
    for (PlayoutAnswer& answer : answers) answer.status = PlayoutAnswer::Status::done;
  }
};

struct Told {
  VerifyReport report;
  std::uint64_t progress = 0;
  std::vector<std::string> differences;
};

Told verify_all(std::size_t positions) {
  WorkPool pool(1);
  AlwaysDiffers backend;
  Told told;
  told.report = verify(
      {.variant = VariantId::horde, .options = {}, .positions = positions}, backend, pool,
      [&](const Position&, std::string_view what) { told.differences.emplace_back(what); },
      [&](std::uint64_t n) { told.progress += n; });
  return told;
}

TEST(Verify, TellsEveryDifferenceAndHowFarItIs) {
  const Told told = verify_all(200);
  EXPECT_TRUE(told.report.complete);
  EXPECT_EQ(told.progress, 200u);
  EXPECT_EQ(told.report.differences, 200u);
  ASSERT_EQ(told.differences.size(), 200u);
  EXPECT_EQ(told.differences[0], "perft of depth 3: a 1, b 2");
}

/// A check backend that agrees on perft and on no game.
class GamesDiffer : public AlwaysDiffers {
 public:
  void perft(const PerftBatch&, std::span<PerftAnswer> answers) override {
    for (PerftAnswer& answer : answers) answer.status = PerftAnswer::Status::done;
  }
  void playout(const PlayoutBatch&, std::span<PlayoutAnswer> answers) override {
    for (PlayoutAnswer& answer : answers) {
      answer.status = PlayoutAnswer::Status::differs;
      answer.note = "a and b: draws: 1 and 0";
    }
  }
};

TEST(Verify, PlaysOnFromEveryFourthPosition) {
  WorkPool pool(1);
  GamesDiffer backend;
  std::vector<std::string> differences;
  const VerifyReport report = verify(
      {.variant = VariantId::suicide, .options = {}, .positions = 100}, backend, pool,
      [&](const Position&, std::string_view what) { differences.emplace_back(what); }, [](std::uint64_t) {});
  EXPECT_EQ(report.differences, 25u);
  ASSERT_EQ(differences.size(), 25u);
  EXPECT_EQ(differences[24], "random game of opening 96: a and b: draws: 1 and 0");
}

TEST(Verify, AStopKeepsTheDifferencesFoundBefore) {
  const StopGuard guard;
  arm_faults("interrupt-after-unit:70");
  const Told told = verify_all(200);
  EXPECT_FALSE(told.report.complete);
  EXPECT_GE(told.report.positions, 70u);
  EXPECT_LT(told.report.positions, 200u);
  EXPECT_EQ(told.progress, told.report.positions);
  EXPECT_EQ(told.report.differences, told.report.positions);
  EXPECT_EQ(told.differences.size(), told.report.positions);
}

TEST(Bench, TellsHowFarItIsAndNoSignatureOfAPart) {
  const StopGuard guard;
  std::vector<std::string> cases;
  std::size_t last = 0, all = 0;
  const auto take = [&](const BenchResult& r) { cases.push_back(r.name); };
  const auto watch = [&](std::size_t done, std::size_t of) {
    EXPECT_EQ(done, last + 1);
    last = done;
    all = of;
  };
  EXPECT_TRUE(bench_perft({.threads = 1, .runs = 2, .variant = VariantId::suicide}, take, watch).has_value());
  EXPECT_EQ(cases, (std::vector<std::string>{"suicide start 6", "suicide bulk 2000x3"}));
  EXPECT_EQ(last, 4u);
  EXPECT_EQ(all, 4u);

  cases.clear();
  arm_faults("interrupt-after-unit:1");
  EXPECT_FALSE(bench_perft({.threads = 1, .runs = 1, .variant = VariantId::suicide}, take).has_value());
  EXPECT_EQ(cases, (std::vector<std::string>{"suicide start 6"}));
}

}  // namespace
}  // namespace hecatomb
