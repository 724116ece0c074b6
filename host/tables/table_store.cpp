#include "host/tables/table_store.h"

#include <sys/stat.h>

#include <filesystem>

#include "host/notation/variant_name.h"

namespace hecatomb {

MissingTableError::MissingTableError(const std::string& directory, const TableRules& rules, const Material& material)
    : EnvironmentError(directory, "find the table " + material.name(), "it is not there",
                       "Make it: hecatomb table generate -v " + std::string(variant_name(rules.variant)) +
                           " --material " + material.name() + " --dir " + directory) {}

NoTablesError::NoTablesError(const std::string& directory, const TableRules& rules, const std::string& kind,
                             Metric metric)
    : EnvironmentError(directory, "find " + kind,
                       std::filesystem::is_directory(directory) ? "it holds none" : "there is no such directory",
                       "Make some: hecatomb table generate " + std::string(metric == Metric::wdl ? "--wdl " : "") +
                           "-v " + std::string(variant_name(rules.variant)) + " --men 3 --dir " + directory) {}

bool TableStore::has_file(const Material& material) const {
  struct stat status = {};
  return ::stat(table_path(directory_, material, metric_).c_str(), &status) == 0;
}

std::unique_ptr<TableFile> TableStore::open(const Material& material) const {
  if (!has_file(material)) throw MissingTableError(directory_, rules_, material);
  return std::make_unique<TableFile>(table_path(directory_, material, metric_), material, rules_, metric_);
}

std::shared_ptr<const Table> TableStore::load(const Material& material) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found = tables_.find(material.key());
    if (found != tables_.end()) {
      found->second.used = ++clock_;
      return found->second.table;
    }
  }
  // Two threads may unfold the same table at once: rare, and harmless.
  const auto file = open(material);
  file->check_all();
  std::shared_ptr<const Table> table = unfold(*file, rules_, metric_, source());
  if (!table) throw StoppedError{};
  keep(table);
  return table;
}

void TableStore::keep(std::shared_ptr<const Table> table) {
  const std::scoped_lock lock(mutex_);
  const MaterialKey key = table->layout().material().key();
  if (tables_.contains(key)) return;
  bytes_ += table->size_bytes();
  tables_.emplace(key, Entry{std::move(table), ++clock_});
  make_room();
}

void TableStore::make_room() {
  while (bytes_ > room_bytes_) {
    auto oldest = tables_.end();
    for (auto it = tables_.begin(); it != tables_.end(); ++it) {
      if (it->second.table.use_count() == 1 && (oldest == tables_.end() || it->second.used < oldest->second.used))
        oldest = it;
    }
    if (oldest == tables_.end()) return;
    bytes_ -= oldest->second.table->size_bytes();
    tables_.erase(oldest);
  }
}

}  // namespace hecatomb
