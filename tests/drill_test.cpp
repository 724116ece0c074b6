// Drilling down with engines that err on purpose, and talking to engines that behave badly.
//
// The engine is tests/support/scripted_engine: the reference rules with a fault named on its command line. Nothing here
// waits for a clock: where a time-out is tested, the engine never answers at all.
#include "host/drill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "host/error.h"
#include "host/line_process.h"
#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/uci_text.h"
#include "host/work.h"

namespace hecatomb {

// The name is GoogleTest's. NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(DrillReport::Status status, std::ostream* out) {
  constexpr const char* names[] = {"agrees", "differs", "inconsistent", "uncounted", "stopped"};
  *out << names[static_cast<int>(status)];
}

namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using Status = DrillReport::Status;

/// The scripted engine with some faults, by name, between blanks.
EngineCommand scripted(std::string_view faults) {
  EngineCommand command{.program = HECATOMB_TEST_ENGINE};
  for (const std::string_view fault : words_of(faults)) command.arguments.emplace_back(fault);
  return command;
}

Position position_of(std::string_view fen, VariantId variant) {
  const Expected<FenReading> reading = read_fen(fen, variant);
  EXPECT_TRUE(reading.ok()) << fen;
  return reading->position;
}

class DrillTest : public testing::Test {
 public:
  DrillTest() : pool_(1), ours_(make_backend("cpu", pool_)) { reset_stop(); }
  ~DrillTest() override {
    reset_stop();
    // Whatever happened, no engine outlives its UciEngine, not even as a zombie.
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

 protected:
  DrillReport drill_with(EngineCommand command, std::string_view fen, int depth_plies, VariantId variant) {
    UciEngine engine(std::move(command));
    return drill(position_of(fen, variant), depth_plies, variant, {}, *ours_, engine);
  }
  DrillReport drill_with(std::string_view faults, std::string_view fen, int depth_plies, VariantId variant) {
    return drill_with(scripted(faults), fen, depth_plies, variant);
  }
  /// What the EnvironmentError says that an engine causes.
  std::string complaint_of(EngineCommand command, VariantId variant = VariantId::chess) {
    try {
      const DrillReport report = drill_with(std::move(command), start_fen(variant), 1, variant);
      return "no error, but status " + testing::PrintToString(report.status);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
  }
  std::string complaint_of(std::string_view faults, VariantId variant = VariantId::chess) {
    return complaint_of(scripted(faults), variant);
  }

  WorkPool pool_;
  std::unique_ptr<Backend> ours_;
};

// ---- the way down --------------------------------------------------------------------------------------------------

TEST_F(DrillTest, AnHonestEngineAgreesInEveryVariant) {
  for (const VariantId variant : kAllVariants) {
    const DrillReport report = drill_with("", start_fen(variant), 3, variant);
    EXPECT_EQ(report.status, Status::agrees) << variant_name(variant) << ": " << report.note;
    ASSERT_EQ(report.levels.size(), 1U);
    EXPECT_EQ(report.levels[0].ours, report.levels[0].engines);
    EXPECT_EQ(report.fen, start_fen(variant));
    EXPECT_THAT(report.path, IsEmpty());
  }
}

TEST_F(DrillTest, AForgottenEnPassantIsFound) {
  // 1.e2e4 gives d4xe3, the double step e7-e5 is none: so the second ply is where the lists differ.
  const DrillReport report = drill_with("no-ep", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 3, VariantId::chess);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_THAT(report.path, ElementsAre("e2e4"));
  EXPECT_EQ(report.fen, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  EXPECT_THAT(report.only_ours, ElementsAre("d4e3"));
  EXPECT_THAT(report.only_engines, IsEmpty());
  ASSERT_EQ(report.levels.size(), 2U);
  EXPECT_EQ(report.levels[0].depth_plies, 3);
  EXPECT_GT(report.levels[0].ours, report.levels[0].engines);
  EXPECT_EQ(report.levels[1].depth_plies, 2);
}

TEST_F(DrillTest, AForgottenCompulsoryEnPassantChangesTheRestOfTheList) {
  // En passant is the only capture, so it is the only legal move; without it everything else becomes legal. (The
  // scripted engine drops it after generating, and so is left without a move.)
  const DrillReport report = drill_with("no-ep", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 3, VariantId::antichess);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_THAT(report.path, ElementsAre("e2e4"));
  EXPECT_THAT(report.only_ours, ElementsAre("d4e3"));
}

TEST_F(DrillTest, AForgottenKingPromotionIsFound) {
  const DrillReport report = drill_with("no-king", "8/8/P7/8/8/8/7p/8 w - - 0 1", 3, VariantId::antichess);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_THAT(report.path, ElementsAre("a6a7"));
  EXPECT_EQ(report.fen, "8/P7/8/8/8/8/7p/8 b - - 0 1");
  EXPECT_THAT(report.only_ours, ElementsAre("h2h1k"));
}

TEST_F(DrillTest, AnIllegalCastlingIsFoundOnTheEnginesSide) {
  // The rook on f8 looks at f1.
  const DrillReport report = drill_with("illegal-castling", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", 3, VariantId::chess);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_THAT(report.path, IsEmpty());
  EXPECT_THAT(report.only_ours, IsEmpty());
  EXPECT_THAT(report.only_engines, ElementsAre("e1g1"));
}

TEST_F(DrillTest, TheFaultIsFoundThreePliesDown) {
  // It is White's third move that castles out of check.
  const DrillReport report = drill_with("illegal-castling", "4k3/r7/8/8/8/8/P6P/4K2R w K - 0 1", 3, VariantId::chess);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_EQ(report.levels.size(), 3U);
  EXPECT_EQ(report.path.size(), 2U);
  EXPECT_THAT(report.only_engines, ElementsAre("e1g1"));
  // What the report says is what is there.
  EXPECT_EQ(drill_with("illegal-castling", report.fen, 1, VariantId::chess).status, Status::differs);
  EXPECT_EQ(drill_with("", report.fen, 1, VariantId::chess).status, Status::agrees);
}

TEST_F(DrillTest, TheFirstMoveThatDiffersIsFollowed) {
  // Both e2e4 and g2g4 allow en passant at once.
  const DrillReport report = drill_with("no-ep", "4k3/8/8/8/3p3p/8/4P1P1/4K3 w - - 0 1", 2, VariantId::chess);
  EXPECT_THAT(report.path, ElementsAre("e2e4"));
}

TEST_F(DrillTest, AMoveListedTwiceIsADifference) {
  const DrillReport report = drill_with("twice", start_fen(VariantId::losers), 2, VariantId::losers);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_THAT(report.path, IsEmpty());
  EXPECT_EQ(report.only_engines.size(), 1U);
  EXPECT_THAT(report.only_ours, IsEmpty());
}

TEST_F(DrillTest, AnEngineThatContradictsItselfIsReportedAsSuch) {
  const std::string_view start = start_fen(VariantId::chess);
  DrillReport report = drill_with("wrong-deep", start, 3, VariantId::chess);
  EXPECT_EQ(report.status, Status::inconsistent);
  EXPECT_EQ(report.path.size(), 1U);
  EXPECT_THAT(report.note, HasSubstr("the engine counts 381 below a2a3 from the position before, and 380"));

  report = drill_with("wrong-leaf", start, 1, VariantId::chess);
  EXPECT_EQ(report.status, Status::inconsistent);
  EXPECT_THAT(report.note, HasSubstr("2 positions after the one move"));

  report = drill_with("wrong-total", start, 2, VariantId::chess);
  EXPECT_EQ(report.status, Status::inconsistent);
  EXPECT_THAT(report.note, HasSubstr("total is 401, but its counts add up to 400"));
}

TEST_F(DrillTest, EdgesOfTheTree) {
  // Over already: no moves on either side.
  EXPECT_EQ(drill_with("no-ep", "8/8/8/8/8/8/8/R7 b - - 0 1", 3, VariantId::antichess).status, Status::agrees);
  const DrillReport report = drill_with("no-ep", start_fen(VariantId::chess), 0, VariantId::chess);
  EXPECT_EQ(report.status, Status::agrees);
  ASSERT_EQ(report.levels.size(), 1U);
  EXPECT_EQ(report.levels[0].ours, 1U);
}

TEST_F(DrillTest, ADifferenceThatTheFenHidesIsFoundWithTheMovesBefore) {
  // Restricted: e5xd6 may not be played while Rxh7 may. So our FEN after d7d5 has no en passant square, and the engine
  // sees e5xd6 only if it is told the move.
  const RuleOptions restricted{.restricted_ep = true};
  const Position p = position_of("4k3/3p3p/8/4P3/8/8/8/4K2R b - - 0 1", VariantId::suicide);
  UciEngine engine(scripted(""));
  const DrillReport report = drill(p, 2, VariantId::suicide, restricted, *ours_, engine);
  EXPECT_EQ(report.status, Status::differs);
  EXPECT_THAT(report.path, ElementsAre("d7d5"));
  EXPECT_EQ(report.fen, "4k3/7p/8/3pP3/8/8/8/4K2R w - - 0 2");
  EXPECT_THAT(report.only_engines, ElementsAre("e5d6"));
  EXPECT_THAT(report.only_ours, IsEmpty());
  EXPECT_THAT(report.note, HasSubstr("from the FEN alone the engine agrees"));
}

// ---- how engines write ---------------------------------------------------------------------------------------------

TEST_F(DrillTest, EveryStyleOfCountIsRead) {
  for (const char* style : {"dashes", "numbers", "bars", "total", "info", "crlf"}) {
    EXPECT_EQ(drill_with(style, start_fen(VariantId::horde), 2, VariantId::horde).status, Status::agrees) << style;
  }
}

TEST_F(DrillTest, CastlingAsKingTakesRookIsUnderstood) {
  const std::string_view fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  EXPECT_EQ(drill_with("rook-castling", fen, 3, VariantId::chess).status, Status::agrees);
  // Also where it is illegal: then it is named like any castling.
  const DrillReport report =
      drill_with("rook-castling illegal-castling", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", 1, VariantId::chess);
  EXPECT_THAT(report.only_engines, ElementsAre("e1g1"));
}

TEST(UciText, CountLines) {
  using Kind = CountLine::Kind;
  for (const char* line : {"e2e4: 20", "e2e4 - 20", "e2e4 20", "1. e2e4 20", " 12) E2E4 = 20\r", "3: e2e4: 20"}) {
    const CountLine read = read_count_line(line);
    EXPECT_EQ(read.kind, Kind::count) << line;
    EXPECT_EQ(read.move, "e2e4") << line;
    EXPECT_EQ(read.leaves, 20U) << line;
  }
  EXPECT_EQ(read_count_line("a7a8Q: 1").move, "a7a8q");
  for (const char* line : {"Nodes searched: 20", "nodes searched  : 20", "Total: 20", "total nodes = 20", "Nodes 20"}) {
    const CountLine read = read_count_line(line);
    EXPECT_EQ(read.kind, Kind::total) << line;
    EXPECT_EQ(read.leaves, 20U) << line;
  }
  for (const char* line : {"", " ", "20", "Moves: 20", "e2e4", "e2e4: x", "e2e4: -", "e9e4: 20", "e2e4 e7e5: 20",
                           "info string nodes 20", "info nodes 20", "readyok", "Nodes searched:", "searched: 20",
                           "e2e4: 99999999999999999999999999999999999999999999999999"}) {
    EXPECT_EQ(read_count_line(line).kind, Kind::other) << line;
  }
  for (const char* line : {"bestmove e2e4", "info depth 1 score cp 5 pv e2e4"}) {
    EXPECT_EQ(read_count_line(line).kind, Kind::searching) << line;
  }
  EXPECT_EQ(read_count_line("info string score 3").kind, Kind::other);
}

TEST(UciText, VariantOptions) {
  const auto values = read_variant_option("option name UCI_Variant type combo default chess var chess var losers");
  EXPECT_THAT(values, Optional(ElementsAre("chess", "losers")));
  const auto odd =
      read_variant_option("option name uci_variant type combo var Losing Chess  var default chess var x\r");
  EXPECT_THAT(odd, Optional(ElementsAre("Losing Chess", "x")));
  EXPECT_THAT(read_variant_option("option name UCI_Variant type string default chess"), Optional(IsEmpty()));
  EXPECT_FALSE(read_variant_option("option name Hash type spin default 16"));
  EXPECT_FALSE(read_variant_option("uciok"));
}

// ---- the name of the variant ---------------------------------------------------------------------------------------

TEST_F(DrillTest, TheVariantsNameIsChosen) {
  const auto chosen = [](const char* offers, const char* given, VariantId variant) {
    EngineCommand command = scripted(std::string("offers=") + offers);
    command.variant_name = given;
    UciEngine engine(std::move(command));
    EXPECT_TRUE(engine.prepare(variant));
    EXPECT_TRUE(engine.prepare(variant));  // again: nothing to do
    EXPECT_EQ(engine.name(), "Scripted 1");
    return engine.variant_name();
  };
  EXPECT_EQ(chosen("giveaway,antichess", "", VariantId::antichess), "antichess");
  EXPECT_EQ(chosen("chess,giveaway", "", VariantId::antichess), "giveaway");
  EXPECT_EQ(chosen("giveaway,antichess", "giveaway", VariantId::antichess), "giveaway");
  EXPECT_EQ(chosen("chess,losers,suicide", "", VariantId::suicide), "suicide");
}

TEST_F(DrillTest, AnEngineMayPlayOneVariantAfterAnother) {
  UciEngine engine(scripted(""));
  for (const VariantId variant : {VariantId::horde, VariantId::chess, VariantId::losers}) {
    EXPECT_TRUE(drill(start_position(variant), 2, variant, {}, *ours_, engine).agrees());
  }
}

TEST_F(DrillTest, AVariantThatIsNotOfferedIsAnErrorThatListsWhatIs) {
  EXPECT_THAT(complaint_of("offers=chess,horde", VariantId::antichess),
              AllOf(HasSubstr("scripted_engine: cannot have this engine play antichess"), HasSubstr("chess, horde"),
                    HasSubstr("--drill-variant")));
  EngineCommand command = scripted("");
  command.variant_name = "giveaway";
  EXPECT_THAT(complaint_of(command, VariantId::antichess), AllOf(HasSubstr("\"giveaway\""), HasSubstr("suicide")));
}

TEST_F(DrillTest, AnEngineWithoutVariantsPlaysChess) {
  EXPECT_TRUE(drill_with("no-variants", start_fen(VariantId::chess), 2, VariantId::chess).agrees());
  EXPECT_THAT(complaint_of("no-variants", VariantId::horde), HasSubstr("no option UCI_Variant"));
  EngineCommand command = scripted("no-variants");
  command.variant_name = "horde";
  EXPECT_THAT(complaint_of(command), HasSubstr("no option UCI_Variant"));
}

// ---- bad manners ---------------------------------------------------------------------------------------------------

TEST_F(DrillTest, AProgramThatCannotBeStarted) {
  EXPECT_THAT(complaint_of({.program = "no-such-engine-anywhere"}),
              AllOf(HasSubstr("no-such-engine-anywhere: cannot start"), HasSubstr("PATH")));
  EXPECT_THAT(complaint_of({.program = "./no/such/engine"}), HasSubstr("Check the path"));
  EXPECT_THAT(complaint_of({.program = ""}), HasSubstr("cannot start"));
  const std::string file = testing::TempDir() + "not_executable";
  std::ofstream(file) << "uciok\n";
  EXPECT_THAT(complaint_of({.program = file}), HasSubstr("chmod +x"));
  EXPECT_THAT(complaint_of({.program = testing::TempDir()}), HasSubstr("cannot start"));
}

TEST_F(DrillTest, AnEngineThatEndsIsReportedWithItsStatus) {
  EXPECT_THAT(
      complaint_of("exit=3@uci"),
      AllOf(HasSubstr("\"uci\""), HasSubstr("exited with status 3 before \"uciok\""), HasSubstr("said nothing")));
  EXPECT_THAT(complaint_of("exit=0@isready"), HasSubstr("exited with status 0 before \"readyok\""));
  EXPECT_THAT(complaint_of("exit=7"), AllOf(HasSubstr("go perft 1"), HasSubstr("exited with status 7")));
  EXPECT_THAT(complaint_of("crash"), HasSubstr("killed by signal 9 (SIGKILL)"));
}

TEST_F(DrillTest, AnEngineThatHangsRunsIntoTheTimeOut) {
  EngineCommand command = scripted("silent@uci");
  command.handshake_timeout = 1ms;
  EXPECT_THAT(complaint_of(command), AllOf(HasSubstr("no \"uciok\" within 1 ms"), HasSubstr("Is it a UCI engine?")));
  command = scripted("silent");
  command.silence_timeout = 1ms;
  EXPECT_THAT(complaint_of(command), AllOf(HasSubstr("within 1 ms"), HasSubstr("it said nothing")));
  command = scripted("deaf");
  command.handshake_timeout = 1ms;
  EXPECT_THAT(complaint_of(command), HasSubstr("no \"uciok\""));
}

TEST_F(DrillTest, AnEngineThatNeverEndsItsCountRunsIntoTheTimeOut) {
  EngineCommand command = scripted("no-end");
  command.silence_timeout = 1ms;
  EXPECT_THAT(complaint_of(command), AllOf(HasSubstr("Nodes searched"), HasSubstr("try a smaller depth")));
}

TEST_F(DrillTest, AnEngineThatClosesItsOutputIsReported) {
  EXPECT_THAT(complaint_of("close-output@uci"), HasSubstr("it closed its output before \"uciok\""));
}

TEST_F(DrillTest, EndlessTalkIsCutOff) {
  EXPECT_THAT(complaint_of("garbage@uci"), HasSubstr("in 100000 lines"));
  EXPECT_THAT(complaint_of("garbage"), HasSubstr("in 100000 lines"));
  EXPECT_THAT(complaint_of("endless-line@uci"), HasSubstr("more than 1 MiB"));
  EXPECT_THAT(complaint_of("endless-line"), HasSubstr("more than 1 MiB"));
}

TEST_F(DrillTest, AnEngineThatDoesNotDivideIsReported) {
  EXPECT_THAT(complaint_of("searches"), HasSubstr("looks for a best move"));
  EXPECT_THAT(complaint_of("only-total"), HasSubstr("no count for each move"));
}

TEST_F(DrillTest, AFailedEngineIsOfNoFurtherUse) {
  UciEngine engine(scripted("exit=1"));
  ASSERT_TRUE(engine.prepare(VariantId::chess));
  EXPECT_THROW(engine.divide(start_fen(VariantId::chess), 1), EnvironmentError);
  EXPECT_THROW(engine.divide(start_fen(VariantId::chess), 1), std::logic_error);
  EXPECT_THROW(engine.prepare(VariantId::chess), std::logic_error);
}

TEST_F(DrillTest, TheStopFlagEndsEveryWait) {
  {
    UciEngine engine(scripted("silent"));
    ASSERT_TRUE(engine.prepare(VariantId::chess));
    request_stop();
    EXPECT_FALSE(engine.divide(start_fen(VariantId::chess), 1));
  }
  UciEngine engine(scripted("silent@uci"));
  EXPECT_FALSE(engine.prepare(VariantId::chess));
  EXPECT_EQ(drill_with("", start_fen(VariantId::chess), 2, VariantId::chess).status, Status::stopped);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

TEST_F(DrillTest, LinesAreTakenApartAnyhow) {
  LineProcess echo("printf", {R"(one\ntwo\r\n\nlast)"});
  std::string line;
  std::vector<std::string> lines;
  while (echo.read_line(line, 1min) == LineProcess::Read::line) lines.push_back(line);
  EXPECT_THAT(lines, ElementsAre("one", "two", "", "last"));
  EXPECT_EQ(echo.read_line(line, 1min), LineProcess::Read::end);
  EXPECT_EQ(echo.ending(), "it exited with status 0");
  // Nobody reads any more: no SIGPIPE, and no error before the caller asks.
  EXPECT_EQ(echo.write_line("uci", 1min), LineProcess::Write::gone);
}

TEST_F(DrillTest, AReaderThatDoesNotReadRunsIntoTheTimeOut) {
  LineProcess deaf(HECATOMB_TEST_ENGINE, {"deaf"});
  EXPECT_EQ(deaf.write_line(std::string(std::size_t{8} << 20, 'x'), 1ms), LineProcess::Write::timeout);
}

/// The lines that a shell command prints.
std::vector<std::string> lines_of(LineProcess& shell) {
  std::vector<std::string> lines;
  for (std::string line; shell.read_line(line, 1min) == LineProcess::Read::line;) lines.push_back(line);
  return lines;
}

TEST_F(DrillTest, TheChildHasAGroupOfItsOwn) {
  LineProcess shell("sh", {"-c", "read pid name state parent group rest < /proc/$$/stat; echo $pid $group"});
  const std::vector<std::string> lines = lines_of(shell);
  ASSERT_EQ(lines.size(), 1U);
  const std::size_t blank = lines[0].find(' ');
  EXPECT_EQ(lines[0].substr(0, blank), lines[0].substr(blank + 1));
}

TEST_F(DrillTest, TheChildHasNoneOfOurDescriptors) {
  const std::vector<std::string> command = {"-c", "echo /proc/self/fd/*"};
  LineProcess first("sh", command), second("sh", command);  // the second could inherit the channels to the first
  EXPECT_EQ(lines_of(first), lines_of(second));
}

TEST_F(DrillTest, WhatTheChildStartedGoesWithIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // not close-on-exec: it ends when everybody who was started is dead
  {
    LineProcess shell("sh", {"-c", "sh -c 'echo started; kill -STOP $$' & wait"});
    close(ends[1]);
    std::string line;
    EXPECT_EQ(shell.read_line(line, 1min), LineProcess::Read::line);
  }
  pollfd watched{ends[0], POLLIN, 0};
  EXPECT_EQ(poll(&watched, 1, 60'000), 1) << "somebody is still alive";
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace hecatomb
