#include "host/uci_engine.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "host/error.h"
#include "host/line_process.h"
#include "host/notation/text.h"
#include "host/notation/variant_name.h"
#include "host/uci_text.h"
#include "host/work.h"

namespace hecatomb {
namespace {

constexpr int kMostLines = 100'000;          // of an answer that mean nothing to us
constexpr std::size_t kMostCounts = 4096;    // of an answer; no position has so many moves
constexpr std::size_t kMostVariants = 1000;  // that are named in an error

/// What engines call a variant, our id first.
std::span<const std::string_view> names_of(VariantId variant) {
  static constexpr std::string_view antichess[] = {"antichess", "giveaway"}, suicide[] = {"suicide"},
                                    losers[] = {"losers"}, horde[] = {"horde"}, chess[] = {"chess"};
  switch (variant) {
    case VariantId::antichess:
      return antichess;
    case VariantId::suicide:
      return suicide;
    case VariantId::losers:
      return losers;
    case VariantId::horde:
      return horde;
    case VariantId::chess:
      break;
  }
  return chess;
}

std::string joined(std::span<const std::string> texts, std::size_t most) {
  std::string result;
  for (const std::string& text : texts.first(std::min(texts.size(), most))) {
    if (!result.empty()) result += ", ";
    result += text;
  }
  return texts.size() > most ? result + ", ..." : result;
}

std::string seconds_text(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s" : std::to_string(time.count()) + " ms";
}

/// stop_requested() while waiting for the engine; never leaves this file.
struct Stopped {};

}  // namespace

struct UciEngine::State {
  explicit State(EngineCommand given) : command(std::move(given)), process(command.program, command.arguments) {}

  EngineCommand command;
  LineProcess process;
  std::string name;
  std::vector<std::string> variants;
  std::string chosen;  // the value of UCI_Variant
  bool has_variants = false, greeted = false;
  bool spent = false;  // in the middle of an answer, or out of step
  std::optional<VariantId> variant;

  [[noreturn]] void fail(const std::string& asked, const std::string& reason, const std::string& remedy) {
    spent = true;
    throw EnvironmentError(command.program, "get an answer to " + quoted(asked) + " from this engine", reason, remedy);
  }
  void send(const std::string& text, const std::string& asked);
  /// What was asked, and what ends the answer.
  struct Question {
    std::string asked, awaited;
    std::chrono::milliseconds timeout;
    bool counting = false;
  };
  [[noreturn]] void fail_read(LineProcess::Read read, const Question& q, const std::string& last);
  template <class Take>
  void read_until(const Question& q, Take take);
  void greet();
  void choose(VariantId wanted);
  void wait_until_ready();
  bool is_offered(std::string_view text) const {
    return std::find(variants.begin(), variants.end(), text) != variants.end();
  }
};

void UciEngine::State::send(const std::string& text, const std::string& asked) {
  switch (process.write_line(text, command.handshake_timeout)) {
    case LineProcess::Write::done:
    case LineProcess::Write::gone:  // it may have said something before; reading tells
      return;
    case LineProcess::Write::timeout:
      fail(asked, "it does not read what it is sent", "Is it a UCI engine?");
    case LineProcess::Write::stopped:
      throw Stopped{};
  }
}

/// Throws what a read that brought no line means.
void UciEngine::State::fail_read(LineProcess::Read read, const Question& q, const std::string& last) {
  using Read = LineProcess::Read;
  if (read == Read::stopped) throw Stopped{};
  if (read == Read::too_long) fail(q.asked, "it wrote a line of more than 1 MiB", "Is it a UCI engine?");
  std::string reason, remedy = "Start it by hand, type " + quoted(q.asked) + " and see";
  if (read == Read::end) {
    reason = process.ending() + " before " + q.awaited;
    if (stop_requested()) throw Stopped{};  // what stopped us may have ended it a moment earlier
  } else {
    reason = "no " + q.awaited + " within " + seconds_text(q.timeout) + (q.counting ? " of its last word" : "");
    remedy = q.counting ? "Does it know \"go perft\"? If it only needs more time, try a smaller depth"
                        : "Is it a UCI engine? " + remedy;
  }
  reason += last.empty() ? "; it said nothing" : "; its last line was " + quoted(last);
  fail(q.asked, reason, remedy);
}

/// Hands lines to take(line) until it returns true. A count may take long, so there each line starts the clock anew;
/// take() returns nothing for a line that means nothing, and of those there may not be too many.
template <class Take>
void UciEngine::State::read_until(const Question& q, Take take) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::string line, last;
  for (int useless = 0; useless < kMostLines;) {
    auto left = q.timeout;
    if (!q.counting) left -= std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    const LineProcess::Read read = process.read_line(line, std::max(left, {}));
    if (read != LineProcess::Read::line) fail_read(read, q, last);
    const std::optional<bool> done = take(std::string_view(line));
    if (done && *done) return;
    if (!done) useless++;
    if (!line.empty()) last.swap(line);
  }
  fail(q.asked, "no " + q.awaited + " in " + std::to_string(kMostLines) + " lines", "Is it a UCI engine?");
}

void UciEngine::State::greet() {
  send("uci", "uci");
  read_until({"uci", "\"uciok\"", command.handshake_timeout}, [this](std::string_view line) -> std::optional<bool> {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() == 1 && words[0] == "uciok") return true;
    if (words.size() >= 3 && words[0] == "id" && words[1] == "name") {
      name = line.substr(static_cast<std::size_t>(words[2].data() - line.data()));
    } else if (auto values = read_variant_option(line)) {
      variants = std::move(*values);
      has_variants = true;
    }
    return std::nullopt;
  });
  greeted = true;
}

/// Decides what the variant is called, and says so to the engine.
void UciEngine::State::choose(VariantId wanted) {
  const std::span<const std::string_view> names = names_of(wanted);
  const auto refuse = [&](const std::string& reason, const std::string& remedy) {
    throw EnvironmentError(command.program, "have this engine play " + std::string(names[0]), reason, remedy);
  };
  const std::string& given = command.variant_name;
  chosen.clear();
  if (!has_variants) {
    if (wanted == VariantId::chess && (given.empty() || given == "chess")) return;
    refuse("it has no option UCI_Variant, so it plays chess only", "Use an engine that plays variants");
  }
  if (!given.empty()) {
    chosen = given;
  } else {
    const auto found = std::find_if(names.begin(), names.end(), [&](auto text) { return is_offered(text); });
    chosen = variants.empty() ? names[0] : found == names.end() ? "" : *found;
  }
  if (chosen.empty() || (!variants.empty() && !is_offered(chosen))) {
    refuse("its UCI_Variant offers no " + (given.empty() ? std::string(names[0]) : quoted(given)) + " but only " +
               joined(variants, kMostVariants),
           given.empty() ? "If one of these has the same rules, name it (--drill-variant)" : "Name one of these");
  }
  send("setoption name UCI_Variant value " + chosen, "setoption");
}

void UciEngine::State::wait_until_ready() {
  send("isready", "isready");
  read_until({"isready", "\"readyok\"", command.handshake_timeout}, [](std::string_view line) -> std::optional<bool> {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() == 1 && words[0] == "readyok") return true;
    return std::nullopt;
  });
}

UciEngine::UciEngine(EngineCommand command) : state_(std::make_unique<State>(std::move(command))) {}
UciEngine::~UciEngine() = default;

bool UciEngine::prepare(VariantId variant) {
  if (state_->spent) throw std::logic_error("UciEngine: used after it failed or was stopped");
  if (state_->variant == variant) return true;
  try {
    if (!state_->greeted) state_->greet();
    state_->choose(variant);
    state_->wait_until_ready();
  } catch (const Stopped&) {
    state_->spent = true;
    return false;
  }
  state_->variant = variant;
  return true;
}

std::optional<EngineDivide> UciEngine::divide(std::string_view fen, int depth_plies, std::string_view move) {
  if (state_->spent || !state_->variant) throw std::logic_error("UciEngine: not ready");
  State& s = *state_;
  const std::string asked = "go perft " + std::to_string(depth_plies);
  EngineDivide answer;
  const auto take = [&](std::string_view line) -> std::optional<bool> {
    CountLine read = read_count_line(line);
    if (read.kind == CountLine::Kind::searching) {
      s.fail(asked, "it looks for a best move instead (" + quoted(line) + ")", "Use an engine that knows \"go perft\"");
    }
    if (read.kind == CountLine::Kind::total) {
      answer.total = read.leaves;
      return true;
    }
    if (read.kind != CountLine::Kind::count) return std::nullopt;
    answer.sum += read.leaves;
    answer.divided.push_back({std::move(read.move), read.leaves});
    if (answer.divided.size() > kMostCounts || answer.sum > kMaxCount) {
      s.fail(asked, "it counts below more than " + std::to_string(kMostCounts) + " moves, or more than 2^120 positions",
             "This is a fault of the engine");
    }
    return false;
  };
  try {
    s.send("position fen " + std::string(fen) + (move.empty() ? "" : " moves " + std::string(move)), asked);
    s.send(asked, asked);
    s.read_until({asked, "end (\"Nodes searched: N\")", s.command.silence_timeout, true}, take);
  } catch (const Stopped&) {
    s.spent = true;
    return std::nullopt;
  }
  if (answer.divided.empty() && answer.total != 0) {
    s.fail(asked, "it gives a total and no count for each move", "Use an engine whose \"go perft\" divides");
  }
  return answer;
}

const std::string& UciEngine::program() const { return state_->command.program; }
const std::string& UciEngine::name() const { return state_->name; }
const std::string& UciEngine::variant_name() const { return state_->chosen; }
const std::vector<std::string>& UciEngine::variants() const { return state_->variants; }

}  // namespace hecatomb
