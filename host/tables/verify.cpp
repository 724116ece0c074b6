#include "host/tables/verify.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "common/random.h"
#include "host/tables/table_checker.h"

namespace hecatomb {

namespace {

constexpr u64 kEntriesPerUnit = 1 << 14;        // whole rows
constexpr u64 kSmallRoomBytes = u64{64} << 20;  // for small tables in memory

/// A number below n, from Philox: the same sample on every machine.
u64 draw(u64 seed, u64 number, u64 n) {
  const PhiloxBlock block = philox4x32_10({{static_cast<u32>(number), static_cast<u32>(number >> 32), 0, 0}},
                                          static_cast<u32>(seed), static_cast<u32>(seed >> 32));
  return mulhi(u64{block.word[0]} << 32 | block.word[1], n);
}

}  // namespace

u64 entries_to_verify(const VerifyTablesRequest& request) {
  u64 all = 0;
  for (const Material& material : request.materials)
    all += request.sample == 0 ? 2 * Layout::cells_of(material) : request.sample;
  return all;
}

namespace {

/// The small table of a class against the large one, whole. Throws as verify_tables().
void verify_small_table(const Table& table, TableStore& small, const VerifyTablesEvents& events,
                        VerifyTablesReport& report) {
  const Layout& layout = table.layout();
  small.open(layout.material())->check_all();
  const auto outcomes = small.load(layout.material());
  for (const Color side : {kWhite, kBlack}) {
    for (u64 cell = 0; cell < layout.cells(); cell++) {
      if (!layout.is_cell(cell) || layout.canonical(cell) != cell) continue;
      const int held = outcome_of_value(outcomes->at(side, cell)), right = outcome_of_value(table.at(side, cell));
      if (held == right) continue;
      report.differences++;
      constexpr const char* words[] = {"lost", "drawn", "won"};
      events.on_difference(fen_of_cell(layout, side, cell), std::string("the small table holds ") + words[held + 1] +
                                                                ", the large one " + words[right + 1]);
    }
  }
}

/// One table, and the small one of its class if there is one; adds to the report. Throws as verify_tables(), also for a
/// damaged file.
void verify_table(const VerifyTablesRequest& request, const Material& material, TableStore& store, TableStore& small,
                  WorkPool& pool, const VerifyTablesEvents& events, VerifyTablesReport& report) {
  store.open(material)->check_all();
  const auto table = store.load(material);
  const Layout& layout = table->layout();
  const u64 all = 2 * layout.cells(), entries = request.sample == 0 ? all : request.sample;
  std::mutex reporting;
  std::vector<std::unique_ptr<TableChecker>> checkers(pool.threads());
  const RunSummary summary =
      pool.run((entries + kEntriesPerUnit - 1) / kEntriesPerUnit, [&](std::uint64_t unit, unsigned worker) {
        auto& checker = checkers[worker];
        if (!checker) checker = std::make_unique<TableChecker>(*table, store.rules(), store.source());
        u64 looked = 0;
        const auto look_at = [&](Color side, u64 cell) {
          looked++;
          const TableValue held = table->at(side, cell), right = checker->value(side, cell);
          if (held == right) return;
          const std::scoped_lock lock(reporting);
          report.differences++;
          events.on_difference(fen_of_cell(layout, side, cell), "the table holds " + text_of_value(held) +
                                                                    ", its moves make it " + text_of_value(right));
        };
        const u64 begin = unit * kEntriesPerUnit, end = std::min(entries, begin + kEntriesPerUnit);
        if (request.sample == 0) {
          for (u64 number = begin; number < end; number += 64) {
            if (stop_requested()) return false;
            const Color side = number < layout.cells() ? kWhite : kBlack;
            const u64 row = number % layout.cells();
            for (u64 set = layout.canonical_set(static_cast<u32>(row >> 6)); set != 0; set &= set - 1)
              look_at(side, row | static_cast<u32>(ctz(set)));
          }
        } else {
          for (u64 i = begin; i < end; i++) {
            if (stop_requested()) return false;
            const u64 number = draw(request.seed, i, all);
            const u64 cell = number % layout.cells();
            if (layout.is_cell(cell)) look_at(number < layout.cells() ? kWhite : kBlack, cell);
          }
        }
        const std::scoped_lock lock(reporting);
        report.entries += looked;
        events.on_entries(end - begin);
        return true;
      });
  report.complete = summary.complete();
  if (report.complete && small.has_file(material)) verify_small_table(*table, small, events, report);
  report.tables += report.complete ? 1 : 0;
}

}  // namespace

VerifyTablesReport verify_tables(const VerifyTablesRequest& request, TableStore& store, WorkPool& pool,
                                 const VerifyTablesEvents& events) {
  VerifyTablesReport report;
  TableStore small(store.directory(), store.rules(), kSmallRoomBytes, Metric::wdl);
  for (const Material& material : request.materials) {
    try {
      verify_table(request, material, store, small, pool, events, report);
    } catch (const FileRefusedError& error) {
      if (error.refusal() != Refusal::kDamaged) throw;
      report.refused++;
      events.on_refused(material, error);
    }
    if (!report.complete) break;
  }
  return report;
}

}  // namespace hecatomb
