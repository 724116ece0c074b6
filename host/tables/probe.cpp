#include "host/tables/probe.h"

#include <algorithm>

#include "host/notation/legal.h"

namespace hecatomb {

namespace {

constexpr int kMostUnfoldedMen = 3;

TableValue value_of_outcome(const Outcome& outcome, Color us) {
  if (outcome.result == Result::draw) return kDraw;
  return (outcome.result == Result::white_wins) == (us == kWhite) ? win_in(0) : loss_in(0);
}

bool has_en_passant(const Position& p) { return (p.ep_west | p.ep_east) != 0; }

}  // namespace

TableProber::TableProber(TableStore& store) : store_(store) {}

bool TableProber::has(const Material& material) {
  if (store_.has_file(material)) return true;
  missing_ = "there is no table " + material.name() + " in " + store_.directory();
  return false;
}

std::shared_ptr<const Table> TableProber::small_table(const Material& material) {
  auto& table = small_[material.key()];
  if (table || !has(material)) return table;
  try {
    table = store_.load(material);
  } catch (const MissingTableError& error) {  // one below it
    missing_ = error.what();
  }
  return table;
}

std::optional<TableValue> TableProber::value(const Position& p) {
  const auto place = has_en_passant(p) ? std::nullopt : place_of(p);
  return place ? value_at(*place, p) : value_by_moves(p);
}

std::vector<std::optional<TableValue>> TableProber::values(std::span<const Position> asked) {
  struct Item {
    MaterialKey key;
    u64 cell;
    std::size_t index;
  };
  std::vector<std::optional<TableValue>> found(asked.size());
  std::vector<std::optional<Place>> places;
  std::vector<Item> order;
  for (std::size_t i = 0; i < asked.size(); i++) {
    const Position& p = asked[i];
    places.push_back(has_en_passant(p) ? std::nullopt : place_of(p));
    const auto& place = places.back();
    if (!place) {
      found[i] = value_by_moves(p);
      continue;
    }
    ClassProbe* const open = place->material.men == kMostUnfoldedMen + 1 ? opened(place->material) : nullptr;
    const u64 cell = open == nullptr ? 0 : open->layout().some_cell_of(place->squares);
    order.push_back({place->material.key(), cell << 1 | (place->side == kWhite ? 0 : 1), i});
  }
  std::sort(order.begin(), order.end(), [](const Item& a, const Item& b) {
    if (a.key != b.key) return a.key < b.key;
    return (a.cell & 1) != (b.cell & 1) ? (a.cell & 1) < (b.cell & 1) : a.cell < b.cell;
  });
  for (const Item& item : order) {
    const auto& place = places[item.index];
    if (place) found[item.index] = value_at(*place, asked[item.index]);
  }
  return found;
}

/// A position with an en passant possibility, one that is over, or one of too many men.
std::optional<TableValue> TableProber::value_by_moves(const Position& p) {
  MoveList moves;
  list_legal(p, store_.rules().variant, moves);
  if (moves.size == 0)
    return value_of_outcome(decided_outcome(p, store_.rules().variant, store_.rules().options), p.us());
  // Captures are compulsory: the first move is one if any is.
  if (!is_capture(p, moves.moves[0])) {
    missing_ = "it has " + std::to_string(popcount(p.occupied())) + " men; tables have " +
               std::to_string(kMostTableMen) + " at the most";
    return std::nullopt;
  }
  TableValue best = kNoValue;
  for (const Move move : moves) {
    const auto after = value(after_move(p, move, store_.rules().variant, store_.rules().options));
    if (!after) return std::nullopt;
    best = std::max(best, before_move(*after));
  }
  return best;
}

std::optional<TableValue> TableProber::value_at(const Place& place, const Position& p) {
  if (place.material.men <= kMostUnfoldedMen) {
    const auto table = small_table(place.material);
    if (!table) return std::nullopt;
    return table->at(place.side, table->layout().some_cell_of(place.squares));
  }
  if (place.material.men > kMostUnfoldedMen + 1) return value_of_large(place, p);
  ClassProbe* const open = opened(place.material);
  if (open == nullptr) return std::nullopt;
  try {
    return open->value(place.side, place.squares);
  } catch (const MissingTable&) {
    return std::nullopt;
  }
}

/// A class of mapped blocks; null where it is missing.
ClassProbe* TableProber::opened(const Material& material) {
  auto& held = classes_[material.key()];
  if (!held && has(material)) {
    auto file = store_.open(material);
    file->check_all();
    held = std::make_unique<ClassProbe>(std::move(file), store_.rules(), [this](const Material& smaller) {
      auto table = small_table(smaller);
      if (!table) throw MissingTable{};
      return table;
    });
  }
  return held.get();
}

/// By making moves: a position with captures is worth its best one, a quiet one what its file holds, or a sacrifice.
std::optional<TableValue> TableProber::value_of_large(const Place& place, const Position& p) {
  MoveList moves;
  list_legal(p, store_.rules().variant, moves);
  if (moves.size != 0 && is_capture(p, moves.moves[0])) return value_by_moves(p);
  auto& file = large_[place.material.key()];
  if (!file && has(place.material)) file = store_.open(place.material);
  if (!file) return std::nullopt;
  TableValue best = file->stored_value(place.side, file->layout().cell_of(place.squares));
  for (const Move move : moves) {
    if (best >= win_in(2)) break;  // a sacrifice wins in two plies at the earliest
    if (move.promotion != Kind::none) continue;
    const Position after = after_move(p, move, store_.rules().variant, store_.rules().options);
    MoveList replies;
    list_legal(after, store_.rules().variant, replies);
    if (replies.size == 0 || !is_capture(after, replies.moves[0])) continue;
    const auto reply = value_by_moves(after);
    if (!reply) return std::nullopt;
    best = std::max(best, before_move(*reply));
  }
  return best;
}

std::vector<std::optional<ProbedPosition>> TableProber::positions(std::span<const Position> asked) {
  const TableRules& rules = store_.rules();
  std::vector<ProbedPosition> probed(asked.size());
  std::vector<Position> after;
  for (std::size_t i = 0; i < asked.size(); i++) {
    MoveList list;
    list_legal(asked[i], rules.variant, list);
    for (const Move move : list) {
      probed[i].moves.push_back({move});
      after.push_back(after_move(asked[i], move, rules.variant, rules.options));
    }
  }
  // A position is worth its best move; one without is over, and needs no table.
  const auto values_after = values(after);
  std::vector<std::optional<ProbedPosition>> found(asked.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < asked.size(); i++) {
    bool whole = true;
    TableValue best = kNoValue;
    for (ProbedMove& move : probed[i].moves) {
      const auto& value = values_after[at++];
      whole = whole && value.has_value();
      move.value_after = value.value_or(kNoValue);
      best = std::max(best, before_move(value.value_or(kDraw)));
    }
    if (!whole) continue;
    probed[i].value = best != kNoValue
                          ? best
                          : value_of_outcome(decided_outcome(asked[i], rules.variant, rules.options), asked[i].us());
    std::stable_sort(probed[i].moves.begin(), probed[i].moves.end(), [](const ProbedMove& a, const ProbedMove& b) {
      return before_move(a.value_after) > before_move(b.value_after);
    });
    found[i] = std::move(probed[i]);
  }
  return found;
}

std::optional<std::vector<ProbedMove>> TableProber::moves(const Position& p) {
  auto probed = positions(std::span(&p, 1)).front();
  if (!probed) return std::nullopt;
  return std::move(probed->moves);
}

std::optional<std::vector<Move>> TableProber::line(const Position& p) {
  std::vector<Move> line;
  Position at = p;
  for (;;) {
    const auto probed = moves(at);
    if (!probed) return std::nullopt;
    if (probed->empty() || probed->front().value_after == kDraw) return line;
    line.push_back(probed->front().move);
    at = after_move(at, line.back(), store_.rules().variant, store_.rules().options);
  }
}

}  // namespace hecatomb
