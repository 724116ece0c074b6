#include "host/tables/solver_start.h"

#include <algorithm>

#include "host/tables/cells.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr Kind kPromotions[] = {Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::king};
constexpr u64 kLastRanks = ~Layout::kPawnSquares;
constexpr u32 kRowsBetweenLooks = 4096;  // at the stop flag
constexpr std::size_t kKindSlots = 7;

std::size_t pair_slot(int mover, int victim) {
  return Material::index(mover) * kMostTableMen + Material::index(victim);
}
std::size_t kind_slot(std::size_t of, Kind kind) { return of * kKindSlots + static_cast<std::size_t>(kind); }

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

template <class Code>
SolverStart<Code>::SolverStart(const Layout& layout, const TableRules& rules, const TableSource& tables)
    : layout_(layout),
      rules_(rules),
      codes_(rules.wins_are_even()),
      reader_(layout),
      worth_(kind_slot(pair_slot(kMostTableMen, 0), Kind::none)),
      promoted_(kind_slot(kMostTableMen, Kind::none)),
      en_passant_(pair_slot(kMostTableMen, 0)) {
  const Material& m = layout.material();
  for (int victim = 0; victim <= reader_.row_men(); victim++) {
    std::shared_ptr<const CaptureWorth<Code>> plain;  // the same whoever captures
    for (int mover = 0; mover <= reader_.row_men(); mover++) {
      const RowReader::Man& man = reader_.man(mover);
      if (man.color == reader_.man(victim).color) continue;
      const auto make = [&](Kind kind) {
        return std::make_shared<const CaptureWorth<Code>>(layout, reader_, mover, victim, kind, tables, codes_);
      };
      if (!plain) plain = make(man.kind);
      worth_[kind_slot(pair_slot(mover, victim), man.kind)] = plain;
      if (man.kind != Kind::pawn) continue;
      for (const Kind kind : kPromotions) worth_[kind_slot(pair_slot(mover, victim), kind)] = make(kind);
      const int taker = man.man, taken = reader_.man(victim).man;
      en_passant_[pair_slot(taker, taken)].emplace(m, taker, taken, Kind::pawn, tables, codes_);
    }
  }
  for (int man = 0; man < m.men; man++) {
    if (m.kinds[Material::index(man)] != Kind::pawn) continue;
    for (const Kind kind : kPromotions)
      promoted_[kind_slot(Material::index(man), kind)].emplace(m, man, SuccessorPlace::kNobody, kind, tables, codes_);
  }
}

template <class Code>
const CaptureWorth<Code>& SolverStart<Code>::worth(int mover, int victim, Kind kind) const {
  return *worth_[kind_slot(pair_slot(mover, victim), kind)];
}

/// Man m of the row captures: men of the row wherever the last man does not stand in the way, and the last man. Cells
/// that are none of `captures` may get a code, too.
template <class Code>
void SolverStart<Code>::captures_of_row_man(const RowView& v, int m, Code* codes, u64& captures) const {
  const RowReader::Man& mover = reader_.man(m);
  const Square from = v.at[Material::index(m)];
  const u64 attacked =
      mover.kind == Kind::pawn ? pawn_attacks(mover.color, bit(from)) : attacks_of(mover.kind, bit(from), v.empty());
  for (int j = 0; j < reader_.row_men(); j++) {
    const Square to = v.at[Material::index(j)];
    if (reader_.man(j).color == mover.color || (attacked & bit(to)) == 0) continue;
    const u64 way = between(from, to);
    captures |= v.valid & ~way;
    each_arrival(mover.kind, to, [&](Kind kind) {
      const Code* worth_there = worth(m, j, kind).row(v, m, to);
      if (way == 0) {
        cells::take_greater(codes, worth_there);
      } else {
        cells::take_greater(codes, worth_there, ~way);
      }
    });
  }
  if (reader_.last().color == mover.color) return;
  captures |= attacked & v.valid;
  each_square(attacked & v.valid, [&](Square x) {
    each_arrival(mover.kind, x,
                 [&](Kind kind) { codes[x] = std::max(codes[x], worth(m, reader_.row_men(), kind).one(v, m, x)); });
  });
}

/// The last man captures men of the row: one code for all squares it comes from.
template <class Code>
void SolverStart<Code>::captures_of_last(const RowView& v, Code* codes, u64& captures) const {
  const RowReader::Man& mover = reader_.last();
  for (int j = 0; j < reader_.row_men(); j++) {
    if (reader_.man(j).color == mover.color) continue;
    const Square to = v.at[Material::index(j)];
    const u64 from = v.valid & (mover.kind == Kind::pawn ? pawn_attacks(other(mover.color), bit(to))
                                                         : attacks_of(mover.kind, bit(to), v.empty()));
    captures |= from;
    Code best = codes_.kNone;
    each_arrival(mover.kind, to, [&](Kind kind) {
      best = std::max(best, worth(reader_.row_men(), j, kind).one(v, reader_.row_men(), to));
    });
    cells::take_greater(codes, best, from);
  }
}

template <class Code>
bool SolverStart<Code>::run_captures(SolverSides<Code>& sides) const {
  const u32 rows = layout_.rows().rows();
  for (SolverSide<Code>& side : sides) {
    side.codes.assign(layout_.cells(), codes_.kNone);
    side.captures.assign(rows, 0);
  }
  for (u32 row = 0; row < rows; row++) {
    if (row % kRowsBetweenLooks == 0 && stop_requested()) return false;
    const RowView v = reader_.view(row);
    for (int m = 0; m < reader_.row_men(); m++) {
      SolverSide<Code>& side = sides[reader_.man(m).color];
      captures_of_row_man(v, m, side.row(row), side.captures[row]);
    }
    SolverSide<Code>& of_last = sides[reader_.last().color];
    captures_of_last(v, of_last.row(row), of_last.captures[row]);
    for (SolverSide<Code>& side : sides) cells::keep(side.row(row), side.captures[row]);
  }
  return true;
}

/// As only positions with captures have codes yet, and losses lie below kDrawn.
template <class Code>
typename SolverStart<Code>::Gifts SolverStart<Code>::gifts_of(const SolverSides<Code>& sides) const {
  Gifts gifts;
  for (const Color side : {kWhite, kBlack}) {
    const std::vector<Code>& codes = sides[side].codes;
    gifts[side].resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); i++) {
      const Code c = codes[i];
      const bool lost = static_cast<Code>(c - 1) < codes_.kDrawn - 1;
      gifts[side][i] = lost ? codes_.before_loss(c) : codes_.kNone;
    }
  }
  return gifts;
}

/// The best sacrifice by a quiet move inside the class, for all cells of a row; for those without such a move and those
/// without a quiet one at all the outcome means nothing.
template <class Code>
void SolverStart<Code>::best_gifts(const RowView& v, Color us, const Gifts& gifts, Code* best) const {
  const RowMap& rows = layout_.rows();
  const std::vector<Code>& taken = gifts[other(us)];
  for (int m = 0; m < reader_.row_men(); m++) {
    const RowReader::Man& mover = reader_.man(m);
    if (mover.color != us) continue;
    const Square from = v.at[Material::index(m)];
    reader_.quiet_moves(v, m, [&](Square to, u64 possible) {
      const u32 entry = rows.entry(v.index ^ static_cast<u32>(from ^ to) << mover.shift);
      const Code* there = &taken[std::size_t{entry >> 3} << 6];
      Code turned[cells::kCells];
      if ((entry & 7) != 0) {
        cells::image(inverse(static_cast<Symmetry>(entry & 7)), there, turned);
        there = turned;
      }
      if ((~possible & v.valid & ~bit(to)) == 0) {
        cells::take_greater(best, there);
      } else {
        cells::take_greater(best, there, possible);
      }
    });
  }
  if (reader_.last().color != us) return;
  const Code* here = &taken[std::size_t{v.row} << 6];
  u64 left = v.valid & ~cells::equal(here, codes_.kNone);
  while (left != 0) {
    const Code code = here[ctz(left)];
    const u64 set = cells::equal(here, code);
    cells::take_greater(best, code, reader_.last_origins(v, set));
    left &= ~set;
  }
}

template <class Code>
bool SolverStart<Code>::run(SolverSides<Code>& sides) const {
  if (!run_captures(sides)) return false;
  const u32 rows = layout_.rows().rows();
  for (SolverSide<Code>& side : sides) {
    side.closed = side.captures;
    for (auto* sets : {&side.open, &side.partial, &side.sacrifices, &side.given}) sets->assign(rows, 0);
  }
  const Gifts gifts = gifts_of(sides);
  for (u32 row = 0; row < rows; row++) {
    if (row % kRowsBetweenLooks == 0 && stop_requested()) return false;
    const RowView v = reader_.view(row);
    quiet_row(v, kWhite, sides, gifts);
    quiet_row(v, kBlack, sides, gifts);
  }
  return true;
}

template <class Code>
bool SolverStart<Code>::run_captures_and_sacrifices(SolverSides<Code>& sides) const {
  if (!run_captures(sides)) return false;
  const Gifts gifts = gifts_of(sides);
  for (u32 row = 0; row < layout_.rows().rows(); row++) {
    if (row % kRowsBetweenLooks == 0 && stop_requested()) return false;
    const RowView v = reader_.view(row);
    for (const Color us : {kWhite, kBlack}) {
      Code best[cells::kCells] = {};
      best_gifts(v, us, gifts, best);
      cells::take_greater(sides[us].row(row), best, v.valid & ~sides[us].captures[row]);
    }
  }
  return true;
}

template <class Code>
void SolverStart<Code>::quiet_row(const RowView& v, Color us, SolverSides<Code>& sides, const Gifts& gifts) const {
  SolverSide<Code>& side = sides[us];
  Code* codes = side.row(v.row);
  const u64 quiet = v.valid & ~side.captures[v.row];
  if (quiet == 0) return;
  const u64 open = quiet & movable(v, us, quiet);
  if (open != quiet) {
    cells::put(codes, stalemate_code(us), quiet & ~open);
    side.closed[v.row] |= quiet & ~open;
  }
  side.open[v.row] = open;
  if (open == 0) return;
  if ((v.pawns[us] | (reader_.last_is_pawn_of(us) ? 1u : 0u)) != 0) {
    promotions(v, us, open, codes);
    double_steps(v, us, open, sides);
  }
  Code best[cells::kCells] = {};
  best_gifts(v, us, gifts, best);
  cells::keep(best, open);
  side.given[v.row] = open & ~cells::equal(best, codes_.kNone);
  side.sacrifices[v.row] = side.given[v.row] & cells::at_least(best, codes);
  cells::take_greater(codes, best);
  side.partial[v.row] = open & ~cells::equal(codes, codes_.kNone);
}

/// The cells in which the side has a quiet move at all.
template <class Code>
u64 SolverStart<Code>::movable(const RowView& v, Color us, u64 cells) const {
  u64 can = 0;
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
  if (reader_.last().color == us && (cells & ~can) != 0) {
    const u64 free = ~v.occupied;
    can |= reader_.last().kind == Kind::pawn ? forward(other(us), free) : attacks_of(reader_.last().kind, free, free);
  }
  return can;
}

template <class Code>
Code SolverStart<Code>::stalemate_code(Color us) const {
  if (rules_.wins_are_even()) return codes_.win(0);
  const Material& m = layout_.material();
  const int white = m.white, black = m.men - m.white;
  if (white == black) return codes_.kDrawn;
  return (us == kWhite) == (white < black) ? codes_.win(0) : codes_.loss(0);
}

template <class Code>
void SolverStart<Code>::promotions(const RowView& v, Color us, u64 cells, Code* codes) const {
  Layout::Squares squares = v.squares;
  const auto promoted = [&](int man, Kind kind) -> const Successor<Code>& {
    return *promoted_[kind_slot(Material::index(man), kind)];  // NOLINT(bugprone-unchecked-optional-access): all made
  };
  for (int m = 0; m < reader_.row_men(); m++) {
    const RowReader::Man& mover = reader_.man(m);
    const Square from = v.at[Material::index(m)], to = forward(us, from);
    const bool promotes = mover.kind == Kind::pawn && mover.color == us && (bit(from) & rank_of_side(us, 6)) != 0;
    if (!promotes || (bit(to) & v.occupied) != 0) continue;
    squares[Material::index(mover.man)] = to;
    for (const Kind kind : kPromotions)
      promoted(mover.man, kind).maximise(squares, reader_.last().man, cells & ~bit(to), codes);
    squares[Material::index(mover.man)] = from;
  }
  if (!reader_.last_is_pawn_of(us)) return;
  each_square(cells & rank_of_side(us, 6) & forward(other(us), v.empty()), [&](Square x) {
    squares[Material::index(reader_.last().man)] = forward(us, x);
    for (const Kind kind : kPromotions)
      codes[x] = std::max(codes[x], promoted(reader_.last().man, kind).value(squares));
  });
}

/// Double steps beside an enemy pawn.
template <class Code>
void SolverStart<Code>::double_steps(const RowView& v, Color us, u64 cells, SolverSides<Code>& sides) const {
  Code* codes = sides[us].row(v.row);
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
      codes[x] = std::max(codes[x], double_step_code(squares, mover.man, sides));
    });
    squares[Material::index(mover.man)] = from;
  }
  if (!reader_.last_is_pawn_of(us)) return;
  const u64 ways = second & forward(other(us), v.empty() & forward(other(us), v.empty()));
  const u64 beside_enemies = beside(v.pawns[other(us)] & rank_of_side(us, 3));
  each_square(cells & ways & forward(other(us), forward(other(us), beside_enemies)), [&](Square x) {
    squares[Material::index(reader_.last().man)] = forward(us, forward(us, x));
    codes[x] = std::max(codes[x], double_step_code(squares, reader_.last().man, sides));
  });
}

/// What a double step is worth after which `pawn` can be taken en passant; `squares` are those after it.
template <class Code>
Code SolverStart<Code>::double_step_code(const Layout::Squares& squares, int pawn,
                                         const SolverSides<Code>& sides) const {
  const Material& m = layout_.material();
  const Color us = m.color(pawn), them = other(us);
  const Square to = squares[Material::index(pawn)];
  const u64 cell = layout_.some_cell_of(squares);
  const bool captures = (sides[them].captures[cell >> 6] >> (cell & 63) & 1) != 0;
  Code best = captures ? sides[them].codes[cell] : codes_.kNone;
  if (!captures || !rules_.options.restricted_ep) {
    for (int taker = 0; taker < m.men; taker++) {
      const auto& taking = en_passant_[pair_slot(taker, pawn)];
      if (!taking || (beside(bit(to)) & bit(squares[Material::index(taker)])) == 0) continue;
      Layout::Squares taken = squares;
      taken[Material::index(taker)] = forward(them, to);
      best = std::max(best, taking->value(taken));
    }
  }
  return codes_.before(best);
}

template class SolverStart<u8>;
template class SolverStart<u16>;

}  // namespace hecatomb
