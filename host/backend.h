// The interface that every backend gives: per job one batch in, one answer an item out.
//
// The one idea: a batch is plain data (positions and numbers), so that it can be run by the CPU's vector code, by CUDA
// kernels or by the reference, and two of them can be compared item by item: a check backend is a backend.
//
// Invariants: answers[i] belongs to items[i]; an item that is answered `done` is exact; an item is never dropped: what
// could not be counted says why. Backends are called from one thread at a time.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/playout.h"
#include "host/count128.h"
#include "host/playout_tally.h"
#include "host/work.h"

namespace hecatomb {

enum class Job { perft, playout };

struct PerftItem {
  Position position;
  int depth_plies;  ///< >= 0
};

struct PerftBatch {
  VariantId variant = VariantId::chess;
  RuleOptions options;
  std::span<const PerftItem> items;
  /// Called once for each item that is done, from any thread, one at a time; may be empty.
  std::function<void(std::size_t index, u128 leaves)> on_done;
};

struct PerftAnswer {
  enum class Status {
    pending,  ///< not begun or not finished: the job was stopped
    done,
    overflow,  ///< more than kMaxCount
    differs,   ///< two backends disagree; see `note`
  };
  Status status = Status::pending;
  u128 leaves = 0;
  std::string note;     ///< differs: "cpu 123, reference 124"
  std::string fen;      ///< overflow, differs: the subtree in which it happened,
  int depth_plies = 0;  ///< and its depth (filled in by jobs that cut their positions up)
};

/// Random games from one opening: numbers first_game … first_game + games - 1.
struct PlayoutItem {
  Position opening;
  std::uint32_t opening_number;
  std::uint32_t first_game;
  std::uint32_t games;
};

struct PlayoutBatch {
  VariantId variant = VariantId::chess;
  PlayoutRules rules = {};
  std::uint64_t seed = 1;
  bool by_ply = false;  ///< whether to count legal moves ply by ply
  std::span<const PlayoutItem> items = {};
  /// Called once for each item that is done, from any thread, one at a time; may be empty.
  std::function<void(std::size_t index, const PlayoutTally& tally)> on_done = {};
};

struct PlayoutAnswer {
  enum class Status {
    pending,  ///< not finished: the job was stopped
    done,
    differs,  ///< two backends disagree; see `note`
  };
  Status status = Status::pending;
  PlayoutTally tally;
  std::string note;        ///< differs: "cpu and reference: games of 17 plies: 3 and 4"
  std::uint32_t game = 0;  ///< differs: the number of a game that is played differently
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// "cpu", "reference", "check:cpu,reference"
  virtual std::string name() const = 0;
  virtual bool can(Job job, VariantId variant) const = 0;
  /// Memory of the transposition table in use, in bytes; 0 without one.
  virtual std::uint64_t table_bytes() const { return 0; }
  /// Counts the leaves below every item. Ends early once stop_requested(). Throws EnvironmentError.
  virtual void perft(const PerftBatch& batch, std::span<PerftAnswer> answers) = 0;
  /// How many items to give playout() at once in a job of so many games: enough to keep it busy, few enough that a stop
  /// loses little.
  virtual std::size_t playout_items_at_once(std::uint64_t /*games*/) { return 512; }
  /// Plays the games of every item. Ends early once stop_requested(). Throws EnvironmentError.
  virtual void playout(const PlayoutBatch& batch, std::span<PlayoutAnswer> answers) = 0;
};

/// What a backend is made with.
struct BackendOptions {
  std::uint64_t table_bytes = 0;          ///< memory for a transposition table; 0: none
  std::string level = {};                 ///< cpu: the instruction set level; empty: the one in use (cpu/level.h)
  int device = -1;                        ///< cuda: number of the device; negative: the first usable one
  std::uint64_t device_memory_bytes = 0;  ///< cuda: at most; 0: a share of what is free
  /// Told, by cuda and auto, when the CPU takes over what a device could not do; may be empty.
  std::function<void(const std::string& text)> on_warning = {};
};

/// Makes a backend by name: `cpu`, `cuda`, `reference`, `check:A,B`, `auto`. Throws EnvironmentError for one that this
/// build or machine does not have, std::invalid_argument for a name that is none. The pool must outlive it. `cuda` and
/// `auto` go on with the CPU when a device fails halfway; in a check a device that fails is an EnvironmentError.
std::unique_ptr<Backend> make_backend(std::string_view name, WorkPool& pool, const BackendOptions& options = {});

/// A backend that runs both on every batch and compares each item exactly.
std::unique_ptr<Backend> make_check_backend(std::unique_ptr<Backend> a, std::unique_ptr<Backend> b);

/// Whether the text is a backend's name by form: cpu, cuda, reference, auto, or check:A,B of two different ones.
bool is_backend_name(std::string_view name);

}  // namespace hecatomb
