// One row of a class as the solver sees it: where its men stand, and the quiet moves that stay in the class.
//
// The one idea: every move is given for all 64 squares of the last man at once, with the mask of those for which it is
// possible. Double steps that allow en passant, and promotions, are no moves here: solver_start.h values them.
#pragma once
#include <array>
#include <vector>

#include "host/tables/geometry.h"
#include "host/tables/layout.h"

namespace hecatomb {

struct RowView {
  u32 row = 0;
  u32 index = 0;                         ///< RowMap::index_of
  std::array<Square, kMostRowMen> at{};  ///< by man of the row
  u64 occupied = 0;                      ///< by men of the row
  std::array<u64, 2> pawns{};            ///< of the row, by colour
  u64 valid = 0;                         ///< cells
  Layout::Squares squares{};             ///< by man of the class; the last one's is 0
  u64 empty() const { return ~occupied; }
};

class RowReader {
 public:
  struct Man {
    Kind kind;
    Color color;
    int man;    ///< of the class
    int shift;  ///< of its digit in RowMap::index_of
  };

  explicit RowReader(const Layout& layout) : layout_(layout), row_men_(layout.row_men()) {
    for (int m = 0; m <= row_men_; m++) {
      const int man = layout.man(m);
      men_[Material::index(m)] = {layout.material().kinds[Material::index(man)], layout.material().color(man), man,
                                  m < row_men_ ? layout.rows().shift_of(m) : 0};
    }
  }

  int row_men() const { return row_men_; }
  const Man& man(int m) const { return men_[Material::index(m)]; }
  const Man& last() const { return man(row_men_); }
  bool last_is_pawn_of(Color color) const { return last().kind == Kind::pawn && last().color == color; }

  RowView view(u32 row) const {
    RowView v{.row = row, .index = layout_.rows().index_of_row(row)};
    const RowMap::Squares& squares = layout_.rows().squares(row);
    for (int m = 0; m < row_men_; m++) {
      const Square s = squares[Material::index(m)];
      v.at[Material::index(m)] = s;
      v.squares[Material::index(man(m).man)] = s;
      v.occupied |= bit(s);
      if (man(m).kind == Kind::pawn) v.pawns[man(m).color] |= bit(s);
    }
    v.valid = last().kind == Kind::pawn ? v.empty() & Layout::kPawnSquares : v.empty();
    return v;
  }

  /// Cells in which man m of the row may step to `to`, with the squares of `way` (without `to`) empty.
  static u64 cells_for(u64 way, Square to) { return ~(way | bit(to)); }

  /// Cells in which a double step to `to` by a pawn of `us` allows no en passant.
  u64 no_en_passant(const RowView& v, Color us, Square to) const {
    const u64 near = beside(bit(to));
    if ((near & v.pawns[other(us)]) != 0) return 0;
    return last_is_pawn_of(other(us)) ? ~near : ~u64{0};
  }

  /// Calls f(target, cells) for every quiet move of man m of the row inside the class.
  template <class F>
  void quiet_moves(const RowView& v, int m, F&& f) const {
    const Square from = v.at[Material::index(m)];
    const Man& mover = man(m);
    if (mover.kind != Kind::pawn) {
      for (u64 to = attacks_of(mover.kind, bit(from), v.empty()) & v.empty(); to != 0; to &= to - 1)
        f(ctz(to), cells_for(between(from, ctz(to)), ctz(to)));
      return;
    }
    const Square one = forward(mover.color, from), two = forward(mover.color, one);
    if ((bit(one) & (v.occupied | ~Layout::kPawnSquares)) != 0) return;
    f(one, cells_for(0, one));
    if ((bit(from) & rank_of_side(mover.color, 1)) == 0 || (bit(two) & v.occupied) != 0) return;
    f(two, cells_for(bit(one), two) & no_en_passant(v, mover.color, two));
  }

  /// Calls f(origin, cells) for every quiet move that man m of the row may just have made.
  template <class F>
  void quiet_origins(const RowView& v, int m, F&& f) const {
    const Square to = v.at[Material::index(m)];
    const Man& mover = man(m);
    if (mover.kind != Kind::pawn) {
      for (u64 from = attacks_of(mover.kind, bit(to), v.empty()) & v.empty(); from != 0; from &= from - 1)
        f(ctz(from), cells_for(between(to, ctz(from)), ctz(from)));
      return;
    }
    const Color back = other(mover.color);
    const Square one = forward(back, to), two = forward(back, one);
    if ((bit(one) & (v.occupied | ~Layout::kPawnSquares)) != 0) return;
    f(one, cells_for(0, one));
    if ((bit(to) & rank_of_side(mover.color, 3)) == 0 || (bit(two) & v.occupied) != 0) return;
    f(two, cells_for(bit(one), two) & no_en_passant(v, mover.color, to));
  }

  /// The cells from which the last man can move quietly to a cell of `targets`.
  u64 last_origins(const RowView& v, u64 targets) const {
    if (last().kind != Kind::pawn) return attacks_of(last().kind, targets, v.empty()) & v.empty();
    const Color us = last().color, back = other(us);
    const u64 enemies = beside(v.pawns[other(us)] & rank_of_side(us, 3));
    const u64 one = forward(back, targets & rank_of_side(us, 3) & ~enemies) & v.empty();
    return (forward(back, targets) | forward(back, one)) & v.valid;
  }

  /// Calls f(row, cells) for the cells of `wanted` (by row) from which a quiet move of the side `parent` may have led
  /// to a cell of `set` in v's row.
  template <class F>
  void origins(const RowView& v, Color parent, u64 set, const std::vector<u64>& wanted, F&& f) const {
    const RowMap& rows = layout_.rows();
    if (last().color == parent && wanted[v.row] != 0) f(v.row, last_origins(v, set) & wanted[v.row]);
    for (int m = 0; m < row_men_; m++) {
      if (man(m).color != parent) continue;
      const Square to = v.at[Material::index(m)];
      quiet_origins(v, m, [&](Square from, u64 cells) {
        if ((set & cells) == 0) return;
        const u32 entry = rows.entry(v.index ^ static_cast<u32>(from ^ to) << man(m).shift);
        const u32 before = entry >> 3;
        if (wanted[before] == 0) return;
        u64 image = symmetric_set(static_cast<Symmetry>(entry & 7), set & cells);
        // The same positions as they stand mirrored in a row that is its own mirror image.
        for (u32 t = 1; rows.stabilizer(before) >> t != 0; t++) {
          if ((rows.stabilizer(before) >> t & 1) != 0) image |= symmetric_set(static_cast<Symmetry>(t), image);
        }
        f(before, image & wanted[before]);
      });
    }
  }

 private:
  const Layout& layout_;
  int row_men_;
  std::array<Man, kMostTableMen> men_{};
};

}  // namespace hecatomb
