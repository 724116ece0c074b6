#include "host/proof_tables.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "host/notation/fen.h"
#include "host/reference_backend.h"
#include "host/storage/checksum.h"
#include "host/tables/generate.h"
#include "host/tables/place.h"
#include "host/tables/probe.h"
#include "host/tables/wdl_set.h"

namespace hecatomb {

namespace {

constexpr std::uint64_t kRoomBytes = std::uint64_t{256} << 20;  // for whole tables

std::string_view suffix_of(Metric metric) { return metric == Metric::wdl ? ".wdl" : ".dtw"; }

int most_men_there(const std::string& directory, const TableRules& rules, Metric metric) {
  const TableStore store(directory, rules, 0, metric);
  int most = 0;
  for (const Material& material : materials_up_to(kMostTableMen)) {
    if (material.men > most && store.has_file(material)) most = material.men;
  }
  return most;
}

/// Of the tables that a proof names those of distances.
std::set<MaterialKey> classes_by_distance(const std::string& named) {
  std::set<MaterialKey> classes;
  for (std::size_t at = 0; at < named.size();) {
    const std::size_t end = std::min(named.find(',', at), named.size());
    const std::string name = named.substr(at, std::min(named.find(':', at), end) - at);
    at = end + 1;
    const std::size_t stem = name.size() - std::min(name.size(), suffix_of(Metric::dtw).size());
    const auto material = read_material(name.substr(0, stem));
    if (material && name.substr(stem) == suffix_of(Metric::dtw)) classes.insert(material->key());
  }
  return classes;
}

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

}  // namespace

/// Values from memory, or from files of distances by as many probers as threads ask at once.
struct ProofTables::Values {
  Values(const std::string& directory, const TableRules& rules, int men_small, int men_long,
         std::set<MaterialKey> by_length)
      : most_men(std::max(men_small, men_long)),
        by_distance(std::move(by_length)),
        store(directory, rules, kRoomBytes) {
    if (men_small != 0) set.emplace(directory, rules, men_small);
  }

  Metric metric_of(const Material& material) const {
    return set && set->has(material.key()) && !by_distance.contains(material.key()) ? Metric::wdl : Metric::dtw;
  }

  std::optional<int> value(const Position& p) {
    const std::optional<Place> place = place_of(p);
    if (set && (!place || metric_of(place->material) == Metric::wdl)) {
      if (const auto outcome = set->probe(p)) return outcome;
    }
    std::unique_ptr<TableProber> prober = take();
    const std::optional<TableValue> value = prober->value(p);
    const std::scoped_lock lock(mutex);
    idle.push_back(std::move(prober));
    return value ? std::optional(outcome_of_value(*value)) : std::nullopt;
  }

  std::unique_ptr<TableProber> take() {
    const std::scoped_lock lock(mutex);
    if (idle.empty()) return std::make_unique<TableProber>(store);
    std::unique_ptr<TableProber> prober = std::move(idle.back());
    idle.pop_back();
    return prober;
  }

  int most_men;
  std::set<MaterialKey> by_distance;  // not asked in the small set
  std::optional<WdlSet> set;
  TableStore store;
  std::mutex mutex;
  std::vector<std::unique_ptr<TableProber>> idle;
};

ProofTables::ProofTables(const std::string& directory, const TableRules& rules, const std::string& named)
    : directory_(directory), rules_(rules) {
  const int men_small = most_men_there(directory, rules, Metric::wdl);
  const int men_long = most_men_there(directory, rules, Metric::dtw);
  if (men_small == 0 && men_long == 0) throw NoTablesError(directory, rules, "endgame tables", Metric::wdl);
  values_ = std::make_unique<Values>(directory, rules, men_small, men_long, classes_by_distance(named));
}

ProofTables::~ProofTables() = default;

int ProofTables::most_men() const { return values_->most_men; }
std::optional<int> ProofTables::value(const Position& p) const { return values_->value(p); }

KnownEndings ProofTables::endings() const {
  return {.most_men = most_men(),
          .is_won = [this](const Position& p, Color side) -> std::optional<bool> {
            const std::optional<int> found = value(p);
            if (!found) return std::nullopt;
            return *found == (p.us() == side ? 1 : -1);
          },
          .table_of =
              [this](const Position& p) {
                const std::optional<Place> place = place_of(p);
                return place ? place->material.name().append(suffix_of(values_->metric_of(place->material)))
                             : std::string();
              }};
}

reference::TableAccess ProofTables::access() const {
  return {.value = [this, rules = reference_rules(rules_.variant, rules_.options)](
                       const reference::Position& p) -> std::optional<int> {
            const auto reading = read_fen(reference::write_fen(rules, p), rules_.variant, rules_.options);
            return reading ? value(reading->position) : std::nullopt;
          },
          .hash = [this](const std::string& name) { return hash_of_file(name); }};
}

std::string ProofTables::hash_of_file(const std::string& name) const {
  const bool is_table = name.ends_with(suffix_of(Metric::wdl)) || name.ends_with(suffix_of(Metric::dtw));
  if (name.find('/') != std::string::npos || !is_table) return {};
  const std::string path = directory_ + "/" + name;
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return {};
  const File file = File::open_read(path);
  std::vector<std::byte> bytes(file.size_bytes());
  if (file.read_at(0, bytes) != bytes.size()) return {};
  return hexadecimal(xxh3(bytes));
}

std::string ProofTables::with_hashes(const std::set<std::string>& names) const {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name + ":" + hash_of_file(name);
  return text;
}

}  // namespace hecatomb
