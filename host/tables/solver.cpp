#include "host/tables/solver.h"

#include <algorithm>

#include "host/tables/cells.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::size_t kRowsInWord = 64;
/// A row with new wins whose moves are taken back costs as much as looking at so many rows.
constexpr std::size_t kLooksPerPush = 12;

/// Sets by row, and the rows where they are not empty.
struct Front {
  std::vector<u64> sets;
  std::vector<u32> rows;
  void add(u32 row, u64 set) {
    if (set == 0) return;
    if (sets[row] == 0) rows.push_back(row);
    sets[row] |= set;
  }
  void clear() {
    for (const u32 row : rows) sets[row] = 0;
    rows.clear();
  }
};
using Fronts = std::array<Front, 2>;

template <class Code>
class Solver {
 public:
  Solver(const Material& material, const TableRules& rules, const TableSource& tables)
      : layout_(material), start_(layout_, rules, tables), reader_(start_.reader()), codes_(start_.codes()) {}

  std::optional<SolvedTable> run() {
    if (!start_.run(sides_)) return std::nullopt;
    const u32 rows = layout_.rows().rows();
    for (Fronts* fronts : {&wins_, &losses_, &next_wins_, &next_losses_, &marks_}) {
      for (Front& front : *fronts) front.sets.assign(rows, 0);
    }
    for (const Color side : {kWhite, kBlack}) {
      won_[side].assign(rows, 0);
      sacrifices_[side].assign(rows, 0);
    }
    note_known();
    if (!run_levels()) return std::nullopt;
    return result();
  }

 private:
  void note_known();
  void note_known(Color us, u32 row);
  bool run_levels();
  bool is_idle() const;
  void take_known(int depth);
  void find_losses(int depth);
  void find_wins(int depth);
  void settle(Color side, u32 row, u64 set, Code code);
  void push(Color parent, u32 row, u64 set, const std::vector<u64>& wanted);
  void look_at(Color us, u32 row, u64 cells, int depth);
  u64 lost_for_sure(Color side, u32 row, u64 cells, int depth) const;
  u64 known_losses(Color side, u32 row, u64 cells, int depth) const;
  SolvedTable result();

  /// Calls f(row) for the rows in which a side has a cell with this code that was known beforehand.
  template <class F>
  void each_known(Color side, Code code, F&& f) const {
    const std::vector<u64>& words = known_[side][code];
    for (std::size_t i = 0; i < words.size(); i++) {
      for (u64 word = words[i]; word != 0; word &= word - 1)
        f(static_cast<u32>(i * kRowsInWord) + static_cast<u32>(ctz(word)));
    }
  }

  Layout layout_;
  SolverStart<Code> start_;
  const RowReader& reader_;
  const ValueCode<Code> codes_;
  SolverSides<Code> sides_;
  std::array<std::vector<u64>, 2> won_, sacrifices_;
  std::array<std::vector<u64>, 2> may_lose_;            // open cells without a move that wins or draws for sure
  std::array<std::vector<std::vector<u64>>, 2> known_;  // by side and code: bits of rows; see each_known()
  int longest_known_ = 0;
  Fronts wins_, losses_;            // of the level before
  Fronts next_wins_, next_losses_;  // of this level; losses only where the opponent need not capture
  Fronts marks_;                    // cells with a move to what was found
};

template <class Code>
void Solver<Code>::note_known() {
  for (const Color us : {kWhite, kBlack}) {
    known_[us].resize(std::size_t{codes_.kTop} + 1);
    may_lose_[us] = sides_[us].open;
    for (u32 row = 0; row < layout_.rows().rows(); row++) note_known(us, row);
  }
}

/// Losses with a capture are done with: who moves there has them as a sacrifice.
template <class Code>
void Solver<Code>::note_known(Color us, u32 row) {
  const SolverSide<Code>& side = sides_[us];
  const Code* codes = side.row(row);
  const u64 high = cells::high_bits(codes);
  may_lose_[us][row] &= ~(side.partial[row] & high);
  u64 left =
      (side.closed[row] | side.partial[row]) & ~(side.captures[row] & ~high) & ~cells::equal(codes, codes_.kDrawn);
  while (left != 0) {
    const Code code = codes[ctz(left)];
    std::vector<u64>& rows = known_[us][code];
    if (rows.empty()) {
      rows.assign(layout_.rows().rows() / kRowsInWord + 1, 0);
      longest_known_ = std::max(longest_known_, plies_of(codes_.value(code)));
    }
    rows[row / kRowsInWord] |= u64{1} << (row % kRowsInWord);
    left &= ~cells::equal(codes, code);
  }
}

template <class Code>
bool Solver<Code>::is_idle() const {
  return std::all_of(wins_.begin(), wins_.end(), [](const Front& front) { return front.rows.empty(); }) &&
         std::all_of(losses_.begin(), losses_.end(), [](const Front& front) { return front.rows.empty(); });
}

template <class Code>
bool Solver<Code>::run_levels() {
  for (int depth = 0; depth <= longest_known_ || !is_idle(); depth++) {
    if (stop_requested()) return false;
    if (depth > codes_.most_plies()) throw CodesTooShortError{};
    take_known(depth);
    find_losses(depth);
    find_wins(depth);
    for (const Color side : {kWhite, kBlack}) {
      for (const u32 row : next_wins_[side].rows) won_[side][row] |= next_wins_[side].sets[row];
      wins_[side].clear();
      losses_[side].clear();
      std::swap(wins_[side], next_wins_[side]);
      std::swap(losses_[side], next_losses_[side]);
    }
  }
  return true;
}

/// What was known beforehand: closed cells become new wins and losses at their depth, open ones with a move that wins
/// for sure are won by it now unless they were before; those with a losing one are looked at.
template <class Code>
void Solver<Code>::take_known(int depth) {
  for (const Color us : {kWhite, kBlack}) {
    SolverSide<Code>& side = sides_[us];
    const Code won = codes_.win(depth), lost = codes_.loss(depth);
    if (plies_of(codes_.value(won)) == depth) {
      each_known(us, won, [&](u32 row) {
        const u64 set = cells::equal(side.row(row), won);
        const u64 now = set & side.partial[row] & side.open[row];
        next_wins_[us].add(row, (set & side.closed[row]) | now);
        sacrifices_[us][row] |= now & side.sacrifices[row];
        side.open[row] &= ~now;
      });
    }
    if (plies_of(codes_.value(lost)) == depth) {
      each_known(us, lost, [&](u32 row) {
        const u64 set = cells::equal(side.row(row), lost);
        next_losses_[us].add(row, set & side.closed[row] & ~side.captures[row]);
        marks_[us].add(row, set & side.partial[row] & may_lose_[us][row]);
      });
    }
  }
}

template <class Code>
void Solver<Code>::find_losses(int depth) {
  const u32 rows = layout_.rows().rows();
  for (const Color us : {kWhite, kBlack}) {
    const Front& won = wins_[other(us)];
    if (kLooksPerPush * won.rows.size() > rows) {
      for (u32 row = 0; row < rows; row++) look_at(us, row, may_lose_[us][row], depth);
    } else {
      for (const u32 row : won.rows) push(us, row, won.sets[row], may_lose_[us]);
      for (const u32 row : marks_[us].rows) look_at(us, row, marks_[us].sets[row], depth);
    }
    marks_[us].clear();
  }
}

template <class Code>
void Solver<Code>::look_at(Color us, u32 row, u64 cells, int depth) {
  const u64 lost = lost_for_sure(us, row, cells, depth);
  if (lost == 0) return;
  next_losses_[us].add(row, lost);
  settle(us, row, lost, codes_.loss(depth));
}

template <class Code>
void Solver<Code>::find_wins(int depth) {
  for (const Color us : {kWhite, kBlack}) {
    const Front& lost = losses_[other(us)];
    for (const u32 row : lost.rows) push(us, row, lost.sets[row], sides_[us].open);
    for (const u32 row : marks_[us].rows) {
      const u64 won = marks_[us].sets[row];
      next_wins_[us].add(row, won);
      settle(us, row, won, codes_.win(depth));
    }
    marks_[us].clear();
  }
}

template <class Code>
void Solver<Code>::settle(Color side, u32 row, u64 set, Code code) {
  sides_[side].open[row] &= ~set;
  may_lose_[side][row] &= ~set;
  cells::put(sides_[side].row(row), code, set);
}

/// Marks the cells of `wanted` of the side `parent` from which a quiet move leads to a cell of `set` in `row`.
template <class Code>
void Solver<Code>::push(Color parent, u32 row, u64 set, const std::vector<u64>& wanted) {
  Front& marks = marks_[parent];
  reader_.origins(reader_.view(row), parent, set, wanted, [&](u32 before, u64 cells) { marks.add(before, cells); });
}

/// Of `cells`, open ones of `side`, those from which every move leads to a win of the opponent in less than `depth`.
template <class Code>
u64 Solver<Code>::lost_for_sure(Color side, u32 row, u64 cells, int depth) const {
  if ((cells & sides_[side].partial[row]) != 0) cells = known_losses(side, row, cells, depth);
  if (cells == 0) return 0;
  const RowView v = reader_.view(row);
  const std::vector<u64>& won = won_[other(side)];
  const RowMap& rows = layout_.rows();
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
  if (cells != 0 && reader_.last().color == side) cells &= ~reader_.last_origins(v, v.valid & ~won[row]);
  return cells;
}

/// Without the cells in which a move out of the class does better than a loss in `depth`.
template <class Code>
u64 Solver<Code>::known_losses(Color side, u32 row, u64 cells, int depth) const {
  const Code* codes = sides_[side].row(row);
  for (u64 known = cells & sides_[side].partial[row]; known != 0; known &= known - 1) {
    if (codes[ctz(known)] > codes_.loss(depth)) cells &= ~(known & (~known + 1));
  }
  return cells;
}

template <class Code>
SolvedTable Solver<Code>::result() {
  for (SolverSide<Code>& side : sides_) {
    for (u32 row = 0; row < layout_.rows().rows(); row++) {
      if (side.open[row] != 0) cells::put(side.row(row), codes_.kDrawn, side.open[row]);
    }
  }
  auto table = std::make_shared<const Table>(table_of_codes(layout_, codes_, {sides_[0].codes, sides_[1].codes}));
  return {std::move(table),
          {std::move(sides_[0].captures), std::move(sides_[1].captures)},
          {std::move(sacrifices_[0]), std::move(sacrifices_[1])},
          {std::move(sides_[0].given), std::move(sides_[1].given)}};
}

template <class Code>
std::optional<SolvedTable> solve_with(const Material& material, const TableRules& rules, const TableSource& tables) {
  return Solver<Code>(material, rules, tables).run();
}

}  // namespace

std::optional<SolvedTable> solve_by_sets(const Material& material, const TableRules& rules, const TableSource& tables) {
  try {
    return solve_with<u8>(material, rules, tables);
  } catch (const CodesTooShortError&) {
    return solve_with_long_codes(material, rules, tables);
  }
}

std::optional<SolvedTable> solve_with_long_codes(const Material& material, const TableRules& rules,
                                                 const TableSource& tables) {
  return solve_with<u16>(material, rules, tables);
}

std::uint64_t solver_memory_bytes(const Material& material) {
  constexpr std::uint64_t sets_by_row = 6 + 3 + 5;   // of SolverSide; won_, sacrifices_, may_lose_; the fronts
  constexpr std::uint64_t known_bytes_by_row = 100;  // known_: a bit for each code that occurs, and rows of fronts
  const std::uint64_t rows = Layout::cells_of(material) / 64;
  const std::uint64_t by_row =
      2 * 64 /* codes and gifts, then codes and table */ + sets_by_row * 8 + known_bytes_by_row;
  return 2 * rows * by_row + CaptureWorth<u8>::memory_bytes(material);
}

}  // namespace hecatomb
