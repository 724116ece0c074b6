#include "host/tables/reference_tables.h"

#include <memory>
#include <mutex>
#include <utility>

#include "host/notation/variant_name.h"
#include "host/reference/endgame.h"

namespace hecatomb {

namespace {

constexpr std::string_view kLetters = ".PNBRQK";  // by Kind

TableValue value_of(reference::EndgameValue v) {
  if (v.outcome == 0) return kDraw;
  return v.outcome > 0 ? win_in(v.plies) : loss_in(v.plies);
}

}  // namespace

reference::Rules reference_rules_of(const TableRules& rules) {
  return {reference::variant_from_name(variant_name(rules.variant)), rules.options.restricted_ep,
          rules.options.stalemated_wins};
}

reference::Position reference_position(const Layout& layout, Color side, u64 cell) {
  reference::Position p;
  p.board.fill('.');
  p.white_to_move = side == kWhite;
  const Layout::Squares squares = layout.squares_of(cell);
  for (int man = 0; man < layout.material().men; man++) {
    const char letter = kLetters[static_cast<std::size_t>(layout.material().kinds[Material::index(man)])];
    const bool white = layout.material().color(man) == kWhite;
    p.board[static_cast<std::size_t>(squares[Material::index(man)])] =
        white ? letter : static_cast<char>(letter - 'A' + 'a');
  }
  return p;
}

TableSolver reference_solver(const TableRules& rules) {
  struct State {
    explicit State(const reference::Rules& reference) : endgames(reference) {}
    std::mutex mutex;  // one endgame at a time
    reference::Endgames endgames;
  };
  const auto state = std::make_shared<State>(reference_rules_of(rules));
  return [state](const Material& material, const TableRules& asked, const TableSource&) -> std::optional<SolvedTable> {
    const std::scoped_lock lock(state->mutex);
    const Layout layout(material);
    const reference::Rules reference = reference_rules_of(asked);
    SolvedTable solved;
    std::array<std::vector<TableValue>, 2> values;
    for (const Color side : {kWhite, kBlack}) {
      values[side].assign(layout.cells(), kNoValue);
      solved.captures[side].assign(layout.rows().rows(), 0);
      solved.sacrifices[side].assign(layout.rows().rows(), 0);
      solved.given[side].assign(layout.rows().rows(), 0);
      for (u64 cell = 0; cell < layout.cells(); cell++) {
        if (!layout.is_cell(cell)) continue;
        if (stop_requested()) return std::nullopt;
        const reference::Position p = reference_position(layout, side, cell);
        values[side][cell] = value_of(state->endgames.value(p));
        const auto moves = reference::legal_moves(reference, p);
        if (!moves.empty() && moves.front().capture) solved.captures[side][cell >> 6] |= bit(cell & 63);
      }
    }
    solved.table =
        std::make_shared<const Table>(material, std::array<std::span<const TableValue>, 2>{values[0], values[1]});
    return solved;
  };
}

TableSolver checking_solver(TableSolver first, TableSolver second,
                            std::function<void(const std::string& fen, const std::string& what)> on_difference) {
  const auto mutex = std::make_shared<std::mutex>();
  return
      [first = std::move(first), second = std::move(second), on_difference = std::move(on_difference), mutex](
          const Material& material, const TableRules& rules, const TableSource& tables) -> std::optional<SolvedTable> {
        auto solved = first(material, rules, tables);
        const auto other = solved ? second(material, rules, tables) : std::nullopt;
        if (!other) return std::nullopt;
        if (const auto at = first_difference(*solved->table, *other->table)) {
          const auto [side, cell] = *at;
          const std::scoped_lock lock(*mutex);
          on_difference(fen_of_cell(solved->table->layout(), side, cell),
                        "the first backend makes it " + text_of_value(solved->table->at(side, cell)) + ", the second " +
                            text_of_value(other->table->at(side, cell)));
        }
        return solved;
      };
}

}  // namespace hecatomb
