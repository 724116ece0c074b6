// Every position of up to three men against the reference's own solver, under every rule option; and verified.
#include <gtest/gtest.h>

#include <string>

#include "host/tables/reference_tables.h"
#include "host/tables/verify.h"
#include "tests/support/table_fixture.h"

namespace hecatomb {
namespace {

class TablesSlowTest : public TableTest {};

TEST_F(TablesSlowTest, ThreeMenAreTheReferencesAndVerify) {
  const TableRules all_rules[] = {{VariantId::antichess, {}},
                                  {VariantId::suicide, {}},
                                  {VariantId::suicide, {.restricted_ep = true, .stalemated_wins = true}}};
  for (const TableRules& rules : all_rules) {
    fs::remove_all(path("tables"));
    std::string differences;
    const auto on_difference = [&](const std::string& fen, const std::string& what) {
      differences.append(fen).append(": ").append(what).append("\n");
    };
    GenerateRequest three_men = request(rules, materials_up_to(3), 0);
    three_men.solver = checking_solver(solve_by_sets, reference_solver(rules), on_difference);
    ASSERT_TRUE(generate(three_men));
    EXPECT_EQ(differences, "");
    TableStore store(three_men.directory, rules, u64{1} << 28);
    WorkPool pool;
    const VerifyTablesReport report = verify_tables(
        {.materials = three_men.materials}, store, pool,
        {.on_difference = on_difference,
         .on_refused = [&](const Material&, const EnvironmentError& error) { differences.append(error.what()); }});
    EXPECT_EQ(report.differences + report.refused, 0U) << differences;
    EXPECT_GT(report.entries, 12'000'000U);
  }
}

}  // namespace
}  // namespace hecatomb
