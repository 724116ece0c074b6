// Endgame tables: solved, stored, probed and verified; figures of others in datasets/endgames.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <map>
#include <string>

#include "host/notation/uci.h"
#include "host/tables/probe.h"
#include "host/tables/reference_tables.h"
#include "host/tables/solver.h"
#include "host/tables/table_checker.h"
#include "host/tables/verify.h"
#include "host/tables/wdl_set.h"
#include "tests/support/random_positions.h"
#include "tests/support/table_fixture.h"

namespace hecatomb {
namespace {

using test::Random;

#if defined(HECATOMB_SANITIZED)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

const TableRules kAntichess{VariantId::antichess, {}};
const TableRules kSuicide{VariantId::suicide, {}};
const TableRules kAllRules[] = {kAntichess,
                                kSuicide,
                                {VariantId::suicide, {.restricted_ep = true}},
                                {VariantId::suicide, {.stalemated_wins = true}},
                                {VariantId::suicide, {.restricted_ep = true, .stalemated_wins = true}}};

class TablesTest : public TableTest {};

/// Tab-separated figures by material and side; without the examples of longest positions.
std::map<std::string, std::string> published(const std::string& variant) {
  std::map<std::string, std::string> rows;
  std::ifstream in(std::string(HECATOMB_SOURCE_DIR) + "/datasets/endgames/" + variant + "_dtw.tsv");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with('#')) continue;
    rows[line.substr(0, line.find('\t')) + line[line.find('\t') + 3]] = line;
  }
  return rows;
}

/// The first columns of a row of counts.
std::string without_examples(const std::string& row) {
  std::size_t end = 0;
  for (int i = 0; i < 12; i++) end = row.find('\t', end + 1);
  return row.substr(0, end);
}

void compare_with_published(const GenerateRequest& request, const std::string& variant) {
  const auto rows = published(variant);
  ASSERT_EQ(rows.size(), 2 * materials_up_to(3).size());
  const TableStore store(request.directory, request.rules, 0);
  for (const Material& material : request.materials) {
    if (material.men > 3) continue;
    const auto file = store.open(material);
    for (const Color side : {kWhite, kBlack}) {
      const std::string row = counts_row(file->layout(), side, file->counts()[side], CountUnit::orbits);
      EXPECT_EQ(without_examples(row), rows.at(material.name() + (side == kWhite ? "w" : "b")));
    }
  }
}

TEST_F(TablesTest, FiguresAreThePublishedOnes) {
  for (const bool suicide : {false, true}) {
    fs::remove_all(path("tables"));
    const GenerateRequest r =
        request(suicide ? kSuicide : kAntichess, kSanitized ? named({"PvP", "KQvK", "NNvB"}) : materials_up_to(3));
    ASSERT_TRUE(generate(r));
    compare_with_published(r, suicide ? "suicide" : "antichess");
  }
}

TEST_F(TablesTest, EveryEntryIsTheReferences) {
  for (const TableRules& rules : kAllRules) {
    fs::remove_all(path("tables"));
    GenerateRequest r = request(rules, kSanitized ? named({"NvB", "RvK"}) : named({"PvP"}));
    std::string differences;
    r.solver =
        checking_solver(solve_by_sets, reference_solver(rules), [&](const std::string& fen, const std::string& what) {
          differences.append(fen).append(": ").append(what).append("\n");
        });
    ASSERT_TRUE(generate(r));
    EXPECT_EQ(differences, "");
  }
}

/// Codes of two bytes, which no class of few men needs, give the same tables.
TEST_F(TablesTest, LongCodesSolveTheSame) {
  for (const TableRules& rules : {kAntichess, kSuicide}) {
    fs::remove_all(path("tables"));
    GenerateRequest r = request(rules, named({kSanitized ? "KvN" : "NPvP"}));
    std::string differences;
    r.solver =
        checking_solver(solve_by_sets, solve_with_long_codes, [&](const std::string& fen, const std::string& what) {
          differences.append(fen).append(": ").append(what).append("\n");
        });
    ASSERT_TRUE(generate(r));
    EXPECT_EQ(differences, "");
  }
}

/// Positions of four men, probed in mapped files one by one and as a batch, against the whole table.
TEST_F(TablesTest, ProbesAreTheEntries) {
  if (kSanitized) GTEST_SKIP() << "four men take too long";
  for (const TableRules& rules : {kAntichess, kSuicide}) {
    fs::remove_all(path("tables"));
    const GenerateRequest r = request(rules, named({"KKKvP", "NNvRN"}));
    ASSERT_TRUE(generate(r));
    TableStore store(r.directory, r.rules, u64{1} << 28);
    TableProber prober(store);
    Random random(11);
    for (const char* name : {"KKKvP", "NNvRN", "KKvP"}) {
      const auto table = store.load(*read_material(name));
      const Layout& layout = table->layout();
      std::vector<Position> positions;
      std::vector<TableValue> entries;
      while (positions.size() < 3000) {
        const u64 cell = mulhi(random.next(), layout.cells());
        const Color side = random.below(2) == 0 ? kWhite : kBlack;
        if (!layout.is_cell(cell)) continue;
        positions.push_back(position_of_cell(layout, side, cell));
        entries.push_back(table->at(side, cell));
      }
      const auto values = prober.values(positions);
      for (std::size_t i = 0; i < positions.size(); i++) {
        ASSERT_EQ(values[i], entries[i]) << fen_of(positions[i]) << ": " << text_of_value(entries[i]);
        if (i % 10 == 0) {
          ASSERT_EQ(prober.value(positions[i]), entries[i]) << fen_of(positions[i]);
        }
      }
      const auto with_moves = prober.positions(std::span(positions).first(200));
      for (std::size_t i = 0; i < with_moves.size(); i++) {
        ASSERT_TRUE(with_moves[i]) << prober.missing();
        ASSERT_EQ(with_moves[i]->value, entries[i]) << fen_of(positions[i]);
      }
    }
  }
}

/// A file that is damaged is told and made again, a sound one that holds something else is told by check:A,B.
TEST_F(TablesTest, DamagedTablesAreMadeAgainAndStoredOnesCompared) {
  GenerateRequest r = request(kAntichess, named({"PvN"}), 1);
  ASSERT_TRUE(generate(r));
  const std::string whole = slurp(file_of("KvN"));
  std::string damaged = whole;
  damaged[damaged.size() / 2] ^= 4;
  spit(file_of("KvN"), damaged);
  std::string damage;
  EXPECT_TRUE(generate_tables(r, plan_generation(r), [&](const GeneratedClass& done) { damage += done.damage; }));
  EXPECT_NE(damage.find("KvN.dtw"), std::string::npos);
  EXPECT_EQ(slurp(file_of("KvN")), whole);
  std::string differences;
  r.on_stored_difference = [&](const std::string& fen, const std::string& what) { differences += fen + ": " + what; };
  EXPECT_TRUE(generate(r));
  EXPECT_EQ(differences, "");
  r.solver = [](const Material& material, const TableRules&, const TableSource& tables) {
    return solve_by_sets(material, kSuicide, tables);
  };
  EXPECT_TRUE(generate(r));
  EXPECT_NE(differences.find("the stored table holds"), std::string::npos) << differences;
}

TEST_F(TablesTest, VerifyFindsNothingWrongAndWhatIsPlanted) {
  const GenerateRequest r = request(kAntichess, named({"KvR", kSanitized ? "KvN" : "KNvP"}));
  ASSERT_TRUE(generate(r));
  WorkPool pool(2);
  std::string wrong;
  const auto verify = [&](const std::vector<Material>& materials, u64 sample) {
    TableStore store(r.directory, r.rules, u64{1} << 28);
    wrong.clear();
    return verify_tables(
        {.materials = materials, .sample = sample}, store, pool,
        {.on_difference = [&](const std::string& fen,
                              const std::string& what) { wrong.append(fen).append(": ").append(what).append("\n"); },
         .on_refused = [&](const Material&,
                           const EnvironmentError& error) { wrong.append(error.what()).append("\n"); }});
  };
  EXPECT_EQ(verify(r.materials, 1000).differences, 0U) << wrong;
  // One entry of KvR is made a draw, in a file that is sound otherwise.
  TableStore store(r.directory, r.rules, u64{1} << 28);
  const Material material = *read_material("KvR");
  const auto table = store.load(material);
  std::array<std::vector<TableValue>, 2> values;
  std::array<std::vector<u64>, 2> captures, sacrifices;
  u64 planted = ~u64{0};
  for (const Color side : {kWhite, kBlack}) {
    for (u64 cell = 0; cell < table->layout().cells(); cell++) {
      values[side].push_back(table->at(side, cell));
      const bool quiet_win = values[side].back() == win_in(10);
      if (planted == ~u64{0} && quiet_win && table->layout().canonical(cell) == cell) planted = cell;
      if (cell == planted && quiet_win) values[side].back() = win_in(8);
    }
    captures[side].assign(table->layout().rows().rows(), 0);
    sacrifices[side] = captures[side];
  }
  ASSERT_NE(planted, ~u64{0});
  const Table false_table(material, {values[0], values[1]});
  write_table(file_of("KvR"), false_table, r.rules, Metric::dtw,
              {{&captures[0], &captures[1]}, {&sacrifices[0], &sacrifices[1]}},
              count_table(false_table, {&captures[0], &captures[1]}));
  EXPECT_GT(verify({material}, 0).differences, 0U);
  EXPECT_NE(wrong.find("the table holds a win in 8, its moves make it a win in 10"), std::string::npos) << wrong;
}

/// Every entry of three men, and of some classes of four a sample, by the reference's rules.
TEST_F(TablesTest, AllOfThreeMenVerifyAndSomeOfFour) {
  if (kSanitized) GTEST_SKIP() << "all of three men take too long";
  std::vector<Material> three = materials_up_to(3);
  const std::vector<Material> four = {*read_material("KKKvP"), *read_material("NNvRN")};
  ASSERT_TRUE(generate(request(kAntichess, three)));
  const GenerateRequest r = request(kAntichess, named({"KKKvP", "NNvRN"}));
  ASSERT_TRUE(generate(r));
  TableStore store(r.directory, r.rules, u64{1} << 28);
  WorkPool pool(2);
  std::string wrong;
  const VerifyTablesEvents events = {
      .on_difference = [&](const std::string& fen, const std::string& what) { wrong.append(fen).append(what); },
      .on_refused = [&](const Material&, const EnvironmentError& error) { wrong.append(error.what()); }};
  const VerifyTablesReport whole = verify_tables({.materials = three}, store, pool, events);
  EXPECT_EQ(wrong, "");
  EXPECT_EQ(whole.entries, 12'083'944U);
  const VerifyTablesReport sample = verify_tables({.materials = four, .sample = 20'000}, store, pool, events);
  EXPECT_EQ(wrong, "");
  EXPECT_GT(sample.entries, 30'000U);
}

/// A table like another one, but that whoever is to move loses at once.
std::shared_ptr<const Table> all_lost(const Table& table) {
  std::vector<TableValue> values = table.values();
  for (TableValue& v : values) v = v == kNoValue ? kNoValue : loss_in(1);
  return std::make_shared<const Table>(table.layout().material(), values, table.codes());
}

/// Each way in which a move can change the men is looked at: a table below that holds something else is noticed.
TEST_F(TablesTest, EntriesAreCheckedAgainstEveryTableBelow) {
  const Material material = *read_material("KNvP");
  const GenerateRequest r = request(kAntichess, with_all_below({material}));
  ASSERT_TRUE(generate(r));
  TableStore store(r.directory, r.rules, u64{1} << 28);
  const auto table = store.load(material);
  const Layout& layout = table->layout();
  const auto first_wrong = [&](const TableSource& tables, const Table& checked) -> std::optional<std::string> {
    TableChecker checker(checked, r.rules, tables);
    for (const Color side : {kWhite, kBlack}) {
      for (u64 cell = 0; cell < layout.cells(); cell += kSanitized ? 7 : 1) {
        if (layout.is_cell(cell) && checker.value(side, cell) != table->at(side, cell))
          return fen_of_cell(layout, side, cell);
      }
    }
    return std::nullopt;
  };
  EXPECT_EQ(first_wrong(store.source(), *table), std::nullopt);
  EXPECT_NE(first_wrong(store.source(), *all_lost(*table)), std::nullopt);
  const std::vector<Material> below = materials_below(material);
  EXPECT_EQ(below.size(), 16U);  // a man captured, the pawn promoted, both
  for (const Material& changed : below) {
    const auto other_table = all_lost(*store.load(changed));
    const auto tables = [&](const Material& m) { return m == changed ? other_table : store.load(m); };
    EXPECT_NE(first_wrong(tables, *table), std::nullopt) << changed.name();
  }
}

struct Case {
  const char* fen;
  std::optional<int> plies;  // of a win (positive, and 0) or a loss (negative); nothing for a draw
};

TEST_F(TablesTest, SinglePositions) {
  const GenerateRequest r = request(kAntichess, named({"RvK", "PvP", "PvK", "KvQ", "BvN", "NvN", "BvB"}));
  ASSERT_TRUE(generate(r));
  TableStore store(r.directory, r.rules, u64{1} << 28);
  TableProber prober(store);
  const Case cases[] = {{"8/8/2K1k3/8/8/8/8/8 w - - 0 1", 2},           {"8/8/2Kk4/8/8/8/8/8 w - - 0 1", -1},
                        {"8/8/8/4p3/4P3/8/8/8 w - - 0 1", 0},           {"8/8/8/8/3p4/8/4P3/8 w - - 0 1", 2},
                        {"3k4/8/8/8/8/5R2/8/8 w - - 0 1", 10},          {"8/1K6/8/8/8/8/8/3q4 b - - 0 1", 10},
                        {"8/8/8/8/2N5/7b/8/8 w - - 0 1", -7},           {"8/8/8/3n4/8/8/8/2N5 b - - 0 1", -11},
                        {"8/k7/8/8/6P1/8/8/8 b - - 0 1", 10},           {"8/8/8/8/2P1p3/8/8/8 b - - 0 1", 10},
                        {"8/8/8/8/3pP3/8/8/8 b - e3 0 1", -1},          {"8/8/8/8/8/3k4/8/1R6 b - - 0 1", -35},
                        {"8/8/8/8/3B4/8/8/3b4 w - - 0 1", std::nullopt}};
  for (const Case& c : cases) {
    const auto reading = read_fen(c.fen, VariantId::antichess);
    ASSERT_TRUE(reading.ok()) << c.fen;
    const auto value = prober.value(reading->position);
    ASSERT_TRUE(value) << c.fen << ": " << prober.missing();
    const TableValue expected = !c.plies ? kDraw : (*c.plies >= 0 ? win_in(*c.plies) : loss_in(-*c.plies));
    EXPECT_EQ(text_of_value(*value), text_of_value(expected)) << c.fen;
    // The best line ends after exactly as many plies, as the reference plays it.
    const auto line = prober.line(reading->position);
    ASSERT_TRUE(line) << prober.missing();
    EXPECT_EQ(line->size(), static_cast<std::size_t>(c.plies ? std::abs(*c.plies) : 0));
    const reference::Rules rules{reference::Variant::kAntichess};
    reference::Game game(rules, reference::read_fen(rules, c.fen).position);
    for (const Move move : *line) ASSERT_EQ(game.play(uci_of(move)), "") << c.fen;
    if (c.plies) {
      const bool white_won = reading->position.side == (*c.plies >= 0 ? kWhite : kBlack);
      EXPECT_EQ(game.outcome().result, white_won ? "1-0" : "0-1") << c.fen;
    }
  }
  const auto unknown = read_fen("8/8/8/3k4/8/8/4P3/1R6 b - - 0 1", VariantId::antichess);
  EXPECT_FALSE(prober.value(unknown->position));
  EXPECT_NE(prober.missing().find("there is no table RPvK"), std::string::npos) << prober.missing();
}

/// Knights: parity. Bishops of opposite colours: drawn.
TEST_F(TablesTest, KnightsAndBishops) {
  const GenerateRequest r = request(kAntichess, named({"NvN", "BvB"}));
  ASSERT_TRUE(generate(r));
  TableStore store(r.directory, r.rules, u64{1} << 28);
  const auto knights = store.load(*read_material("NvN")), bishops = store.load(*read_material("BvB"));
  for (const Color side : {kWhite, kBlack}) {
    for (u64 cell = 0; cell < knights->layout().cells(); cell++) {
      if (!knights->layout().is_cell(cell)) continue;
      const Layout::Squares s = knights->layout().squares_of(cell);
      const auto color_of = [](Square x) { return (hecatomb::file_of(x) + rank_of(x)) % 2; };
      const bool same = color_of(s[0]) == color_of(s[1]);
      EXPECT_EQ(outcome_of_value(knights->at(side, cell)), same ? 1 : -1);
      if (!same) {
        EXPECT_EQ(bishops->at(side, bishops->layout().some_cell_of(s)), kDraw);
      }
    }
  }
}

TEST_F(TablesTest, MirroredAndWithColoursChanged) {
  const GenerateRequest r = request(kSuicide, named({"PvN", "RvP"}));
  ASSERT_TRUE(generate(r));
  TableStore store(r.directory, r.rules, u64{1} << 28);
  TableProber prober(store);
  Random random(5);
  for (int i = 0; i < 300; i++) {
    const Square a = 8 + random.below(48), b = random.below(64);
    if (a == b) continue;
    Position p{}, mirrored_board{}, changed{};
    const auto set = [](Position& q, Color pawn, Square at, Square knight, Color side) {
      q.men[pawn] = q.pawns = bit(at);
      q.men[other(pawn)] = q.knights = bit(knight);
      q.side = side;
    };
    set(p, kWhite, a, b, kBlack);
    set(mirrored_board, kWhite, a ^ 7, b ^ 7, kBlack);
    set(changed, kBlack, a ^ 56, b ^ 56, kWhite);
    EXPECT_EQ(prober.value(p), prober.value(mirrored_board));
    EXPECT_EQ(prober.value(p), prober.value(changed));
  }
}

/// The small set says of every position, by any number of threads at once, who wins.
TEST_F(TablesTest, WinDrawLossFromMemory) {
  for (const TableRules& rules : {kAntichess, kSuicide}) {
    fs::remove_all(path("tables"));
    GenerateRequest r = request(rules, named({kSanitized ? "KvN" : "KPvP"}));
    r.with_wdl = true;
    ASSERT_TRUE(generate(r));
    TableStore store(r.directory, r.rules, u64{1} << 28);
    const WdlSet set(r.directory, r.rules);
    EXPECT_EQ(set.most_men(), kSanitized ? 2 : 3);
    std::atomic<u64> differences = 0, compared = 0;
    WorkPool pool(3);
    pool.run(r.materials.size(), [&](std::uint64_t index, unsigned) {
      const auto table = store.load(r.materials[index]);
      const Layout& layout = table->layout();
      for (u64 cell = index % 7; cell < layout.cells(); cell += 7) {
        if (!layout.is_cell(cell)) continue;
        const Color side = (cell & 1) != 0 ? kWhite : kBlack;
        const auto outcome = set.probe(position_of_cell(layout, side, cell));
        compared++;
        differences += outcome != outcome_of_value(table->at(side, cell));
      }
    });
    EXPECT_EQ(differences, 0U);
    EXPECT_GT(compared, kSanitized ? 50U : 500U);
    const auto no_table = read_fen("8/8/8/8/8/3q4/2NNN3/1R6 b - - 0 1", rules.variant);
    EXPECT_EQ(set.probe(no_table->position), std::nullopt);
    if (kSanitized) continue;
    // En passant is forced here, and wins for who made the double step; without the right nothing is forced.
    const auto forced = read_fen("8/8/8/8/3pP3/8/8/8 b - e3 0 1", rules.variant);
    EXPECT_EQ(set.probe(forced->position), -1);
    const auto over = read_fen("8/8/8/8/8/8/8/Q7 b - - 0 1", rules.variant);
    EXPECT_EQ(set.probe(over->position), 1);
  }
  EXPECT_THROW(WdlSet(path("nowhere"), kAntichess), EnvironmentError);
}

// ---- Files -------------------------------------------------------------------------------------------------------

TEST_F(TablesTest, SameBytesWhateverTheThreads) {
  const auto bytes_with = [&](unsigned threads) {
    fs::remove_all(path("tables"));
    EXPECT_TRUE(generate(request(kSuicide, named({"RPvK"}), threads)));
    std::string all;
    for (const Material& material : named({"RPvK"})) all += slurp(file_of(material.name()));
    return all;
  };
  EXPECT_EQ(bytes_with(1), bytes_with(3));
}

TEST_F(TablesTest, EveryFlippedBitAndEveryCutIsNoticed) {
  ASSERT_TRUE(generate(request(kAntichess, named({"KvN"}))));
  const std::string whole = slurp(file_of("KvN"));
  const Material material = *read_material("KvN");
  const auto refused = [&] {
    return refusal_of([&] { TableFile(path("f"), material, kAntichess, Metric::dtw).check_all(); }).refusal.has_value();
  };
  spit(path("f"), whole);
  ASSERT_FALSE(refused());
  for (std::size_t i = 0; i < whole.size(); i++) {
    for (int b = 0; b < 8; b += kSanitized ? 5 : 1) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << b));
      spit(path("f"), damaged);
      ASSERT_TRUE(refused()) << "byte " << i << " bit " << b;
    }
    spit(path("f"), whole.substr(0, i));
    ASSERT_TRUE(refused()) << "cut at " << i;
  }
  spit(path("f"), whole + "x");
  EXPECT_TRUE(refused());
}

TEST_F(TablesTest, ForeignFilesAreRefusedByWhatTheyAre) {
  ASSERT_TRUE(generate(request(kSuicide, named({"KvN"}))));
  const auto refused_as = [&](const std::string& name, const TableRules& rules) {
    return refusal_of([&] { TableFile(file_of("KvN"), *read_material(name), rules, Metric::dtw).check_all(); });
  };
  EXPECT_EQ(refused_as("KvN", kSuicide).refusal, std::nullopt);
  const TableRefusal other_variant = refused_as("KvN", kAntichess);
  EXPECT_EQ(other_variant.refusal, Refusal::kVariant);
  EXPECT_NE(other_variant.text.find("KvN.dtw"), std::string::npos);
  EXPECT_NE(other_variant.text.find("for suicide, expected antichess"), std::string::npos) << other_variant.text;
  EXPECT_EQ(refused_as("KvN", kAllRules[2]).refusal, Refusal::kOptions);
  const TableRefusal other_name = refused_as("KvB", kSuicide);  // as damaged as any that generate has to make again
  EXPECT_EQ(other_name.refusal, Refusal::kDamaged);
  EXPECT_NE(other_name.text.find("another table under this name"), std::string::npos) << other_name.text;
  spit(file_of("KvN"), "[Event \"?\"]\n");
  EXPECT_EQ(refused_as("KvN", kSuicide).refusal, Refusal::kNotOurs);
}

TEST_F(TablesTest, GoesOnAfterAKillAndAStop) {
  const std::vector<Material> materials = named({"KBvN", "KQvR"});  // six classes
  ASSERT_TRUE(generate(request(kAntichess, materials, 1)));
  const std::string whole = slurp(file_of("KBvN"));
  fs::remove_all(path("tables"));
  EXPECT_TRUE(killed_by(status_of_child([&] {
                          arm_faults("after-unit:2");
                          generate(request(kAntichess, materials, 1));
                        }),
                        SIGKILL));
  u64 there = 0;
  for (const Material& material : materials) there += fs::exists(file_of(material.name()));
  EXPECT_EQ(there, 2U);
  arm_faults("interrupt-after-unit:4");
  EXPECT_FALSE(generate(request(kAntichess, materials, 1)));
  arm_faults("");
  reset_stop();
  u64 were_there = 0;
  const GenerateRequest r = request(kAntichess, materials, 1);
  EXPECT_TRUE(
      generate_tables(r, plan_generation(r), [&](const GeneratedClass& done) { were_there += done.was_there; }));
  EXPECT_EQ(were_there, 4U);
  EXPECT_EQ(slurp(file_of("KBvN")), whole);
}

TEST_F(TablesTest, MemoryIsStatedAndRefusedBeforehand) {
  GenerateRequest r = request(kAntichess, named({"KQvK"}));
  r.memory_bytes = 1000;
  EXPECT_THROW(plan_generation(r), EnvironmentError);
  r.memory_bytes = u64{1} << 30;
  EXPECT_LE(plan_generation(r).memory_bytes, r.memory_bytes);
}

}  // namespace
}  // namespace hecatomb
