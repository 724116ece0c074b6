#include "host/tables/table_checker.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "host/tables/reference_tables.h"

namespace hecatomb {

namespace {

constexpr std::string_view kLetters = ".PNBRQK";  // by Kind
constexpr std::size_t kKinds = kLetters.size();

char letter_of(Kind kind, Color color) {
  const char letter = kLetters[static_cast<std::size_t>(kind)];
  return color == kWhite ? letter : static_cast<char>(letter - 'A' + 'a');
}

MaterialKey key_of(char man) {
  const bool white = man < 'a';
  const auto kind = kLetters.find(white ? man : static_cast<char>(man - 'a' + 'A'));
  return material_key_of(white ? kWhite : kBlack, static_cast<Kind>(kind));
}

std::size_t at(Square s) { return static_cast<std::size_t>(s); }

std::vector<TableValue> worths(const Table& table) {
  std::vector<TableValue> worth;
  for (const TableValue v : table.values()) worth.push_back(v == kNoValue ? kNoValue : before_move(v));
  return worth;
}

}  // namespace

TableChecker::TableChecker(const Table& table, const TableRules& rules, TableSource tables)
    : table_(table), rules_(reference_rules_of(rules)), tables_(std::move(tables)), worth_(worths(table)) {
  const Layout& layout = table_.layout();
  const Material& m = layout.material();
  changes_.resize(Material::index(m.men) * Material::index(m.men + 1) * kKinds);
  for (int i = 0; i < layout.row_men(); i++) shift_[Material::index(layout.man(i))] = layout.rows().shift_of(i);
  shift_[Material::index(layout.last_man())] = -1;
  for (int man = 0; man < m.men; man++) {
    if (m.kinds[Material::index(man)] == Kind::pawn) has_pawns_[m.color(man)] = true;
  }
  position_.board.fill('.');
}

void TableChecker::set_up(Color side, const Layout::Squares& squares) {
  const Material& m = table_.layout().material();
  for (int man = 0; man < m.men; man++) position_.board[at(squares_[Material::index(man)])] = '.';
  squares_ = squares;
  row_index_ = 0;
  for (int man = 0; man < m.men; man++) {
    const Square s = squares[Material::index(man)];
    position_.board[at(s)] = letter_of(m.kinds[Material::index(man)], m.color(man));
    man_on_[at(s)] = static_cast<u8>(man);
    if (shift_[Material::index(man)] >= 0) row_index_ |= static_cast<u32>(s) << shift_[Material::index(man)];
  }
  position_.white_to_move = side == kWhite;
}

TableValue TableChecker::value(Color side, u64 cell) {
  set_up(side, table_.layout().squares_of(cell));
  reference::list_legal_moves(rules_, position_, moves_);
  if (moves_.empty()) return value_of_end(position_);
  TableValue best = kNoValue;
  for (const reference::Move& move : moves_) best = std::max(best, worth_of(move, side));
  return best;
}

/// For the side that moves.
TableValue TableChecker::worth_of(const reference::Move& move, Color side) {
  const int mover = man_on_[at(move.from)];
  if (!move.capture && move.promotion == 0) {
    if (may_allow_en_passant(move, mover)) return before_move(value_of_board(reference::make_move(position_, move)));
    return worth_of_quiet(mover, move.to, side);
  }
  const Change& change = change_by(move, mover, move.capture ? man_on_[at(move.to)] : table_.layout().material().men);
  if (!change.table) return change.worth_of_end;
  Layout::Squares squares{};
  for (int man = 0; man < change.table->layout().material().men; man++) {
    const int ours = change.man_at[Material::index(man)];
    squares[Material::index(man)] = (ours == mover ? move.to : squares_[Material::index(ours)]) ^ change.flip;
  }
  return change.worth[change.table->code_at(change.side, change.table->layout().some_cell_of(squares))];
}

/// A man of ours goes to another square, and the table stays what it is.
TableValue TableChecker::worth_of_quiet(int man, Square to, Color side) const {
  const Layout& layout = table_.layout();
  const int shift = shift_[Material::index(man)];
  const Square last = shift < 0 ? to : squares_[Material::index(layout.last_man())];
  const u32 index =
      shift < 0 ? row_index_ : row_index_ ^ static_cast<u32>(squares_[Material::index(man)] ^ to) << shift;
  const u32 entry = layout.rows().entry(index);
  return worth_[table_.code_at(
      other(side), u64{entry >> 3} << 6 | static_cast<u32>(symmetric(static_cast<Symmetry>(entry & 7), last)))];
}

bool TableChecker::may_allow_en_passant(const reference::Move& move, int man) const {
  const Material& m = table_.layout().material();
  return m.kinds[Material::index(man)] == Kind::pawn && has_pawns_[other(m.color(man))] &&
         std::abs(move.to - move.from) == 16;
}

const TableChecker::Change& TableChecker::change_by(const reference::Move& move, int mover, int victim) {
  const auto promoted = move.promotion == 0 ? 0 : kLetters.find(static_cast<char>(move.promotion - 'a' + 'A'));
  const std::size_t men = Material::index(table_.layout().material().men);
  auto& change = changes_[(Material::index(mover) * (men + 1) + Material::index(victim)) * kKinds + promoted];
  if (!change) change = std::make_unique<const Change>(read_change(move, mover));
  return *change;
}

/// From the board that the reference makes of the move.
TableChecker::Change TableChecker::read_change(const reference::Move& move, int mover) const {
  const reference::Position after = reference::make_move(position_, move);
  const auto place = place_of_board(after.board);
  Change change;
  if (!place) {
    change.worth_of_end = before_move(value_of_end(after));
    return change;
  }
  change.table = table_of(place->material);
  change.worth = worths(*change.table);
  change.side = after.white_to_move == place->swapped ? kBlack : kWhite;
  change.flip = place->swapped ? 56 : 0;
  for (int man = 0; man < place->material.men; man++) {
    const Square s = place->squares[Material::index(man)] ^ change.flip;
    change.man_at[Material::index(man)] = s == move.to ? mover : man_on_[at(s)];
  }
  return change;
}

TableValue TableChecker::value_of_end(const reference::Position& p) const {
  const std::string result = reference::outcome(rules_, p).result;
  if (result == "1/2-1/2") return kDraw;
  return (result == "1-0") == p.white_to_move ? win_in(0) : loss_in(0);
}

/// The entry of a board. One with an en passant possibility has none: it is as good as its best move, a capture.
TableValue TableChecker::value_of_board(const reference::Position& p) {
  if (p.ep_square >= 0) {
    const auto moves = reference::legal_moves(rules_, p);
    if (std::any_of(moves.begin(), moves.end(), [](const auto& move) { return move.en_passant; })) {
      TableValue best = kNoValue;
      for (const reference::Move& move : moves)
        best = std::max(best, before_move(value_of_board(reference::make_move(p, move))));
      return best;
    }
  }
  const auto place = place_of_board(p.board);
  if (!place) return value_of_end(p);
  const auto table = table_of(place->material);
  return table->at(p.white_to_move == place->swapped ? kBlack : kWhite, table->layout().some_cell_of(place->squares));
}

/// Nothing where a side is without men.
std::optional<TableChecker::BoardPlace> TableChecker::place_of_board(const Board& board) {
  MaterialKey key = 0;
  for (const char man : board) {
    if (man != '.') key += key_of(man);
  }
  BoardPlace place;
  place.swapped = !is_oriented(key);
  const auto material = material_of_key(place.swapped ? colors_changed(key) : key);
  if (!material) return std::nullopt;
  place.material = *material;
  std::array<bool, kMostTableMen> placed{};
  for (int s = 0; s < 64; s++) {
    if (board[at(s)] == '.') continue;
    for (int man = 0; man < material->men; man++) {
      const std::size_t i = Material::index(man);
      const Color color = place.swapped ? other(material->color(man)) : material->color(man);
      if (placed[i] || key_of(board[at(s)]) != material_key_of(color, material->kinds[i])) continue;
      placed[i] = true;
      place.squares[i] = place.swapped ? s ^ 56 : s;
      break;
    }
  }
  return place;
}

std::shared_ptr<const Table> TableChecker::table_of(const Material& material) const {
  if (material == table_.layout().material()) return {std::shared_ptr<const Table>(), &table_};
  return tables_(material);
}

}  // namespace hecatomb
