#include "host/tables/table.h"

#include <utility>

namespace hecatomb {

Table::Table(const Material& material, std::array<std::span<const TableValue>, 2> values) : layout_(material) {
  constexpr std::size_t all = 65536;
  const auto slot = [](TableValue v) { return static_cast<std::size_t>(v + 32768); };
  std::vector<u16> code_of(all, 0);
  for (const auto& side : values) {
    for (const TableValue v : side) code_of[slot(v)] = 1;
  }
  code_of[slot(kNoValue)] = 1;
  for (std::size_t i = 0; i < all; i++) {
    if (code_of[i] == 0) continue;
    code_of[i] = static_cast<u16>(values_.size());
    values_.push_back(static_cast<TableValue>(static_cast<int>(i) - 32768));
  }
  codes_.resize(width() * 2 * layout_.cells());
  u8* out = codes_.data();
  for (const auto& side : values) {
    for (const TableValue v : side) {
      const u16 code = code_of[slot(v)];
      *out++ = static_cast<u8>(code & 255);
      if (width() == 2) *out++ = static_cast<u8>(code >> 8);
    }
  }
}

Table::Table(const Material& material, std::vector<TableValue> values, std::vector<u8> codes)
    : layout_(material), values_(std::move(values)), codes_(std::move(codes)) {}

Table Table::without_distances() const {
  const std::vector<TableValue> outcomes = {kNoValue, loss_in(0), kDraw, win_in(0)};
  std::vector<u8> outcome_of;  // by code
  outcome_of.reserve(values_.size());
  for (const TableValue v : values_) {
    outcome_of.push_back(v == kNoValue ? u8{0} : static_cast<u8>(outcome_of_value(v) + 2));
  }
  std::vector<u8> codes(codes_.size() / width());
  for (std::size_t i = 0; i < codes.size(); i++) {
    codes[i] = outcome_of[width() == 1 ? codes_[i] : static_cast<std::size_t>(codes_[2 * i] | codes_[2 * i + 1] << 8)];
  }
  return {layout_.material(), outcomes, std::move(codes)};
}

template <class Code>
Table table_of_codes(const Layout& layout, const ValueCode<Code>& codes,
                     const std::array<std::span<const Code>, 2>& by_cell) {
  std::vector<u16> place_of(std::size_t{codes.kTop} + 1, 0);  // 1 if it occurs, then where it stands in the list
  place_of[codes.kNone] = 1;
  for (const auto& side : by_cell) {
    for (const Code code : side) place_of[code] = 1;
  }
  std::vector<TableValue> values;
  for (std::size_t code = 0; code < place_of.size(); code++) {
    if (place_of[code] == 0) continue;
    place_of[code] = static_cast<u16>(values.size());
    values.push_back(codes.value(static_cast<Code>(code)));
  }
  const std::size_t width = values.size() <= 256 ? 1 : 2;
  std::vector<u8> stored(width * 2 * layout.cells());
  u8* out = stored.data();
  for (const auto& side : by_cell) {
    for (const Code code : side) {
      *out++ = static_cast<u8>(place_of[code] & 255);
      if (width == 2) *out++ = static_cast<u8>(place_of[code] >> 8);
    }
  }
  return {layout.material(), std::move(values), std::move(stored)};
}

template Table table_of_codes<u8>(const Layout&, const ValueCode<u8>&, const std::array<std::span<const u8>, 2>&);
template Table table_of_codes<u16>(const Layout&, const ValueCode<u16>&, const std::array<std::span<const u16>, 2>&);

std::optional<std::pair<Color, u64>> first_difference(const Table& a, const Table& b) {
  for (const Color side : {kWhite, kBlack}) {
    for (u64 cell = 0; cell < a.layout().cells(); cell++) {
      if (a.at(side, cell) != b.at(side, cell)) return std::pair(side, cell);
    }
  }
  return std::nullopt;
}

}  // namespace hecatomb
