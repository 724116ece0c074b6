// What --checkpoint keeps: the solved nodes as they come, and at the end everything of weight that the table holds.
//
// The journal (host/storage) survives kills; its parameters are the question. A record is a number of NodeImages:
// solved nodes with their whole keys, so that a run with another --hash goes on from them; open ones as they stand in
// the table, which are of use to a table of the same size.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "host/solver/node_table.h"
#include "host/solver/problem.h"
#include "host/storage/journal.h"

namespace hecatomb {

class SolverCheckpoint {
 public:
  /// Opens or begins the journal and puts what it holds into the table.
  SolverCheckpoint(const std::string& path, const ProofProblem& problem, NodeTable& table);

  /// A node that was solved. Any thread.
  void add(Key key, const NodeEntry& entry);
  /// Writes what was added.
  void flush();
  /// Writes the open nodes on which work was spent, and syncs.
  void finish();
  std::uint64_t restored() const { return restored_; }

 private:
  static FileHeader header(const ProofProblem& problem);
  void take(std::span<const std::byte> bytes);
  void append();  // with the lock held

  NodeTable& table_;
  std::uint64_t restored_ = 0;
  std::mutex mutex_;
  std::vector<NodeImage> pending_;
  Journal journal_;
};

}  // namespace hecatomb
