// The perft suites in datasets/: every value that can be reached in seconds, by the fast core and by the reference.
//
// The same suites are what `hecatomb perft --suite` verifies; here they hold the rules core itself, without a backend.
// And the random numbers of rules.md, which decide every playout: against Random123 and against the reference.
#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "common/random.h"
#include "host/notation/epd.h"
#include "host/notation/lines.h"
#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

namespace fs = std::filesystem;

struct Check {
  int depth;
  u64 nodes;
};

struct Entry {
  RuleSet rules;
  std::string file;
  std::uint64_t line;
  Position position;
  std::string fen;  // as written
  std::string id;
  std::vector<Check> checks;
};

std::string reproduce(const Entry& e, int depth) {
  return e.file + ":" + std::to_string(e.line) + ": hecatomb perft " + arguments_of(e.rules) + " --fen '" +
         fen_of(e.position) + "' --depth " + std::to_string(depth);
}

/// "# options: ep=restricted": the rule options of every line of a file.
void read_options(std::string_view line, RuleOptions& options) {
  constexpr std::string_view mark = "# options: ";
  if (line.substr(0, mark.size()) != mark) return;
  options.restricted_ep = line.find("ep=restricted") != std::string_view::npos;
  options.stalemated_wins = line.find("stalemate=stalemated-wins") != std::string_view::npos;
  EXPECT_TRUE(options != RuleOptions{}) << line;
}

std::string first_six_words(std::string_view line) { return std::string(line.substr(0, line.find(" ;"))); }

std::vector<Check> checks_of(const std::vector<EpdOp>& ops) {
  std::vector<Check> checks;
  for (const EpdOp& op : ops) {
    if (op.opcode.size() < 2 || op.opcode[0] != 'D') continue;
    const auto nodes = op.integer();
    EXPECT_TRUE(nodes.has_value()) << op.opcode << " " << op.text();
    checks.push_back({std::stoi(op.opcode.substr(1)), static_cast<u64>(nodes.value_or(0))});
  }
  return checks;
}

std::vector<Entry> read_suite(const fs::path& path) {
  std::vector<Entry> entries;
  std::optional<VariantId> variant;
  RuleOptions options;
  LineSource source = LineSource::open(path.string());
  while (const auto line = source.next()) {
    EXPECT_FALSE(line->error.has_value()) << path << ":" << line->number;
    if (const auto name = variant_of_comment(line->text)) variant = find_variant(*name);
    read_options(line->text, options);
    if (is_epd_comment(line->text)) continue;
    const auto epd = read_epd(line->text, variant, options);
    EXPECT_TRUE(epd.ok()) << path << ":" << line->number << ": " << line->text;
    if (!epd.ok()) continue;
    EXPECT_TRUE(epd->warnings.empty()) << path << ":" << line->number;
    const EpdOp* id = epd->find("id");
    entries.push_back({{epd->variant, options},
                       path.filename().string(),
                       line->number,
                       epd->position,
                       first_six_words(line->text),
                       id ? id->text() : "",
                       checks_of(epd->ops)});
  }
  return entries;
}

std::vector<Entry> read_suites(const char* folder) {
  std::vector<Entry> entries;
  std::set<fs::path> paths;
  for (const auto& file : fs::directory_iterator(fs::path(HECATOMB_SOURCE_DIR) / "datasets" / folder)) {
    if (file.path().extension() == ".epd") paths.insert(file.path());
  }
  for (const fs::path& path : paths) {
    const std::vector<Entry> more = read_suite(path);
    entries.insert(entries.end(), more.begin(), more.end());
  }
  return entries;
}

template <class V>
u64 count_leaves(const Position& p, int depth, const RuleOptions& options) {
  if (depth == 1) return static_cast<u64>(count_moves<V>(p));
  MoveList list;
  list_moves<V>(p, list);
  u64 nodes = 0;
  for (const Move m : list) nodes += count_leaves<V>(make<V>(p, m, options), depth - 1, options);
  return nodes;
}

u64 fast_perft(const Entry& e, int depth) {
  return with_variant(e.rules.variant,
                      [&](auto v) { return count_leaves<decltype(v)>(e.position, depth, e.rules.options); });
}

void check_by_core(const std::vector<Entry>& entries, u64 most_nodes) {
  int checks = 0;
  for (const Entry& e : entries) {
    for (const Check& check : e.checks) {
      if (check.nodes > most_nodes) continue;
      ASSERT_EQ(fast_perft(e, check.depth), check.nodes) << reproduce(e, check.depth) << " (" << e.id << ")";
      checks++;
    }
  }
  EXPECT_GT(checks, static_cast<int>(2 * entries.size()));
}

/// `every`: only every n-th entry.
void check_by_reference(const std::vector<Entry>& entries, u64 most_nodes, std::size_t every) {
  for (std::size_t i = 0; i < entries.size(); i += every) {
    const Entry& e = entries[i];
    const auto reading = reference::read_fen(reference_rules(e.rules), e.fen);
    ASSERT_EQ(reading.error, "") << e.file << ":" << e.line;
    for (const Check& check : e.checks) {
      if (check.nodes > most_nodes) continue;
      ASSERT_EQ(reference::perft(reference_rules(e.rules), reading.position, check.depth), check.nodes)
          << reproduce(e, check.depth) << " (" << e.id << ")";
    }
  }
}

TEST(PerftSuites, EveryVariantHasEnoughDistinctPositions) {
  for (const auto& [folder, least] : {std::pair<const char*, int>{"perft", 60}, {"bulk", 2000}}) {
    std::map<VariantId, std::set<std::string>> positions;
    for (const Entry& e : read_suites(folder)) {
      EXPECT_FALSE(e.checks.empty()) << e.file << ":" << e.line;
      if (e.rules.options != RuleOptions{}) continue;
      EXPECT_TRUE(positions[e.rules.variant].insert(e.fen).second) << e.file << ":" << e.line << " comes twice";
    }
    for (const VariantId v : kAllVariants) {
      EXPECT_GE(positions[v].size(), static_cast<std::size_t>(least)) << folder << " " << variant_name(v);
    }
  }
}

TEST(PerftSuites, NamedPositionsByTheCore) { check_by_core(read_suites("perft"), 3'000'000); }
TEST(PerftSuites, NamedPositionsByTheReference) { check_by_reference(read_suites("perft"), 20'000, 1); }
TEST(PerftSuites, BulkByTheCore) { check_by_core(read_suites("bulk"), 20'000); }
TEST(PerftSuites, BulkByTheReference) { check_by_reference(read_suites("bulk"), 2'000, 5); }

/// Where the options change a count, the files with options must not be readable without them.
TEST(PerftSuites, RestrictedEnPassantMakesADifference) {
  int different = 0;
  for (Entry e : read_suites("perft")) {
    if (!e.rules.options.restricted_ep) continue;
    const auto reading = read_fen(e.fen, e.rules.variant);
    ASSERT_TRUE(reading.ok()) << e.fen;
    e.position = reading->position;
    e.rules.options = {};
    different += std::any_of(e.checks.begin(), e.checks.end(), [&e](const Check& check) {
      return check.nodes < 20'000 && fast_perft(e, check.depth) != check.nodes;
    });
  }
  EXPECT_GT(different, 8);
}

// -------------------------------------------------------------------------------------------------------------- random

TEST(Philox, IsRandom123s) {
  Random random(1);
  r123::Philox4x32 philox;
  const auto word = [&random] { return static_cast<u32>(random.next()); };
  for (int n = 0; n < 10000; n++) {
    const PhiloxBlock counter{{word(), word(), word(), word()}};
    const u32 key0 = word(), key1 = word();
    const PhiloxBlock block = philox4x32_10(counter, key0, key1);
    const r123::Philox4x32::ctr_type expected =
        philox({{counter.word[0], counter.word[1], counter.word[2], counter.word[3]}}, {{key0, key1}});
    const auto reference_block =
        reference::philox4x32_10({counter.word[0], counter.word[1], counter.word[2], counter.word[3]}, {key0, key1});
    for (std::size_t i = 0; i < 4; i++) {
      ASSERT_EQ(block.word[i], expected[i]) << "counter " << n;
      ASSERT_EQ(reference_block[i], expected[i]) << "counter " << n;
    }
  }
}

TEST(Draw, IsTheReferences) {
  Random random(2);
  for (int n = 0; n < 100000; n++) {
    const GameId id{random.next(), static_cast<u32>(random.next()), static_cast<u32>(random.next())};
    const u32 ply = static_cast<u32>(random.below(10000));
    const u32 moves = n % 4 == 0 ? static_cast<u32>(random.next()) | 1u : static_cast<u32>(1 + random.below(218));
    const u32 drawn = draw_move(id, ply, moves);
    ASSERT_LT(drawn, moves);
    ASSERT_EQ(drawn, reference::draw_move(id.seed, id.game, id.opening, ply, moves))
        << "seed " << id.seed << " game " << id.game << " opening " << id.opening << " ply " << ply << " of " << moves;
  }
}

/// A whole random game, move by move, as both play it.
TEST(Draw, RandomGamesAreTheSame) {
  for (const RuleSet& rules : kRuleSets) {
    const reference::Rules reference_set = reference_rules(rules);
    for (u32 game = 0; game < 10; game++) {
      Position p = start_position(rules.variant);
      reference::Position r = reference::start_position(reference_set.variant);
      for (u32 ply = 0; ply < 200; ply++) {
        const auto legal = reference::legal_moves(reference_set, r);
        if (legal.empty()) break;
        const auto n = static_cast<u32>(legal.size());
        r = reference::make_move(r, legal[reference::draw_move(7, game, 3, ply, n)]);
        p = with_variant(rules.variant, [&](auto v) {
          using V = decltype(v);
          const u32 moves = static_cast<u32>(count_moves<V>(p));
          return make<V>(p, nth_move<V>(p, static_cast<int>(draw_move({7, 3, game}, ply, moves))), rules.options);
        });
        ASSERT_EQ(fen_of(p), reference::write_fen(reference_set, r)) << rules << " game " << game << " ply " << ply;
      }
    }
  }
}

}  // namespace
}  // namespace hecatomb::test
