#include "host/tables/verify.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "common/random.h"
#include "host/tables/reference_tables.h"

namespace hecatomb {

namespace {

constexpr std::string_view kLetters = ".PNBRQK";  // by Kind

/// Looks at the entries of one table.
class TableChecker {
 public:
  TableChecker(const Table& table, const TableRules& rules, TableSource tables)
      : table_(table), rules_(reference_rules_of(rules)), tables_(std::move(tables)) {}

  /// What is wrong with an entry; empty if nothing is.
  std::string check(Color side, u64 cell) {
    const reference::Position p = reference_position(table_.layout(), side, cell);
    const TableValue held = table_.at(side, cell), right = value_by_moves(p);
    if (held == right) return {};
    return "the table holds " + text_of_value(held) + ", its moves make it " + text_of_value(right);
  }

 private:
  TableValue value_by_moves(const reference::Position& p) {
    const auto moves = reference::legal_moves(rules_, p);
    if (moves.empty()) return value_of_end(p);
    TableValue best = kNoValue;
    for (const reference::Move& move : moves)
      best = std::max(best, before_move(value_after(reference::make_move(p, move))));
    return best;
  }

  TableValue value_of_end(const reference::Position& p) const {
    const std::string result = reference::outcome(rules_, p).result;
    if (result == "1/2-1/2") return kDraw;
    return (result == "1-0") == p.white_to_move ? win_in(0) : loss_in(0);
  }

  /// The entry of a position. One with an en passant possibility has none: it is as good as its best move, a capture.
  TableValue value_after(const reference::Position& p) {
    if (p.ep_square >= 0) {
      const auto moves = reference::legal_moves(rules_, p);
      if (std::any_of(moves.begin(), moves.end(), [](const auto& move) { return move.en_passant; }))
        return value_by_moves(p);
    }
    MaterialKey key = 0;
    for (const char man : p.board) {
      if (man != '.') key += key_of(man);
    }
    const bool swapped = !is_oriented(key);
    const auto material = material_of_key(swapped ? colors_changed(key) : key);
    if (!material) return value_of_end(p);
    const Table& table = table_of(*material);
    const Color side = p.white_to_move == swapped ? kBlack : kWhite;
    return table.at(side, table.layout().some_cell_of(squares_of(p, *material, swapped)));
  }

  static MaterialKey key_of(char man) {
    const bool white = man < 'a';
    const auto kind = kLetters.find(white ? man : static_cast<char>(man - 'a' + 'A'));
    return material_key_of(white ? kWhite : kBlack, static_cast<Kind>(kind));
  }

  static Layout::Squares squares_of(const reference::Position& p, const Material& material, bool swapped) {
    Layout::Squares squares{};
    std::array<bool, kMostTableMen> placed{};
    for (int s = 0; s < 64; s++) {
      const char man = p.board[static_cast<std::size_t>(s)];
      if (man == '.') continue;
      for (int m = 0; m < material.men; m++) {
        const std::size_t i = Material::index(m);
        const Color color = swapped ? other(material.color(m)) : material.color(m);
        if (placed[i] || key_of(man) != material_key_of(color, material.kinds[i])) continue;
        placed[i] = true;
        squares[i] = swapped ? s ^ 56 : s;
        break;
      }
    }
    return squares;
  }

  const Table& table_of(const Material& material) {
    if (material == table_.layout().material()) return table_;
    auto& held = held_[material.key()];
    if (!held) held = tables_(material);
    return *held;
  }

  const Table& table_;
  reference::Rules rules_;
  TableSource tables_;
  std::map<MaterialKey, std::shared_ptr<const Table>> held_;
};

constexpr u64 kEntriesPerUnit = 1 << 14;
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
  const RunSummary summary =
      pool.run((entries + kEntriesPerUnit - 1) / kEntriesPerUnit, [&](std::uint64_t unit, unsigned) {
        TableChecker checker(*table, store.rules(), store.source());
        u64 looked = 0;
        const u64 begin = unit * kEntriesPerUnit, end = std::min(entries, begin + kEntriesPerUnit);
        for (u64 i = begin; i < end; i++) {
          if (stop_requested()) return false;
          const u64 number = request.sample == 0 ? i : draw(request.seed, i, all);
          const Color side = number < layout.cells() ? kWhite : kBlack;
          const u64 cell = number % layout.cells();
          if (!layout.is_cell(cell)) continue;
          if (request.sample == 0 && layout.canonical(cell) != cell) continue;
          looked++;
          const std::string what = checker.check(side, cell);
          if (what.empty()) continue;
          const std::scoped_lock lock(reporting);
          report.differences++;
          events.on_difference(fen_of_cell(layout, side, cell), what);
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
