#include "host/proof_tables.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
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

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

}  // namespace

/// Values from memory, or from files of distances by as many probers as threads ask at once.
struct ProofTables::Values {
  Values(const std::string& directory, const TableRules& rules, Metric metric, int men)
      : most_men(men), store(directory, rules, kRoomBytes) {
    if (metric == Metric::wdl) set.emplace(directory, rules, men);
  }

  std::optional<int> value(const Position& p) {
    if (set) return set->probe(p);
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
  std::optional<WdlSet> set;
  TableStore store;
  std::mutex mutex;
  std::vector<std::unique_ptr<TableProber>> idle;
};

ProofTables::ProofTables(const std::string& directory, const TableRules& rules, std::optional<Metric> metric)
    : directory_(directory), rules_(rules) {
  int men = 0;
  for (const Metric wanted : {Metric::wdl, Metric::dtw}) {
    if (men != 0 || (metric && *metric != wanted)) continue;
    metric_ = wanted;
    men = most_men_there(directory, rules, wanted);
  }
  if (men == 0) {
    throw EnvironmentError(directory, "find endgame tables",
                           "it holds none" + (metric ? std::string(" that end in ") += suffix_of(*metric) : ""),
                           "Make some: hecatomb table generate --wdl -v " + std::string(variant_name(rules.variant)) +
                               " --men 3 --dir " + directory);
  }
  values_ = std::make_unique<Values>(directory, rules, metric_, men);
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
                return place ? place->material.name().append(suffix_of(metric_)) : std::string();
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
  if (name.find('/') != std::string::npos || !name.ends_with(suffix_of(metric_))) return {};
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

std::optional<Metric> metric_of_tables(const std::string& tables) {
  for (const Metric metric : {Metric::wdl, Metric::dtw}) {
    if (tables.find(std::string(suffix_of(metric)) + ":") != std::string::npos) return metric;
  }
  return std::nullopt;
}

}  // namespace hecatomb
