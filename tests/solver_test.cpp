// The proof search: against exhaustive search by the reference, on positions that end by repetition, in tables that are
// far too small, and stopped, killed and resumed.
#include "host/solver/solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/uci.h"
#include "host/reference/graph_solver.h"
#include "host/reference/proof_check.h"
#include "host/solver/proof_file.h"
#include "host/storage/journal.h"
#include "tests/support/random_positions.h"
#include "tests/support/storage_fixture.h"

namespace hecatomb {
namespace {

#if defined(HECATOMB_SANITIZED)
constexpr int kQuestions = 40;
#else
constexpr int kQuestions = 1000;  // 500 positions, both sides as prover
#endif

SolveRequest question(VariantId variant, const Position& root, Color prover, const RuleOptions& options = {}) {
  SolveRequest request;
  request.problem = {.variant = variant, .options = options, .root = root, .prover = prover};
  request.hash_bytes = 8 << 20;
  return request;
}

Position position(const char* fen, VariantId variant) { return read_fen(fen, variant)->position; }

Position after_moves(VariantId variant, std::initializer_list<const char*> moves) {
  Position p = start_position(variant);
  for (const char* text : moves) p = after_move(p, *read_uci(p, text, variant), variant, {});
  return p;
}

/// What the checker says against a proof; empty if nothing.
std::string refusal_of(const SolveRequest& request, const SolveReport& report) {
  const reference::ProofCheck check = reference::check_proof_bytes(encode_proof(request.problem, report.proof));
  if (check.ok && (check.positions != report.proof.positions || check.depth_plies != report.proof.depth_plies))
    return "counted differently";
  return check.message;
}

// ---- truth

/// Positions of which so many can be reached at most, so that the reference can solve them.
constexpr std::size_t kMostReachable = 1000, kMostReachableTwo = 300'000;

/// Positions that are hard for another reason than their size: two men that may never meet, or kings that walk about
/// pawns that block each other.
Position shuffling_position(const test::RuleSet& rules, test::Random& random) {
  for (;;) {
    std::string fen(64, '.');  // a1 first
    const auto put = [&](char man) { fen[static_cast<std::size_t>(random.below(64))] = man; };
    if (rules.variant == VariantId::losers) {
      const auto file = static_cast<std::size_t>(random.below(8));
      put('k');
      put('K');
      fen[24 + file] = 'P';
      fen[32 + file] = 'p';
    } else {
      put("NBRQK"[random.below(5)]);
      put("nbrqk"[random.below(5)]);
    }
    std::string text;
    int gap = 0;
    const auto end_gap = [&] { text += gap > 0 ? std::to_string(std::exchange(gap, 0)) : ""; };
    for (std::size_t i = 0; i < 64; i++) {
      const char man = fen[(56 - 8 * (i / 8)) + i % 8];
      if (man == '.') {
        gap++;
      } else {
        end_gap();
        text += man;
      }
      if (i % 8 == 7) {
        end_gap();
        text += i < 63 ? "/" : "";
      }
    }
    const auto reading = read_fen(text + (random.one_in(2) ? " w - -" : " b - -"), rules.variant, rules.options);
    if (reading.ok()) return reading->position;
  }
}

class Truth : public testing::TestWithParam<test::RuleSet> {
 protected:
  /// Both sides as prover: the verdict is the reference's, every proof passes. False if the reference gives up.
  bool ask(const Position& p, reference::GraphSolver& exhaustive) {
    const std::optional<int> value = exhaustive.value(test::to_reference(p));
    if (!value) return false;
    for (const Color prover : {kWhite, kBlack}) {
      const int wanted = p.side == prover ? *value : -*value;
      const SolveRequest request = question(GetParam().variant, p, prover, GetParam().options);
      const SolveReport report = solve(request);
      const std::string said = test::describe(GetParam(), p, 0) + (prover == kWhite ? " for white " : " for black ");
      EXPECT_EQ(report.status, wanted == 1 ? SolveStatus::proved : SolveStatus::disproved) << said << report.note;
      if (report.status == SolveStatus::proved) {
        EXPECT_EQ(refusal_of(request, report), "") << said;
      }
      seen_[wanted]++;
    }
    return true;
  }

  std::map<int, int> seen_;  // questions by the value for the prover
};

TEST_P(Truth, IsThatOfExhaustiveSearch) {
  test::RandomPositions positions(GetParam(), 2);
  test::Random random(3);
  reference::GraphSolver of_two(test::reference_rules(GetParam()), kMostReachableTwo);
  for (int asked = 0; asked < kQuestions && !HasFailure();) {
    const Position p = positions.next();
    if (popcount(p.occupied()) > 5) continue;
    reference::GraphSolver exhaustive(test::reference_rules(GetParam()), kMostReachable);
    asked += ask(p, exhaustive) ? 2 : 0;
    if (asked % 10 == 0 && GetParam().variant != VariantId::horde) {
      asked += ask(shuffling_position(GetParam(), random), of_two) ? 2 : 0;
    }
  }
  for (const int value : {-1, 0, 1}) EXPECT_GT(seen_[value], kQuestions / 100) << "value " << value;
}
INSTANTIATE_TEST_SUITE_P(Solver, Truth,
                         testing::Values(test::RuleSet{VariantId::antichess}, test::RuleSet{VariantId::suicide},
                                         test::RuleSet{VariantId::suicide, {.restricted_ep = true}},
                                         test::RuleSet{VariantId::suicide, {.stalemated_wins = true}},
                                         test::RuleSet{VariantId::losers}, test::RuleSet{VariantId::horde}),
                         [](const auto& rules) { return test::test_name(rules.param); });

// ---- positions that are known

TEST(Solver, ADrawOfCyclesEndsWithoutAWin) {
  const Position p = position("8/8/8/5P2/5p1p/8/6P1/8 w - - 0 1", VariantId::antichess);
  SolveRequest request = question(VariantId::antichess, p, kBlack);
  request.hash_bytes = 64 << 20;
  EXPECT_EQ(solve(request).status, SolveStatus::disproved);
}

TEST(Solver, ADoubleEnPassantIsNoWinForWhite) {
  const Position p = position("8/8/8/5P2/5p1p/8/6P1/8 w - - 0 1", VariantId::antichess);
  SolveRequest request = question(VariantId::antichess, p, kWhite);
  request.most_expansions = 200'000;
  EXPECT_NE(solve(request).status, SolveStatus::proved);
}

struct Opening {
  std::initializer_list<const char*> moves;
  Color prover;
};

TEST(Solver, ProvesOpeningsThatAreKnown) {  // Watkins 2016; Francu's list of lost first moves
  for (const Opening& opening : {Opening{{"e2e3", "c7c5", "f1b5", "d7d6"}, kWhite}, Opening{{"d2d3"}, kBlack},
                                 Opening{{"e2e4"}, kBlack}, Opening{{"d2d4"}, kBlack}}) {
    SolveRequest request =
        question(VariantId::antichess, after_moves(VariantId::antichess, opening.moves), opening.prover);
    request.hash_bytes = 64 << 20;
    const SolveReport report = solve(request);
    ASSERT_EQ(report.status, SolveStatus::proved) << *opening.moves.begin();
    EXPECT_EQ(refusal_of(request, report), "");
    EXPECT_EQ(report.proof.line.size(), report.proof.depth_plies);
  }
}

TEST(Solver, AFinishedGameNeedsNoSearch) {
  const Position p = position("8/8/8/8/8/8/8/7k w - - 0 1", VariantId::antichess);
  const SolveRequest request = question(VariantId::antichess, p, kWhite);
  const SolveReport report = solve(request);
  EXPECT_EQ(report.status, SolveStatus::proved);
  EXPECT_EQ(refusal_of(request, report), "");
  EXPECT_EQ(solve(question(VariantId::antichess, p, kBlack)).status, SolveStatus::disproved);
}

// ---- what a leaf counts

/// The numbers of a position with so many moves, captures or not.
ProofNumbers leaf(VariantId variant, const char* fen, Color prover, int moves, bool quiet) {
  const ProofProblem problem{.variant = variant, .root = {}, .prover = prover};
  ExpandedChild child = root_child(position(fen, variant), moves);
  child.quiet = quiet;
  return first_numbers(child, problem);
}

TEST(Leaf, CountsMovesAndMen) {
  constexpr const char* kThreeToOne = "8/8/8/3k4/8/8/8/NNN5 w - - 0 1";
  const auto of = [&](Color prover, bool quiet) { return leaf(VariantId::antichess, kThreeToOne, prover, 5, quiet); };
  EXPECT_EQ(of(kWhite, false), (ProofNumbers{kLeaf + 2, 5 * kLeaf}));    // one move is enough for the prover
  EXPECT_EQ(of(kWhite, true), (ProofNumbers{kLeaf + 2, 10 * kLeaf}));    // quiet: further from the end
  EXPECT_EQ(of(kBlack, false), (ProofNumbers{5 * (kLeaf - 2), kLeaf}));  // all replies; fewer men, nearer to a win
  constexpr const char* kHorde = "4k3/8/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";  // men are none to be got rid of there
  EXPECT_EQ(leaf(VariantId::horde, kHorde, kWhite, 5, false), (ProofNumbers{kLeaf, 5 * kLeaf}));
  constexpr const char* kManyToOne = "8/8/8/3k4/8/8/PPPPPPPP/NNNNNNNN b - - 0 1";
  EXPECT_EQ(leaf(VariantId::antichess, kManyToOne, kBlack, 5, false), (ProofNumbers{1, 5 * kLeaf}));  // never 0
}

// ---- the search as a program

TEST(Solver, OneThreadDoesTheSameEveryTime) {
  SolveRequest request = question(VariantId::antichess, after_moves(VariantId::antichess, {"d2d3"}), kBlack);
  const SolveReport first = solve(request), second = solve(request);
  EXPECT_EQ(first.expansions, second.expansions);
  EXPECT_EQ(first.proof.positions, second.proof.positions);
  request.most_expansions = first.expansions / 2;
  const SolveReport half = solve(request);
  EXPECT_EQ(half.status, SolveStatus::unknown);
  EXPECT_EQ(half.expansions, request.most_expansions);
  EXPECT_FALSE(half.numbers.solved());
}

TEST(Solver, ATableThatIsFarTooSmallStillDeliversItsProof) {
  // 220,000 expansions (e3 Na6) through 49,000 entries.
  SolveRequest request = question(VariantId::antichess, after_moves(VariantId::antichess, {"e2e3", "b8a6"}), kWhite);
  request.hash_bytes = kLeastHashBytes;
  const SolveReport report = solve(request);
  ASSERT_EQ(report.status, SolveStatus::proved) << report.note;
  EXPECT_EQ(refusal_of(request, report), "");
}

TEST(Solver, SeveralThreadsProveTheSame) {
  SolveRequest request = question(VariantId::antichess, after_moves(VariantId::antichess, {"d2d3"}), kBlack);
  request.profiles = {&profile_of_thread(0), &profile_of_thread(1), &profile_of_thread(2)};
  const SolveReport report = solve(request);
  ASSERT_EQ(report.status, SolveStatus::proved) << report.note;
  EXPECT_EQ(refusal_of(request, report), "");
}

TEST(Solver, ThreadsThatChooseAlikeProveToo) {  // tens of thousands of expansions: they meet, and give way
  SolveRequest request = question(VariantId::antichess, after_moves(VariantId::antichess, {"e2e3", "b8a6"}), kWhite);
  request.profiles = {find_search_profile("nimble"), find_search_profile("nimble"), find_search_profile("nimble")};
  const SolveReport report = solve(request);
  ASSERT_EQ(report.status, SolveStatus::proved) << report.note;
  EXPECT_EQ(refusal_of(request, report), "");
}

/// A position to search from, with the moves counted.
ExpandedChild root_of(const ProofProblem& problem) {
  MoveList legal;
  list_legal(problem.root, problem.variant, legal);
  return root_child(problem.root, legal.size);
}

TEST(Solver, WhatAnotherThreadHasSolvedIsLeftAtOnce) {  // e3 a5 takes 20 million expansions and more
  const ProofProblem problem{
      .variant = VariantId::antichess, .root = after_moves(VariantId::antichess, {"e2e3", "a7a5"}), .prover = kWhite};
  const ExpandedChild root = root_of(problem);
  NodeTable table(8 << 20);
  SearchControl control;
  control.presence = std::make_unique<Presence>();
  control.most_expansions = 100'000;
  int units = 0;
  control.on_unit = [&](std::uint64_t) {
    // As if by another thread. Nobody reads the root's entry on the way.
    if (++units == 2) table.store(key_of(root), {.kind = NodeEntry::Kind::proved, .rank = 7});
    return false;
  };
  ProofSearch(problem, search_profiles().front(), table, control).search(root);
  EXPECT_EQ(units, 2);
  EXPECT_TRUE(table.probe(key_of(root)).numbers.proved());
}

/// The child that is looked at next when others are below some of these (pn, dn) children.
std::pair<std::size_t, ProofNumber> choice_beside(bool ours, std::vector<ProofNumbers> numbers, std::vector<bool> taken,
                                                  ProofNumber limit) {
  std::vector<ChildState> children(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); i++) children[i].numbers = numbers[i];
  Backup b = ours ? back_up_ours(children) : back_up_theirs(children);
  const ProofNumbers before = b.numbers;
  give_way(
      ours, children, limit, [&](std::size_t i) { return taken[i]; }, b);
  EXPECT_EQ(b.numbers, before);
  return {b.best, b.second};
}

TEST(Presence, TheBestChildIsLeftToWhoIsThereForOneNearlyAsGood) {
  using Choice = std::pair<std::size_t, ProofNumber>;
  const std::vector<ProofNumbers> even = {{8, 90}, {8, 80}, {40, 8}}, uneven = {{32, 50}, {35, 64}, {40, 9}};
  EXPECT_EQ(choice_beside(true, even, {true, false, false}, 100), Choice(1, 8));
  EXPECT_EQ(choice_beside(true, even, {true, true, false}, 100), Choice(0, 8));
  EXPECT_EQ(choice_beside(true, uneven, {true, false, false}, 100), Choice(0, 35));        // 34 is still better than 35
  EXPECT_EQ(choice_beside(true, uneven, {true, false, false}, 35), Choice(0, kInfinite));  // 35 is no choice
  EXPECT_EQ(choice_beside(false, even, {false, false, true}, 100), Choice(2, 80));
  const std::vector<ProofNumbers> solved = {{8, 16}, {0, kInfinite}, {40, 16}};
  EXPECT_EQ(choice_beside(false, solved, {true, false, false}, 100), Choice(2, 17));
}

TEST(Presence, CountsWhoIsBelowANode) {
  const auto presence = std::make_unique<Presence>();
  const Key key{1, 2}, other_key{1, 3};
  EXPECT_FALSE(presence->is_taken(key));
  presence->enter(key);
  presence->enter(key);
  presence->leave(key);
  EXPECT_TRUE(presence->is_taken(key));
  EXPECT_FALSE(presence->is_taken(other_key));
  presence->leave(key);
  EXPECT_FALSE(presence->is_taken(key));
}

TEST(Presence, ASearchThatOftenGivesWayEndsAllTheSame) {
  const ProofProblem problem{
      .variant = VariantId::antichess, .root = after_moves(VariantId::antichess, {"e2e3", "b8a6"}), .prover = kWhite};
  const auto expansions = [&](bool all_taken) {
    NodeTable table(8 << 20);
    SearchControl control;
    control.presence = std::make_unique<Presence>();
    if (all_taken) {
      for (std::uint64_t i = 0; i < 1 << 16; i += 2) control.presence->enter({0, i});  // every other node
    }
    ProofSearch search(problem, search_profiles().front(), table, control);
    EXPECT_TRUE(search.search(root_of(problem)).numbers.proved());
    return search.expansions();
  };
  EXPECT_NE(expansions(false), expansions(true));
}

TEST(Solver, KnownEndingsAreLeaves) {  // a table of every position of two men, by the reference
  reference::GraphSolver exhaustive({reference::Variant::kAntichess});
  test::Random random(5);
  int asked = 0, solved = 0;
  for (int i = 0; i < 20; i++) {
    Position p = shuffling_position({VariantId::antichess}, random);
    const Square s = random.below(64);
    if ((p.occupied() & bit(s)) != 0) continue;
    p.men[kWhite] |= bit(s);
    p.knights |= bit(s);
    if (decided_outcome(p, VariantId::antichess, {}).result != Result::ongoing) continue;
    SolveRequest request = question(VariantId::antichess, p, kWhite);
    const SolveReport without = solve(request);
    request.problem.endings = {.most_men = 2,
                               .is_won = [&](const Position& q, Color side) -> std::optional<bool> {
                                 asked++;
                                 EXPECT_LE(popcount(q.occupied()), 2);
                                 const int value = exhaustive.value(test::to_reference(q)).value();
                                 return (q.side == side ? value : -value) == 1;
                               },
                               .table_of = [](const Position&) { return std::string("two men"); }};
    const SolveReport with = solve(request);
    // Where repetitions abound, 8 MiB may be too few to show that there is no win.
    if (with.status == SolveStatus::unknown || without.status == SolveStatus::unknown) continue;
    EXPECT_EQ(with.status, without.status) << fen_of(p);
    solved++;
  }
  EXPECT_GT(asked, 0);
  EXPECT_GT(solved, 4);
}

// ---- memory

TEST(Solver, TheDefaultTableIsAPowerOfTwoUpToAQuarterOfTheMachine) {
  constexpr std::uint64_t gibi = std::uint64_t{1} << 30;
  EXPECT_EQ(default_hash_bytes(24 * gibi), 4 * gibi);
  EXPECT_EQ(default_hash_bytes(16 * gibi), 4 * gibi);
  EXPECT_EQ(default_hash_bytes(16 * gibi - 1), 2 * gibi);
  EXPECT_EQ(default_hash_bytes(gibi), gibi / 4);
  EXPECT_EQ(default_hash_bytes(1024 * gibi), 8 * gibi);
}

TEST(NodeTable, KeepsWhatIsSolvedAndSpillsWhatItCannotKeep) {
  NodeTable table(NodeTable::kLeastBytes);
  std::vector<NodeImage> evicted;
  table.on_evict = [&](const NodeImage& image) { evicted.push_back(image); };
  const Key key{1, 2};
  table.store(key, {.kind = NodeEntry::Kind::open, .work = 3, .is_met = true, .numbers = {5, kMost}});
  EXPECT_EQ(table.probe(key).numbers, (ProofNumbers{5, kMost}));
  EXPECT_TRUE(table.probe(key).is_met);
  EXPECT_EQ(table.probe({1, 3}).kind, NodeEntry::Kind::none);
  table.store(key, {.kind = NodeEntry::Kind::proved, .work = 3, .move = 77, .rank = 9});
  table.store(key, {.kind = NodeEntry::Kind::open, .work = 9, .numbers = {1, 1}});
  table.store(key, {.kind = NodeEntry::Kind::proved, .work = 3, .move = 78, .rank = 11});
  EXPECT_EQ(table.probe(key).move, 77);
  table.store(key, {.kind = NodeEntry::Kind::proved, .work = 3, .move = 79, .rank = 7});
  EXPECT_EQ(table.probe(key).rank, 7);
  for (std::uint64_t i = 10; i < 20; i++)  // into the same bucket
    table.store({1, i}, {.kind = NodeEntry::Kind::open, .work = 4, .numbers = {1, 1}});
  ASSERT_EQ(evicted.size(), 1U);
  EXPECT_EQ(evicted[0].high, key.high);
  EXPECT_EQ(NodeTable::entry_of(evicted[0]).move, 79);
}

TEST(NodeTable, GrowsAsItFillsAndLosesNothing) {
  NodeTable table(std::uint64_t{64} << 14);
  const std::uint64_t least = table.used_bytes();
  const auto entry_of = [](std::uint64_t i) {
    return NodeEntry{.kind = NodeEntry::Kind::proved, .move = static_cast<std::uint16_t>(i), .rank = 7};
  };
  const auto key_of_number = [](std::uint64_t i) { return Key{i * 0x9e3779b97f4a7c15, i * 0xd6e8feb86659fd93}; };
  std::uint64_t evicted = 0;
  table.on_evict = [&](const NodeImage&) { evicted++; };
  auto use = table.use();
  for (std::uint64_t i = 1; i <= 30'000; i++) {
    table.store(key_of_number(i), entry_of(i));
    if (i % 64 == 0) table.pause();
  }
  EXPECT_EQ(least, table.size_bytes() / 64);
  EXPECT_EQ(table.used_bytes(), table.size_bytes());
  std::uint64_t found = 0;
  for (std::uint64_t i = 1; i <= 30'000; i++) {
    const NodeEntry entry = table.probe(key_of_number(i));
    if (entry.kind != NodeEntry::Kind::proved) continue;
    ASSERT_EQ(entry.move, i & 0xffff);
    found++;
  }
  EXPECT_EQ(found + evicted, 30'000U);
  EXPECT_LT(evicted, 500U);
  for (std::uint64_t i = 1; i <= 100; i++) {
    const NodeImage image = table.image_of(key_of_number(i), entry_of(i));
    NodeTable other(table.size_bytes());
    other.restore(image);
    EXPECT_EQ(other.probe(key_of_number(i)).move, i);
    other.restore(image);
    int there = 0;
    other.for_each([&](const NodeImage& read) {
      EXPECT_EQ(read.low, image.low);
      EXPECT_EQ(read.high, image.high);
      there++;
    });
    EXPECT_EQ(there, 1);
  }
}

TEST(NodeTable, CutNodesLastAnEpoch) {
  NodeTable table(NodeTable::kLeastBytes);
  table.store({1, 2}, {.kind = NodeEntry::Kind::cut});
  EXPECT_EQ(table.probe({1, 2}).kind, NodeEntry::Kind::cut);
  table.forget_cuts();
  EXPECT_EQ(table.probe({1, 2}).kind, NodeEntry::Kind::none);
}

class SpillTest : public StorageTest {};

TEST_F(SpillTest, FindsTheLowestRankAndLeavesNoFile) {
  NodeTable table(NodeTable::kLeastBytes);
  const auto image = [&](std::uint64_t i, std::uint16_t rank) {
    NodeEntry entry{.kind = NodeEntry::Kind::proved};
    entry.move = static_cast<std::uint16_t>(i);
    entry.rank = rank;
    return table.image_of({i << 40, i * 0x9e3779b97f4a7c15}, entry);
  };
  Spill spill(path("g6.hproof"));
  EXPECT_FALSE(spill.find(image(1, 0)).has_value());
  for (std::uint64_t i = 1; i < 200'000; i++) spill.add(image(i, 500));
  spill.add(image(70'000, 400));
  spill.add(image(70'000, 600));
  EXPECT_EQ(spill.find(image(70'000, 0)).value().rank, 400);
  EXPECT_EQ(spill.find(image(199'999, 0)).value().move, 199'999 & 0xffff);
  EXPECT_FALSE(spill.find(image(200'000, 0)).has_value());
  spill.add(image(200'000, 1));  // and it goes on
  EXPECT_TRUE(spill.find(image(200'000, 0)).has_value());
  EXPECT_TRUE(names().empty());
}

// ---- stopped, killed, resumed

class CheckpointTest : public StorageTest {
 protected:
  SolveRequest request() const {
    SolveRequest request =
        question(VariantId::antichess, after_moves(VariantId::antichess, {"e2e3", "c7c5", "f1b5", "d8b6"}), kWhite);
    request.checkpoint_path = path("c.journal");
    return request;
  }
};

TEST_F(CheckpointTest, AStopWritesTheState) {
  arm_faults("interrupt-after-unit:3");
  const SolveReport stopped = solve(request());
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.status, SolveStatus::unknown);
  EXPECT_FALSE(stopped.numbers.solved());
  arm_faults("");
  reset_stop();
  SolveRequest fresh = request();
  fresh.checkpoint_path.clear();
  const SolveReport resumed = solve(request()), whole = solve(fresh);
  EXPECT_EQ(resumed.status, SolveStatus::proved);
  EXPECT_EQ(refusal_of(request(), resumed), "");
  EXPECT_LT(resumed.expansions, whole.expansions);
}

TEST_F(CheckpointTest, AKilledSearchGoesOn) {
  for (const char* fault : {"after-unit:1", "mid-record:2", "after-unit:4"}) {
    EXPECT_TRUE(was_killed(status_of_child([&] {
      arm_faults(fault);
      solve(request());
    }))) << fault;
  }
  const SolveReport resumed = solve(request());
  ASSERT_EQ(resumed.status, SolveStatus::proved);
  EXPECT_EQ(refusal_of(request(), resumed), "");
  const SolveReport again = solve(request());  // everything is known
  EXPECT_EQ(again.status, SolveStatus::proved);
  EXPECT_LE(again.expansions, 1U);
  EXPECT_EQ(refusal_of(request(), again), "");
}

TEST_F(CheckpointTest, AnotherQuestionIsRefused) {
  solve(request());
  SolveRequest other_side = request();
  other_side.problem.prover = kBlack;
  EXPECT_EQ(outcome_of([&] { solve(other_side); }).refusal, Refusal::kParams);
}

/// Keys of another scheme would find nothing, or something else.
TEST_F(CheckpointTest, OtherKeysAreRefused) {
  solve(request());
  FileHeader header = read_header(File::open_read(path("c.journal"))).header;
  ASSERT_EQ(header.params.erase("keys"), 1U);
  fs::remove(path("c.journal"));
  {
    const Journal other(path("c.journal"), header, [](auto) {});
  }
  EXPECT_EQ(outcome_of([&] { solve(request()); }).refusal, Refusal::kParams);
}

TEST_F(CheckpointTest, AnotherSizeOfTheTableGoesOnToo) {
  arm_faults("interrupt-after-unit:3");
  solve(request());
  arm_faults("");
  reset_stop();
  for (const std::uint64_t hash_bytes : {std::uint64_t{32} << 20, std::uint64_t{1} << 20}) {
    SolveRequest other = request();
    other.hash_bytes = hash_bytes;
    const SolveReport resumed = solve(other);
    ASSERT_EQ(resumed.status, SolveStatus::proved) << resumed.note;
    EXPECT_EQ(refusal_of(other, resumed), "");
    const SolveReport again = solve(other);  // the solved nodes have their whole keys
    EXPECT_EQ(again.status, SolveStatus::proved);
    EXPECT_LE(again.expansions, 1U);
  }
}

}  // namespace
}  // namespace hecatomb
