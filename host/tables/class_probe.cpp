#include "host/tables/class_probe.h"

#include <algorithm>

#include "host/tables/geometry.h"

namespace hecatomb {

namespace {

constexpr Kind kPromotions[] = {Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::king};
constexpr std::size_t kKindSlots = 7;

/// Squares attacked on an empty board, by kind (no pawn) and square.
const std::array<std::array<u64, 64>, kKindSlots>& empty_board_attacks() {
  static const auto table = [] {
    std::array<std::array<u64, 64>, kKindSlots> attacks{};
    for (const Kind kind : kPromotions) {
      for (Square s = 0; s < 64; s++)
        attacks[static_cast<std::size_t>(kind)][static_cast<std::size_t>(s)] = attacks_of(kind, bit(s), ~u64{0});
    }
    return attacks;
  }();
  return table;
}

}  // namespace

ClassProbe::ClassProbe(std::unique_ptr<const TableFile> file, const TableRules& rules, TableSource tables)
    : file_(std::move(file)), tables_(std::move(tables)), codes_(rules.wins_are_even()) {
  const Material& m = layout().material();
  for (int man = 0; man < m.men; man++) men_.push_back({m.kinds[Material::index(man)], m.color(man)});
  successors_.resize(men_.size() * men_.size() * kKindSlots);
}

const Successor<ClassProbe::Code>& ClassProbe::after(int mover, int victim, Kind kind) {
  const std::size_t pair = Material::index(mover) * men_.size() + Material::index(victim);
  auto& successor = successors_[pair * kKindSlots + static_cast<std::size_t>(kind)];
  if (!successor) {
    successor = std::make_unique<const Successor<Code>>(layout().material(), mover, victim, kind, tables_, codes_);
  }
  return *successor;
}

bool ClassProbe::attacks(int man, Square from, Square to, u64 occupied) const {
  const Man& attacker = men_[Material::index(man)];
  if (attacker.kind == Kind::pawn) return (pawn_attacks(attacker.color, bit(from)) & bit(to)) != 0;
  const auto& reach = empty_board_attacks()[static_cast<std::size_t>(attacker.kind)];
  return (reach[static_cast<std::size_t>(from)] & bit(to)) != 0 && (between(from, to) & occupied) == 0;
}

/// The best capture, or one that is worth `enough` at least; nothing if there is none.
std::optional<ClassProbe::Code> ClassProbe::best_capture(Color us, const Layout::Squares& squares, u64 occupied,
                                                         Code enough) {
  std::optional<Code> best;
  const int men = static_cast<int>(men_.size());
  for (int mover = 0; mover < men; mover++) {
    if (men_[Material::index(mover)].color != us) continue;
    for (int victim = 0; victim < men; victim++) {
      const Square to = squares[Material::index(victim)];
      if (men_[Material::index(victim)].color == us || !attacks(mover, squares[Material::index(mover)], to, occupied))
        continue;
      Layout::Squares then = squares;
      then[Material::index(mover)] = to;
      const Kind kind = men_[Material::index(mover)].kind;
      const auto take = [&](Kind arrived) {
        best = std::max(best.value_or(ValueCode<Code>::kNone), after(mover, victim, arrived).value(then));
      };
      if (kind == Kind::pawn && (bit(to) & ~Layout::kPawnSquares) != 0) {
        std::for_each(std::begin(kPromotions), std::end(kPromotions), take);
      } else {
        take(kind);
      }
      if (best && *best >= enough) return best;
    }
  }
  return best;
}

/// Where a man can go without a capture, a promotion, or an en passant possibility after it.
u64 ClassProbe::quiet_targets(int man, const Layout::Squares& squares, u64 occupied) const {
  const auto [kind, us] = men_[Material::index(man)];
  const u64 from = bit(squares[Material::index(man)]);
  if (kind != Kind::pawn) return attacks_of(kind, from, ~occupied) & ~occupied;
  const u64 one = forward(us, from) & ~occupied & Layout::kPawnSquares;
  u64 two = (from & rank_of_side(us, 1)) != 0 ? forward(us, one) & ~occupied : 0;
  for (std::size_t other_man = 0; other_man < men_.size(); other_man++) {
    const bool is_enemy_pawn = men_[other_man].kind == Kind::pawn && men_[other_man].color != us;
    if (is_enemy_pawn && (beside(bit(squares[other_man])) & two) != 0) two = 0;
  }
  return one | two;
}

/// The best sacrifice; kNone if there is none.
ClassProbe::Code ClassProbe::best_sacrifice(Color us, const Layout::Squares& squares, u64 occupied) {
  Code best = ValueCode<Code>::kNone;
  for (std::size_t man = 0; man < men_.size(); man++) {
    if (men_[man].color != us) continue;
    Layout::Squares then = squares;
    for (u64 to = quiet_targets(static_cast<int>(man), squares, occupied); to != 0; to &= to - 1) {
      if (best >= codes_.win(2)) return best;  // a sacrifice wins in two plies at the earliest
      then[man] = ctz(to);
      const auto reply =
          best_capture(other(us), then, (occupied ^ bit(squares[man])) | bit(then[man]), ValueCode<Code>::kDrawn);
      if (reply && *reply < ValueCode<Code>::kDrawn) best = std::max(best, ValueCode<Code>::before_loss(*reply));
    }
  }
  return best;
}

TableValue ClassProbe::value(Color us, const Layout::Squares& squares) {
  u64 occupied = 0;
  for (std::size_t man = 0; man < men_.size(); man++) occupied |= bit(squares[man]);
  if (const auto capture = best_capture(us, squares, occupied, ValueCode<Code>::kTop)) return codes_.value(*capture);
  // A quarter of all quiet positions are won in two plies by a sacrifice: then no block is unpacked.
  const Code sacrifice = best_sacrifice(us, squares, occupied);
  if (sacrifice >= codes_.win(2)) return codes_.value(sacrifice);
  return codes_.value(std::max(sacrifice, codes_.of(file_->stored_value(us, layout().cell_of(squares)))));
}

}  // namespace hecatomb
