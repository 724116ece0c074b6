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

}  // namespace

u64 SideCounts::positions(CountUnit unit) const { return total(unit, 1) + total(unit, 0) + total(unit, -1); }

u64 SideCounts::total(CountUnit unit, int outcome) const {
  u64 sum = 0;
  for (const auto& [value, count] : by_value) sum += outcome_of_value(value) == outcome ? count[at(unit)] : 0;
  return sum;
}

TableCounts count_table(const Table& table, const std::array<const std::vector<u64>*, 2>& captures) {
  const Layout& layout = table.layout();
  TableCounts counts;
  std::array<std::vector<UnitCounts>, 2> by_code;
  std::array<std::vector<u64>, 2> first_cell;
  for (auto& list : by_code) list.resize(table.values().size());
  for (auto& list : first_cell) list.assign(table.values().size(), ~u64{0});
  UnitCounts plain{};
  bool plain_is_known = false;
  for (u32 row = 0; row < layout.rows().rows(); row++) {
    const bool each = may_be_symmetric(layout, row);
    for (u64 set = layout.canonical_set(row); set != 0; set &= set - 1) {
      const u64 cell = u64{row} << 6 | static_cast<u32>(ctz(set));
      if (!each && !plain_is_known) plain = weights_of(layout, cell);
      plain_is_known = plain_is_known || !each;
      const UnitCounts weights = each ? weights_of(layout, cell) : plain;
      for (const Color side : {kWhite, kBlack}) {
        const u32 code = table.code_at(side, cell);
        add(by_code[side][code], weights);
        first_cell[side][code] = std::min(first_cell[side][code], cell);
        if (((*captures[side])[row] >> (cell & 63) & 1) != 0) add(counts[side].capture_positions, weights);
      }
    }
  }
  for (const Color side : {kWhite, kBlack}) {
    SideCounts& c = counts[side];
    for (std::size_t code = 0; code < by_code[side].size(); code++) {
      if (by_code[side][code][at(CountUnit::merged)] != 0) c.by_value[table.values()[code]] = by_code[side][code];
    }
    for (std::size_t code = 0; code < by_code[side].size(); code++) {
      const TableValue value = table.values()[code];
      if (first_cell[side][code] == ~u64{0} || value == kDraw) continue;
      if (value > 0 && plies_of(value) == longest(c, 1)) c.longest_win_cell = first_cell[side][code];
      if (value < 0 && plies_of(value) == longest(c, -1)) c.longest_loss_cell = first_cell[side][code];
    }
  }
  return counts;
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
