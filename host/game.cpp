#include "host/game.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"

namespace hecatomb {

namespace {

constexpr std::size_t kFirstPositions = 32;

}  // namespace

Game::Game(const Position& start, VariantId variant, const RuleOptions& options, const DrawRules& draws)
    : variant_(variant), options_(options), draws_(draws), memory_(kFirstPositions) {
  memory_[0] = start;
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
  Expected<Move> move = read_move(position(), text, variant_);
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
  if (last_ + 1 == memory_.size()) make_room();
  // Made where it stays: a copy of 64 bytes just written in words of 8 waits for each of them.
  ::new (&memory_[last_ + 1]) Position(after_move(memory_[last_], move, variant_, options_));
  last_++;
  first_ += static_cast<std::size_t>(memory_[last_].halfmove == 0) * (last_ - first_);  // which no branch could guess
  ply_++;
}

void Game::make_room() {
  const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(first_);
  std::copy(begin, memory_.end(), memory_.begin());
  last_ -= std::exchange(first_, 0);
  if (last_ >= memory_.size() / 2) memory_.resize(2 * memory_.size());
}

/// Of the position reached, in this game.
int Game::occurrences() const { return occurrences_of_last(&memory_[first_], static_cast<int>(last_ - first_) + 1); }

Standing Game::standing() const {
  return with_variant(variant_, [this](auto v) {
    using V = decltype(v);
    const Position& p = position();
    Standing standing;
    standing.occurrences = occurrences();
    standing.outcome = outcome<V>(p, count_moves<V>(p), standing.occurrences, options_, draws_);
    if (!standing.over()) standing.claims = claims(p, standing.occurrences);
    return standing;
  });
}

bool Game::is_drawn() const {
  const Position& p = position();
  if (draws_.clock_plies != 0 && p.halfmove >= draws_.clock_plies) return true;
  // The n-th occurrence comes 4 (n - 1) plies after the first at the earliest.
  const bool may_repeat =
      draws_.repetitions != 0 && last_ - first_ >= 4 * (static_cast<std::size_t>(draws_.repetitions) - 1);
  if (may_repeat && occurrences() >= draws_.repetitions) return true;
  return draws_.dead && with_variant(variant_, [&p](auto v) { return dead_reason<decltype(v)>(p) != Reason::none; });
}

}  // namespace hecatomb
