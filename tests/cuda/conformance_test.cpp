// One suite of batches that every backend passes: compiled once, linked once for each of them (CMakeLists.txt).
//
// What is expected comes from the reference, or is a published count. Where the backend is CUDA and there is no device
// the tests are skipped, and say so; HECATOMB_REQUIRE_GPU=1 turns that into a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "host/cuda_backend.h"
#include "host/reference_backend.h"
#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

constexpr std::string_view kBackend = HECATOMB_CONFORMANCE_BACKEND;
#if defined(HECATOMB_SANITIZED)
constexpr std::size_t kPart = 16;
#else
constexpr std::size_t kPart = 1;
#endif

// So little that every larger batch takes several slices and every deeper tree several chunks.
constexpr std::uint64_t kLittleMemory = 520'000, kMuchMemory = 16'000'000;

class Conformance : public testing::TestWithParam<RuleSet> {
 protected:
  void SetUp() override {
    if (kBackend != "cuda") return;
    try {
      cuda::find_device(-1);
    } catch (const cuda::Error& error) {
      const char* const required = std::getenv("HECATOMB_REQUIRE_GPU");
      if (required != nullptr && std::string_view(required) == "1") FAIL() << error.what();
      GTEST_SKIP() << error.what() << " (HECATOMB_REQUIRE_GPU=1 makes this a failure)";
    }
  }

  std::unique_ptr<Backend> make(std::uint64_t device_memory_bytes) {
    BackendOptions options;
    options.device_memory_bytes = device_memory_bytes;
    options.on_warning = [](const std::string& text) { ADD_FAILURE() << text; };
    std::unique_ptr<Backend> backend = make_backend(kBackend, pool_, options);
    EXPECT_EQ(backend->name(), kBackend);
    return backend;
  }

  /// Answers of a batch; each is `done`, and was told once.
  std::vector<u128> count(Backend& backend, const std::vector<PerftItem>& items) {
    std::vector<PerftAnswer> answers(items.size());
    std::vector<int> told(items.size());
    PerftBatch batch{GetParam().variant, GetParam().options, items, {}};
    std::vector<u128> counts;
    batch.on_done = [&](std::size_t i, u128 leaves) {
      told[i]++;
      answers[i].note = decimal(leaves);
    };
    backend.perft(batch, answers);
    for (std::size_t i = 0; i < items.size(); i++) {
      EXPECT_EQ(answers[i].status, PerftAnswer::Status::done) << i;
      EXPECT_EQ(told[i], 1) << i;
      EXPECT_EQ(answers[i].note, decimal(answers[i].leaves)) << i;
      counts.push_back(answers[i].leaves);
    }
    return counts;
  }

  void expect_reference(const std::vector<PerftItem>& items, const std::vector<u128>& counts) {
    const reference::Rules rules = reference_rules(GetParam().variant, GetParam().options);
    ASSERT_EQ(items.size(), counts.size());
    for (std::size_t i = 0; i < items.size(); i++) {
      const PerftItem& item = items[i];
      const u128 expected = reference::perft(rules, reference_position(item.position, rules), item.depth_plies);
      ASSERT_EQ(decimal(counts[i]), decimal(expected))
          << "to reproduce: hecatomb perft " << arguments_of(GetParam()) << " --fen '" << fen_of(item.position)
          << "' --depth " << item.depth_plies << " --backend check:" << kBackend << ",reference";
    }
  }

  /// Random positions, depths 0 to `most_plies` in turn.
  std::vector<PerftItem> items_of(std::size_t count, int most_plies, u64 seed) const {
    RandomPositions positions(GetParam(), seed);
    std::vector<PerftItem> items;
    for (std::size_t i = 0; i < count; i++) {
      items.push_back({positions.next(), static_cast<int>(i) % (most_plies + 1)});
    }
    return items;
  }

  WorkPool pool_{2};
};

TEST_P(Conformance, OddSizes) {
  const auto backend = make(kMuchMemory);
  for (const std::size_t size : {0u, 1u, 31u, 32u, 33u, 127u}) {
    const std::vector<PerftItem> items = items_of(size, 2, 100 + size);
    expect_reference(items, count(*backend, items));
  }
}

TEST_P(Conformance, DepthsInOneBatch) {
  const auto backend = make(kMuchMemory);
  const std::vector<PerftItem> items = items_of(24 / std::min<std::size_t>(kPart, 3), 3, 7);
  expect_reference(items, count(*backend, items));
}

// More items than a slice holds, and more blocks than the simulator has host threads.
TEST_P(Conformance, ManyItems) {
  const auto backend = make(kLittleMemory);
  std::vector<PerftItem> items = items_of(6007 / kPart, 1, 11);
  expect_reference(items, count(*backend, items));
}

// The same trees with room for all of a generation and with hardly any: every cut between chunks must be right.
TEST_P(Conformance, DeeperTreesInLittleMemory) {
  const auto little = make(kLittleMemory), much = make(kMuchMemory);
  std::vector<PerftItem> items;
  RandomPositions positions(GetParam(), 5);
  const int most_plies = kPart == 1 ? 4 : 3;
  for (int i = 0; i < (kPart == 1 ? 6 : 2); i++) items.push_back({positions.next(), most_plies - i % 2});
  const std::vector<u128> counts = count(*little, items);
  EXPECT_EQ(counts, count(*much, items));
  if (kPart == 1) expect_reference(items, counts);
}

// So many nodes three plies above the leaves, with either side to move, that a device (the simulated one has one
// multiprocessor: 256 are enough) counts them without expanding them. Then every item twice, with other counters: the
// same position.
TEST_P(Conformance, ManyItemsOfThreePlies) {
  const auto backend = make(kMuchMemory);
  RandomPositions positions(GetParam(), 13);
  std::vector<PerftItem> items;
  while (items.size() < 900) {
    const Position& p = positions.next();
    const int moves = with_variant(GetParam().variant, [&](auto v) { return count_moves<decltype(v)>(p); });
    if (moves > 0 && moves < 5) items.push_back({p, 3});
  }
  std::vector<u128> counts = count(*backend, items);
  expect_reference(items, counts);
  const std::size_t once = items.size();
  for (std::size_t i = 0; i < once; i++) {
    items.push_back(items[i]);
    items.back().position.fullmove++;
    counts.push_back(counts[i]);
  }
  EXPECT_EQ(count(*backend, items), counts);
}

// Trees in which many paths lead to one position, which some backends count once, with a weight.
TEST_P(Conformance, TreesWithTranspositions) {
  const auto much = make(kMuchMemory), little = make(kLittleMemory);
  const bool is_horde = GetParam().variant == VariantId::horde;  // White has no king there
  const auto reading = read_fen(is_horde ? "4k3/8/8/p7/P7/8/8/4N1N1 w - - 0 1" : "4k3/8/8/p7/P7/8/8/4K1N1 w - - 0 1",
                                GetParam().variant, GetParam().options);
  ASSERT_TRUE(reading.ok());
  const Position p = reading->position;
  std::vector<PerftItem> items;
  for (int plies = kPart == 1 ? 7 : 6; plies > 3; plies--) items.push_back({p, plies});
  const std::vector<u128> counts = count(*much, items);
  EXPECT_EQ(counts, count(*little, items));
  if (kPart == 1) expect_reference(items, counts);
}

// Finished games have no leaves but themselves, however deep.
TEST_P(Conformance, FinishedGames) {
  const auto backend = make(kMuchMemory);
  std::vector<PerftItem> items;
  RandomPositions positions(GetParam(), 3);
  while (items.size() < 20) {
    const Position& p = positions.next();
    const int moves = with_variant(GetParam().variant, [&](auto v) { return count_moves<decltype(v)>(p); });
    if (moves == 0) items.push_back({p, static_cast<int>(items.size()) * 6});
  }
  const std::vector<u128> counts = count(*backend, items);
  for (std::size_t i = 0; i < items.size(); i++) EXPECT_EQ(counts[i], u128{items[i].depth_plies == 0}) << i;
}

// rules.md's table of starts, where it comes from published lists (datasets/perft names them).
TEST_P(Conformance, Starts) {
  const auto backend = make(kLittleMemory);
  std::vector<u128> expected = {1, 20, 400, 8067, 153299, 2732672};  // antichess and suicide
  switch (GetParam().variant) {
    case VariantId::antichess:
    case VariantId::suicide:
      break;
    case VariantId::losers:
      expected = {1, 20, 400, 8067, 152955, 2723795};
      break;
    case VariantId::horde:
      expected = {1, 8, 128, 1274, 23310, 265223};
      break;
    case VariantId::chess:
      expected = {1, 20, 400, 8902, 197281, 4865609};
      break;
  }
  if (GetParam().options.restricted_ep) expected.resize(5);  // the first en passant that it forbids is the fifth ply
  if (kPart != 1) expected.resize(4);
  if (kBackend == "reference") expected.resize(std::min<std::size_t>(expected.size(), 5));
  std::vector<PerftItem> items;
  for (std::size_t d = 0; d < expected.size(); d++) {
    items.push_back({start_position(GetParam().variant), static_cast<int>(d)});
  }
  EXPECT_EQ(count(*backend, items), expected);
}

// ---- random games

/// The presets, and each rule alone.
constexpr DrawRules kDraws[] = {{150, 5, true},  {100, 3, true}, {0, 0, false},
                                {150, 0, false}, {0, 3, false},  {100, 0, true}};

/// Whom a backend is compared with: the quick one, and that one with the reference.
constexpr std::string_view kOther = kBackend == "cpu" ? "reference" : "cpu";
/// Games of each opening. The reference plays some hundred a second.
constexpr u32 kGamesEach[] = {kBackend == "cuda" ? 150 / kPart : 5, 1, 0, kBackend == "cuda" ? 33 / kPart : 2};

TEST_P(Conformance, RandomGames) {
  RandomPositions positions(GetParam(), 41);
  for (const std::uint64_t memory : {kLittleMemory, kMuchMemory}) {
    const auto backend = make(memory), other = make_backend(kOther, pool_);
    for (const DrawRules& draws : kDraws) {
      std::vector<PlayoutItem> items = {{start_position(GetParam().variant), 0, 0, kGamesEach[0]}};
      for (u32 i = 0; i < (kBackend == "cuda" ? 40 / kPart : 8); i++)
        items.push_back({positions.next(), 5 + i, static_cast<std::uint32_t>(4000000000u + i), kGamesEach[1 + i % 3]});
      const u32 most_plies = draws.clock_plies == 0 && draws.repetitions == 0 ? 150 : 400;
      std::vector<PlayoutAnswer> answers(items.size()), others(items.size());
      std::vector<int> told(items.size());
      PlayoutBatch batch{GetParam().variant, {GetParam().options, draws, most_plies}, 19, draws.dead, items, {}};
      other->playout(batch, others);
      batch.on_done = [&](std::size_t i, const PlayoutTally& tally) {
        told[i]++;
        EXPECT_EQ(first_difference(tally, others[i].tally), "");
      };
      backend->playout(batch, answers);
      for (std::size_t i = 0; i < items.size(); i++) {
        ASSERT_EQ(answers[i].status, PlayoutAnswer::Status::done);
        EXPECT_EQ(told[i], 1);
        ASSERT_EQ(answers[i].tally.games(), items[i].games);
        ASSERT_EQ(answers[i].tally, others[i].tally)
            << first_difference(answers[i].tally, others[i].tally) << " clock " << draws.clock_plies << " repetition "
            << draws.repetitions << ' ' << describe(GetParam(), items[i].opening, 41);
      }
    }
  }
}

TEST_P(Conformance, RandomGamesOfNoAndOfFewPlies) {
  const auto backend = make(kMuchMemory);
  for (const u32 most_plies : {0u, 1u, 2u}) {
    const PlayoutItem item{start_position(GetParam().variant), 0, 0, 70};
    PlayoutAnswer answer;
    backend->playout({GetParam().variant, {GetParam().options, {}, most_plies}, 1, true, {&item, 1}, {}}, {&answer, 1});
    EXPECT_EQ(answer.tally.count(Result::ongoing), 70u);
    ASSERT_EQ(answer.tally.lengths.size(), most_plies + 1u);
    EXPECT_EQ(answer.tally.lengths[most_plies], 70u);
    EXPECT_EQ(answer.tally.first_moves.empty(), most_plies == 0);
  }
}

TEST_P(Conformance, AStopLeavesGamesPending) {
  const auto backend = make(kMuchMemory);
  const PlayoutItem item{start_position(GetParam().variant), 0, 0, 20};
  PlayoutAnswer answer;
  PlayoutBatch batch{GetParam().variant, {GetParam().options, {}, 100}, 1, false, {&item, 1}, {}};
  request_stop();
  backend->playout(batch, {&answer, 1});
  reset_stop();
  EXPECT_EQ(answer.status, PlayoutAnswer::Status::pending);
  backend->playout(batch, {&answer, 1});
  EXPECT_EQ(answer.status, PlayoutAnswer::Status::done);
  EXPECT_EQ(answer.tally.games(), 20u);
}

TEST_P(Conformance, AStopLeavesItemsPending) {
  const auto backend = make(kMuchMemory);
  const std::vector<PerftItem> items = items_of(10, 3, 1);
  std::vector<PerftAnswer> answers(items.size());
  request_stop();
  backend->perft({GetParam().variant, GetParam().options, items, [](std::size_t, u128) { FAIL(); }}, answers);
  reset_stop();
  for (const PerftAnswer& answer : answers) EXPECT_EQ(answer.status, PerftAnswer::Status::pending);
  expect_reference(items, count(*backend, items));  // and it works again
}

INSTANTIATE_TEST_SUITE_P(Rules, Conformance, testing::ValuesIn(kRuleSets),
                         [](const auto& rules) { return test_name(rules.param); });

}  // namespace
}  // namespace hecatomb::test
