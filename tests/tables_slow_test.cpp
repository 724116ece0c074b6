// Every position of up to three men against the reference's own solver, under every rule option; and verified.
#include <gtest/gtest.h>

#include <string>

#include "host/tables/reference_tables.h"
#include "host/tables/verify.h"
#include "tests/support/storage_fixture.h"

namespace hecatomb {
namespace {

class TablesSlowTest : public StorageTest {};

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
    const GenerateRequest request{.directory = path("tables"),
                                  .rules = rules,
                                  .materials = materials_up_to(3),
                                  .memory_bytes = u64{1} << 30,
                                  .solver = checking_solver(solve_by_sets, reference_solver(rules), on_difference)};
    ASSERT_TRUE(generate_tables(request, plan_generation(request), [](const GeneratedClass&) {}));
    EXPECT_EQ(differences, "");
    TableStore store(request.directory, rules, u64{1} << 28);
    WorkPool pool;
    const VerifyTablesReport report =
        verify_tables({.materials = request.materials}, store, pool, on_difference, [](const Material&, u64) {});
    EXPECT_EQ(report.differences, 0U) << differences;
    EXPECT_GT(report.entries, 12'000'000U);
  }
}

}  // namespace
}  // namespace hecatomb
