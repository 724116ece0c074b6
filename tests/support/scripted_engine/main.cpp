// A UCI engine that counts truthfully by the reference rules, except for the faults named on its command line.
//
// The one idea: each fault is one that real engines have had, in the rules (so that a drill has something to find) or
// in manners (so that the driver has something to survive).
//
//   rules     no-ep             never takes en passant
//             no-king           never promotes to a king
//             illegal-castling  castles king side with the right alone, whatever stands or looks between
//             twice             lists its first move twice
//   counts    wrong-deep        counts one too many below its first move, from 3 plies up
//             wrong-leaf        says 2 below its first move at depth 1
//             wrong-total       a total that is one too high
//   style     dashes numbers bars total rook-castling info crlf only-total
//   options   no-variants       has no option UCI_Variant
//             offers=A,B        UCI_Variant has these values; they play antichess, if they are none of ours
//   manners   MANNER[@WHEN]     when it reads WHEN (uci, isready, go; default go) it is: silent, exit=N, crash,
//                               close-output, garbage (endless short lines), endless-line, searches
//             no-end            counts, but prints no total
//             deaf              never reads
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "host/reference/reference.h"

namespace hecatomb::reference {
namespace {

class Engine {
 public:
  explicit Engine(std::vector<std::string> faults) : faults_(std::move(faults)) {}

  int run() {
    if (has("deaf")) wait_for_ever();
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string command;
      words >> command;
      if (command == "quit") break;
      misbehave(command);
      if (command == "uci") greet();
      if (command == "isready") print("readyok");
      if (command == "setoption") set_option(words);
      if (command == "position") set_position(words);
      if (command == "go") count(words);
      std::cout.flush();
    }
    return 0;
  }

 private:
  bool has(const std::string& fault) const { return std::find(faults_.begin(), faults_.end(), fault) != faults_.end(); }
  /// The text after "NAME=", or empty.
  std::string value_of(const std::string& name) const {
    for (const std::string& fault : faults_) {
      if (fault.rfind(name + "=", 0) == 0) return fault.substr(name.size() + 1);
    }
    return {};
  }
  void print(const std::string& text) const { std::cout << text << (has("crlf") ? "\r\n" : "\n"); }

  [[noreturn]] static void wait_for_ever() {
    for (;;) pause();
  }

  void misbehave(const std::string& command) const {
    for (const std::string& fault : faults_) {
      const std::size_t at = fault.find('@');
      const std::string manner = fault.substr(0, at), when = at == std::string::npos ? "go" : fault.substr(at + 1);
      if (when != command) continue;
      if (manner == "silent") wait_for_ever();
      if (manner == "crash") raise(SIGKILL);  // any signal will do; this one leaves no core
      if (manner.rfind("exit=", 0) == 0) _exit(std::stoi(manner.substr(5)));
      if (manner == "garbage") repeat("what is this\n");
      if (manner == "endless-line") repeat("more ");
      if (manner == "searches") print("info depth 1 seldepth 1 score cp 13 nodes 20 pv e2e4");
      if (manner == "close-output") {
        close(STDOUT_FILENO);
        wait_for_ever();
      }
    }
  }
  [[noreturn]] static void repeat(const std::string& text) {
    for (;;) std::cout << text;
  }

  void greet() const {
    print("id name Scripted 1");
    print("id author the tests");
    std::string variants = " var antichess var suicide var losers var horde var chess";
    if (const std::string offers = value_of("offers"); !offers.empty()) {
      variants.clear();
      std::istringstream list(offers);
      for (std::string name; std::getline(list, name, ',');) variants += " var " + name;
    }
    print("option name Hash type spin default 16 min 1 max 1024");
    if (!has("no-variants")) print("option name UCI_Variant type combo default chess" + variants);
    print("uciok");
  }

  void set_option(std::istringstream& words) {
    std::string name, option, value, variant;
    words >> name >> option >> value >> variant;
    if (option != "UCI_Variant") return;
    rules_.variant = Variant::kAntichess;
    for (const Variant v : kAllVariants) {
      if (variant_name(v) == variant) rules_.variant = v;
    }
  }

  void set_position(std::istringstream& words) {
    const std::string marker = " moves ";
    std::string kind, fen_and_moves;
    words >> kind;
    std::getline(words, fen_and_moves);
    const std::size_t moves_at = fen_and_moves.find(marker);
    const std::string fen = fen_and_moves.substr(0, moves_at);
    const FenReading reading = read_fen(rules_, fen);
    if (!reading.error.empty()) {
      std::cerr << "scripted_engine: " << reading.error << ": " << fen << '\n';
      _exit(9);
    }
    position_ = reading.position;
    std::istringstream texts(moves_at == std::string::npos ? "" : fen_and_moves.substr(moves_at + marker.size()));
    for (std::string text; texts >> text;) {
      for (const Move& m : moves(position_)) {
        if (uci(m) == text) {
          position_ = make_move(position_, m);
          break;
        }
      }
    }
  }

  std::vector<Move> moves(const Position& p) const {
    std::vector<Move> list = legal_moves(rules_, p);
    if (has("no-ep")) std::erase_if(list, [](const Move& m) { return m.en_passant; });
    if (has("no-king")) std::erase_if(list, [](const Move& m) { return m.promotion == 'k'; });
    if (has("illegal-castling") && p.castling[p.white_to_move ? 0 : 2]) {
      const int king = p.white_to_move ? 4 : 60;
      const Move castling{.from = king, .to = king + 2, .castling = true};
      if (std::find(list.begin(), list.end(), castling) == list.end()) list.push_back(castling);
    }
    if (has("twice") && !list.empty()) list.push_back(list.front());
    return list;
  }

  std::uint64_t leaves(const Position& p, int depth) const {
    if (depth == 0) return 1;
    std::uint64_t sum = 0;
    for (const Move& m : moves(p)) sum += leaves(make_move(p, m), depth - 1);
    return sum;
  }

  std::string text_of(const Move& move) const {
    if (!move.castling || !has("rook-castling")) return uci(move);
    return uci({.from = move.from, .to = move.to > move.from ? move.from + 3 : move.from - 4});
  }

  void print_count(int number, const std::string& move, std::uint64_t n) const {
    const std::string count = std::to_string(n);
    if (has("only-total")) return;
    if (has("info")) print("info currmove " + move + " currmovenumber " + std::to_string(number));
    if (has("dashes")) {
      print(move + " - " + count);
    } else if (has("numbers")) {
      print(std::to_string(number) + ". " + move + " " + count);
    } else if (has("bars")) {
      print("  " + move + "\t=  " + count + "  ");
    } else {
      print(move + ": " + count);
    }
  }

  void count(std::istringstream& words) const {
    std::string perft;
    int depth = 0, number = 0;
    words >> perft >> depth;
    std::uint64_t sum = 0;
    for (const Move& m : moves(position_)) {
      std::uint64_t n = leaves(make_move(position_, m), depth - 1);
      if (number == 0 && ((has("wrong-deep") && depth >= 3) || (has("wrong-leaf") && depth == 1))) n++;
      print_count(++number, text_of(m), n);
      sum += n;
    }
    if (has("wrong-total")) sum++;
    if (has("no-end")) return;
    print("");
    print((has("total") ? "Total: " : "Nodes searched: ") + std::to_string(sum));
  }

  std::vector<std::string> faults_;
  Rules rules_;
  Position position_ = start_position(Variant::kChess);
};

}  // namespace
}  // namespace hecatomb::reference

int main(int argc, char** argv) { return hecatomb::reference::Engine({argv + 1, argv + argc}).run(); }
