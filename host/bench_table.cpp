#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/random.h"
#include "host/bench.h"
#include "host/cpu/level.h"
#include "host/notation/variant_name.h"
#include "host/storage/checksum.h"
#include "host/storage/file.h"
#include "host/tables/generate.h"
#include "host/tables/probe.h"
#include "host/tables/wdl_set.h"

namespace hecatomb {
namespace {

namespace fs = std::filesystem;

constexpr VariantId kTableVariants[] = {VariantId::antichess, VariantId::suicide};
constexpr const char* kFourMen = "KQvRN";
constexpr std::uint64_t kDtwProbes = 50'000, kWdlProbes = 1'000'000, kMemoryBytes = std::uint64_t{2} << 30;

Material four_men() {
  const auto material = read_material(kFourMen);
  if (!material) throw std::logic_error(std::string(kFourMen) + " is no class");
  return *material;
}

/// One job of the suite: what it does once, and what it counted.
struct Work {
  std::string name;
  std::function<bool(BenchResult&, std::string& counts)> run;  ///< false if it was stopped
};

class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Solves classes one after the other, all of them kept in memory. `counts` gets what they hold.
bool solve_in_memory(const std::vector<Material>& materials, const TableRules& rules, BenchResult& result,
                     std::string& counts) {
  std::map<MaterialKey, std::shared_ptr<const Table>> tables;
  const auto source = [&tables](const Material& material) { return tables.at(material.key()); };
  std::vector<SolvedTable> solved;
  const Timer timer;
  for (const Material& material : materials) {
    auto one = solve_by_sets(material, rules, source);
    if (!one) return false;
    tables[material.key()] = one->table;
    solved.push_back(std::move(*one));
  }
  result.seconds.push_back(timer.seconds());
  result.unit = "positions";
  u128 positions = 0;
  for (const SolvedTable& one : solved) {
    const TableCounts all = count_table(*one.table, {&one.captures[0], &one.captures[1]});
    for (const Color side : {kWhite, kBlack}) {
      positions += all[side].positions(CountUnit::merged);
      counts += counts_row(one.table->layout(), side, all[side], CountUnit::merged) + "\n";
    }
  }
  result.work = positions;
  return true;
}

/// Random positions of a class, the same every time.
std::vector<Position> positions_of(const Material& material, std::uint64_t count) {
  const Layout layout(material);
  std::vector<Position> positions;
  for (std::uint64_t number = 0; positions.size() < count; number++) {
    const PhiloxBlock block = philox4x32_10({{static_cast<u32>(number), 0, 0, 0}}, 1, 0);
    const u64 cell = mulhi(u64{block.word[0]} << 32 | block.word[1], layout.cells());
    if (layout.is_cell(cell)) positions.push_back(position_of_cell(layout, (number & 1) != 0 ? kWhite : kBlack, cell));
  }
  return positions;
}

/// A set of tables in a directory of its own, gone with this.
class TemporarySet {
 public:
  explicit TemporarySet(const TableRules& rules) : rules_(rules) {
    std::string name = (fs::temp_directory_path() / "hecatomb_bench_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw EnvironmentError(name, "make a directory for tables", errno, "Set TMPDIR to one you may write to");
    directory_ = name;
  }
  ~TemporarySet() {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }
  TemporarySet(const TemporarySet&) = delete;
  TemporarySet& operator=(const TemporarySet&) = delete;

  bool make() const {
    GenerateRequest request{.directory = directory_,
                            .rules = rules_,
                            .materials = with_all_below({four_men()}),
                            .memory_bytes = kMemoryBytes,
                            .threads = 1};
    request.with_wdl = true;
    return generate_tables(request, plan_generation(request), [](const GeneratedClass&) {});
  }
  const std::string& directory() const { return directory_; }
  const TableRules& rules() const { return rules_; }

 private:
  std::string directory_;
  TableRules rules_;
};

/// Probes all positions by `probe`, which gives a number; a position that is not covered is a bug.
template <class Probe>
bool run_probes(const std::vector<Position>& positions, Probe&& probe, BenchResult& result, std::string& counts) {
  std::map<int, u64> found;
  const Timer timer;
  for (const Position& p : positions) {
    const auto value = probe(p);
    if (!value) throw std::logic_error(result.name + ": a position is not covered");
    found[*value]++;
  }
  result.seconds.push_back(timer.seconds());
  result.work = positions.size();
  result.unit = "probes";
  for (const auto& [value, count] : found) counts += std::to_string(value) + ":" + std::to_string(count) + "\n";
  return !stop_requested();
}

std::vector<Work> solving_of(const TableRules& rules, bool deep) {
  const std::string variant(variant_name(rules.variant));
  const auto solve = [rules](std::vector<Material> materials) {
    return [rules, materials = std::move(materials)](BenchResult& r, std::string& counts) {
      return solve_in_memory(materials, rules, r, counts);
    };
  };
  std::vector<Work> work = {{variant + " tables 3 men", solve(materials_up_to(3))},
                            {variant + " tables " + kFourMen, solve(with_all_below({four_men()}))}};
  if (deep) work.push_back({variant + " tables 4 men", solve(materials_up_to(4))});
  return work;
}

std::vector<Work> probes_of(const TemporarySet& set) {
  const Material material = four_men();
  const std::string variant(variant_name(set.rules().variant));
  return {{variant + " probe dtw",
           [&set, positions = positions_of(material, kDtwProbes)](BenchResult& r, std::string& counts) {
             TableStore store(set.directory(), set.rules(), kMemoryBytes);
             TableProber prober(store);
             return run_probes(
                 positions, [&](const Position& p) { return prober.value(p); }, r, counts);
           }},
          {variant + " probe wdl",
           [&set, positions = positions_of(material, kWdlProbes)](BenchResult& r, std::string& counts) {
             const WdlSet wdl(set.directory(), set.rules());
             static_cast<void>(wdl.probe(positions.front()));  // unpacks the class
             return run_probes(
                 positions, [&](const Position& p) { return wdl.probe(p); }, r, counts);
           }}};
}

}  // namespace

bool has_table_cases(std::optional<VariantId> variant) {
  return !variant ||
         std::find(std::begin(kTableVariants), std::end(kTableVariants), *variant) != std::end(kTableVariants);
}

BenchSignature bench_table(const BenchRequest& request, const std::function<void(const BenchResult&)>& on_result,
                           const std::function<void(std::size_t done, std::size_t all)>& on_progress) {
  const std::size_t cases_of_variant = request.deep ? 5 : 4;
  const std::size_t variants = request.variant ? 1 : std::size(kTableVariants);
  const std::size_t all = variants * cases_of_variant * static_cast<std::size_t>(request.runs);
  std::size_t done = 0;
  std::string all_counts;
  const auto run_all = [&](const std::vector<Work>& works) {
    for (const Work& work : works) {
      BenchResult result;
      result.name = work.name;
      result.level = level_in_use().name;
      std::string first;
      for (int run = 0; run < request.runs; run++) {
        std::string counts;
        if (!work.run(result, counts)) return false;
        if (run != 0 && counts != first) throw std::logic_error(result.name + ": the second run counts otherwise");
        first = std::move(counts);
        if (on_progress) on_progress(++done, all);
      }
      on_result(result);
      all_counts += result.name + "\n" + first;
    }
    return true;
  };
  for (const VariantId variant : kTableVariants) {
    if (request.variant && *request.variant != variant) continue;
    const TableRules rules{variant, {}};
    if (!run_all(solving_of(rules, request.deep))) return std::nullopt;
    const TemporarySet set(rules);
    if (!set.make() || !run_all(probes_of(set))) return std::nullopt;
  }
  return stop_requested() ? std::nullopt : BenchSignature(xxh3(bytes_of(all_counts)));
}

}  // namespace hecatomb
