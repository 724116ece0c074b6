#include "host/tables/unfold.h"

#include "host/tables/cells.h"

namespace hecatomb {

namespace {

template <class Code>
class Unfolding {
 public:
  Unfolding(const TableFile& file, const TableRules& rules, const TableSource& tables)
      : file_(file), layout_(file.layout()), start_(layout_, rules, tables), codes_(start_.codes()) {}

  std::shared_ptr<const Table> run(Metric metric) {
    if (!start_.run_captures_and_sacrifices(sides_)) return nullptr;
    take_stored();
    Table table = table_of_codes<Code>(layout_, codes_, {sides_[0].codes, sides_[1].codes});
    return std::make_shared<const Table>(metric == Metric::wdl ? table.without_distances() : std::move(table));
  }

 private:
  /// A quiet position is worth what is stored or the best sacrifice, whatever is better; mirror images of a position
  /// are worth as much as the first of them.
  void take_stored() {
    const Table stored(layout_.material(), file_.values(), file_.read_codes());
    std::vector<Code> code_of;  // by code of the file
    for (const TableValue v : file_.values()) code_of.push_back(codes_.of(v));
    for (u32 row = 0; row < layout_.rows().rows(); row++) {
      const u64 valid = layout_.valid(row), canonical = layout_.canonical_set(row);
      for (const Color side : {kWhite, kBlack}) {
        Code* codes = sides_[side].row(row);
        Code held[cells::kCells];
        for (u32 x = 0; x < cells::kCells; x++) held[x] = code_of[stored.code_at(side, u64{row} << 6 | x)];
        cells::take_greater(codes, held, canonical & ~sides_[side].captures[row]);
        for (u64 set = valid & ~canonical; set != 0; set &= set - 1)
          codes[ctz(set)] = sides_[side].codes[layout_.canonical(u64{row} << 6 | static_cast<u32>(ctz(set)))];
      }
    }
  }

  const TableFile& file_;
  const Layout& layout_;
  SolverStart<Code> start_;
  ValueCode<Code> codes_;
  SolverSides<Code> sides_;
};

}  // namespace

std::shared_ptr<const Table> unfold(const TableFile& file, const TableRules& rules, Metric metric,
                                    const TableSource& tables) {
  try {
    return Unfolding<u8>(file, rules, tables).run(metric);
  } catch (const CodesTooShortError&) {
    return Unfolding<u16>(file, rules, tables).run(metric);
  }
}

}  // namespace hecatomb
