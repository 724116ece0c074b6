// host/game.h: what is played, remembered and refused, and what the rules then say.
#include "host/game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/notation/fen.h"
#include "host/notation/variant_name.h"

namespace hecatomb {
namespace {

Game game_at(std::string_view fen, VariantId variant, const RuleOptions& options = {}, const DrawRules& draws = {}) {
  Expected<Game> game = Game::from_fen(fen, variant, options, draws);
  EXPECT_TRUE(game.ok()) << fen;
  return std::move(*game);
}

Game start(VariantId variant) { return game_at(start_fen(variant), variant); }

std::optional<Error> play_all(Game& game, std::vector<std::string_view> moves) { return game.play_all(moves); }

TEST(Game, StartsWhereTheFenSays) {
  const Game game = start(VariantId::horde);
  EXPECT_EQ(fen_of(game.position()), start_fen(VariantId::horde));
  EXPECT_EQ(game.ply(), 0);
  EXPECT_EQ(game.standing().occurrences, 1);
  EXPECT_FALSE(game.standing().over());
}

TEST(Game, HandsOnErrorsAndWarningsOfTheFen) {
  const Expected<Game> bad = Game::from_fen("8/8 w", VariantId::chess);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().kind, ErrorKind::ranks);
  const Game mended = game_at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", VariantId::antichess);
  ASSERT_EQ(mended.warnings().size(), 2u);
  EXPECT_EQ(mended.warnings()[0].kind, ErrorKind::castling_right);
}

TEST(Game, PlaysUciAndSan) {
  Game game = start(VariantId::chess);
  EXPECT_FALSE(play_all(game, {"e2e4", "e5", "Nf3"}));
  EXPECT_EQ(fen_of(game.position()), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
  EXPECT_EQ(game.ply(), 3);
}

TEST(Game, ARefusedMoveNamesItsPlyAndChangesNothing) {
  Game game = start(VariantId::antichess);
  ASSERT_FALSE(play_all(game, {"e2e3", "b7b5"}));
  const std::string before = fen_of(game.position());
  const std::optional<Error> error = game.play("a2a3");  // f1b5 is compulsory
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::illegal_move);
  EXPECT_EQ(error->ply, 3);
  EXPECT_EQ(error->column, 0);
  EXPECT_EQ(fen_of(game.position()), before);
  EXPECT_EQ(game.ply(), 2);
  EXPECT_FALSE(game.play("f1b5"));
}

TEST(Game, NothingIsPlayedAfterADecision) {
  Game game = start(VariantId::chess);
  ASSERT_FALSE(play_all(game, {"f3", "e5", "g4", "Qh4"}));
  EXPECT_EQ(game.standing().outcome, (Outcome{Result::black_wins, Reason::mate}));
  const std::optional<Error> error = game.play("a3");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::after_end);
  EXPECT_EQ(error->ply, 5);
}

TEST(Game, PlayGoesOnThroughDraws) {
  Game game = game_at("4k3/p7/8/8/8/8/7P/4K3 w - - 149 100", VariantId::chess);
  ASSERT_FALSE(game.play("Ke2"));
  EXPECT_EQ(game.standing().outcome, (Outcome{Result::draw, Reason::seventyfive_moves}));
  ASSERT_FALSE(game.play("a6"));
  EXPECT_FALSE(game.standing().over());
  EXPECT_FALSE(game.standing().claims.fifty_moves);
}

TEST(Game, CountsOccurrencesFromItsFirstPosition) {
  Game game = start(VariantId::chess);
  for (int occurrence = 2; occurrence <= 6; occurrence++) {
    ASSERT_FALSE(play_all(game, {"Nf3", "Nf6", "Ng1", "Ng8"}));
    const Standing standing = game.standing();
    EXPECT_EQ(standing.occurrences, occurrence);
    EXPECT_EQ(standing.claims.threefold, occurrence == 3 || occurrence == 4);
    EXPECT_EQ(standing.outcome.reason, occurrence >= 5 ? Reason::fivefold : Reason::none);
  }
}

TEST(Game, RemembersAsLongAsNothingIsTakenOrPushed) {
  Game game = game_at("4k2r/8/8/8/8/8/8/4K2R w - - 0 1", VariantId::chess, {}, {0, 0, false});
  for (int lap = 1; lap <= 300; lap++) {
    ASSERT_FALSE(play_all(game, {"h1g1", "h8g8", "g1h1", "g8h8"}));
    ASSERT_EQ(game.standing().occurrences, lap + 1);
  }
  EXPECT_EQ(game.ply(), 1200);
  ASSERT_FALSE(game.play("h1h8"));
  EXPECT_EQ(game.standing().occurrences, 1);
}

TEST(Game, DrawRulesAndOptionsAreTheGames) {
  const Game claimed = game_at("4k3/p7/8/8/8/8/7P/4K3 w - - 100 80", VariantId::chess, {}, {100, 3, true});
  EXPECT_EQ(claimed.standing().outcome.reason, Reason::fifty_moves);
  const Game open = game_at("4k3/p7/8/8/8/8/7P/4K3 w - - 100 80", VariantId::chess);
  EXPECT_TRUE(open.standing().claims.fifty_moves);
  const Game counted = game_at("8/8/8/8/8/p7/P7/8 w - - 0 1", VariantId::suicide);
  EXPECT_EQ(counted.standing().outcome, (Outcome{Result::draw, Reason::stalemate_count}));
  const Game won = game_at("8/8/8/8/8/p7/P7/8 w - - 0 1", VariantId::suicide, {.stalemated_wins = true});
  EXPECT_EQ(won.standing().outcome, (Outcome{Result::white_wins, Reason::no_moves}));
}

TEST(Game, AMovedGameKeepsItsHistory) {
  Game first = start(VariantId::losers);
  ASSERT_FALSE(play_all(first, {"Nf3", "Nf6", "Ng1", "Ng8"}));
  Game second = std::move(first);
  ASSERT_FALSE(play_all(second, {"Nf3", "Nf6", "Ng1", "Ng8"}));
  EXPECT_EQ(second.standing().occurrences, 3);
}

}  // namespace
}  // namespace hecatomb
