// The job that makes a set of tables: every class asked for and everything below it, as files in a directory.
//
// The one idea: classes are solved in waves of equal numbers of men and pawns; within a wave they do not depend on each
// other, so every core has a class of its own. A finished class is a finished file: a run that was stopped or killed
// goes on with the first one that is missing.
//
// Memory: so many classes at once as fit into the memory given, with the tables they look things up in; the rest of it
// keeps tables that were solved or read last.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "host/tables/solver.h"
#include "host/tables/table_store.h"
#include "host/work.h"

namespace hecatomb {

/// What solves a class: solve_by_sets, or one that is slower and independent.
using TableSolver = std::function<std::optional<SolvedTable>(const Material&, const TableRules&, const TableSource&)>;

struct GenerateRequest {
  std::string directory;
  TableRules rules;
  std::vector<Material> materials;  ///< each behind those it needs
  std::uint64_t memory_bytes = 0;
  unsigned threads = 0;  ///< 0: all cores
  TableSolver solver = solve_by_sets;
  bool with_wdl = false;  ///< also the small set of files for wdl_set.h
  /// If set, tables that are there are solved again and compared; gets a FEN and what is different, one at a time.
  std::function<void(const std::string& fen, const std::string& what)> on_stored_difference = {};
};

/// What became of one class.
struct GeneratedClass {
  Material material;
  bool was_there = false;   ///< the file was there and sound
  bool compared = false;    ///< it was, and was solved again and compared
  std::string damage = {};  ///< a file was there and damaged, and was made again: what was wrong with it
  u64 positions = 0;        ///< merged, both sides to move
  u64 file_bytes = 0;
  u64 wdl_bytes = 0;
  double seconds = 0;  ///< of one core: solved, compressed, written
  int longest_plies = 0;
};

/// How a request will be worked on.
struct GeneratePlan {
  unsigned threads = 0;            ///< classes at once
  std::uint64_t memory_bytes = 0;  ///< at the most
  std::uint64_t room_bytes = 0;    ///< of it for tables that are kept
  std::uint64_t positions = 0;     ///< about: cells of both sides
};

/// All classes up to `men` men, each behind those it needs.
std::vector<Material> materials_up_to(int men);
/// The classes named and everything below them, in the same order.
std::vector<Material> with_all_below(const std::vector<Material>& materials);

/// Throws EnvironmentError if not even one class at a time fits into the memory.
GeneratePlan plan_generation(const GenerateRequest& request);

/// Does it. `on_class` is called by any thread, one at a time. Returns whether all is done (false after a Ctrl-C).
/// Throws EnvironmentError, also where another process makes tables in the directory, and FileRefusedError for a file
/// that is there and of another set. Damaged files are made again.
bool generate_tables(const GenerateRequest& request, const GeneratePlan& plan,
                     const std::function<void(const GeneratedClass&)>& on_class);

}  // namespace hecatomb
