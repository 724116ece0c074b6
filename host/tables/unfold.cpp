#include "host/tables/unfold.h"

#include <algorithm>

namespace hecatomb {

namespace {

using Values = std::array<std::vector<TableValue>, 2>;

class Unfolding {
 public:
  Unfolding(const TableFile& file, const TableRules& rules, const TableSource& tables)
      : layout_(file.layout()), start_(layout_, rules, tables), values_(stored_values(file)) {}

  std::shared_ptr<const Table> run(Metric metric) {
    if (!start_.run_captures(sides_)) return nullptr;
    for (const Color side : {kWhite, kBlack}) take_captures(side);
    for (const Color side : {kWhite, kBlack}) {
      quiet_[side] = sides_[side].captures;
      for (u32 row = 0; row < quiet_[side].size(); row++) quiet_[side][row] = layout_.valid(row) & ~quiet_[side][row];
    }
    for (const Color side : {kWhite, kBlack}) give_away(side);
    for (const Color side : {kWhite, kBlack}) fill_mirrored(side);
    if (metric == Metric::wdl) forget_distances();
    return std::make_shared<const Table>(layout_.material(),
                                         std::array<std::span<const TableValue>, 2>{values_[0], values_[1]});
  }

 private:
  static Values stored_values(const TableFile& file) {
    const Table stored(file.layout().material(), file.values(), file.read_codes());
    Values values;
    for (const Color side : {kWhite, kBlack}) {
      values[side].resize(file.layout().cells());
      for (u64 cell = 0; cell < values[side].size(); cell++) values[side][cell] = stored.at(side, cell);
    }
    return values;
  }

  void take_captures(Color side) {
    for (u32 row = 0; row < layout_.rows().rows(); row++) {
      const u64 captures = sides_[side].captures[row], valid = layout_.valid(row);
      for (u32 x = 0; x < 64; x++) {
        const u64 cell = u64{row} << 6 | x;
        if ((valid >> x & 1) == 0) values_[side][cell] = kNoValue;
        if ((captures >> x & 1) != 0) values_[side][cell] = sides_[side].values[cell];
      }
    }
  }

  /// Wins of `us` by quiet moves into lost positions with captures, the quickest first.
  void give_away(Color us) {
    const Color them = other(us);
    std::vector<std::vector<u32>> by_depth;  // rows
    for (u32 row = 0; row < layout_.rows().rows(); row++) {
      for (u64 set = sides_[them].captures[row]; set != 0; set &= set - 1) {
        const TableValue v = values_[them][u64{row} << 6 | static_cast<u32>(ctz(set))];
        if (v >= 0) continue;
        const auto depth = static_cast<std::size_t>(plies_of(v));
        if (depth >= by_depth.size()) by_depth.resize(depth + 1);
        if (by_depth[depth].empty() || by_depth[depth].back() != row) by_depth[depth].push_back(row);
      }
    }
    for (std::size_t depth = 0; depth < by_depth.size(); depth++) {
      for (const u32 row : by_depth[depth]) give_away(us, row, static_cast<int>(depth));
    }
  }

  void give_away(Color us, u32 row, int depth) {
    const Color them = other(us);
    u64 lost = 0;
    for (u64 set = sides_[them].captures[row]; set != 0; set &= set - 1) {
      if (values_[them][u64{row} << 6 | static_cast<u32>(ctz(set))] == loss_in(depth)) lost |= set & (~set + 1);
    }
    start_.reader().origins(start_.reader().view(row), us, lost, quiet_[us], [&](u32 before, u64 cells) {
      for (; cells != 0; cells &= cells - 1) {
        TableValue& v = values_[us][u64{before} << 6 | static_cast<u32>(ctz(cells))];
        v = std::max(v, win_in(depth + 1));
      }
    });
  }

  void fill_mirrored(Color side) {
    for (u32 row = 0; row < layout_.rows().rows(); row++) {
      for (u64 set = layout_.valid(row) & ~layout_.canonical_set(row); set != 0; set &= set - 1) {
        const u64 cell = u64{row} << 6 | static_cast<u32>(ctz(set));
        values_[side][cell] = values_[side][layout_.canonical(cell)];
      }
    }
  }

  void forget_distances() {
    for (auto& side : values_) {
      for (TableValue& v : side) v = without_distance(v);
    }
  }

  Layout layout_;
  SolverStart start_;
  Values values_;
  std::array<SolverSide, 2> sides_;
  std::array<std::vector<u64>, 2> quiet_;  // by side and row: positions without a capture
};

}  // namespace

std::shared_ptr<const Table> unfold(const TableFile& file, const TableRules& rules, Metric metric,
                                    const TableSource& tables) {
  return Unfolding(file, rules, tables).run(metric);
}

}  // namespace hecatomb
