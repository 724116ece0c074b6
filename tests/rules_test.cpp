// The rule cases of datasets/rules, one fact a line, through the fast core with the notation and through the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "tests/support/random_positions.h"

namespace hecatomb::test {
namespace {

using Json = nlohmann::json;

struct Case {
  int line;
  RuleSet rules;
  std::string kind, fen;
  std::vector<std::string> moves;
  Json expect;
  std::string name;
};

/// What a failing case prints.
std::string reproduce(const Case& c) {
  std::string text = "datasets/rules/rules.jsonl:" + std::to_string(c.line) + " (" + c.name + "): hecatomb show " +
                     arguments_of(c.rules) + " --fen '" + c.fen + "'";
  if (!c.moves.empty()) text += " --moves '";
  for (const std::string& move : c.moves) text += move + (&move == &c.moves.back() ? "'" : " ");
  return text;
}

std::vector<Case> read_cases() {
  std::vector<Case> cases;
  std::ifstream file(std::string(HECATOMB_SOURCE_DIR) + "/datasets/rules/rules.jsonl");
  std::string text;
  for (int line = 1; std::getline(file, text); line++) {
    const Json json = Json::parse(text);
    Case c{line,
           {},
           json.at("kind").get<std::string>(),
           json.at("fen").get<std::string>(),
           {},
           json.at("expect"),
           json.at("name").get<std::string>()};
    const auto variant = find_variant(json.at("variant").get<std::string>());
    EXPECT_TRUE(variant.has_value()) << text;
    c.rules.variant = variant.value_or(VariantId::chess);
    if (json.contains("moves")) c.moves = json["moves"].get<std::vector<std::string>>();
    if (json.contains("options")) {
      for (const auto& [option, value] : json["options"].items()) {
        EXPECT_TRUE((option == "ep" && value == "restricted") || (option == "stalemate" && value == "stalemated-wins"))
            << text;
        (option == "ep" ? c.rules.options.restricted_ep : c.rules.options.stalemated_wins) = true;
      }
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

/// All that both implementations say of a case, in the words of the file.
struct Told {
  std::string fen_error;             // kind, if the FEN was refused
  std::string move_error;            // kind, if a move was refused
  int ply = 0;                       // of that move
  std::string dropped;               // castling letters
  std::string start_fen, fen;        // as read; after the moves
  std::vector<std::string> legal{};  // sorted
  std::string result, reason;
  std::vector<std::string> claims{};
  bool over = false;
};

Told told_by_reference(const Case& c) {
  Told told;
  const reference::Rules rules = reference_rules(c.rules);
  const auto reading = reference::read_fen(rules, c.fen);
  told.fen_error = reading.error;
  if (!reading.error.empty()) return told;
  told.dropped = reading.dropped_castling;
  told.start_fen = reference::write_fen(rules, reading.position);
  reference::Game game(rules, reading.position);
  for (const std::string& move : c.moves) {
    told.ply++;
    told.move_error = game.play(move);
    if (!told.move_error.empty()) return told;
  }
  told.fen = reference::write_fen(rules, game.position());
  for (const auto& move : reference::legal_moves(rules, game.position())) told.legal.push_back(reference::uci(move));
  const reference::Outcome outcome = game.outcome();
  told.result = outcome.result;
  told.reason = outcome.reason;
  told.claims = outcome.claims;
  told.over = outcome.over;
  std::sort(told.legal.begin(), told.legal.end());
  return told;
}

Told told_by_core(const Case& c) {
  Told told;
  const auto reading = read_fen(c.fen, c.rules.variant, c.rules.options);
  if (!reading.ok()) {
    told.fen_error = kind_name(reading.error().kind);
    return told;
  }
  for (const Warning& warning : reading->warnings) {
    told.dropped += c.fen[static_cast<std::size_t>(warning.column) - 1];
    EXPECT_EQ(kind_name(warning.kind), "castling-right");
  }
  Position p = reading->position;
  told.start_fen = fen_of(p);
  std::vector<Position> memory(c.moves.size() + 1);
  GameHistory history(memory.data(), static_cast<int>(memory.size()));
  EXPECT_TRUE(history.push(p));
  for (const std::string& text : c.moves) {
    told.ply++;
    const auto move = read_uci(p, text, c.rules.variant);
    if (!move.ok()) {
      told.move_error = kind_name(move.error().kind);
      return told;
    }
    p = after(c.rules, p, *move);
    EXPECT_TRUE(history.push(p));
  }
  told.fen = fen_of(p);
  with_variant(c.rules.variant, [&](auto v) {
    using V = decltype(v);
    MoveList list;
    list_moves<V>(p, list);
    for (const Move m : list) told.legal.push_back(uci_of_move(m));
    const Outcome outcome = hecatomb::outcome<V>(p, list.size, history.occurrences(), c.rules.options, DrawRules{});
    told.result = result_text(outcome.result);
    told.reason = reason_text(outcome.reason);
    told.over = outcome.result != Result::ongoing;
  });
  const Claims can = hecatomb::claims(p, history.occurrences());
  if (can.threefold && !told.over) told.claims.emplace_back("threefold");
  if (can.fifty_moves && !told.over) told.claims.emplace_back("50-moves");
  std::sort(told.legal.begin(), told.legal.end());
  return told;
}

std::string letters(std::string text) {
  std::sort(text.begin(), text.end());
  return text;
}

std::string word(const Case& c, const char* key) { return c.expect.at(key).get<std::string>(); }

void check_fen(const Case& c, const Told& told) {
  if (c.expect.contains("error")) {
    EXPECT_EQ(told.fen_error, word(c, "error"));
    return;
  }
  EXPECT_EQ(told.fen_error, "");
  EXPECT_EQ(told.start_fen, word(c, "fen"));
  EXPECT_EQ(letters(told.dropped), letters(c.expect.value("dropped", std::string())));
}

void check_moves(const Case& c, const Told& told) {
  ASSERT_EQ(told.fen_error, "");
  if (c.expect.contains("error")) {
    EXPECT_EQ(told.move_error, word(c, "error"));
    EXPECT_EQ(told.ply, c.expect.at("ply").get<int>());
    return;
  }
  ASSERT_EQ(told.move_error, "") << "at ply " << told.ply;
  if (c.expect.contains("fen")) {
    EXPECT_EQ(told.fen, word(c, "fen"));
  }
  if (c.kind == "moves") {
    EXPECT_EQ(told.legal, c.expect.at("legal").get<std::vector<std::string>>());
    return;
  }
  EXPECT_EQ(told.legal.size(), c.expect.at("legal").get<std::size_t>());
  EXPECT_EQ(told.result, word(c, "result"));
  EXPECT_EQ(told.reason, word(c, "reason"));
  EXPECT_EQ(told.claims, c.expect.at("claims").get<std::vector<std::string>>());
  EXPECT_EQ(told.over, c.expect.at("over").get<bool>());
}

u64 count_leaves(const RuleSet& rules, const Position& p, int depth) {
  if (depth == 0) return 1;
  return with_variant(rules.variant, [&](auto v) {
    using V = decltype(v);
    MoveList list;
    list_moves<V>(p, list);
    if (depth == 1) return static_cast<u64>(list.size);
    u64 nodes = 0;
    for (const Move m : list) nodes += count_leaves(rules, make<V>(p, m, rules.options), depth - 1);
    return nodes;
  });
}

void check_perft(const Case& c) {
  const auto reading = read_fen(c.fen, c.rules.variant, c.rules.options);
  const auto expected = reference::read_fen(reference_rules(c.rules), c.fen);
  ASSERT_TRUE(reading.ok());
  ASSERT_EQ(expected.error, "");
  for (const auto& [text, nodes] : c.expect.at("perft").items()) {
    const int depth = std::stoi(text);
    EXPECT_EQ(count_leaves(c.rules, reading->position, depth), nodes.get<u64>()) << "depth " << depth;
    if (nodes.get<u64>() > 500'000) continue;
    EXPECT_EQ(reference::perft(reference_rules(c.rules), expected.position, depth), nodes.get<u64>())
        << "depth " << depth;
  }
}

/// SAN is not the reference's business; that the move is legal is.
void check_san(const Case& c) {
  const auto reading = read_fen(c.fen, c.rules.variant, c.rules.options);
  ASSERT_TRUE(reading.ok());
  const Position& p = reading->position;
  const Told reference_told = told_by_reference(c);
  const std::string uci = word(c, "uci");
  EXPECT_TRUE(std::binary_search(reference_told.legal.begin(), reference_told.legal.end(), uci));
  const auto move = read_uci(p, uci, c.rules.variant);
  ASSERT_TRUE(move.ok());
  EXPECT_EQ(san_of(p, *move, c.rules.variant, c.rules.options), word(c, "san"));
  for (const auto& text : c.expect.at("read").get<std::vector<std::string>>()) {
    const auto read = read_san(p, text, c.rules.variant);
    EXPECT_TRUE(read.ok()) << text << ": " << (read.ok() ? "" : read.error().message);
    if (read.ok()) {
      EXPECT_EQ(uci_of_move(*read), uci) << text;
    }
  }
  if (!c.expect.contains("refused")) return;
  for (const auto& [text, kind] : c.expect["refused"].items()) {
    const auto read = read_san(p, text, c.rules.variant);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(kind_name(read.error().kind), kind.get<std::string>()) << text;
  }
}

TEST(Rules, CasesByTheCoreAndByTheReference) {
  std::map<std::string, int> of_kind;
  for (const Case& c : read_cases()) {
    of_kind[c.kind]++;
    SCOPED_TRACE(reproduce(c));
    if (c.kind == "perft") {
      check_perft(c);
    } else if (c.kind == "san") {
      check_san(c);
    } else if (c.kind == "fen") {
      SCOPED_TRACE("core first, then reference");
      check_fen(c, told_by_core(c));
      check_fen(c, told_by_reference(c));
    } else {
      ASSERT_TRUE(c.kind == "moves" || c.kind == "outcome" || c.kind == "repetition") << c.kind;
      {
        SCOPED_TRACE("by the core");
        check_moves(c, told_by_core(c));
      }
      {
        SCOPED_TRACE("by the reference");
        check_moves(c, told_by_reference(c));
      }
    }
  }
  EXPECT_GE(of_kind["moves"], 60);
  EXPECT_GE(of_kind["outcome"], 100);
  EXPECT_GE(of_kind["repetition"], 25);
  EXPECT_GE(of_kind["fen"], 70);
  EXPECT_GE(of_kind["san"], 25);
  EXPECT_GE(of_kind["perft"], 15);
}

}  // namespace
}  // namespace hecatomb::test
