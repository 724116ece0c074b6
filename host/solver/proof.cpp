#include "host/solver/proof.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "host/notation/fen.h"
#include "host/notation/legal.h"

namespace hecatomb {
namespace {

constexpr std::uint32_t kMostRank = 0xffff;

struct KeyHash {
  std::size_t operator()(const Key& key) const { return key.low; }
};

Move unpacked(std::uint16_t packed, const MoveList& legal) {
  for (const Move m : legal) {
    if (packed_move(m) == packed) return m;
  }
  return {};
}

/// Walks a proof depth first and keeps what it meets.
class Extraction {
 public:
  Extraction(const ProofProblem& problem, NodeTable& table, Spill& spill, ProofSearch& search, MiniSearch& mini,
             std::uint64_t most_positions, std::uint8_t salt)
      : problem_(problem),
        table_(table),
        spill_(spill),
        search_(search),
        mini_(mini),
        most_positions_(most_positions),
        salt_(salt) {}

  ProofExtraction run() {
    bool is_sound = enter(problem_.root);
    while (is_sound && !stack_.empty()) is_sound = step();
    if (!is_sound) return {{}, fault_, nodes_.size() >= most_positions_};
    return {collected(), {}, false};
  }

 private:
  struct Node {
    std::uint64_t name = 0;  // of positions that have an entry
    std::uint16_t move = 0, rank = 0;
    bool has_entry = false, is_open = true;  // open: still on the stack
  };
  struct Frame {
    Position position;
    std::size_t node;
    std::vector<Move> moves;
    std::size_t next = 0;
    std::uint32_t rank = 0;  // of the children so far
  };

  bool fail(const Position& p, const std::string& why) {
    fault_ = why + " at " + fen_of(p);
    return false;
  }

  /// Begins with a position that is not in the proof yet and not over.
  bool enter(const Position& p) {
    if (nodes_.size() >= most_positions_)
      return fail(p, "the proof has more than " + std::to_string(most_positions_) + " positions; raise --hash");
    const std::size_t index = nodes_.size();
    index_[zobrist_of(p)] = index;
    Node& node = nodes_.emplace_back();
    if (is_table_win(p)) {
      node = {position_name(p, salt_), kTableLeaf, 0, true, false};
      leaves_++;
      tables_.insert(problem_.endings.table_of(p));
      return true;
    }
    list_legal(p, problem_.variant, legal_);
    Frame frame{p, index, {legal_.begin(), legal_.end()}};
    if (p.side == problem_.prover) {
      const std::optional<std::uint16_t> chosen = legal_.size == 1 ? packed_move(legal_.moves[0]) : move_at(p);
      const Move move = chosen ? unpacked(*chosen, legal_) : Move{};
      if (move.from == move.to) return fail(p, "no move is known");
      node.name = position_name(p, salt_);
      node.move = packed_move(move);
      node.has_entry = true;
      frame.moves = {move};
    }
    stack_.push_back(std::move(frame));
    return true;
  }

  bool is_table_win(const Position& p) const {
    const KnownEndings& endings = problem_.endings;
    if (__builtin_popcountll(p.occupied()) > endings.most_men) return false;
    return endings.is_won(p, problem_.prover).value_or(false);
  }

  /// The move of the proof of lowest rank that is known of a position with a choice.
  std::optional<std::uint16_t> move_at(const Position& p) {
    std::optional<NodeEntry> best = known(p);
    if (!best) {
      search_.search(child_of(p));
      best = known(p);
    }
    return best ? std::optional(best->move) : std::nullopt;
  }

  ExpandedChild child_of(const Position& p) const { return root_child(p, legal_.size); }

  std::optional<NodeEntry> known(const Position& p) {
    std::optional<NodeEntry> best;
    const auto take = [&best](const NodeEntry& entry) {
      if (entry.kind == NodeEntry::Kind::proved && (!best || entry.rank < best->rank)) best = entry;
    };
    const Key key = zobrist_of(p);
    take(table_.probe(key));
    if (const auto spilled = spill_.find(table_.image_of(key, {}))) take(*spilled);
    const MiniSearch::Found found = mini_.search(child_of(p), {kInfinite, kInfinite});
    if (found.numbers.proved()) {
      NodeEntry entry{.kind = NodeEntry::Kind::proved};
      entry.move = found.move;
      entry.rank = found.rank;
      take(entry);
    }
    return best;
  }

  /// Looks at the next child of the position in hand, or leaves it.
  bool step() {
    Frame& frame = stack_.back();
    if (frame.next == frame.moves.size()) {
      Node& node = nodes_[frame.node];
      node.rank = static_cast<std::uint16_t>(frame.rank);
      node.is_open = false;
      if (frame.rank >= kMostRank) return fail(frame.position, "a line is too long");
      stack_.pop_back();
      return true;
    }
    const Position child = after_move(frame.position, frame.moves[frame.next], problem_.variant, problem_.options);
    const Outcome outcome = decided_outcome(child, problem_.variant, problem_.options);
    std::uint32_t rank = 0;
    if (outcome.result != Result::ongoing) {
      if ((outcome.result == Result::white_wins) != (problem_.prover == kWhite) || outcome.result == Result::draw)
        return fail(child, "the game is over and not won");
    } else {
      const auto found = index_.find(zobrist_of(child));
      if (found == index_.end()) return enter(child);  // and look at it again when it is finished
      const Node& node = nodes_[found->second];
      if (node.is_open) return fail(child, "a loop");
      rank = node.rank;
    }
    frame.rank = std::max(frame.rank, rank + 1);
    frame.next++;
    return true;
  }

  Proof collected() {
    Proof proof;
    proof.positions = nodes_.size();
    proof.leaves = leaves_;
    proof.tables = tables_;
    proof.depth_plies = nodes_[0].rank;
    proof.salt = salt_;
    for (const Node& node : nodes_) {
      if (node.has_entry) proof.entries.push_back({node.name, node.move, node.rank});
    }
    std::sort(proof.entries.begin(), proof.entries.end(),
              [](const ProofEntry& a, const ProofEntry& b) { return a.name < b.name; });
    add_line(proof);
    return proof;
  }

  void add_line(Proof& proof) {
    Position p = problem_.root;
    for (;;) {
      const auto found = index_.find(zobrist_of(p));
      if (found == index_.end() || nodes_[found->second].move == kTableLeaf) return;
      const Node& node = nodes_[found->second];
      list_legal(p, problem_.variant, legal_);
      const Move move = node.has_entry ? unpacked(node.move, legal_) : longest_reply(p);
      proof.line.push_back(move);
      p = after_move(p, move, problem_.variant, problem_.options);
    }
  }

  Move longest_reply(const Position& p) const {
    Move longest = legal_.moves[0];
    int most = -1;
    for (const Move m : legal_) {
      const auto found = index_.find(zobrist_of(after_move(p, m, problem_.variant, problem_.options)));
      const int rank = found == index_.end() ? 0 : nodes_[found->second].rank;
      if (rank <= most) continue;
      most = rank;
      longest = m;
    }
    return longest;
  }

  const ProofProblem& problem_;
  NodeTable& table_;
  Spill& spill_;
  ProofSearch& search_;
  MiniSearch& mini_;
  std::uint64_t most_positions_;
  std::uint8_t salt_;
  MoveList legal_;  // of the position in hand
  std::vector<Node> nodes_;
  std::unordered_map<Key, std::size_t, KeyHash> index_;
  std::vector<Frame> stack_;
  std::uint64_t leaves_ = 0;
  std::set<std::string> tables_;
  std::string fault_;
};

bool has_equal_names(const Proof& proof) {
  return std::adjacent_find(proof.entries.begin(), proof.entries.end(),
                            [](const auto& a, const auto& b) { return a.name == b.name; }) != proof.entries.end();
}

}  // namespace

std::uint64_t position_name(const Position& p, std::uint8_t salt) {
  std::uint64_t name = 0xcbf29ce484222325;
  const auto add = [&name](unsigned byte) { name = (name ^ byte) * 0x100000001b3; };
  const auto code = [&p](Square s) {
    const Kind kind = p.kind_at(s);
    return kind == Kind::none ? 0u : static_cast<unsigned>(kind) + (p.men[kBlack] & bit(s) ? 6u : 0u);
  };
  add(salt);
  for (Square s = 0; s < 64; s += 2) add(code(s) | code(s + 1) << 4);
  add(p.side | static_cast<unsigned>(p.castling) << 1);
  const Square en_passant = p.en_passant_square();
  add(en_passant < 0 ? 64u : static_cast<unsigned>(en_passant));
  return name;
}

ProofExtraction extract_proof(const ProofProblem& problem, NodeTable& table, Spill& spill, ProofSearch& search,
                              MiniSearch& mini, std::uint64_t most_positions) {
  for (unsigned salt = 0; salt < 256; salt++) {
    ProofExtraction extraction =
        Extraction(problem, table, spill, search, mini, most_positions, static_cast<std::uint8_t>(salt)).run();
    if (!extraction.fault.empty() || !has_equal_names(extraction.proof)) return extraction;
  }
  return {{}, "position names are equal under every salt", false};
}

}  // namespace hecatomb
