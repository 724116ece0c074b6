// The words of the program: kinds of errors, variants and their aliases, results and reasons.
#include "host/notation/variant_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "host/notation/fen.h"

namespace hecatomb {
namespace {

constexpr VariantId kAntichess = VariantId::antichess, kSuicide = VariantId::suicide, kLosers = VariantId::losers,
                    kHorde = VariantId::horde, kChess = VariantId::chess;

TEST(Words, KindsArePrintedAsDocumented) {
  std::string all;
  for (int i = 0; i < kErrorKinds; i++) all += std::string(kind_name(static_cast<ErrorKind>(i))) + " ";
  EXPECT_EQ(
      all,
      "empty ranks rank-width piece no-side side castling-chars ep-field ep-square counter pawn-rank kings "
      "opposite-check empty-board too-many-men trailing illegal-move ambiguous-move unreadable-move after-end "
      "unknown-variant json variant option line tag movetext truncated castling-right result-mismatch after-draw ");
}

TEST(Words, VariantsAndTheirAliases) {
  for (const VariantId variant : kAllVariants) {
    EXPECT_EQ(find_variant(variant_name(variant)), variant);
    EXPECT_EQ(fen_of(start_position(variant)), start_fen(variant));
  }
  for (const char* name : {"antichess", "ANTICHESS", "Anti Chess", "anti-chess", "anti_chess", "Giveaway",
                           "Losing Chess", "losing-chess", " losingchess "}) {
    EXPECT_EQ(find_variant(name), kAntichess) << name;
  }
  EXPECT_EQ(find_variant("Suicide Chess"), kSuicide);
  EXPECT_EQ(find_variant("losers-chess"), kLosers);
  EXPECT_EQ(find_variant("Horde_Chess"), kHorde);
  EXPECT_EQ(find_variant("Standard"), kChess);
  for (const char* name : {"", "-", "atomic", "From Position", "antichess960", "losing"}) {
    EXPECT_EQ(find_variant(name), std::nullopt) << name;
  }
}

TEST(Words, UnknownVariantsGetTheNearestName) {
  EXPECT_EQ(nearest_variant_name("antichss"), "antichess");
  EXPECT_EQ(nearest_variant_name("Hordes"), "horde");
  EXPECT_EQ(nearest_variant_name("suicid"), "suicide");
  EXPECT_EQ(nearest_variant_name("loosers"), "losers");
  EXPECT_EQ(nearest_variant_name("give-a-wey"), "giveaway");
  EXPECT_EQ(nearest_variant_name("atomic"), "");
  EXPECT_EQ(nearest_variant_name(""), "");
  EXPECT_EQ(nearest_variant_name(std::string(100000, 'a')), "");
  const Expected<VariantId> unknown = read_variant("hoard");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::unknown_variant);
  EXPECT_THAT(unknown.error().message, testing::HasSubstr("did you mean \"horde\"?"));
}

TEST(Words, ResultsAndReasons) {
  EXPECT_EQ(result_text(Result::ongoing), "*");
  EXPECT_EQ(result_text(Result::white_wins), "1-0");
  EXPECT_EQ(result_text(Result::black_wins), "0-1");
  EXPECT_EQ(result_text(Result::draw), "1/2-1/2");
  std::string all;
  for (int i = 0; i < kReasons; i++) all += std::string(reason_text(static_cast<Reason>(i))) + " ";
  EXPECT_EQ(all,
            " no-pieces no-moves stalemate-count bare-king mate stalemate horde-destroyed insufficient-material "
            "closed-position fivefold 75-moves threefold 50-moves unfinished ");
}

}  // namespace
}  // namespace hecatomb
