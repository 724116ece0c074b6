#include "host/game.h"

#include <utility>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"

namespace hecatomb {

namespace {

constexpr std::size_t kFirstPositions = 16;

}  // namespace

Game::Game(const Position& start, VariantId variant, const RuleOptions& options, const DrawRules& draws)
    : position_(start),
      variant_(variant),
      options_(options),
      draws_(draws),
      memory_(kFirstPositions),
      history_(memory_.data(), static_cast<int>(memory_.size())) {
  remember();
}

Expected<Game> Game::from_fen(std::string_view fen, VariantId variant, const RuleOptions& options,
                              const DrawRules& draws) {
  Expected<FenReading> reading = read_fen(fen, variant, options);
  if (!reading) return std::move(reading.error());
  Game game(reading->position, variant, options, draws);
  game.warnings_ = std::move(reading->warnings);
  return game;
}

std::optional<Error> Game::play(std::string_view text) {
  Expected<Move> move = read_move(position_, text, variant_);
  if (!move) {
    move.error().ply = ply_ + 1;
    return std::move(move.error());
  }
  play(*move);
  return std::nullopt;
}

std::optional<Error> Game::play_all(std::span<const std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (std::optional<Error> error = play(text)) return error;
  }
  return std::nullopt;
}

void Game::play(Move move) {
  position_ = after_move(position_, move, variant_, options_);
  ply_++;
  remember();
}

/// A history that is full is moved into twice the room.
void Game::remember() {
  if (history_.push(position_)) return;
  std::vector<Position> larger(2 * memory_.size());
  GameHistory history(larger.data(), static_cast<int>(larger.size()));
  for (const Position& p : memory_) history.push(p);
  history.push(position_);
  memory_ = std::move(larger);
  history_ = history;
}

Standing Game::standing() const {
  return with_variant(variant_, [this](auto v) {
    using V = decltype(v);
    Standing standing;
    standing.occurrences = history_.occurrences();
    standing.outcome = outcome<V>(position_, count_moves<V>(position_), standing.occurrences, options_, draws_);
    if (!standing.over()) standing.claims = claims(position_, standing.occurrences);
    return standing;
  });
}

bool Game::is_drawn() const {
  if (draws_.clock_plies != 0 && position_.halfmove >= draws_.clock_plies) return true;
  if (draws_.repetitions != 0 && history_.occurrences() >= draws_.repetitions) return true;
  return draws_.dead &&
         with_variant(variant_, [this](auto v) { return dead_reason<decltype(v)>(position_) != Reason::none; });
}

}  // namespace hecatomb
