// The checker of proof files against proofs that were spoilt by a program, the checksum made right again: each kind of
// fault is refused for its own reason.
#include "host/reference/proof_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"
#include "host/reference/graph_solver.h"
#include "host/solver/proof_file.h"
#include "host/solver/solver.h"
#include "host/storage/header.h"
#include "tests/support/random_positions.h"

namespace hecatomb {
namespace {

using reference::check_proof_bytes;
using reference::ProofCheck;
using testing::HasSubstr;

Position after_moves(VariantId variant, std::initializer_list<const char*> moves) {
  Position p = start_position(variant);
  for (const char* text : moves) p = after_move(p, *read_uci(p, text, variant), variant, {});
  return p;
}

struct Solved {
  ProofProblem problem;
  Proof proof;
  std::string bytes() const { return encode_proof(problem, proof); }
};

Solved solved(VariantId variant, const Position& root, Color prover, const RuleOptions& options = {}) {
  SolveRequest request;
  request.problem = {.variant = variant, .options = options, .root = root, .prover = prover};
  request.hash_bytes = 16 << 20;
  SolveReport report = solve(request);
  EXPECT_EQ(report.status, SolveStatus::proved) << report.note;
  return {request.problem, std::move(report.proof)};
}

/// 1.e3 c5 2.Bb5 d6: 31 positions in Watkins' tree; enough for every fault.
const Solved& sample() {
  static const Solved proof =
      solved(VariantId::antichess, after_moves(VariantId::antichess, {"e2e3", "c7c5", "f1b5", "d7d6"}), kWhite);
  return proof;
}

/// The checksum made right again.
std::string summed(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  const std::uint64_t sum = reference::crc64(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

std::string refusal_of(const std::string& bytes, const reference::ProofCheckOptions& options = {}) {
  const ProofCheck check = check_proof_bytes(bytes, options);
  EXPECT_EQ(check.ok, check.message.empty());
  return check.message;
}

/// A proof changed by `change` before it is written.
template <class Change>
std::string spoilt(Change change) {
  Solved copy = sample();
  change(copy);
  return copy.bytes();
}

std::size_t index_of(const Proof& proof, const Position& p) {
  const std::uint64_t name = position_name(p, proof.salt);
  for (std::size_t i = 0; i < proof.entries.size(); i++) {
    if (proof.entries[i].name == name) return i;
  }
  ADD_FAILURE() << "not in the proof: " << fen_of(p);
  return 0;
}

TEST(ProofCheck, AcceptsASoundProofAndCountsAsItsWriter) {
  const ProofCheck check = check_proof_bytes(sample().bytes());
  EXPECT_TRUE(check.ok) << check.message;
  EXPECT_EQ(check.variant, "antichess");
  EXPECT_EQ(check.prover, "white");
  EXPECT_EQ(check.fen, fen_of(sample().problem.root));
  EXPECT_EQ(check.positions, sample().proof.positions);
  EXPECT_EQ(check.depth_plies, sample().proof.depth_plies);
  EXPECT_GE(check.positions, 20U);
}

TEST(ProofCheck, SumIsThePublishedOne) {  // the check value of CRC-64/XZ in the catalogue of CRC algorithms
  EXPECT_EQ(reference::crc64("123456789", 9), 0x995dc9bbdf1939faU);
  EXPECT_EQ(crc64(bytes_of("123456789")), 0x995dc9bbdf1939faU);
  EXPECT_EQ(crc64(bytes_of("6789"), crc64(bytes_of("12345"))), 0x995dc9bbdf1939faU);
}

TEST(ProofCheck, NamesAreTheSameInWriterAndChecker) {
  for (const test::RuleSet& rules : test::kRuleSets) {
    test::RandomPositions positions(rules, 5);
    for (int i = 0; i < 300; i++) {
      const Position& p = positions.next();
      std::uint64_t name = (0xcbf29ce484222325U ^ 7U) * 0x100000001b3U;
      for (const char c : reference::packed(test::reference_rules(rules), test::to_reference(p)))
        name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
      ASSERT_EQ(position_name(p, 7), name) << test::describe(rules, p, 5);
    }
  }
}

TEST(ProofCheck, RefusesEveryFlippedBit) {
  const std::string bytes = sample().bytes();
  for (std::size_t i = 0; i < bytes.size(); i++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ 1 << bit);
      ASSERT_NE(refusal_of(flipped), "") << "byte " << i << " bit " << bit;
    }
  }
}

TEST(ProofCheck, RefusesEveryCut) {
  const std::string bytes = sample().bytes();
  for (std::size_t size = 0; size < bytes.size(); size++) {
    ASSERT_NE(refusal_of(bytes.substr(0, size)), "") << size;
    if (size < 8) continue;
    ASSERT_NE(refusal_of(summed(bytes.substr(0, size))), "") << size;
  }
  EXPECT_NE(refusal_of(bytes + '\0'), "");
  EXPECT_NE(refusal_of(summed(bytes + std::string(8, '\0'))), "");
}

TEST(ProofCheck, RefusesForeignFiles) {
  EXPECT_THAT(refusal_of(""), HasSubstr("no file of hecatomb"));
  EXPECT_THAT(refusal_of(std::string(1000, 'x')), HasSubstr("no file of hecatomb"));
  const FileHeader journal{.kind = "journal", .job = "solve", .variant = "antichess", .options = {}, .params = {}};
  EXPECT_THAT(refusal_of(summed(encode_header(journal) + std::string(8, '\0'))), HasSubstr("journal 1"));
}

TEST(ProofCheck, RefusesADroppedReply) {
  for (std::size_t i = 0; i < sample().proof.entries.size(); i++) {
    const std::string bytes =
        spoilt([i](Solved& s) { s.proof.entries.erase(s.proof.entries.begin() + static_cast<std::ptrdiff_t>(i)); });
    ASSERT_THAT(refusal_of(bytes), HasSubstr("no move is given")) << i;
  }
}

/// The positions of the prover in the sample, by walking it.
std::vector<Position> prover_positions() {
  std::vector<Position> found{sample().problem.root};
  for (std::size_t i = 0; i < found.size(); i++) {
    const std::uint16_t move = sample().proof.entries[index_of(sample().proof, found[i])].move;
    MoveList legal, replies;
    list_legal(found[i], VariantId::antichess, legal);
    const auto m = std::find_if(legal.begin(), legal.end(), [move](Move l) { return packed_move(l) == move; });
    const Position next = after_move(found[i], *m, VariantId::antichess, {});
    list_legal(next, VariantId::antichess, replies);
    for (const Move reply : replies) {
      const Position p = after_move(next, reply, VariantId::antichess, {});
      const bool is_over = decided_outcome(p, VariantId::antichess, {}).result != Result::ongoing;
      const auto is_same = [&p](const Position& q) { return same_position(p, q); };
      if (!is_over && std::none_of(found.begin(), found.end(), is_same)) found.push_back(p);
    }
  }
  return found;
}

TEST(ProofCheck, RefusesAWrongMove) {
  const std::vector<Position> positions = prover_positions();
  ASSERT_EQ(positions.size(), sample().proof.entries.size());
  int others = 0;
  for (const Position& p : positions) {
    const std::size_t at = index_of(sample().proof, p);
    const auto with_move = [at](std::uint16_t move) {
      return refusal_of(spoilt([at, move](Solved& s) { s.proof.entries[at].move = move; }));
    };
    EXPECT_THAT(with_move(0), HasSubstr("not legal"));  // a1a1
    MoveList legal;
    list_legal(p, VariantId::antichess, legal);
    for (const Move m : legal) {
      if (packed_move(m) == sample().proof.entries[at].move) continue;
      others++;
      EXPECT_NE(with_move(packed_move(m)), "") << uci_of(m);
    }
  }
  EXPECT_GT(others, 10);
}

TEST(ProofCheck, RefusesARankThatDoesNotFall) {
  for (std::size_t i = 0; i < sample().proof.entries.size(); i++) {
    for (const int change : {-1, 1, 100}) {
      const std::string bytes = spoilt([i, change](Solved& s) {
        s.proof.entries[i].rank = static_cast<std::uint16_t>(s.proof.entries[i].rank + change);
      });
      ASSERT_THAT(refusal_of(bytes), HasSubstr("the rank is")) << i;
    }
  }
}

TEST(ProofCheck, RefusesAnEntryThatNoLineReaches) {
  const std::string bytes = spoilt([](Solved& s) { s.proof.entries.push_back({~std::uint64_t{0}, 1, 1}); });
  EXPECT_THAT(refusal_of(bytes), HasSubstr("belongs to no position"));
  EXPECT_THAT(refusal_of(spoilt([](Solved& s) { s.proof.entries.push_back(s.proof.entries.back()); })),
              HasSubstr("not in order"));
}

TEST(ProofCheck, RefusesOtherRules) {
  for (const auto& [variant, options] : {std::pair<VariantId, RuleOptions>{VariantId::losers, {}},
                                         {VariantId::horde, {}},
                                         {VariantId::chess, {}},
                                         {VariantId::antichess, {.stalemated_wins = true}},
                                         {VariantId::antichess, {.restricted_ep = true}}}) {
    const std::string bytes = spoilt([variant = variant, options = options](Solved& s) {
      s.problem.variant = variant;
      s.problem.options = options;
    });
    EXPECT_NE(refusal_of(bytes), "") << variant_name(variant);
  }
  EXPECT_NE(refusal_of(spoilt([](Solved& s) { s.problem.prover = kBlack; })), "");
  EXPECT_NE(refusal_of(spoilt([](Solved& s) { s.problem.root = start_position(VariantId::antichess); })), "");
}

// Suicide's stalemates are not antichess's: a proof that ends in one is a win there and none here.
TEST(ProofCheck, RefusesAWinThatOtherRulesCallADraw) {
  const auto root = read_fen("8/8/8/p7/P7/8/8/7B b - - 0 1", VariantId::antichess);
  ASSERT_TRUE(root.ok());
  const Position p = root->position;  // Black, to move, is blocked: in antichess he has won already
  Solved over{{.variant = VariantId::antichess, .options = {}, .root = p, .prover = kBlack}, {}};
  EXPECT_EQ(refusal_of(over.bytes()), "");
  over.problem.prover = kWhite;
  EXPECT_THAT(refusal_of(over.bytes()), HasSubstr("has not won"));
  over.problem.variant = VariantId::suicide;  // fewer men win
  EXPECT_THAT(refusal_of(over.bytes()), HasSubstr("has not won"));
  over.problem.prover = kBlack;
  EXPECT_EQ(refusal_of(over.bytes()), "");
}

/// Every position of the prover's that can be reached, each with its first move: complete, legal, and no proof.
Solved shuffle() {
  Solved s;
  s.problem = {.variant = VariantId::antichess,
               .options = {},
               .root = read_fen("k7/8/8/8/8/8/8/6K1 w - - 0 1", VariantId::antichess)->position,
               .prover = kWhite};
  std::map<std::uint64_t, Move> moves;
  std::vector<Position> open{s.problem.root};
  while (!open.empty()) {
    const Position p = open.back();
    open.pop_back();
    MoveList legal, replies;
    list_legal(p, s.problem.variant, legal);
    if (legal.size == 0 || !moves.emplace(position_name(p, 0), legal.moves[0]).second) continue;
    const Position next = after_move(p, legal.moves[0], s.problem.variant, {});
    list_legal(next, s.problem.variant, replies);
    for (const Move m : replies) open.push_back(after_move(next, m, s.problem.variant, {}));
  }
  for (const auto& [name, move] : moves) s.proof.entries.push_back({name, packed_move(move), 9});
  return s;
}

TEST(ProofCheck, RefusesALoop) {
  Solved s = shuffle();
  ASSERT_GT(s.proof.entries.size(), 4U);
  EXPECT_NE(refusal_of(s.bytes()), "");
  for (std::size_t i = 0; i < s.proof.entries.size(); i++)
    s.proof.entries[i].rank = static_cast<std::uint16_t>(9 + 2 * i);
  EXPECT_NE(refusal_of(s.bytes()), "");
}

// ---- table leaves

/// A proof that rests on a table at its root: a leaf alone, or one move before it.
Solved leaf_proof(const char* fen, Color prover) {
  Solved s;
  s.problem = {.variant = VariantId::antichess,
               .options = {},
               .root = read_fen(fen, VariantId::antichess)->position,
               .prover = prover};
  s.proof.entries = {{position_name(s.problem.root, 0), kTableLeaf, 0}};
  s.proof.leaves = 1;
  return s;
}

/// Tables that answer by the reference's own solver, and can be told to err.
reference::TableAccess tables(int error = 0) {
  return {[error](const reference::Position& p) {
            reference::GraphSolver solver({reference::Variant::kAntichess});
            std::optional<int> value = solver.value(p);
            if (error != 0) value = error;
            return value;
          },
          [](const std::string& name) { return name == "RvK" ? "0123" : ""; }};
}

std::string with_tables(const Solved& s, const std::string& names, const reference::ProofCheckOptions& options) {
  return refusal_of(encode_proof(s.problem, s.proof, names), options);
}

TEST(ProofCheck, TableLeaves) {
  // White's rook takes nothing yet: who wins is left to the reference's solver.
  const char* fen = "8/8/8/6k1/8/8/8/R7 w - - 0 1";
  const auto root = reference::read_fen({reference::Variant::kAntichess}, fen).position;
  const int value = reference::GraphSolver({reference::Variant::kAntichess}).value(root).value();
  ASSERT_NE(value, 0);
  const Solved right = leaf_proof(fen, value == 1 ? kWhite : kBlack),
               wrong = leaf_proof(fen, value == 1 ? kBlack : kWhite);
  EXPECT_EQ(with_tables(right, "RvK:0123", {.tables = tables(), .deep_leaves = false}), "");
  EXPECT_EQ(with_tables(right, "RvK:0123", {.tables = tables(), .deep_leaves = true}), "");
  EXPECT_THAT(with_tables(right, "RvK:0123", {}), HasSubstr("rests on the endgame tables RvK"));
  EXPECT_THAT(with_tables(right, "RvK:4567", {.tables = tables(), .deep_leaves = false}),
              HasSubstr("RvK is not there"));
  EXPECT_THAT(with_tables(wrong, "RvK:0123", {.tables = tables(), .deep_leaves = false}), HasSubstr("does not call"));
  // A table that errs is found out, as the leaf is solved again.
  EXPECT_THAT(with_tables(wrong, "RvK:0123", {.tables = tables(-value), .deep_leaves = false}),
              HasSubstr("solved again, the leaf is not won"));
  Solved uncounted = right;
  uncounted.proof.leaves = 0;
  EXPECT_THAT(with_tables(uncounted, "RvK:0123", {.tables = tables(), .deep_leaves = false}),
              HasSubstr("number of table leaves"));
}

TEST(ProofCheck, ALargeLeafIsComparedWithItsSuccessors) {
  // Four men: not solved again unless asked to.
  const Solved s = leaf_proof("8/8/8/8/8/8/5p2/RR5k w - - 0 1", kWhite);
  int asked = 0;
  reference::TableAccess access = tables();
  access.value = [&asked](const reference::Position&) {
    asked++;
    return std::optional(1);  // whoever is to move wins, everywhere: no table is so
  };
  EXPECT_THAT(with_tables(s, "RvK:0123", {.tables = access, .deep_leaves = false}), HasSubstr("by the values of its"));
  EXPECT_GT(asked, 1);
}

}  // namespace
}  // namespace hecatomb
