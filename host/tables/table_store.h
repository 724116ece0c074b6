// The tables of one set: files in a directory, and those of them that are in memory.
//
// The one idea: whoever needs a table asks here and holds it as long as he needs it; what nobody holds stays while
// there is room, least recently used first out.
#pragma once
#include <map>
#include <mutex>
#include <string>

#include "host/tables/unfold.h"

namespace hecatomb {

/// Thrown where the work ends early because of a Ctrl-C.
struct StoppedError {};

/// A table that is needed and has no file.
class MissingTableError : public EnvironmentError {
 public:
  MissingTableError(const std::string& directory, const TableRules& rules, const Material& material);
};

/// A directory without any table of a set that is needed; `kind` as in "endgame tables". Its remedy makes those of
/// three men.
class NoTablesError : public EnvironmentError {
 public:
  NoTablesError(const std::string& directory, const TableRules& rules, const std::string& kind, Metric metric);
};

class TableStore {
 public:
  /// `room_bytes` for tables that nobody holds.
  TableStore(std::string directory, const TableRules& rules, std::uint64_t room_bytes, Metric metric = Metric::dtw)
      : directory_(std::move(directory)), rules_(rules), metric_(metric), room_bytes_(room_bytes) {}

  const std::string& directory() const { return directory_; }
  const TableRules& rules() const { return rules_; }
  bool has_file(const Material& material) const;
  /// Opens its file. Throws MissingTableError, FileRefusedError.
  std::unique_ptr<TableFile> open(const Material& material) const;

  /// The whole table, from memory or, all its bytes checked, unfolded from its file; tables it needs for that are
  /// loaded, too. Throws MissingTableError, FileRefusedError, StoppedError. Any thread.
  std::shared_ptr<const Table> load(const Material& material);
  /// Keeps a table that was solved.
  void keep(std::shared_ptr<const Table> table);
  TableSource source() {
    return [this](const Material& material) { return load(material); };
  }

 private:
  void make_room();

  std::string directory_;
  TableRules rules_;
  Metric metric_;
  std::uint64_t room_bytes_;
  std::mutex mutex_;  // guards the rest
  struct Entry {
    std::shared_ptr<const Table> table;
    std::uint64_t used;
  };
  std::map<MaterialKey, Entry> tables_;
  std::uint64_t clock_ = 0, bytes_ = 0;
};

}  // namespace hecatomb
