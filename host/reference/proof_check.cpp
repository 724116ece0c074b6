#include "host/reference/proof_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/reference/board.h"
#include "host/reference/endgame.h"
#include "host/reference/graph_solver.h"

namespace hecatomb::reference {

namespace {

constexpr unsigned kTableLeaf = 0xffff;

constexpr std::size_t kNearby = 20'000;  // positions

/// What is thrown inside this file when a proof is refused.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint64_t read_little_endian(const std::string& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::uint64_t read_number(const std::string& text, const std::string& what) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw Refused("the header gives no number for " + what);
  return std::strtoull(text.c_str(), nullptr, 10);
}

/// The file: its header, and where its arrays begin.
struct File {
  std::string bytes;
  std::map<std::string, std::string> fields;  // of the header, by what stands before the first '='
  std::size_t names = 0, moves = 0, ranks = 0;
  std::size_t entries = 0;
  char salt = 0;
  Rules rules;
  Position root;
  bool prover_is_white = true;

  std::uint64_t name(std::size_t i) const { return read_little_endian(bytes, names + 8 * i, 8); }
  unsigned move(std::size_t i) const { return static_cast<unsigned>(read_little_endian(bytes, moves + 2 * i, 2)); }
  unsigned rank(std::size_t i) const { return static_cast<unsigned>(read_little_endian(bytes, ranks + 2 * i, 2)); }
  const std::string& field(const std::string& key) const {
    const auto found = fields.find(key);
    if (found == fields.end()) throw Refused("the header has no line " + key + "=");
    return found->second;
  }
};

void check_sum(const std::string& bytes) {
  if (bytes.size() < 72 || bytes.compare(0, 14, "hecatomb-file ") != 0) throw Refused("this is no file of hecatomb");
  const std::size_t covered = bytes.size() - 8;
  if (crc64(bytes.data(), covered) != read_little_endian(bytes, covered, 8))
    throw Refused("the checksum is wrong: the file is damaged or cut");
}

void read_header(File& file) {
  std::size_t at = file.bytes.find('\n');
  const std::string first = file.bytes.substr(0, at);
  if (first.size() != 24 || first.compare(0, 16, "hecatomb-file 1 ") != 0)
    throw Refused("its header is of another version");
  const std::size_t size = read_number(first.substr(16), "its size");
  if (size > file.bytes.size() - 8 || size % 64 != 0 || size < 64) throw Refused("its header is longer than the file");
  for (++at; at < size;) {
    const std::size_t end = file.bytes.find('\n', at);
    if (end == std::string::npos || end >= size) throw Refused("its header does not end where it says");
    const std::string line = file.bytes.substr(at, end - at);
    const std::size_t sign = line.find('=');
    if (sign != std::string::npos) file.fields[line.substr(0, sign)] = line.substr(sign + 1);
    at = end + 1;
  }
  file.names = size;
  if (file.field("kind") != "proof 1") throw Refused("the file is no proof of version 1, but " + file.field("kind"));
  if (file.field("job") != "solve") throw Refused("the file is no proof of solve, but of " + file.field("job"));
}

void read_arrays(File& file) {
  file.entries = read_number(file.field("param.entries"), "the entries");
  if (file.entries > file.bytes.size()) throw Refused("the file is too short for its entries");
  file.moves = file.names + 8 * file.entries;
  file.ranks = file.moves + 2 * file.entries;
  const std::size_t end = (file.ranks + 2 * file.entries + 7) / 8 * 8;
  if (file.bytes.size() != end + 8) throw Refused("the file has not the size that its header says");
  for (std::size_t i = file.ranks + 2 * file.entries; i < end; ++i) {
    if (file.bytes[i] != 0) throw Refused("there is something behind the entries");
  }
  for (std::size_t i = 1; i < file.entries; ++i) {
    if (file.name(i - 1) >= file.name(i)) throw Refused("the names are not in order");
  }
}

void read_question(File& file) {
  try {
    file.rules.variant = variant_from_name(file.field("variant"));
  } catch (const std::invalid_argument&) {
    throw Refused("its variant is unknown: " + file.field("variant"));
  }
  const auto option = [&file](const std::string& key, const std::string& off, const std::string& on) {
    const std::string& value = file.field(key);
    if (value != off && value != on) throw Refused(key + " is neither " + off + " nor " + on);
    return value == on;
  };
  file.rules.restricted_ep = option("option.ep", "normal", "restricted");
  file.rules.stalemated_wins = option("option.stalemate", "fewer-men", "stalemated-wins");
  file.prover_is_white = option("param.for", "black", "white");
  if (!has_options(file.rules)) throw Refused("the variant has not the options that the header names");
  const FenReading root = read_fen(file.rules, file.field("param.fen"));
  if (!root.error.empty()) throw Refused("its position is refused: " + root.error);
  file.root = root.position;
  const std::uint64_t salt = read_number(file.field("param.salt"), "the salt");
  if (salt > 255) throw Refused("the salt is no byte");
  file.salt = static_cast<char>(salt);
}

/// FNV-1a over the salt and the packed position.
std::uint64_t name_of(char salt, const std::string& position) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](char byte) { hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U; };
  add(salt);
  for (const char byte : position) add(byte);
  return hash;
}

/// A move as the file writes it: from, to << 6, promotion << 12.
unsigned code_of(const Move& move) {
  constexpr std::string_view promotions = "..nbrqk";
  const auto promotion = move.promotion == 0 ? 0U : static_cast<unsigned>(promotions.find(move.promotion));
  return static_cast<unsigned>(move.from) | static_cast<unsigned>(move.to) << 6 | promotion << 12;
}

class Walk {
 public:
  Walk(const File& file, const ProofCheckOptions& options)
      : file_(file),
        tables_(options.tables.has_value() ? &*options.tables : nullptr),
        deep_leaves_(options.deep_leaves),
        endgames_(file.rules),
        solver_(file.rules),
        nearby_(file.rules, kNearby),
        seen_(file.entries) {}

  void run(ProofCheck& check) {
    check_tables();
    if (!is_won_end(file_.root)) {
      depth_ = visit(file_.root);
      while (!open_.empty()) {
        const auto [position, entry] = std::move(open_.back());
        open_.pop_back();
        check_entry(position, entry);
      }
    }
    const auto unused = std::find(seen_.begin(), seen_.end(), std::string());
    if (unused != seen_.end())
      throw Refused("entry " + std::to_string(unused - seen_.begin()) + " belongs to no position of the proof");
    check.positions = file_.entries + replies_.size();
    check.depth_plies = depth_;
    check.leaves = leaves_;
  }

 private:
  [[noreturn]] void refuse(const Position& position, const std::string& why) const {
    throw Refused(why + " at " + write_fen(file_.rules, position));
  }

  /// Whether the game is over; refuses an end that the prover has not won.
  bool is_won_end(const Position& position) const {
    if (!is_decided(file_.rules, position)) return false;
    const Outcome outcome = reference::outcome(file_.rules, position);
    if (outcome.result != (file_.prover_is_white ? "1-0" : "0-1"))
      refuse(position, "the game is over (" + outcome.reason + ") and the prover has not won,");
    return true;
  }

  std::size_t find(std::uint64_t name) const {
    std::size_t low = 0;
    std::size_t high = file_.entries;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (file_.name(middle) < name) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < file_.entries && file_.name(low) == name ? low : file_.entries;
  }

  /// The rank of a position in which the game is not over. What is below it is checked later, once.
  unsigned visit(const Position& position) {
    const std::string bytes = packed(file_.rules, position);
    const std::size_t entry = find(name_of(file_.salt, bytes));
    const bool is_prover = position.white_to_move == file_.prover_is_white;
    if (entry == file_.entries) {
      if (is_prover) refuse(position, "no move is given");
      return rank_of_replies(position, bytes);
    }
    if (seen_[entry].empty()) {
      seen_[entry] = bytes;
      if (file_.move(entry) == kTableLeaf) {
        if (file_.rank(entry) != 0) refuse(position, "a table leaf has another rank than 0");
        check_leaf(position);
        leaves_++;
      } else if (is_prover) {
        open_.emplace_back(position, entry);
      } else {
        refuse(position, "an entry gives a move where the opponent is to move,");
      }
    } else if (seen_[entry] != bytes) {
      refuse(position, "the name of another position stands for the one");
    }
    return file_.rank(entry);
  }

  /// A position of the opponent: all his replies, looked at once.
  unsigned rank_of_replies(const Position& position, const std::string& bytes) {
    const auto known = replies_.find(bytes);
    if (known != replies_.end()) return known->second;
    unsigned rank = 0;
    for (const Move& move : legal_moves(file_.rules, position)) rank = std::max(rank, rank_after(position, move) + 1);
    replies_.emplace(bytes, rank);
    return rank;
  }

  unsigned rank_after(const Position& position, const Move& move) {
    const Position next = make_move(position, move);
    return is_won_end(next) ? 0 : visit(next);
  }

  /// A position of the prover: the move must be legal, and the rank one more than that of what it leads to.
  void check_entry(const Position& position, std::size_t entry) {
    const std::vector<Move> moves = legal_moves(file_.rules, position);
    const unsigned code = file_.move(entry);
    const auto move = std::find_if(moves.begin(), moves.end(), [code](const Move& m) { return code_of(m) == code; });
    if (move == moves.end()) refuse(position, "the move given is not legal");
    const unsigned below = rank_after(position, *move);
    if (file_.rank(entry) != below + 1) {
      refuse(position, "the rank is " + std::to_string(file_.rank(entry)) + " where " + uci(*move) + " leads to " +
                           std::to_string(below));
    }
  }

  // ---- tables

  void check_tables() const {
    const std::uint64_t leaves = read_number(file_.field("param.leaves"), "the table leaves");
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < file_.entries; ++i) {
      if (file_.move(i) == kTableLeaf) ++found;
    }
    if (leaves != found) throw Refused("the header does not give the number of table leaves");
    const std::string& tables = file_.field("param.tables");
    if (leaves == 0 && tables.empty()) return;
    if (tables.empty()) throw Refused("the proof has table leaves and names no table");
    if (tables_ == nullptr)
      throw Refused("the proof rests on the endgame tables " + tables + ": give them by --tables");
    for (std::size_t at = 0; at < tables.size();) {
      const std::size_t end = std::min(tables.find(',', at), tables.size());
      const std::string item = tables.substr(at, end - at);
      const std::size_t colon = item.find(':');
      if (colon == std::string::npos) throw Refused("a table without a hash: " + item);
      const std::string name = item.substr(0, colon);
      if (tables_->hash(name) != item.substr(colon + 1))
        throw Refused("the endgame table " + name + " is not there, or not the one that the proof rests on");
      at = end + 1;
    }
  }

  /// A position that the file calls won by a table.
  void check_leaf(const Position& position) {
    const int wanted = position.white_to_move == file_.prover_is_white ? 1 : -1;
    const std::optional<int> value = tables_->value(position);
    if (!value) refuse(position, "no table holds the leaf");
    if (*value != wanted) refuse(position, "the table does not call the leaf won");
    const int men = count_men(position.board, true) + count_men(position.board, false);
    if (men <= Endgames::kMostMen || deep_leaves_) {
      const std::optional<int> solved = solved_again(position, men);
      if (!solved) refuse(position, "too many positions to solve the leaf again");
      if (*solved != wanted) refuse(position, "solved again, the leaf is not won");
    } else if (value_by_successors(position) != wanted) {
      refuse(position, "by the values of its successors the leaf is not won");
    }
  }

  /// From the rules alone. Nothing if there are too many positions to look at.
  std::optional<int> solved_again(const Position& position, int men) {
    const bool has_endgames = file_.rules.variant == Variant::kAntichess || file_.rules.variant == Variant::kSuicide;
    if (men > Endgames::kMostMen || !has_endgames) return solver_.value(position);
    if (tries_left_ > 0) {  // most leaves are near the end of the game; a whole endgame takes seconds
      const std::optional<int> value = nearby_.value(position);
      if (value) return value;
      --tries_left_;
    }
    return endgames_.value(position).outcome;
  }

  int value_by_successors(const Position& position) const {
    int best = -1;
    for (const Move& move : legal_moves(file_.rules, position)) {
      const Position next = make_move(position, move);
      std::optional<int> value;
      if (is_decided(file_.rules, next)) {
        const std::string result = reference::outcome(file_.rules, next).result;
        value = result == "1/2-1/2" ? 0 : (result == "1-0") == next.white_to_move ? 1 : -1;
      } else {
        value = tables_->value(next);
      }
      if (!value) refuse(next, "no table holds the successor of a leaf");
      best = std::max(best, -*value);
    }
    return best;
  }

  const File& file_;
  const TableAccess* tables_;  // null: there are none
  bool deep_leaves_;
  Endgames endgames_;
  GraphSolver solver_;
  GraphSolver nearby_;
  int tries_left_ = 50;
  std::vector<std::string> seen_;                       // by entry: the position it stands for
  std::unordered_map<std::string, unsigned> replies_;   // of the opponent's positions: their rank
  std::vector<std::pair<Position, std::size_t>> open_;  // entries to be checked
  unsigned depth_ = 0;
  std::uint64_t leaves_ = 0;
};

std::array<std::uint64_t, 256> crc_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t i = 0; i < 256; ++i) {
    std::uint64_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0xc96c5795d7870f42U : 0);
    table[i] = value;
  }
  return table;
}

}  // namespace

std::uint64_t crc64(const char* bytes, std::size_t size) {
  static const std::array<std::uint64_t, 256> table = crc_table();
  std::uint64_t crc = ~std::uint64_t{0};
  for (std::size_t i = 0; i < size; ++i) crc = table[(crc ^ static_cast<unsigned char>(bytes[i])) & 0xff] ^ crc >> 8;
  return ~crc;
}

ProofCheck check_proof_bytes(const std::string& bytes, const ProofCheckOptions& options) {
  ProofCheck check;
  try {
    check_sum(bytes);
    File file;
    file.bytes = bytes;
    read_header(file);
    check.variant = file.field("variant");
    check.fen = file.field("param.fen");
    check.prover = file.field("param.for");
    read_question(file);
    read_arrays(file);
    Walk(file, options).run(check);
    check.ok = true;
  } catch (const Refused& refused) {
    check.message = refused.what();
  }
  return check;
}

ProofCheck check_proof(const std::string& path, const ProofCheckOptions& options) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    ProofCheck check;
    check.message = "the file cannot be opened";
    return check;
  }
  std::string bytes;
  try {
    in.exceptions(std::ios::badbit);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  } catch (const std::ios_base::failure&) {
    ProofCheck check;
    check.message = "the file cannot be read";
    return check;
  }
  return check_proof_bytes(bytes, options);
}

}  // namespace hecatomb::reference
