#include "host/tables/capture_worth.h"

namespace hecatomb {

template <class Code>
CaptureWorth<Code>::CaptureWorth(const Layout& layout, const RowReader& reader, int mover, int victim, Kind kind,
                                 const TableSource& tables, const ValueCode<Code>& codes)
    : row_men_(layout.row_men()) {
  const bool promotes = kind != reader.man(mover).kind;
  int bits = 0;
  for (int m = row_men_; m >= 0; m--) {
    if (m == victim) continue;
    Digit& digit = digits_[Material::index(m)];
    digit.shift = bits;
    // The lowest digit has room for all squares even so: there are only a few of these.
    if (promotes && m == mover && bits != 0) digit.mask = 7;
    bits += digit.mask == 7 ? 3 : 6;
  }
  worth_.assign(std::size_t{1} << bits, codes.kNone);
  fill(reader, Successor<Code>(layout.material(), reader.man(mover).man, reader.man(victim).man, kind, tables, codes),
       mover, kind);
}

/// Goes through all squares of the men but the one of the lowest digit.
template <class Code>
void CaptureWorth<Code>::fill(const RowReader& reader, const Successor<Code>& successor, int mover, Kind kind) {
  const auto squares_for = [&](int m) {
    if (m == mover && kind != reader.man(m).kind) return rank_of_side(reader.man(m).color, 7);
    return reader.man(m).kind == Kind::pawn ? Layout::kPawnSquares : ~u64{0};
  };
  std::array<int, kMostTableMen> men{};  // of the higher digits
  std::size_t higher = 0;
  int lowest = 0;
  for (int m = 0; m <= row_men_; m++) {
    const int shift = digits_[Material::index(m)].shift;
    if (shift > 0) men[higher++] = m;
    if (shift == 0) lowest = m;
  }
  Layout::Squares squares{};
  const auto place = [&](auto& self, std::size_t i, u64 taken, u32 index) -> void {
    if (i == higher) {
      successor.maximise(squares, reader.man(lowest).man, squares_for(lowest) & ~taken, &worth_[index]);
      return;
    }
    const Digit& digit = digits_[Material::index(men[i])];
    for (u64 left = squares_for(men[i]) & ~taken; left != 0; left &= left - 1) {
      const Square s = ctz(left);
      squares[Material::index(reader.man(men[i]).man)] = s;
      self(self, i + 1, taken | bit(s), index | (static_cast<u32>(s) & digit.mask) << digit.shift);
    }
  };
  place(place, 0, 0, 0);
}

template <class Code>
std::uint64_t CaptureWorth<Code>::memory_bytes(const Material& material) {
  const std::uint64_t all = std::uint64_t{1} << (6 * (material.men - 1));
  const int last = Layout::last_of(material), last_of_row = last == material.men - 1 ? last - 1 : material.men - 1;
  std::uint64_t codes = static_cast<std::uint64_t>(material.men) * all;
  for (int mover = 0; mover < material.men; mover++) {
    if (material.kinds[Material::index(mover)] != Kind::pawn) continue;
    for (int victim = 0; victim < material.men; victim++) {
      if (material.color(mover) == material.color(victim)) continue;
      const int lowest = victim == last ? last_of_row : last;
      codes += 5 * (mover == lowest ? all : all / 8);
    }
  }
  return codes * sizeof(Code);
}

template class CaptureWorth<u8>;
template class CaptureWorth<u16>;

}  // namespace hecatomb
