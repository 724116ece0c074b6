#include "host/drill.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "common/move.h"
#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/text.h"
#include "host/notation/uci.h"
#include "host/perft_job.h"

namespace hecatomb {
namespace {

/// The counts of one side below a position, sorted by the moves' texts.
struct Divide {
  struct Below {
    std::string move;
    u128 leaves;
  };
  std::vector<Below> below;
  u128 sum = 0;

  void sort() {
    std::sort(below.begin(), below.end(), [](const Below& a, const Below& b) { return a.move < b.move; });
  }
  std::vector<std::string> moves() const {
    std::vector<std::string> texts;
    texts.reserve(below.size());
    for (const Below& b : below) texts.push_back(b.move);
    return texts;
  }
};

/// The moves of `a` that are not in `b`; one that is in `a` twice and in `b` once counts as such.
std::vector<std::string> difference(const Divide& a, const Divide& b) {
  const std::vector<std::string> of_a = a.moves(), of_b = b.moves();
  std::vector<std::string> only;
  std::set_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(only));
  return only;
}

/// Castling written as king takes rook (e1h1) as the king's step (e1g1); other texts as they are. No variant of ours
/// lets a king take its own rook, so this is the only meaning, unless the engine lists the king's step as well.
std::string plain_castling(const Position& p, const std::string& move, const EngineDivide& all) {
  if (move != "e1h1" && move != "e1a1" && move != "e8h8" && move != "e8a8") return move;
  const u64 from = bit(read_square(move.substr(0, 2))), to = bit(read_square(move.substr(2, 2))), own = p.men[p.side];
  if (!(p.kings & own & from) || !(p.orthogonal & ~p.diagonal & own & to)) return move;
  std::string step = move;
  step[2] = move[2] == 'h' ? 'g' : 'c';
  const auto is_step = [&step](const EngineDivide::Below& b) { return b.move == step; };
  return std::any_of(all.divided.begin(), all.divided.end(), is_step) ? move : step;
}

Divide engine_divide(const Position& p, const EngineDivide& answer) {
  Divide divide;
  for (const EngineDivide::Below& b : answer.divided) {
    divide.below.push_back({plain_castling(p, b.move, answer), b.leaves});
  }
  divide.sum = answer.sum;
  divide.sort();
  return divide;
}

class Drill {
 public:
  Drill(VariantId variant, const RuleOptions& options, Backend& ours, UciEngine& engine,
        const std::function<void()>& on_level)
      : variant_(variant), options_(options), ours_(ours), engine_(engine), on_level_(on_level) {}

  DrillReport run(const Position& root, int depth_plies) {
    Position position = root;
    report_.fen = fen_of(position);
    report_.status = DrillReport::Status::stopped;
    if (depth_plies < 1) {
      report_.levels.push_back({0, 1, 1});
      report_.status = DrillReport::Status::agrees;
    } else if (engine_.prepare(variant_)) {
      for (; descend(position, depth_plies); depth_plies--) {
      }
    }
    return std::move(report_);
  }

 private:
  /// The position before, and the move in it that was followed.
  struct Before {
    std::string fen, move;
    u128 ours, engines;  // below that move
  };

  /// Compares at `position`; puts the move to follow into it and returns true, or the end into the report.
  bool descend(Position& position, int depth_plies) {
    report_.fen = fen_of(position);
    const std::optional<Divide> ours = our_divide(position, depth_plies);
    if (!ours) return false;
    const std::optional<EngineDivide> answer = engine_.divide(report_.fen, depth_plies);
    if (!answer) return false;  // stopped
    const Divide engines = engine_divide(position, *answer);
    report_.levels.push_back({depth_plies, ours->sum, engines.sum});
    if (on_level_) on_level_();
    if (lists_differ(*ours, engines)) return end(DrillReport::Status::differs);

    const std::size_t i = first_difference(*ours, engines);
    if (i == ours->below.size()) return end_without_difference(position, *ours, *answer);
    if (depth_plies == 1) {
      return end_inconsistent("the engine counts " + decimal(engines.below[i].leaves) +
                              " positions after the one move " + engines.below[i].move);
    }
    before_ = Before{report_.fen, ours->below[i].move, ours->below[i].leaves, engines.below[i].leaves};
    return follow(position, before_->move);
  }

  /// Compares the moves and puts what differs into the report.
  bool lists_differ(const Divide& ours, const Divide& engines) {
    report_.only_ours = difference(ours, engines);
    report_.only_engines = difference(engines, ours);
    return !report_.only_ours.empty() || !report_.only_engines.empty();
  }

  static std::size_t first_difference(const Divide& ours, const Divide& engines) {
    std::size_t i = 0;
    while (i < ours.below.size() && ours.below[i].leaves == engines.below[i].leaves) i++;
    return i;
  }

  bool follow(Position& position, const std::string& move) {
    const Expected<Move> read = read_uci(position, move, variant_);
    if (!read) return end_inconsistent("hecatomb lists " + move + " and refuses it (this is a bug in hecatomb)");
    position = after_move(position, *read, variant_, options_);
    report_.path.push_back(move);
    return true;
  }

  /// The same moves with the same counts: so they agree, or one said something else a ply higher up or as its total.
  bool end_without_difference(const Position& position, const Divide& ours, const EngineDivide& answer) {
    if (answer.total != answer.sum) {
      return end_inconsistent("the engine's total is " + decimal(answer.total) + ", but its counts add up to " +
                              decimal(answer.sum));
    }
    if (!before_) return end(DrillReport::Status::agrees);
    const Before& before = *before_;
    const std::string below = " below " + before.move + " from the position before, and ";
    const std::string now = " from the position itself";
    if (ours.sum != before.ours) {
      return end_inconsistent("hecatomb counts " + decimal(before.ours) + below + decimal(ours.sum) + now +
                              " (this is a bug in hecatomb)");
    }
    return end_with_history(position, ours, before,
                            "the engine counts " + decimal(before.engines) + below + decimal(answer.sum) + now);
  }

  /// A FEN says what we believe: if we wrongly think that nobody may take en passant, it has no such square, and the
  /// engine believes us. So it is asked once more, with the move that led here.
  bool end_with_history(const Position& position, const Divide& ours, const Before& before,
                        const std::string& contradiction) {
    const auto answer = engine_.divide(before.fen, report_.levels.back().depth_plies, before.move);
    if (!answer) return end(DrillReport::Status::stopped);
    const Divide engines = engine_divide(position, *answer);
    if (!lists_differ(ours, engines)) return end_inconsistent(contradiction);
    report_.levels.back().engines = engines.sum;
    report_.note = "from the FEN alone the engine agrees: these are its moves after " + before.move;
    return end(DrillReport::Status::differs);
  }

  std::optional<Divide> our_divide(const Position& position, int depth_plies) {
    const PerftRequest request{position, depth_plies, true};
    PerftJob job;
    job.variant = variant_;
    job.options = options_;
    job.requests = {&request, 1};
    std::optional<Divide> divide;
    job.on_request = [&](std::size_t, const PerftOutcome& outcome) {
      if (outcome.answer.status != PerftAnswer::Status::done) {
        report_.note = outcome.answer.note.empty() ? "more positions than can be counted" : outcome.answer.note;
        report_.fen = outcome.answer.fen.empty() ? report_.fen : outcome.answer.fen;
        end(DrillReport::Status::uncounted);
        return;
      }
      divide.emplace();
      for (const PerftOutcome::Below& b : outcome.divided) divide->below.push_back({uci_of(b.move), b.leaves});
      divide->sum = outcome.answer.leaves;
      divide->sort();
    };
    run_perft(job, ours_);
    return divide;
  }

  bool end(DrillReport::Status status) {
    report_.status = status;
    return false;
  }
  bool end_inconsistent(std::string note) {
    report_.note = std::move(note);
    return end(DrillReport::Status::inconsistent);
  }

  VariantId variant_;
  RuleOptions options_;
  Backend& ours_;
  UciEngine& engine_;
  const std::function<void()>& on_level_;
  DrillReport report_;
  std::optional<Before> before_;
};

}  // namespace

DrillReport drill(const Position& position, int depth_plies, VariantId variant, const RuleOptions& options,
                  Backend& ours, UciEngine& engine, const std::function<void()>& on_level) {
  return Drill(variant, options, ours, engine, on_level).run(position, depth_plies);
}

}  // namespace hecatomb
