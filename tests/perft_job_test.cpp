// Perft as a job: cutting into units, tables, 128 bits, stopping, checkpoints, the check backend.
#include "host/perft_job.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "common/hash.h"
#include "common/movegen.h"
#include "host/notation/fen.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/perft_detail.h"
#include "host/random_games.h"
#include "host/table_demand.h"

namespace hecatomb {
namespace {

struct StopGuard {  // the stop flag is the process's: leave it as it was
  ~StopGuard() { reset_stop(); }
};

u128 leaves_of(Backend& backend, VariantId variant, const Position& p, int depth) {
  const PerftRequest request{p, depth};
  u128 leaves = 0;
  PerftJob job{.variant = variant, .requests = {&request, 1}};
  job.on_request = [&](std::size_t, const PerftOutcome& outcome) {
    EXPECT_EQ(outcome.answer.status, PerftAnswer::Status::done);
    leaves = outcome.answer.leaves;
  };
  EXPECT_TRUE(run_perft(job, backend));
  return leaves;
}

/// Perft by remembering: for positions with few successors, to depths where counts pass 64 bits.
template <class V>
class Memory {
 public:
  u128 perft(const Position& p, int depth) {
    if (depth == 0) return 1;
    const Key key = hash_of(p);
    const auto [found, is_new] = known_.try_emplace({key.low, key.high, depth}, 0);
    if (!is_new) return found->second;
    MoveList list;
    list_moves<V>(p, list);
    u128 total = 0;
    for (const Move& m : list) total += perft(make<V>(p, m, {}), depth - 1);
    return known_[{key.low, key.high, depth}] = total;
  }

 private:
  std::map<std::tuple<u64, u64, int>, u128> known_;
};

TEST(PerftJob, CutsIntoUnitsThatAddUp) {
  WorkPool pool(3);
  const auto backend = make_backend("cpu", pool);
  const Position start = start_position(VariantId::antichess);
  const PerftRequest request{start, 5};
  const auto units = cut_into_units(VariantId::antichess, {}, {&request, 1});
  EXPECT_GT(units.size(), 100u);
  for (const PerftUnitOf& unit : units) EXPECT_GE(unit.item.depth_plies, 3);
  EXPECT_EQ(leaves_of(*backend, VariantId::antichess, start, 5), u128{2732672});
}

TEST(PerftJob, OneHugeAndManySmallPositionsAreOneBatch) {
  std::vector<PerftRequest> requests{{start_position(VariantId::chess), 5}};
  for (const Position& p : random_positions(VariantId::chess, {}, 300, 3)) requests.push_back({p, 1});
  const auto units = cut_into_units(VariantId::chess, {}, requests);
  const auto of_first = std::count_if(units.begin(), units.end(), [](const auto& u) { return u.request == 0; });
  EXPECT_GT(of_first, 100);
  EXPECT_EQ(units.size() - static_cast<std::size_t>(of_first), 300u);
}

TEST(PerftJob, DivideAddsUpAndKeepsTheOrderOfMoves) {
  WorkPool pool(2);
  const auto backend = make_backend("cpu", pool);
  const PerftRequest request{start_position(VariantId::horde), 4, true};
  PerftJob job{.variant = VariantId::horde, .requests = {&request, 1}};
  int calls = 0;
  job.on_request = [&](std::size_t, const PerftOutcome& outcome) {
    calls++;
    ASSERT_EQ(outcome.divided.size(), 8u);
    u128 sum = 0;
    for (const auto& below : outcome.divided) sum += below.leaves;
    EXPECT_EQ(sum, u128{23310});
    EXPECT_EQ(outcome.answer.leaves, sum);
    EXPECT_EQ(uci_of(outcome.divided.front().move), "a4a5");  // pushes in the order of their targets
  };
  EXPECT_TRUE(run_perft(job, *backend));
  EXPECT_EQ(calls, 1);
}

TEST(PerftJob, FinishedGamesAndDepthZero) {
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  const Position over = read_fen("8/8/8/8/8/8/2p5/8 b - - 0 1", VariantId::antichess)->position;
  EXPECT_EQ(leaves_of(*backend, VariantId::antichess, over, 0), u128{1});
  for (int depth = 1; depth <= 6; depth++) EXPECT_EQ(leaves_of(*backend, VariantId::antichess, over, depth), u128{0});
}

TEST(PerftJob, AnswersComeInTheOrderOfTheRequests) {
  WorkPool pool(4);
  const auto backend = make_backend("cpu", pool);
  std::vector<PerftRequest> requests;
  for (const Position& p : random_positions(VariantId::losers, {}, 200, 5)) {
    requests.push_back({p, static_cast<int>(requests.size() % 4)});
  }
  PerftJob job{.variant = VariantId::losers, .requests = requests};
  std::size_t next = 0;
  job.on_request = [&](std::size_t i, const PerftOutcome&) { EXPECT_EQ(i, next++); };
  EXPECT_TRUE(run_perft(job, *backend));
  EXPECT_EQ(next, requests.size());
}

// A table far too small for the work, shared by four threads: entries are overwritten and torn all the time.
TEST(PerftTable, SmallSharedTableNeverGivesAWrongCount) {
  WorkPool pool(4);
  for (const VariantId variant : kAllVariants) {
    const auto plain = make_backend("cpu", pool);
    const auto tiny = make_backend("cpu", pool, {1 << 12});
    EXPECT_EQ(tiny->table_bytes(), 4096u);
    const Position p = start_position(variant);
    EXPECT_EQ(leaves_of(*tiny, variant, p, 5), leaves_of(*plain, variant, p, 5)) << variant_name(variant);
  }
}

TEST(PerftTable, OneTableServesSeveralVariantsAndOptions) {
  WorkPool pool(2);
  const auto backend = make_backend("cpu", pool, {1 << 20});
  const char* fen = "4k3/p1p3p1/5n2/1P3P2/1p3p2/2N5/P1P3P1/4K3 w - - 0 1";
  const Position p = read_fen(fen, VariantId::losers)->position;
  for (int repeat = 0; repeat < 2; repeat++) {
    for (const bool restricted : {false, true}) {
      const PerftRequest request{p, 4};
      PerftJob job{.variant = VariantId::losers, .options = {restricted, false}, .requests = {&request, 1}};
      job.on_request = [&](std::size_t, const PerftOutcome& outcome) {
        // The second figure is that of a published case of the Gambler rule, the first is by the reference.
        EXPECT_EQ(outcome.answer.leaves, restricted ? u128{6829} : u128{7225});
      };
      EXPECT_TRUE(run_perft(job, *backend));
    }
  }
}

// Bishops of opposite colours can never meet: 2,048 positions, and counts without end.
TEST(PerftJob, CountsPast64Bits) {
  WorkPool pool(2);
  const auto backend = make_backend("cpu", pool, {1 << 24});
  const Position p = read_fen("8/8/8/2b5/8/8/4B3/8 w - - 0 1", VariantId::antichess)->position;
  Memory<Antichess> memory;
  const u128 expected = memory.perft(p, 24);
  ASSERT_GT(expected, u128{1} << 64);
  EXPECT_EQ(leaves_of(*backend, VariantId::antichess, p, 24), expected);
}

TEST(PerftJob, RefusesCountsPast120Bits) {
  WorkPool pool(2);
  const auto backend = make_backend("cpu", pool, {1 << 24});
  const Position p = read_fen("8/8/8/2b5/8/8/4B3/8 w - - 0 1", VariantId::antichess)->position;
  const PerftRequest request{p, 60};
  PerftJob job{.variant = VariantId::antichess, .requests = {&request, 1}};
  PerftAnswer answer;
  job.on_request = [&](std::size_t, const PerftOutcome& outcome) { answer = outcome.answer; };
  EXPECT_TRUE(run_perft(job, *backend));
  EXPECT_EQ(answer.status, PerftAnswer::Status::overflow);
}

TEST(PerftJob, StoppedJobAnswersNothingItHasNotCounted) {
  const StopGuard guard;
  WorkPool pool(2);
  const auto backend = make_backend("cpu", pool);
  const PerftRequest request{start_position(VariantId::chess), 6};
  PerftJob job{.variant = VariantId::chess, .requests = {&request, 1}};
  std::map<std::size_t, u128> finished;
  job.on_unit = [&](std::size_t unit, u128 leaves) {
    finished[unit] = leaves;
    if (finished.size() == 17) request_stop();
  };
  job.on_request = [&](std::size_t, const PerftOutcome&) { FAIL(); };
  EXPECT_FALSE(run_perft(job, *backend));
  EXPECT_GE(finished.size(), 17u);

  // Resumed with what was finished, the total is the same and nothing is counted twice.
  reset_stop();
  PerftJob rest{.variant = VariantId::chess, .requests = {&request, 1}};
  rest.known = [&](std::size_t unit) -> std::optional<u128> {
    const auto found = finished.find(unit);
    return found == finished.end() ? std::nullopt : std::optional(found->second);
  };
  rest.on_unit = [&](std::size_t unit, u128) { EXPECT_FALSE(finished.contains(unit)); };
  u128 total = 0;
  rest.on_request = [&](std::size_t, const PerftOutcome& outcome) { total = outcome.answer.leaves; };
  EXPECT_TRUE(run_perft(rest, *backend));
  EXPECT_EQ(total, u128{119060324});
}

// A big request before small ones: what is finished is handed out all the same, in order.
TEST(PerftJob, StoppedJobHandsOutWhatIsFinished) {
  const StopGuard guard;
  WorkPool pool(1);
  const auto backend = make_backend("reference", pool);
  const Position p = start_position(VariantId::chess);
  const PerftRequest requests[] = {{p, 1}, {p, 5}, {p, 2}};
  PerftJob job{.variant = VariantId::chess, .requests = requests};
  std::size_t units = 0;
  job.on_units = [&](std::size_t n) { units = n; };
  job.known = [&](std::size_t unit) { return unit + 1 == units ? std::optional<u128>(400) : std::nullopt; };
  job.on_unit = [](std::size_t unit, u128) {
    if (unit == 3) request_stop();
  };
  std::vector<std::pair<std::size_t, u128>> answers;
  job.on_request = [&](std::size_t i, const PerftOutcome& o) { answers.emplace_back(i, o.answer.leaves); };
  EXPECT_FALSE(run_perft(job, *backend));
  EXPECT_EQ(answers, (std::vector<std::pair<std::size_t, u128>>{{0, 20}, {2, 400}}));
}

// Of the request that is not finished: what is counted, and the moves whose count is whole.
TEST(PerftJob, StoppedJobTellsHowFarItCame) {
  const StopGuard guard;
  WorkPool pool(1);
  const auto backend = make_backend("cpu", pool);
  const PerftRequest request{start_position(VariantId::chess), 4, true};
  PerftJob job{.variant = VariantId::chess, .requests = {&request, 1}};
  u128 counted = 0;
  job.on_unit = [&](std::size_t unit, u128 leaves) {
    counted += leaves;
    if (unit == 2) request_stop();
  };
  std::optional<PerftOutcome> so_far;
  job.on_unfinished = [&](std::size_t, const PerftOutcome& outcome) { so_far = outcome; };
  job.on_request = [&](std::size_t, const PerftOutcome&) { FAIL(); };
  EXPECT_FALSE(run_perft(job, *backend));
  ASSERT_TRUE(so_far);
  EXPECT_EQ(so_far->answer.leaves, counted);
  EXPECT_EQ(so_far->moves, 20);
  ASSERT_EQ(so_far->divided.size(), 3u);
  u128 sum = 0;
  for (const PerftOutcome::Below& below : so_far->divided) sum += below.leaves;
  EXPECT_EQ(sum, counted);
}

// As large as the nodes that can be remembered and no larger, and never larger than allowed.
TEST(PerftTable, DemandFollowsTheTree) {
  const auto demand = [](int depth, std::uint64_t limit) {
    const PerftRequest request{start_position(VariantId::chess), depth};
    return table_demand_bytes(VariantId::chess, {}, {&request, 1}, limit);
  };
  const std::uint64_t large = std::uint64_t{1} << 40;
  EXPECT_EQ(demand(2, large), 0u) << "nothing is remembered so near the leaves";
  EXPECT_EQ(demand(3, large), 64u) << "the root alone";
  EXPECT_EQ(demand(4, large), 2048u) << "the root and 20 more: 21 of 64 bytes, rounded up";
  EXPECT_EQ(demand(5, large), 32768u) << "421";
  EXPECT_EQ(demand(5, 20000), 20000u);
  EXPECT_EQ(demand(20, large), large);
  EXPECT_EQ(demand(20, 0), 0u);
  const PerftRequest two[] = {{start_position(VariantId::chess), 4}, {start_position(VariantId::chess), 4}};
  EXPECT_EQ(table_demand_bytes(VariantId::chess, {}, two, large), 4096u);
}

/// A backend that is wrong about one position.
class Wrong : public Backend {
 public:
  Wrong(std::unique_ptr<Backend> right, Position at) : right_(std::move(right)), at_(at) {}
  std::string name() const override { return "wrong"; }
  bool can(Job, VariantId) const override { return true; }
  void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) override {
    right_->perft(batch, answers);
    for (std::size_t i = 0; i < answers.size(); i++) {
      if (same_position(batch.items[i].position, at_)) answers[i].leaves++;
    }
  }
  void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) override {
    right_->playout(batch, answers);
  }

 private:
  std::unique_ptr<Backend> right_;
  Position at_;
};

TEST(CheckBackend, FindsTheItemThatDiffers) {
  WorkPool pool(2);
  std::vector<PerftItem> items;
  for (const Position& p : random_positions(VariantId::horde, {}, 50, 9)) items.push_back({p, 2});
  const auto check = make_check_backend(make_backend("cpu", pool),
                                        std::make_unique<Wrong>(make_backend("reference", pool), items[31].position));
  std::vector<PerftAnswer> answers(items.size());
  std::size_t done = 0;
  check->perft({VariantId::horde, {}, items, [&](std::size_t, u128) { done++; }}, answers);
  EXPECT_EQ(done, items.size() - 1);
  for (std::size_t i = 0; i < items.size(); i++) {
    EXPECT_EQ(answers[i].status, i == 31 ? PerftAnswer::Status::differs : PerftAnswer::Status::done) << i;
  }
  const std::string count = decimal(answers[31].leaves), off_by_one = decimal(answers[31].leaves + 1);
  EXPECT_EQ(answers[31].note, "cpu " + count + ", wrong " + off_by_one);
}

TEST(Backend, Names) {
  for (const char* name : {"cpu", "cuda", "reference", "auto", "check:cpu,reference", "check:cuda,cpu"}) {
    EXPECT_TRUE(is_backend_name(name)) << name;
  }
  for (const char* name : {"", "gpu", "check:", "check:cpu", "check:cpu,cpu", "check:cpu,auto", "CPU", "check:a,b"}) {
    EXPECT_FALSE(is_backend_name(name)) << name;
  }
}

TEST(Count128, DecimalBothWays) {
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(kMaxCount), "1329227995784915872903807060280344576");
  EXPECT_EQ(parse_decimal("1329227995784915872903807060280344576"), kMaxCount);
  EXPECT_FALSE(parse_decimal("1329227995784915872903807060280344577"));
  EXPECT_FALSE(parse_decimal("99999999999999999999999999999999999999999999"));
  for (const char* text : {"", "-1", "+1", "1 ", "0x10", "1e3"}) EXPECT_FALSE(parse_decimal(text)) << text;
}

// Published figures of the last ply (chessprogramming.org, Perft_Results: position 2 and the start).
TEST(PerftDetail, PublishedChessFigures) {
  WorkPool pool(2);
  const Position kiwipete =
      read_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", VariantId::chess)->position;
  const auto d = perft_detail(kiwipete, 3, VariantId::chess, {}, pool);
  ASSERT_TRUE(d.complete);
  EXPECT_EQ(d.value.nodes, u128{97862});
  EXPECT_EQ(d.value.captures, u128{17102});
  EXPECT_EQ(d.value.en_passant, u128{45});
  EXPECT_EQ(d.value.castles, u128{3162});
  EXPECT_EQ(d.value.promotions, u128{0});
  EXPECT_EQ(d.value.checks, u128{993});
  EXPECT_EQ(d.value.mates, u128{1});
  const auto start = perft_detail(start_position(VariantId::chess), 4, VariantId::chess, {}, pool);
  ASSERT_TRUE(start.complete);
  EXPECT_EQ(start.value.captures, u128{1576});
  EXPECT_EQ(start.value.checks, u128{469});
  EXPECT_EQ(start.value.mates, u128{8});
  EXPECT_EQ(start.value.ends, u128{8});
}

TEST(PerftDetail, DistinctPositionsOfAntichess) {
  const auto counts = count_unique(start_position(VariantId::antichess), 4, VariantId::antichess, {});
  ASSERT_TRUE(counts.complete);
  EXPECT_EQ(counts.value, (std::vector<u128>{20, 400, 5099, 63715}));
  const auto horde = count_unique(start_position(VariantId::horde), 5, VariantId::horde, {});
  EXPECT_EQ(horde.value, (std::vector<u128>{8, 128, 870, 12509, 71399}));
}

TEST(PerftDetail, AStopKeepsWhatIsFinished) {
  const StopGuard guard;
  arm_faults("interrupt-after-unit:2");
  const auto unique = count_unique(start_position(VariantId::antichess), 4, VariantId::antichess, {});
  EXPECT_FALSE(unique.complete);
  EXPECT_EQ(unique.value, (std::vector<u128>{20, 400}));
  reset_stop();
  WorkPool pool(1);
  const auto detail = perft_detail(start_position(VariantId::chess), 4, VariantId::chess, {}, pool);
  arm_faults("");
  EXPECT_FALSE(detail.complete);
  const PerftRequest request{start_position(VariantId::chess), 4};
  const std::vector<PerftUnitOf> units = cut_into_units(VariantId::chess, {}, {&request, 1});
  const auto backend = make_backend("reference", pool);
  const PerftItem items[] = {units[0].item, units[1].item};
  PerftAnswer answers[2];
  reset_stop();
  backend->perft({VariantId::chess, {}, items, {}}, answers);
  EXPECT_EQ(detail.value.nodes, answers[0].leaves + answers[1].leaves);
}

}  // namespace
}  // namespace hecatomb
