#include "host/tables/solver_start.h"

#include <algorithm>

#include "host/work.h"

namespace hecatomb {

namespace {

constexpr Kind kPromotions[] = {Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::king};
constexpr u64 kLastRanks = ~Layout::kPawnSquares;
constexpr u32 kRowsBetweenLooks = 4096;  // at the stop flag

std::size_t slot_of(int mover, int victim, Kind kind) {
  return (Material::index(mover) * (kMostTableMen + 1) + Material::index(victim + 1)) * 7 +
         static_cast<std::size_t>(kind);
}

/// Calls f(kind) for what the mover may be after a move to `to`.
template <class F>
void each_arrival(Kind mover, Square to, F&& f) {
  if (mover != Kind::pawn || (bit(to) & kLastRanks) == 0) return f(mover);
  for (const Kind kind : kPromotions) f(kind);
}

template <class F>
void each_square(u64 set, F&& f) {
  for (; set != 0; set &= set - 1) f(ctz(set));
}

}  // namespace

SolverStart::SolverStart(const Layout& layout, const TableRules& rules, const TableSource& tables)
    : layout_(layout), rules_(rules), reader_(layout), successors_(slot_of(kMostTableMen, 0, Kind::none)) {
  const Material& m = layout.material();
  for (int mover = 0; mover < m.men; mover++) {
    const Kind kind = m.kinds[Material::index(mover)];
    for (int victim = Successor::kNobody; victim < m.men; victim++) {
      const bool captures = victim != Successor::kNobody;
      if (captures && m.color(victim) == m.color(mover)) continue;
      const auto add = [&](Kind arrived) {
        successors_[slot_of(mover, victim, arrived)].emplace(m, mover, victim, arrived, tables);
      };
      if (captures) add(kind);
      if (kind == Kind::pawn) std::for_each(std::begin(kPromotions), std::end(kPromotions), add);
    }
  }
}

const Successor& SolverStart::after(int mover, int victim, Kind kind) const {
  // The constructor made all that can happen.
  return *successors_[slot_of(mover, victim, kind)];  // NOLINT(bugprone-unchecked-optional-access)
}

/// Man m of the row captures: men of the row wherever the last man does not stand in the way, and the last man.
void SolverStart::captures_of_row_man(const RowView& v, int m, TableValue* values, u64& captures) const {
  const RowReader::Man& mover = reader_.man(m);
  const Square from = v.at[Material::index(m)];
  const u64 attacked =
      mover.kind == Kind::pawn ? pawn_attacks(mover.color, bit(from)) : attacks_of(mover.kind, bit(from), v.empty());
  Layout::Squares squares = v.squares;
  for (int j = 0; j < reader_.row_men(); j++) {
    const Square to = v.at[Material::index(j)];
    if (reader_.man(j).color == mover.color || (attacked & bit(to)) == 0) continue;
    const u64 cells = v.valid & ~between(from, to);
    captures |= cells;
    squares[Material::index(mover.man)] = to;
    each_arrival(mover.kind, to, [&](Kind kind) {
      after(mover.man, reader_.man(j).man, kind).maximise(squares, reader_.last().man, cells, values);
    });
  }
  if (reader_.last().color == mover.color) return;
  captures |= attacked & v.valid;
  each_square(attacked & v.valid, [&](Square x) {
    squares[Material::index(mover.man)] = x;
    each_arrival(mover.kind, x, [&](Kind kind) {
      values[x] = std::max(values[x], after(mover.man, reader_.last().man, kind).value(squares));
    });
  });
}

/// The last man captures men of the row: one value for all squares it comes from.
void SolverStart::captures_of_last(const RowView& v, TableValue* values, u64& captures) const {
  const RowReader::Man& mover = reader_.last();
  Layout::Squares squares = v.squares;
  for (int j = 0; j < reader_.row_men(); j++) {
    if (reader_.man(j).color == mover.color) continue;
    const Square to = v.at[Material::index(j)];
    const u64 cells = v.valid & (mover.kind == Kind::pawn ? pawn_attacks(other(mover.color), bit(to))
                                                          : attacks_of(mover.kind, bit(to), v.empty()));
    captures |= cells;
    squares[Material::index(mover.man)] = to;
    TableValue best = kNoValue;
    each_arrival(mover.kind, to,
                 [&](Kind kind) { best = std::max(best, after(mover.man, reader_.man(j).man, kind).value(squares)); });
    each_square(cells, [&](Square x) { values[x] = std::max(values[x], best); });
  }
}

bool SolverStart::run_captures(std::array<SolverSide, 2>& sides) const {
  const u32 rows = layout_.rows().rows();
  for (SolverSide& side : sides) {
    side.values.assign(layout_.cells(), kNoValue);
    side.captures.assign(rows, 0);
  }
  for (u32 row = 0; row < rows; row++) {
    if (row % kRowsBetweenLooks == 0 && stop_requested()) return false;
    const RowView v = reader_.view(row);
    for (int m = 0; m < reader_.row_men(); m++) {
      SolverSide& side = sides[reader_.man(m).color];
      captures_of_row_man(v, m, &side.values[u64{row} << 6], side.captures[row]);
    }
    SolverSide& side = sides[reader_.last().color];
    captures_of_last(v, &side.values[u64{row} << 6], side.captures[row]);
  }
  return true;
}

bool SolverStart::run(std::array<SolverSide, 2>& sides) const {
  if (!run_captures(sides)) return false;
  const u32 rows = layout_.rows().rows();
  for (SolverSide& side : sides) {
    side.closed = side.captures;
    side.open.assign(rows, 0);
    side.partial.assign(rows, 0);
  }
  for (u32 row = 0; row < rows; row++) {
    if (row % kRowsBetweenLooks == 0 && stop_requested()) return false;
    const RowView v = reader_.view(row);
    quiet_row(v, kWhite, sides);
    quiet_row(v, kBlack, sides);
  }
  return true;
}

void SolverStart::quiet_row(const RowView& v, Color us, std::array<SolverSide, 2>& sides) const {
  SolverSide& side = sides[us];
  TableValue* values = &side.values[u64{v.row} << 6];
  const u64 quiet = v.valid & ~side.captures[v.row];
  if (quiet == 0) return;
  const u64 open = quiet & movable(v, us, quiet);
  each_square(quiet & ~open, [&](Square x) { values[x] = stalemate_value(us); });
  side.closed[v.row] |= quiet & ~open;
  side.open[v.row] = open;
  if ((v.pawns[us] | (reader_.last_is_pawn_of(us) ? 1u : 0u)) == 0) return;
  promotions(v, us, open, values);
  double_steps(v, us, open, sides);
  each_square(open, [&](Square x) {
    if (values[x] != kNoValue) side.partial[v.row] |= bit(x);
  });
}

/// The cells in which the side has a quiet move at all.
u64 SolverStart::movable(const RowView& v, Color us, u64 cells) const {
  u64 can = 0;
  if (reader_.last().color == us) {
    const u64 free = ~v.occupied;
    can = reader_.last().kind == Kind::pawn ? forward(other(us), free) : attacks_of(reader_.last().kind, free, free);
  }
  for (int m = 0; m < reader_.row_men() && (cells & ~can) != 0; m++) {
    const RowReader::Man& mover = reader_.man(m);
    if (mover.color != us) continue;
    const Square from = v.at[Material::index(m)];
    if (mover.kind == Kind::pawn) {
      const Square to = forward(us, from);
      if ((bit(to) & v.occupied) == 0) can |= ~bit(to);
    } else {
      // Two squares beside it that are free, or one: a single man can block one at most.
      const u64 near = attacks_of(mover.kind, bit(from), 0) & v.empty();
      if (near != 0) can |= (near & (near - 1)) != 0 ? ~u64{0} : ~near;
    }
  }
  return can;
}

TableValue SolverStart::stalemate_value(Color us) const {
  if (rules_.variant == VariantId::antichess || rules_.options.stalemated_wins) return win_in(0);
  const Material& m = layout_.material();
  const int white = m.white, black = m.men - m.white;
  if (white == black) return kDraw;
  return (us == kWhite) == (white < black) ? win_in(0) : loss_in(0);
}

void SolverStart::promotions(const RowView& v, Color us, u64 cells, TableValue* values) const {
  Layout::Squares squares = v.squares;
  for (int m = 0; m < reader_.row_men(); m++) {
    const RowReader::Man& mover = reader_.man(m);
    const Square from = v.at[Material::index(m)], to = forward(us, from);
    const bool promotes = mover.kind == Kind::pawn && mover.color == us && (bit(from) & rank_of_side(us, 6)) != 0;
    if (!promotes || (bit(to) & v.occupied) != 0) continue;
    squares[Material::index(mover.man)] = to;
    for (const Kind kind : kPromotions)
      after(mover.man, Successor::kNobody, kind).maximise(squares, reader_.last().man, cells & ~bit(to), values);
    squares[Material::index(mover.man)] = from;
  }
  if (!reader_.last_is_pawn_of(us)) return;
  each_square(cells & rank_of_side(us, 6) & forward(other(us), v.empty()), [&](Square x) {
    squares[Material::index(reader_.last().man)] = forward(us, x);
    for (const Kind kind : kPromotions)
      values[x] = std::max(values[x], after(reader_.last().man, Successor::kNobody, kind).value(squares));
  });
}

/// Double steps beside an enemy pawn.
void SolverStart::double_steps(const RowView& v, Color us, u64 cells, std::array<SolverSide, 2>& sides) const {
  TableValue* values = &sides[us].values[u64{v.row} << 6];
  Layout::Squares squares = v.squares;
  const u64 second = rank_of_side(us, 1);
  for (int m = 0; m < reader_.row_men(); m++) {
    const RowReader::Man& mover = reader_.man(m);
    const Square from = v.at[Material::index(m)];
    if (mover.kind != Kind::pawn || mover.color != us || (bit(from) & second) == 0) continue;
    const Square one = forward(us, from), two = forward(us, one);
    if (((bit(one) | bit(two)) & v.occupied) != 0) continue;
    squares[Material::index(mover.man)] = two;
    const u64 free = RowReader::cells_for(bit(one), two);
    each_square(cells & free & ~reader_.no_en_passant(v, us, two), [&](Square x) {
      squares[Material::index(reader_.last().man)] = x;
      values[x] = std::max(values[x], double_step_value(squares, mover.man, sides));
    });
    squares[Material::index(mover.man)] = from;
  }
  if (!reader_.last_is_pawn_of(us)) return;
  const u64 ways = second & forward(other(us), v.empty() & forward(other(us), v.empty()));
  const u64 beside_enemies = beside(v.pawns[other(us)] & rank_of_side(us, 3));
  each_square(cells & ways & forward(other(us), forward(other(us), beside_enemies)), [&](Square x) {
    squares[Material::index(reader_.last().man)] = forward(us, forward(us, x));
    values[x] = std::max(values[x], double_step_value(squares, reader_.last().man, sides));
  });
}

/// What a double step is worth after which `pawn` can be taken en passant; `squares` are those after it.
TableValue SolverStart::double_step_value(const Layout::Squares& squares, int pawn,
                                          const std::array<SolverSide, 2>& sides) const {
  const Material& m = layout_.material();
  const Color us = m.color(pawn), them = other(us);
  const Square to = squares[Material::index(pawn)];
  const u64 cell = layout_.some_cell_of(squares);
  const bool captures = (sides[them].captures[cell >> 6] >> (cell & 63) & 1) != 0;
  TableValue best = captures ? sides[them].values[cell] : kNoValue;
  if (!captures || !rules_.options.restricted_ep) {
    for (int taker = 0; taker < m.men; taker++) {
      const bool is_pawn = m.kinds[Material::index(taker)] == Kind::pawn && m.color(taker) == them;
      if (!is_pawn || (beside(bit(to)) & bit(squares[Material::index(taker)])) == 0) continue;
      Layout::Squares taken = squares;
      taken[Material::index(taker)] = forward(them, to);
      best = std::max(best, after(taker, pawn, Kind::pawn).value(taken));
    }
  }
  return before_move(best);
}

}  // namespace hecatomb
