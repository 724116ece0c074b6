#include "host/tables/probe.h"

#include <algorithm>

#include "host/notation/legal.h"
#include "host/tables/place.h"

namespace hecatomb {

namespace {

constexpr int kMostUnfoldedMen = 3;

TableValue value_of_outcome(const Outcome& outcome, Color us) {
  if (outcome.result == Result::draw) return kDraw;
  return (outcome.result == Result::white_wins) == (us == kWhite) ? win_in(0) : loss_in(0);
}

}  // namespace

bool TableProber::has(const Material& material) {
  if (store_.has_file(material)) return true;
  missing_ = "there is no table " + material.name() + " in " + store_.directory();
  return false;
}

const TableFile* TableProber::file_of(const Material& material) {
  auto& file = files_[material.key()];
  if (!file && has(material)) file = store_.open(material);
  return file.get();
}

std::optional<TableValue> TableProber::value(const Position& p) {
  const VariantId variant = store_.rules().variant;
  MoveList moves;
  list_legal(p, variant, moves);
  if (moves.size == 0) return value_of_outcome(decided_outcome(p, variant, store_.rules().options), p.us());
  // Captures are compulsory: the first move is one if any is.
  if (is_capture(p, moves.moves[0])) return best_of(p, moves);
  return quiet_value(p, moves);
}

std::optional<TableValue> TableProber::best_of(const Position& p, const MoveList& moves) {
  TableValue best = kNoValue;
  for (const Move move : moves) {
    const auto after = value(after_move(p, move, store_.rules().variant, store_.rules().options));
    if (!after) return std::nullopt;
    best = std::max(best, before_move(*after));
  }
  return best;
}

std::optional<TableValue> TableProber::quiet_value(const Position& p, const MoveList& moves) {
  const auto place = place_of(p);
  if (!place) {
    missing_ = "it has " + std::to_string(popcount(p.occupied())) + " men; tables have " +
               std::to_string(kMostTableMen) + " at the most";
    return std::nullopt;
  }
  if (place->material.men <= kMostUnfoldedMen) {
    auto& table = small_[place->material.key()];
    if (!table && has(place->material)) table = store_.load(place->material);
    if (!table) return std::nullopt;
    return table->at(place->side, table->layout().some_cell_of(place->squares));
  }
  const TableFile* file = file_of(place->material);
  if (file == nullptr) return std::nullopt;
  TableValue best = file->stored_value(place->side, file->layout().cell_of(place->squares));
  for (const Move move : moves) {
    if (best >= win_in(2)) break;  // a sacrifice wins in two plies at the earliest
    if (move.promotion != Kind::none) continue;
    const Position after = after_move(p, move, store_.rules().variant, store_.rules().options);
    MoveList replies;
    list_legal(after, store_.rules().variant, replies);
    if (replies.size == 0 || !is_capture(after, replies.moves[0])) continue;
    const auto reply = best_of(after, replies);
    if (!reply) return std::nullopt;
    best = std::max(best, before_move(*reply));
  }
  return best;
}

std::optional<std::vector<ProbedMove>> TableProber::moves(const Position& p) {
  MoveList list;
  list_legal(p, store_.rules().variant, list);
  std::vector<ProbedMove> probed;
  for (const Move move : list) {
    const auto after = value(after_move(p, move, store_.rules().variant, store_.rules().options));
    if (!after) return std::nullopt;
    probed.push_back({move, *after});
  }
  std::stable_sort(probed.begin(), probed.end(), [](const ProbedMove& a, const ProbedMove& b) {
    return before_move(a.value_after) > before_move(b.value_after);
  });
  return probed;
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
