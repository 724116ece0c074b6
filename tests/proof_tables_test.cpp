// Endgame tables as leaves of proofs: with them the search says what it says without, its proofs pass the checker, and
// what was done to such a proof, or to a table, is refused.
#include "host/proof_tables.h"

#include <gmock/gmock.h>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/reference/graph_solver.h"
#include "host/solver/proof_file.h"
#include "host/solver/solver.h"
#include "tests/support/random_positions.h"
#include "tests/support/table_fixture.h"

namespace hecatomb {
namespace {

using testing::HasSubstr;

constexpr TableRules kAntichess{VariantId::antichess, {}};
#if defined(HECATOMB_SANITIZED)
constexpr int kPart = 8;  // sanitizers see as much in an eighth of the positions
#else
constexpr int kPart = 1;
#endif

/// Sets of up to three men, made once for all tests: "both" has the small files too, "long" distances alone.
class ProofTablesTest : public TableTest {
 protected:
  static void SetUpTestSuite() {
    root_ = new_directory();
    make("both", kAntichess, true);
    fs::create_directory(root_ + "/long");
    for (const auto& file : fs::directory_iterator(root_ + "/both")) {
      if (file.path().extension() == ".dtw")
        fs::create_hard_link(file, root_ + "/long/" + file.path().filename().string());
    }
  }
  static void TearDownTestSuite() { fs::remove_all(root_); }

  static void make(const std::string& name, const TableRules& rules, bool with_wdl) {
    const GenerateRequest request = {.directory = root_ + "/" + name,
                                     .rules = rules,
                                     .materials = materials_up_to(3),
                                     .memory_bytes = u64{1} << 30,
                                     .threads = 2,
                                     .with_wdl = with_wdl};
    ASSERT_TRUE(generate(request));
  }

  static SolveRequest question(const Position& root, Color prover, const ProofTables* tables) {
    SolveRequest request;
    request.problem = {.variant = VariantId::antichess, .options = {}, .root = root, .prover = prover};
    if (tables != nullptr) request.problem.endings = tables->endings();
    request.hash_bytes = 8 << 20;
    return request;
  }

  static std::string refusal(const std::string& bytes, const ProofTables* tables, bool deep = false) {
    const auto access = tables != nullptr ? std::optional(tables->access()) : std::nullopt;
    return reference::check_proof_bytes(bytes, {.tables = access, .deep_leaves = deep}).message;
  }

  inline static std::string root_;
};

TEST_F(ProofTablesTest, BothSetsSayWhatTheReferenceFinds) {
  const ProofTables small(root_ + "/both", kAntichess), distances(root_ + "/long", kAntichess);
  EXPECT_EQ(small.most_men(), 3);
  EXPECT_EQ(distances.most_men(), 3);
  test::RandomPositions positions({VariantId::antichess}, 11);
  int compared = 0;
  while (compared < 300 / kPart) {
    const Position p = positions.next();
    if (popcount(p.occupied()) > 3 || decided_outcome(p, VariantId::antichess, {}).result != Result::ongoing) continue;
    reference::GraphSolver exhaustive({reference::Variant::kAntichess}, 3000);
    const reference::Position q = test::to_reference(p);
    const std::optional<int> value = exhaustive.value(q);
    if (!value) continue;
    ASSERT_EQ(small.value(p), value) << fen_of(p);
    ASSERT_EQ(distances.value(p), value) << fen_of(p);
    ASSERT_EQ(small.access().value(q), value) << fen_of(p);
    compared++;
  }
}

TEST_F(ProofTablesTest, VerdictsAreThoseOfExhaustiveSearchAndProofsPass) {
  const ProofTables small(root_ + "/both", kAntichess), distances(root_ + "/long", kAntichess);
  test::RandomPositions positions({VariantId::antichess}, 12);
  int asked = 0, proved = 0, with_leaves = 0;
  while (asked < 200 / kPart) {
    const Position p = positions.next();
    if (popcount(p.occupied()) > 6) continue;
    reference::GraphSolver exhaustive({reference::Variant::kAntichess}, 1000);
    const std::optional<int> value = exhaustive.value(test::to_reference(p));
    if (!value) continue;
    for (const Color prover : {kWhite, kBlack}) {
      const ProofTables& tables = asked % 2 == 0 ? small : distances;
      const SolveRequest request = question(p, prover, &tables);
      const SolveReport report = solve(request);
      const bool is_won = (p.side == prover ? *value : -*value) == 1;
      ASSERT_EQ(report.status, is_won ? SolveStatus::proved : SolveStatus::disproved) << fen_of(p) << report.note;
      asked++;
      if (!is_won) continue;
      proved++;
      const std::string names = tables.with_hashes(report.proof.tables);
      EXPECT_EQ(report.proof.leaves == 0, names.empty());
      const std::string bytes = encode_proof(request.problem, report.proof, names);
      EXPECT_EQ(refusal(bytes, &tables), "") << fen_of(p);
      if (report.proof.leaves == 0) continue;
      with_leaves++;
      EXPECT_THAT(refusal(bytes, nullptr), HasSubstr("rests on the endgame tables " + names));
    }
  }
  EXPECT_GT(proved, 40 / kPart);
  EXPECT_GT(with_leaves, 10 / kPart);
}

/// An ending of a few men that `tables` call won through two leaves at least, near the end of the game so that the
/// reference solves it quickly. `is_sound`: whether it is won.
struct Leafy {
  SolveRequest request;
  SolveReport report;
};
template <class Ask>
Leafy leafy(bool is_sound, const Ask& ask) {
  test::RandomPositions positions({VariantId::antichess}, 13);
  for (;;) {
    const Position p = positions.next();
    const int men = popcount(p.occupied());
    if (men < 4 || men > 6) continue;
    reference::GraphSolver exhaustive({reference::Variant::kAntichess}, 1000);
    const std::optional<int> value = exhaustive.value(test::to_reference(p));
    if (!value || *value == 0) continue;
    const Color winner = *value == 1 ? p.us() : other(p.us());
    SolveRequest request = ask(p, is_sound ? winner : other(winner));
    SolveReport report = solve(request);
    if (report.status == SolveStatus::proved && report.proof.leaves > 1) return {std::move(request), std::move(report)};
  }
}

TEST_F(ProofTablesTest, WhatWasDoneToAProofIsRefused) {
  const ProofTables tables(root_ + "/both", kAntichess);
  const Leafy sound = leafy(true, [&](const Position& p, Color prover) { return question(p, prover, &tables); });
  const std::string names = tables.with_hashes(sound.report.proof.tables);
  const auto spoilt = [&](const auto& change) {
    Leafy copy = sound;
    std::string other_names = names;
    change(copy, other_names);
    return refusal(encode_proof(copy.request.problem, copy.report.proof, other_names), &tables);
  };
  ASSERT_EQ(spoilt([](Leafy&, std::string&) {}), "");
  ASSERT_EQ(refusal(encode_proof(sound.request.problem, sound.report.proof, names), &tables, true), "");
  for (std::size_t i = 0; i < sound.report.proof.entries.size(); i++) {
    const bool is_leaf = sound.report.proof.entries[i].move == kTableLeaf;
    EXPECT_NE(spoilt([i](Leafy& s, std::string&) { s.report.proof.entries[i].rank++; }), "") << i;
    EXPECT_NE(spoilt([at = static_cast<std::ptrdiff_t>(i)](Leafy& s, std::string&) {
                s.report.proof.entries.erase(s.report.proof.entries.begin() + at);
              }),
              "");
    const std::string changed = spoilt([i, is_leaf](Leafy& s, std::string&) {
      s.report.proof.entries[i].move = is_leaf ? 0 : kTableLeaf;
      s.report.proof.entries[i].rank = 0;
      is_leaf ? s.report.proof.leaves-- : s.report.proof.leaves++;
    });
    EXPECT_THAT(changed, is_leaf ? HasSubstr("not legal") : HasSubstr("no table holds the leaf")) << i;
  }
  EXPECT_THAT(spoilt([](Leafy&, std::string& other) { other.back() ^= 1; }), HasSubstr("not the one that"));
  EXPECT_THAT(spoilt([](Leafy&, std::string& other) { other = "../both/" + other; }), HasSubstr("is not there"));
  EXPECT_THAT(spoilt([](Leafy&, std::string& other) { other.clear(); }), HasSubstr("names no table"));
}

TEST_F(ProofTablesTest, AnotherTableThanTheProofRestsOnIsRefused) {
  fs::copy(root_ + "/both", path("tables"));
  std::string bytes;
  {
    const ProofTables tables(path("tables"), kAntichess);
    const Leafy sound = leafy(true, [&](const Position& p, Color prover) { return question(p, prover, &tables); });
    bytes = encode_proof(sound.request.problem, sound.report.proof, tables.with_hashes(sound.report.proof.tables));
    ASSERT_EQ(refusal(bytes, &tables), "");
    const std::string name = *sound.report.proof.tables.begin();
    std::string content = slurp(path("tables/" + name));
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    spit(path("tables/" + name), content);
  }
  const ProofTables damaged(path("tables"), kAntichess);
  EXPECT_THAT(refusal(bytes, &damaged), HasSubstr("not the one that the proof rests on"));
}

TEST_F(ProofTablesTest, ATableThatErrsIsFoundOut) {
  // Values turned round: what the tables call won is lost. Small leaves are solved again.
  const ProofTables tables(root_ + "/both", kAntichess);
  const Leafy wrong = leafy(false, [&](const Position& p, Color prover) {
    SolveRequest request = question(p, prover, &tables);
    request.problem.endings.is_won = [&tables](const Position& q, Color side) -> std::optional<bool> {
      const std::optional<int> value = tables.value(q);
      return value ? std::optional(*value == (q.side == side ? -1 : 1)) : std::nullopt;
    };
    return request;
  });
  const std::string bytes =
      encode_proof(wrong.request.problem, wrong.report.proof, tables.with_hashes(wrong.report.proof.tables));
  EXPECT_THAT(refusal(bytes, &tables), HasSubstr("does not call the leaf won"));
  if (kPart != 1) return;  // the reference takes a minute and more for what follows
  reference::TableAccess turned = tables.access();
  turned.value = [value = turned.value](const reference::Position& p) -> std::optional<int> {
    const std::optional<int> right = value(p);
    return right ? std::optional(-*right) : std::nullopt;
  };
  EXPECT_THAT(reference::check_proof_bytes(bytes, {.tables = turned, .deep_leaves = false}).message,
              HasSubstr("solved again, the leaf is not won"));
}

TEST_F(ProofTablesTest, SeveralThreadsAskAtOnce) {
  for (const char* set : {"/both", "/long"}) {
    const ProofTables tables(root_ + set, kAntichess);
    SolveRequest request =
        question(read_fen("8/2n5/2n5/8/4p3/3p4/PP6/5R1R w - - 0 1", VariantId::antichess)->position, kWhite, &tables);
    const SolveStatus alone = solve(request).status;
    request.profiles = {&profile_of_thread(0), &profile_of_thread(1), &profile_of_thread(2)};
    EXPECT_EQ(solve(request).status, alone) << set;
  }
}

TEST_F(ProofTablesTest, ADirectoryWithoutTablesIsAnErrorOfTheEnvironment) {
  EXPECT_THROW(ProofTables(path(""), kAntichess), EnvironmentError);
}

}  // namespace
}  // namespace hecatomb
