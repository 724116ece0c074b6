#include "host/tables/wdl_set.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "host/notation/legal.h"
#include "host/tables/generate.h"
#include "host/tables/place.h"

namespace hecatomb {

namespace {

constexpr std::uint64_t kRoomBytes = std::uint64_t{256} << 20;  // for whole tables, while others are unpacked

/// One class, unpacked when it is first needed. Codes: 0 lost, 1 drawn, 2 won.
struct Unpacked {
  explicit Unpacked(const Material& m) : material(m) {}
  Material material;
  std::mutex filling;  // (no exception may leave std::call_once: glibc's unwinds by a library this program may not use)
  std::atomic<bool> is_filled = false;
  std::unique_ptr<const Layout> layout;
  std::vector<u8> codes;  // four to a byte, White to move first

  void fill(const Table& table) {
    layout = std::make_unique<const Layout>(material);
    codes.assign(layout->cells() / 2, 0);
    u64 at = 0;
    for (const Color side : {kWhite, kBlack}) {
      for (u64 cell = 0; cell < layout->cells(); cell++, at++) {
        const auto code = static_cast<u32>(outcome_of_value(table.at(side, cell)) + 1);
        codes[at >> 2] = static_cast<u8>(codes[at >> 2] | code << (2 * (at & 3)));
      }
    }
  }
  int outcome(Color side, const Layout::Squares& squares) const {
    const u64 at = layout->some_cell_of(squares) + (side == kWhite ? 0 : layout->cells());
    return (codes[at >> 2] >> (2 * (at & 3)) & 3) - 1;
  }
};

}  // namespace

struct WdlSet::State {
  TableStore store;
  int most_men = 0;
  std::unordered_map<MaterialKey, std::unique_ptr<Unpacked>> classes = {};
  std::atomic<u64> bytes = 0;

  const Unpacked* unpacked(const Material& material) {
    const auto found = classes.find(material.key());
    if (found == classes.end()) return nullptr;
    Unpacked& held = *found->second;
    if (!held.is_filled.load(std::memory_order_acquire)) {
      const std::scoped_lock lock(held.filling);
      if (!held.is_filled.load(std::memory_order_relaxed)) {
        held.fill(*store.load(material));
        bytes += held.codes.size();
        held.is_filled.store(true, std::memory_order_release);
      }
    }
    return &held;
  }
};

WdlSet::WdlSet(const std::string& directory, const TableRules& rules, int most_men)
    : state_(new State{.store = TableStore(directory, rules, kRoomBytes, Metric::wdl)}) {
  for (const Material& material : materials_up_to(most_men)) {  // smaller ones first
    if (!state_->store.has_file(material)) continue;
    const std::vector<Material> below = materials_below(material);
    if (!std::all_of(below.begin(), below.end(), [this](const Material& m) { return has(m.key()); })) continue;
    state_->classes.emplace(material.key(), std::make_unique<Unpacked>(material));
    state_->most_men = std::max(state_->most_men, material.men);
  }
  if (state_->classes.empty()) {
    throw NoTablesError(directory, rules, "win/draw/loss tables", Metric::wdl);
  }
}

WdlSet::~WdlSet() = default;

std::optional<int> WdlSet::probe(const Position& p) const {
  if (popcount(p.occupied()) > state_->most_men) return std::nullopt;
  if (p.men[kWhite] == 0 || p.men[kBlack] == 0) return p.men[p.us()] == 0 ? 1 : -1;
  if ((p.ep_west | p.ep_east) != 0) {
    // Worth its best capture: en passant, or another.
    const TableRules& rules = state_->store.rules();
    MoveList moves;
    list_legal(p, rules.variant, moves);
    std::optional<int> best;
    for (const Move move : moves) {
      const auto after = probe(after_move(p, move, rules.variant, rules.options));
      if (!after) return std::nullopt;
      best = std::max(best.value_or(-1), -*after);
    }
    return best;
  }
  const auto place = place_of(p);
  const Unpacked* held = place ? state_->unpacked(place->material) : nullptr;
  if (held == nullptr) return std::nullopt;
  return held->outcome(place->side, place->squares);
}

bool WdlSet::has(MaterialKey key) const { return state_->classes.contains(key); }
int WdlSet::most_men() const { return state_->most_men; }
std::uint64_t WdlSet::memory_bytes() const { return state_->bytes; }

}  // namespace hecatomb
