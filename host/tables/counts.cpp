#include "host/tables/counts.h"

#include <algorithm>
#include <utility>

#include "host/notation/fen.h"

namespace hecatomb {

namespace {

std::size_t at(CountUnit unit) { return static_cast<std::size_t>(unit); }

void add(UnitCounts& to, const UnitCounts& what) {
  for (std::size_t i = 0; i < what.size(); i++) to[i] += what[i];
}

std::string histogram(const SideCounts& counts, CountUnit unit, int outcome) {
  std::map<int, u64> by_plies;
  for (const auto& [value, count] : counts.by_value) {
    if (outcome_of_value(value) == outcome && count[at(unit)] != 0) by_plies[plies_of(value)] = count[at(unit)];
  }
  std::string text;
  for (const auto& [plies, count] : by_plies)
    text.append(text.empty() ? "" : ",").append(std::to_string(plies)).append(":").append(std::to_string(count));
  return text;
}

/// -1 where there is none.
int longest(const SideCounts& counts, int outcome) {
  int plies = -1;
  for (const auto& entry : counts.by_value) {
    if (outcome_of_value(entry.first) == outcome) plies = std::max(plies, plies_of(entry.first));
  }
  return plies;
}

/// Weights of a cell in every unit.
UnitCounts weights_of(const Layout& layout, u64 cell) {
  const Layout::Weight weight = layout.weight(cell);
  return {static_cast<u64>(weight.labelled_orbits), static_cast<u64>(weight.placements), 1};
}

/// Whether some symmetry can keep a position of the row, so that its cells must be weighed one by one.
bool may_be_symmetric(const Layout& layout, u32 row) {
  return layout.rows().stabilizer(row) != 0 || layout.last_has_like();
}

/// Counts while cells are looked at.
class CountTable {
 public:
  explicit CountTable(const Table& table) : table_(table) {
    for (Side& side : sides_) {
      side.by_code.resize(table.values().size());
      for (auto& lane : side.plain) lane.assign(table.values().size(), 0);
    }
  }

  /// A row none of whose positions is its own mirror image: all weigh the same.
  void plain_row(u32 row, u64 valid, const std::array<u64, 2>& captures) {
    if (valid == 0) return;
    const u64 first = u64{row} << 6;
    if (!plain_weights_) plain_weights_ = weights_of(table_.layout(), first | static_cast<u32>(ctz(valid)));
    for (const Color color : {kWhite, kBlack}) {
      Side& side = sides_[color];
      // Cells without a position count as what they are: code 0, which is left out. Lanes, as equal codes in a row
      // would otherwise wait for each other.
      for (u32 x = 0; x < 64; x++) side.plain[x % kLanes][table_.code_at(color, first | x)]++;
      side.plain_captures += static_cast<u64>(popcount(captures[color] & valid));
    }
  }

  void cell(u64 cell, const std::array<u64, 2>& captures) {
    const UnitCounts weights = weights_of(table_.layout(), cell);
    for (const Color color : {kWhite, kBlack}) {
      Side& side = sides_[color];
      add(side.by_code[table_.code_at(color, cell)], weights);
      if ((captures[color] >> (cell & 63) & 1) != 0) add(side.captures, weights);
    }
  }

  TableCounts result() const { return {result_of(kWhite), result_of(kBlack)}; }

 private:
  static constexpr std::size_t kLanes = 4;
  struct Side {
    std::vector<UnitCounts> by_code;
    std::array<std::vector<u64>, kLanes> plain;  // by code: cells of plain weight
    UnitCounts captures{};
    u64 plain_captures = 0;
  };

  SideCounts result_of(Color color) const {
    const Side& side = sides_[color];
    const UnitCounts weights = plain_weights_.value_or(UnitCounts{});
    SideCounts counts{
        .capture_positions = side.captures, .by_value = {}, .longest_win_cell = {}, .longest_loss_cell = {}};
    for (std::size_t i = 0; i < weights.size(); i++) counts.capture_positions[i] += side.plain_captures * weights[i];
    for (std::size_t code = 1; code < side.by_code.size(); code++) {
      u64 plain = 0;
      for (const auto& lane : side.plain) plain += lane[code];
      UnitCounts sum = side.by_code[code];
      for (std::size_t i = 0; i < weights.size(); i++) sum[i] += plain * weights[i];
      if (sum[static_cast<std::size_t>(CountUnit::merged)] != 0) counts.by_value[table_.values()[code]] = sum;
    }
    counts.longest_win_cell = first_cell(color, longest(counts, 1), 1);
    counts.longest_loss_cell = first_cell(color, longest(counts, -1), -1);
    return counts;
  }

  /// The first cell with a value, canonical as the first always is; nothing for -1 plies.
  std::optional<u64> first_cell(Color color, int plies, int outcome) const {
    if (plies < 0) return std::nullopt;
    const auto& values = table_.values();
    const auto found = std::find(values.begin(), values.end(), outcome > 0 ? win_in(plies) : loss_in(plies));
    const auto code = static_cast<u32>(found - values.begin());
    for (u64 cell = 0; cell < table_.layout().cells(); cell++) {
      if (table_.code_at(color, cell) == code) return cell;
    }
    return std::nullopt;
  }

  const Table& table_;
  std::array<Side, 2> sides_;
  std::optional<UnitCounts> plain_weights_;
};

}  // namespace

u64 SideCounts::positions(CountUnit unit) const { return total(unit, 1) + total(unit, 0) + total(unit, -1); }

u64 SideCounts::total(CountUnit unit, int outcome) const {
  u64 sum = 0;
  for (const auto& [value, count] : by_value) sum += outcome_of_value(value) == outcome ? count[at(unit)] : 0;
  return sum;
}

TableCounts count_table(const Table& table, const std::array<const std::vector<u64>*, 2>& captures) {
  const Layout& layout = table.layout();
  CountTable counting(table);
  for (u32 row = 0; row < layout.rows().rows(); row++) {
    const std::array<u64, 2> in_row = {(*captures[0])[row], (*captures[1])[row]};
    const u64 canonical = layout.canonical_set(row);
    if (!may_be_symmetric(layout, row)) {
      counting.plain_row(row, canonical, in_row);
      continue;
    }
    for (u64 set = canonical; set != 0; set &= set - 1) {
      counting.cell(u64{row} << 6 | static_cast<u32>(ctz(set)), in_row);
    }
  }
  return counting.result();
}

std::string_view counts_heading() {
  return "#material\tmen\tstm\tpositions\tcapture_positions\twins\tdraws\tlosses\tmax_win\tmax_loss\twin_hist\tloss_"
         "hist\t"
         "longest_win_fen\tlongest_loss_fen";
}

std::string counts_row(const Layout& layout, Color side, const SideCounts& counts, CountUnit unit,
                       bool colors_changed) {
  std::string text = layout.material().name();
  if (colors_changed) text = text.substr(text.find('v') + 1) + "v" + text.substr(0, text.find('v'));
  const auto add = [&text](const std::string& field) { text.append("\t").append(field); };
  const auto example = [&](const std::optional<u64>& cell) {
    return cell ? fen_of_cell(layout, side, *cell, colors_changed) : "-";
  };
  add(std::to_string(layout.material().men));
  add((side == kWhite) != colors_changed ? "w" : "b");
  add(std::to_string(counts.positions(unit)));
  add(std::to_string(counts.capture_positions[at(unit)]));
  for (const int outcome : {1, 0, -1}) add(std::to_string(counts.total(unit, outcome)));
  for (const int outcome : {1, -1}) add(std::to_string(longest(counts, outcome)));
  for (const int outcome : {1, -1}) add(histogram(counts, unit, outcome));
  add(example(counts.longest_win_cell));
  add(example(counts.longest_loss_cell));
  return text;
}

std::string text_of_value(TableValue v) {
  if (v == kNoValue) return "no position";
  if (v == kDraw) return "a draw";
  return (v > 0 ? "a win in " : "a loss in ") + std::to_string(plies_of(v));
}

Position position_of_cell(const Layout& layout, Color side, u64 cell) {
  Position p{};
  const Layout::Squares squares = layout.squares_of(cell);
  for (int man = 0; man < layout.material().men; man++) {
    const u64 b = bit(squares[Material::index(man)]);
    const Kind kind = layout.material().kinds[Material::index(man)];
    p.men[layout.material().color(man)] |= b;
    if (kind == Kind::pawn) p.pawns |= b;
    if (kind == Kind::knight) p.knights |= b;
    if (kind == Kind::king) p.kings |= b;
    if (kind == Kind::bishop || kind == Kind::queen) p.diagonal |= b;
    if (kind == Kind::rook || kind == Kind::queen) p.orthogonal |= b;
  }
  p.side = side;
  p.fullmove = 1;
  return p;
}

std::string fen_of_cell(const Layout& layout, Color side, u64 cell, bool colors_changed) {
  Position p = position_of_cell(layout, side, cell);
  if (colors_changed) {
    std::swap(p.men[kWhite], p.men[kBlack]);
    for (u64* set : {&p.men[kWhite], &p.men[kBlack], &p.pawns, &p.knights, &p.diagonal, &p.orthogonal, &p.kings})
      *set = byte_swap(*set);
    p.side = other(side);
  }
  return fen_of(p);
}

}  // namespace hecatomb
