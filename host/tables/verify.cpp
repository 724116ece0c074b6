#include "host/tables/verify.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/random.h"
#include "host/storage/journal.h"
#include "host/tables/table_checker.h"

namespace hecatomb {

namespace {

constexpr u64 kRow = 64;
constexpr u64 kEntriesPerUnit = 256 * kRow;
constexpr u64 kSmallRoomBytes = u64{64} << 20;  // for small tables in memory

/// A number below n, from Philox: the same sample on every machine.
u64 draw(u64 seed, u64 number, u64 n) {
  const PhiloxBlock block = philox4x32_10({{static_cast<u32>(number), static_cast<u32>(number >> 32), 0, 0}},
                                          static_cast<u32>(seed), static_cast<u32>(seed >> 32));
  return mulhi(u64{block.word[0]} << 32 | block.word[1], n);
}

u64 entries_of(const Material& material, u64 sample) { return sample == 0 ? 2 * Layout::cells_of(material) : sample; }

/// The tables that were found right, in a journal: a record is the name, the checksums of the two files (0: there is no
/// small one) and the entries that were looked at, as text.
class VerifyCheckpoint {
 public:
  VerifyCheckpoint(const VerifyTablesRequest& request, const TableRules& rules)
      : journal_(request.checkpoint, header_of(request, rules),
                 [this](std::span<const std::byte> record) { take(record); }) {}

  /// The entries of a table that was found right; nothing if it was not, or its files have changed.
  std::optional<u64> entries_of(const std::string& table) const {
    const auto found = entries_.find(table);
    return found == entries_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(const std::string& table, u64 entries) {
    fault_point("after-unit", journal_.append(bytes_of(table + " " + std::to_string(entries))));
  }

 private:
  static FileHeader header_of(const VerifyTablesRequest& request, const TableRules& rules) {
    FileHeader header = table_header({}, rules, Metric::dtw);
    header.kind = "journal";
    header.job = "table-verify";
    header.params = {{"sample", std::to_string(request.sample)}};
    if (request.sample != 0) header.params["seed"] = std::to_string(request.seed);
    return header;
  }
  void take(std::span<const std::byte> record) {
    std::string text;
    for (const std::byte byte : record) text += static_cast<char>(byte);
    const std::size_t blank = text.rfind(' ');
    if (blank == std::string::npos) throw std::runtime_error("a record of verified tables that is none");
    entries_[text.substr(0, blank)] = std::stoull(text.substr(blank + 1));
  }

  std::map<std::string, u64> entries_;  // by name and checksums
  Journal journal_;
};

/// A run: its tables, one after the other.
class VerifyRun {
 public:
  VerifyRun(const VerifyTablesRequest& request, TableStore& store, WorkPool& pool, const VerifyTablesEvents& events)
      : request_(request),
        store_(store),
        small_(store.directory(), store.rules(), kSmallRoomBytes, Metric::wdl),
        pool_(pool),
        events_(events) {
    if (!request.checkpoint.empty()) checkpoint_.emplace(request, store.rules());
  }

  VerifyTablesReport run() {
    for (const Material& material : request_.materials) {
      try {
        verify(material);
      } catch (const FileRefusedError& error) {
        if (error.refusal() != Refusal::kDamaged) throw;
        refuse(material, error);
      } catch (const MissingTableError& error) {
        refuse(material, error);
      } catch (const StoppedError&) {  // while a table was read
        report_.complete = false;
      }
      if (!report_.complete) break;
    }
    return report_;
  }

 private:
  void refuse(const Material& material, const EnvironmentError& error) {
    report_.refused++;
    events_.on_refused(material, error);
  }

  void verify(const Material& material) {
    const auto file = store_.open(material);
    file->check_all();
    for (const Material& below : materials_below(material)) {  // also where the checkpoint answers
      if (!store_.has_file(below)) throw MissingTableError(store_.directory(), store_.rules(), below);
    }
    const std::unique_ptr<const TableFile> small = small_.has_file(material) ? small_.open(material) : nullptr;
    if (small) small->check_all();
    const std::string name =
        material.name() + " " + std::to_string(file->checksum()) + " " + std::to_string(small ? small->checksum() : 0);
    if (const auto known = checkpoint_ ? checkpoint_->entries_of(name) : std::nullopt) {
      report_.tables++;
      report_.tables_before++;
      report_.entries += *known;
      events_.on_entries(entries_of(material, request_.sample));
      return;
    }
    const u64 differences = report_.differences, entries = report_.entries;
    const auto table = store_.load(material);
    if (!verify_entries(*table)) {
      report_.complete = false;
      return;
    }
    if (small) verify_small_table(*table);
    report_.tables++;
    if (checkpoint_ && report_.differences == differences) checkpoint_->add(name, report_.entries - entries);
  }

  /// False after a Ctrl-C.
  bool verify_entries(const Table& table) {
    const u64 entries = entries_of(table.layout().material(), request_.sample);
    std::vector<std::unique_ptr<TableChecker>> checkers(pool_.threads());
    const RunSummary summary =
        pool_.run((entries + kEntriesPerUnit - 1) / kEntriesPerUnit, [&](std::uint64_t unit, unsigned worker) {
          auto& checker = checkers[worker];
          if (!checker) checker = std::make_unique<TableChecker>(table, store_.rules(), store_.source());
          const u64 begin = unit * kEntriesPerUnit, end = std::min(entries, begin + kEntriesPerUnit);
          const auto looked = request_.sample == 0 ? look_at_rows(table, *checker, begin, end)
                                                   : look_at_sample(table, *checker, begin, end);
          if (!looked) return false;
          const std::scoped_lock lock(reporting_);
          report_.entries += *looked;
          events_.on_entries(end - begin);
          return true;
        });
    return summary.complete();
  }

  /// How many positions the entries are, all of which are looked at; nothing after a Ctrl-C.
  std::optional<u64> look_at_rows(const Table& table, TableChecker& checker, u64 begin, u64 end) {
    const Layout& layout = table.layout();
    u64 looked = 0;
    for (u64 number = begin; number < end; number += kRow) {
      if (stop_requested()) return std::nullopt;
      const Color side = number < layout.cells() ? kWhite : kBlack;
      const u64 row = number % layout.cells();
      for (u64 set = layout.canonical_set(static_cast<u32>(row / kRow)); set != 0; set &= set - 1, looked++)
        look_at(table, checker, side, row | static_cast<u32>(ctz(set)));
    }
    return looked;
  }

  std::optional<u64> look_at_sample(const Table& table, TableChecker& checker, u64 begin, u64 end) {
    const Layout& layout = table.layout();
    u64 looked = 0;
    for (u64 i = begin; i < end; i++) {
      if (stop_requested()) return std::nullopt;
      const u64 number = draw(request_.seed, i, 2 * layout.cells());
      const u64 cell = number % layout.cells();
      if (!layout.is_cell(cell)) continue;
      look_at(table, checker, number < layout.cells() ? kWhite : kBlack, cell);
      looked++;
    }
    return looked;
  }

  void look_at(const Table& table, TableChecker& checker, Color side, u64 cell) {
    const TableValue held = table.at(side, cell), right = checker.value(side, cell);
    if (held == right) return;
    differ(fen_of_cell(table.layout(), side, cell),
           "the table holds " + text_of_value(held) + ", its moves make it " + text_of_value(right));
  }

  void differ(const std::string& fen, const std::string& what) {
    const std::scoped_lock lock(reporting_);
    report_.differences++;
    events_.on_difference(fen, what);
  }

  /// The small table of a class against the large one, whole.
  void verify_small_table(const Table& table) {
    const Layout& layout = table.layout();
    const auto outcomes = small_.load(layout.material());
    for (const Color side : {kWhite, kBlack}) {
      for (u32 row = 0; row < layout.rows().rows(); row++) {
        for (u64 set = layout.canonical_set(row); set != 0; set &= set - 1) {
          const u64 cell = row * kRow + static_cast<u32>(ctz(set));
          const int held = outcome_of_value(outcomes->at(side, cell)), right = outcome_of_value(table.at(side, cell));
          if (held == right) continue;
          constexpr const char* words[] = {"lost", "drawn", "won"};
          differ(fen_of_cell(layout, side, cell),
                 std::string("the small table holds ") + words[held + 1] + ", the large one " + words[right + 1]);
        }
      }
    }
  }

  const VerifyTablesRequest& request_;
  TableStore& store_;
  TableStore small_;
  WorkPool& pool_;
  const VerifyTablesEvents& events_;
  std::optional<VerifyCheckpoint> checkpoint_;
  std::mutex reporting_;  // guards the report while entries are looked at
  VerifyTablesReport report_;
};

}  // namespace

u64 entries_to_verify(const VerifyTablesRequest& request) {
  u64 all = 0;
  for (const Material& material : request.materials) all += entries_of(material, request.sample);
  return all;
}

VerifyTablesReport verify_tables(const VerifyTablesRequest& request, TableStore& store, WorkPool& pool,
                                 const VerifyTablesEvents& events) {
  return VerifyRun(request, store, pool, events).run();
}

}  // namespace hecatomb
