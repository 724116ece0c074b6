#include "host/tables/solver.h"

#include <algorithm>

#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::uint64_t kSetsPerRow = 4 + 2 + 5;  // of SolverSide, won_ and sacrifices_, the fronts

}  // namespace

Solver::Solver(const Material& material, const TableRules& rules, const TableSource& tables)
    : layout_(material), start_(layout_, rules, tables), reader_(start_.reader()) {}

std::uint64_t Solver::memory_bytes(const Material& material) {
  const std::uint64_t rows = Layout(material).rows().rows();
  const std::uint64_t by_row = 64 * sizeof(TableValue) + kSetsPerRow * sizeof(u64) + 64 /* codes */ + 16 /* lists */;
  return 2 * rows * by_row;
}

std::optional<Table> Solver::run() {
  if (!start_.run(sides_)) return std::nullopt;
  const u32 rows = layout_.rows().rows();
  for (Fronts* fronts : {&wins_, &losses_, &next_wins_, &next_losses_, &marks_}) {
    for (Front& front : *fronts) front.sets.assign(rows, 0);
  }
  for (auto& won : won_) won.assign(rows, 0);
  for (auto& set : sacrifices_) set.assign(rows, 0);
  sort_by_depth();
  if (!run_levels()) return std::nullopt;
  for (SolverSide& side : sides_) {
    for (u32 row = 0; row < rows; row++) {
      for (u64 open = side.open[row]; open != 0; open &= open - 1)
        side.values[u64{row} << 6 | static_cast<u32>(ctz(open))] = kDraw;
    }
  }
  return Table(layout_.material(), {sides_[0].values, sides_[1].values});
}

void Solver::sort_by_depth() {
  for (const Color us : {kWhite, kBlack}) {
    const SolverSide& side = sides_[us];
    for (u32 row = 0; row < layout_.rows().rows(); row++) {
      const TableValue* values = &side.values[u64{row} << 6];
      for (u64 known = side.closed[row] | side.partial[row]; known != 0; known &= known - 1) {
        const Square x = ctz(known);
        if (values[x] == kDraw) continue;
        const auto depth = static_cast<std::size_t>(plies_of(values[x]));
        if (depth >= by_depth_.size()) by_depth_.resize(depth + 1);
        std::vector<Known>& list = by_depth_[depth];
        if (list.empty() || list.back().row != row || list.back().side != us) list.push_back({row, us, 0, 0});
        (values[x] > 0 ? list.back().won : list.back().lost) |= bit(x);
      }
    }
  }
}

bool Solver::run_levels() {
  for (int depth = 0;; depth++) {
    if (stop_requested()) return false;
    take_known(depth);
    find_losses(depth);
    find_wins(depth);
    bool any = static_cast<std::size_t>(depth) + 1 < by_depth_.size();
    for (const Color side : {kWhite, kBlack}) {
      for (const u32 row : next_wins_[side].rows) won_[side][row] |= next_wins_[side].sets[row];
      any = any || !next_wins_[side].rows.empty() || !next_losses_[side].rows.empty();
      wins_[side].clear();
      losses_[side].clear();
      std::swap(wins_[side], next_wins_[side]);
      std::swap(losses_[side], next_losses_[side]);
    }
    if (!any) return true;
  }
}

/// What was known beforehand: closed cells become new wins and losses at their depth, open ones with a winning move
/// out of the class are won by it now unless they were before; those with a losing one are looked at.
void Solver::take_known(int depth) {
  if (static_cast<std::size_t>(depth) >= by_depth_.size()) return;
  for (const auto& [row, us, won, lost] : by_depth_[static_cast<std::size_t>(depth)]) {
    SolverSide& side = sides_[us];
    next_wins_[us].add(row, won & side.closed[row]);
    next_losses_[us].add(row, lost & side.closed[row]);
    const u64 partial = side.open[row] & side.partial[row];
    if (partial == 0) continue;
    next_wins_[us].add(row, won & partial);
    settle(us, row, won & partial, win_in(depth));
    marks_[us].add(row, lost & partial);
  }
}

void Solver::find_losses(int depth) {
  for (const Color us : {kWhite, kBlack}) {
    for (const u32 row : wins_[other(us)].rows) push(us, row, wins_[other(us)].sets[row]);
    for (const u32 row : marks_[us].rows) {
      const u64 lost = lost_for_sure(us, row, marks_[us].sets[row] & sides_[us].open[row], depth);
      if (lost == 0) continue;
      next_losses_[us].add(row, lost);
      settle(us, row, lost, loss_in(depth));
    }
    marks_[us].clear();
  }
}

/// Moves into positions where the opponent must capture go first, so that these wins are known as sacrifices.
void Solver::find_wins(int depth) {
  for (const Color us : {kWhite, kBlack}) {
    const Color them = other(us);
    for (const bool sacrifice : {true, false}) {
      for (const u32 row : losses_[them].rows) {
        const u64 captures = sides_[them].captures[row];
        push(us, row, losses_[them].sets[row] & (sacrifice ? captures : ~captures));
      }
      for (const u32 row : marks_[us].rows) {
        const u64 won = marks_[us].sets[row] & sides_[us].open[row];
        next_wins_[us].add(row, won);
        settle(us, row, won, win_in(depth));
        if (sacrifice) sacrifices_[us][row] |= won;
      }
      marks_[us].clear();
    }
  }
}

void Solver::settle(Color side, u32 row, u64 set, TableValue value) {
  sides_[side].open[row] &= ~set;
  TableValue* values = &sides_[side].values[u64{row} << 6];
  for (; set != 0; set &= set - 1) values[ctz(set)] = value;
}

/// Marks the open cells of the side `parent` from which a quiet move leads to a cell of `set` in `row`.
void Solver::push(Color parent, u32 row, u64 set) {
  if (set == 0) return;
  Front& marks = marks_[parent];
  reader_.origins(reader_.view(row), parent, set, sides_[parent].open,
                  [&](u32 before, u64 cells) { marks.add(before, cells); });
}

/// Of `cells`, open ones of `side`, those from which every move leads to a win of the opponent in less than `depth`.
u64 Solver::lost_for_sure(Color side, u32 row, u64 cells, int depth) const {
  if ((cells & sides_[side].partial[row]) != 0) cells = known_losses(side, row, cells, depth);
  if (cells == 0) return 0;
  const RowView v = reader_.view(row);
  const std::vector<u64>& won = won_[other(side)];
  const RowMap& rows = layout_.rows();
  if (reader_.last().color == side) cells &= ~reader_.last_origins(v, v.valid & ~won[row]);
  for (int m = 0; m < reader_.row_men() && cells != 0; m++) {
    const RowReader::Man& mover = reader_.man(m);
    if (mover.color != side) continue;
    const Square from = v.at[Material::index(m)];
    reader_.quiet_moves(v, m, [&](Square to, u64 possible) {
      if ((cells & possible) == 0) return;
      const u32 entry = rows.entry(v.index ^ static_cast<u32>(from ^ to) << mover.shift);
      const u64 safe = ~symmetric_set(inverse(static_cast<Symmetry>(entry & 7)), won[entry >> 3]);
      cells &= ~(safe & possible);
    });
  }
  return cells;
}

/// Without the cells in which a move out of the class does better than a loss in `depth`.
u64 Solver::known_losses(Color side, u32 row, u64 cells, int depth) const {
  const TableValue* values = &sides_[side].values[u64{row} << 6];
  for (u64 known = cells & sides_[side].partial[row]; known != 0; known &= known - 1) {
    if (values[ctz(known)] > loss_in(depth)) cells &= ~(known & (~known + 1));
  }
  return cells;
}

}  // namespace hecatomb
