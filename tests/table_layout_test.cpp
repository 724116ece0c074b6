// The index of endgame tables: symmetries, material classes, rows and cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "host/tables/cells.h"
#include "host/tables/generate.h"
#include "host/tables/geometry.h"
#include "tests/support/random_positions.h"

namespace hecatomb {
namespace {

using test::Random;

TEST(Symmetry, SetsMoveAsTheirSquaresDo) {
  Random random(1);
  for (int t = 0; t < kSymmetries; t++) {
    const auto symmetry = static_cast<Symmetry>(t);
    std::set<Square> images;
    for (Square s = 0; s < 64; s++) {
      EXPECT_EQ(symmetric_set(symmetry, bit(s)), bit(symmetric(symmetry, s)));
      EXPECT_EQ(symmetric(inverse(symmetry), symmetric(symmetry, s)), s);
      EXPECT_EQ(kSymmetric[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)], symmetric(symmetry, s));
      images.insert(symmetric(symmetry, s));
    }
    EXPECT_EQ(images.size(), 64U);
    const u64 x = random.next();
    EXPECT_EQ(symmetric_set(inverse(symmetry), symmetric_set(symmetry, x)), x);
  }
}

TEST(Geometry, AttacksAreThoseOfSingleMenAndGoBothWays) {
  Random random(2);
  for (const Kind kind : {Kind::knight, Kind::bishop, Kind::rook, Kind::queen, Kind::king}) {
    for (int i = 0; i < 200; i++) {
      const u64 occupied = random.next() & random.next(), from = random.next() & random.next() & ~occupied;
      u64 single = 0;
      for (u64 left = from; left != 0; left &= left - 1) single |= attacks_of(kind, left & (~left + 1), ~occupied);
      EXPECT_EQ(attacks_of(kind, from, ~occupied), single);
      for (u64 left = from; left != 0; left &= left - 1) {
        const u64 to = attacks_of(kind, bit(ctz(left)), ~occupied) & ~occupied;
        for (u64 back = to; back != 0; back &= back - 1)
          EXPECT_NE(attacks_of(kind, bit(ctz(back)), ~occupied) & bit(ctz(left)), 0U);
      }
    }
  }
}

/// A step back of a code is that of its value, and codes order as values do.
template <class Code>
void compare_codes(bool wins_are_even, int plies) {
  const ValueCode<Code> codes(wins_are_even);
  EXPECT_GE(codes.most_plies(), plies);
  TableValue before = kNoValue;
  for (u32 c = 1; c <= codes.kTop; c++) {
    const bool too_long = c > codes.loss(plies) && c < codes.win(plies) && c != codes.kDrawn;
    if (too_long) continue;
    const TableValue value = codes.value(static_cast<Code>(c));
    ASSERT_LT(before, value);
    before = value;
    if (value != kDraw && plies_of(value) >= plies) continue;
    ASSERT_EQ(codes.of(value), c);
    ASSERT_EQ(codes.value(codes.before(static_cast<Code>(c))), before_move(value)) << c;
  }
}

TEST(ValueCode, StepsAndOrdersAsValuesDo) {
  compare_codes<u8>(true, 252);
  compare_codes<u8>(false, 126);
  compare_codes<u16>(true, 30000);
  compare_codes<u16>(false, 30000);
  EXPECT_THROW(static_cast<void>(ValueCode<u8>(false).of(win_in(127))), CodesTooShortError);
}

/// Every operation on cells against the loop it stands for.
template <class Code>
void compare_cells(Random& random) {
  std::array<Code, 64> a{}, b{}, out{};
  for (std::size_t x = 0; x < 64; x++) {
    a[x] = static_cast<Code>(random.next() % 5 * 63);
    b[x] = static_cast<Code>(random.next());
  }
  const u64 set = random.next() & random.next();
  const auto has = [&](u64 s, std::size_t x) { return (s >> x & 1) != 0; };
  for (std::size_t x = 0; x < 64; x++) {
    EXPECT_EQ(has(cells::equal(a.data(), a[7]), x), a[x] == a[7]);
    EXPECT_EQ(has(cells::at_least(a.data(), b.data()), x), a[x] >= b[x]);
    EXPECT_EQ(has(cells::high_bits(b.data()), x), b[x] >= ValueCode<Code>::kDrawn);
    const Code greater = std::max(a[x], b[x]);
    cells::take_greater((out = a).data(), b.data());
    EXPECT_EQ(out[x], greater);
    cells::take_greater((out = a).data(), b.data(), set);
    EXPECT_EQ(out[x], has(set, x) ? greater : a[x]);
    cells::take_greater((out = a).data(), b[9], set);
    EXPECT_EQ(out[x], has(set, x) ? std::max(a[x], b[9]) : a[x]);
    cells::put((out = a).data(), b[9], set);
    EXPECT_EQ(out[x], has(set, x) ? b[9] : a[x]);
    cells::keep((out = a).data(), set);
    EXPECT_EQ(out[x], has(set, x) ? a[x] : 0);
    for (int t = 0; t < kSymmetries; t++) {
      cells::image(static_cast<Symmetry>(t), b.data(), out.data());
      EXPECT_EQ(out[static_cast<std::size_t>(symmetric(static_cast<Symmetry>(t), static_cast<Square>(x)))], b[x]);
    }
  }
}

TEST(Cells, DoAsTheLoopsTheyStandFor) {
  Random random(7);
  for (int i = 0; i < 20; i++) {
    compare_cells<u8>(random);
    compare_cells<u16>(random);
  }
}

TEST(Material, NamesAndOrientation) {
  for (const auto& [read, name] : {std::pair{"KvK", "KvK"},
                                   {"KvRP", "RPvK"},
                                   {"pvkq", "KQvP"},
                                   {"QvK", "KvQ"},
                                   {"PPvNB", "BNvPP"},
                                   {"KvKKKK", "KKKKvK"}}) {
    const auto material = read_material(read);
    ASSERT_TRUE(material) << read;
    EXPECT_EQ(material->name(), name);
  }
  for (const char* wrong : {"", "K", "Kv", "vK", "KvKvK", "KXvK", "KKKvKKK", "KQRBNPvK", "K v K"})
    EXPECT_FALSE(read_material(wrong)) << wrong;
}

TEST(Material, NumbersOfClasses) {
  EXPECT_EQ(all_materials(2).size(), 21U);
  EXPECT_EQ(all_materials(3).size(), 126U);
  EXPECT_EQ(all_materials(4).size(), 567U);
  EXPECT_EQ(all_materials(5).size(), 1932U);
}

TEST(Material, EveryClassComesBehindThoseItNeeds) {
  std::set<MaterialKey> seen;
  for (const Material& material : materials_up_to(4)) {
    for (const Material& below : materials_below(material)) EXPECT_TRUE(seen.contains(below.key())) << material.name();
    EXPECT_EQ(read_material(material.name()), material);
    EXPECT_TRUE(seen.insert(material.key()).second);
  }
}

/// Boards of a class, like men not told apart.
u64 boards_of(const Material& m) {
  u64 boards = 1, taken = 0;
  for (int man = m.men - 1; man >= 0; man--) {  // pawns, which may stand on 48 squares, are not all last: count by kind
    if (m.kinds[Material::index(man)] != Kind::pawn) continue;
    boards *= 48 - taken++;
  }
  for (int man = 0; man < m.men; man++) {
    if (m.kinds[Material::index(man)] != Kind::pawn) boards *= 64 - taken++;
  }
  for (int man = 0; man < m.men; man++) {
    u64 like = 1;
    for (int i = 0; i < man; i++) like += m.is_like(i, man);
    boards /= like;
  }
  return boards;
}

/// Every canonical cell is found again from its position, every other cell leads to a canonical one, and together they
/// stand for every board once.
TEST(Layout, CellsAndPositionsCorrespondInEveryClass) {
  for (const Material& material : materials_up_to(3)) {
    const Layout layout(material);
    u64 boards = 0;
    for (u64 cell = 0; cell < layout.cells(); cell++) {
      if (!layout.is_cell(cell)) continue;
      const u64 canonical = layout.canonical(cell);
      ASSERT_TRUE(layout.is_cell(canonical));
      ASSERT_EQ(layout.canonical(canonical), canonical) << material.name() << " " << cell;
      ASSERT_EQ((layout.canonical_set(static_cast<u32>(cell >> 6)) >> (cell & 63) & 1) != 0, canonical == cell);
      if (canonical == cell) boards += static_cast<u64>(layout.weight(cell).placements);
    }
    EXPECT_EQ(boards, boards_of(material)) << material.name();
  }
}

TEST(Layout, RowsAreCountedAsTheyAreMade) {
  for (const Material& material : materials_up_to(4))
    EXPECT_EQ(Layout::cells_of(material), Layout(material).cells()) << material.name();
}

TEST(Layout, EveryImageOfAPositionHasItsCell) {
  Random random(3);
  for (const int men : {2, 3, 4}) {
    for (const Material& material : all_materials(men)) {
      const Layout layout(material);
      for (int i = 0; i < 30; i++) {
        Layout::Squares squares{};
        u64 taken = 0;
        for (int man = 0; man < men; man++) {
          const bool pawn = material.kinds[Material::index(man)] == Kind::pawn;
          Square s = 0;
          do {
            s = pawn ? 8 + random.below(48) : random.below(64);
          } while ((taken & bit(s)) != 0);
          taken |= bit(s);
          squares[Material::index(man)] = s;
        }
        const u64 cell = layout.cell_of(squares);
        ASSERT_EQ(layout.canonical(layout.some_cell_of(squares)), cell) << material.name();
        for (int t = 0; t < layout.symmetries(); t++) {
          Layout::Squares image = squares;
          for (Square& s : image) s = symmetric(static_cast<Symmetry>(t), s);
          const int a = random.below(men), b = random.below(men);
          if (material.is_like(a, b)) std::swap(image[Material::index(a)], image[Material::index(b)]);
          ASSERT_EQ(layout.cell_of(image), cell) << material.name();
        }
      }
    }
  }
}

TEST(Layout, FourMenStandForEveryBoardOnce) {
  for (const char* name : {
         "RRRvR", "BBvNN", "KQvRN", "KKvKK"
#if !defined(HECATOMB_SANITIZED)
             ,
             "PPvPP", "PPPvK", "RPvPP", "PPPvP"
#endif
       }) {
    const Layout layout(*read_material(name));
    u64 boards = 0, orbits = 0, merged = 0;
    for (u32 row = 0; row < layout.rows().rows(); row++) {
      for (u64 set = layout.canonical_set(row); set != 0; set &= set - 1) {
        const Layout::Weight weight = layout.weight(u64{row} << 6 | static_cast<u32>(ctz(set)));
        boards += static_cast<u64>(weight.placements);
        orbits += static_cast<u64>(weight.labelled_orbits);
        merged++;
      }
    }
    EXPECT_EQ(boards, boards_of(layout.material())) << name;
    EXPECT_LE(merged, orbits);
  }
}

}  // namespace
}  // namespace hecatomb
