#include "host/tables/generate.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "host/storage/lock.h"

namespace hecatomb {

namespace {

constexpr const char* kLockName = ".lock";  // of a directory that is worked on

/// CPU time of this thread, seconds: what a class costs, whoever else uses the machine.
double thread_seconds() {
  struct timespec t = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

u64 cells_of(const Material& material) { return 2 * Layout::cells_of(material); }

/// Memory for solving and compressing a class, and for the tables it looks things up in.
std::uint64_t work_bytes(const Material& material) {
  std::uint64_t bytes = solver_memory_bytes(material) + 3 * cells_of(material);
  std::set<MaterialKey> next;
  for (const Material& below : materials_below(material)) {
    const bool is_next = below.men + 1 >= material.men && below.pawns() + 1 >= material.pawns();
    if (is_next) bytes += cells_of(below);
  }
  return bytes;
}

bool same_wave(const Material& a, const Material& b) { return a.men == b.men && a.pawns() == b.pawns(); }

int longest_of(const TableCounts& counts) {
  int plies = 0;
  for (const SideCounts& side : counts) {
    for (const auto& entry : side.by_value) {
      if (entry.first != kDraw) plies = std::max(plies, plies_of(entry.first));
    }
  }
  return plies;
}

void report_counts(GeneratedClass& done, const TableCounts& counts) {
  done.longest_plies = longest_of(counts);
  for (const SideCounts& side : counts) done.positions += side.positions(CountUnit::merged);
}

/// The same counts for who wins alone.
TableCounts without_distances(const TableCounts& counts) {
  TableCounts wdl = counts;
  for (SideCounts& side : wdl) {
    std::map<TableValue, UnitCounts> by_value;
    for (const auto& [value, count] : side.by_value) {
      UnitCounts& sum = by_value[without_distance(value)];
      for (std::size_t i = 0; i < sum.size(); i++) sum[i] += count[i];
    }
    side.by_value = std::move(by_value);
  }
  return wdl;
}

std::uint64_t write_wdl(const GenerateRequest& request, const SolvedTable& solved, const TableCounts& counts) {
  const Material& material = solved.table->layout().material();
  return write_table(table_path(request.directory, material, Metric::wdl), solved.table->without_distances(),
                     request.rules, Metric::wdl,
                     {{&solved.captures[0], &solved.captures[1]}, {&solved.given[0], &solved.given[1]}},
                     without_distances(counts));
}

/// Whether all files of a class are there and sound; notes what it finds.
bool is_there(const GenerateRequest& request, GeneratedClass& done) {
  try {
    for (const Metric metric : {Metric::wdl, Metric::dtw}) {
      if (metric == Metric::wdl && !request.with_wdl) continue;
      const std::string path = table_path(request.directory, done.material, metric);
      if (!std::filesystem::exists(path)) return false;
      const TableFile file(path, done.material, request.rules, metric);
      file.check_all();
      (metric == Metric::dtw ? done.file_bytes : done.wdl_bytes) = file.size_bytes();
      if (metric == Metric::dtw) report_counts(done, file.counts());
    }
    return true;
  } catch (const FileRefusedError& error) {
    if (error.refusal() != Refusal::kDamaged) throw;
    done = {.material = done.material};
    done.damage = error.path() + ": " + error.reason();
    return false;
  }
}

/// Solves a class that is there again, and compares. False after a Ctrl-C.
bool compare_class(const GenerateRequest& request, TableStore& store, GeneratedClass& done) {
  const double begin = thread_seconds();
  const auto solved = request.solver(done.material, request.rules, store.source());
  if (!solved) return false;
  const auto stored = store.load(done.material);
  if (const auto at = first_difference(*stored, *solved->table)) {
    const auto [side, cell] = *at;
    request.on_stored_difference(fen_of_cell(stored->layout(), side, cell),
                                 "the stored table holds " + text_of_value(stored->at(side, cell)) +
                                     ", the first backend makes it " + text_of_value(solved->table->at(side, cell)));
  }
  done.compared = true;
  done.seconds = thread_seconds() - begin;
  return true;
}

/// One class: reads what is there, or solves and writes it. False after a Ctrl-C.
bool generate_class(const GenerateRequest& request, TableStore& store, GeneratedClass& done) {
  const Material& material = done.material;
  done.was_there = is_there(request, done);
  if (done.was_there) return !request.on_stored_difference || compare_class(request, store, done);
  const double begin = thread_seconds();
  const auto solved = request.solver(material, request.rules, store.source());
  if (!solved) return false;
  const TableCounts counts = count_table(*solved->table, {&solved->captures[0], &solved->captures[1]});
  if (request.with_wdl) done.wdl_bytes = write_wdl(request, *solved, counts);
  done.file_bytes = write_table(
      table_path(request.directory, material, Metric::dtw), *solved->table, request.rules, Metric::dtw,
      {{&solved->captures[0], &solved->captures[1]}, {&solved->sacrifices[0], &solved->sacrifices[1]}}, counts);
  store.keep(solved->table);
  report_counts(done, counts);
  done.seconds = thread_seconds() - begin;
  return true;
}

}  // namespace

std::vector<Material> materials_up_to(int men) {
  std::vector<Material> all;
  for (int n = 2; n <= men; n++) {
    const std::vector<Material> some = all_materials(n);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<Material> with_all_below(const std::vector<Material>& materials) {
  std::set<MaterialKey> wanted;
  int men = 0;
  for (const Material& material : materials) {
    wanted.insert(material.key());
    men = std::max(men, material.men);
    for (const Material& below : materials_below(material)) wanted.insert(below.key());
  }
  std::vector<Material> all = materials_up_to(men);
  std::erase_if(all, [&](const Material& material) { return !wanted.contains(material.key()); });
  return all;
}

GeneratePlan plan_generation(const GenerateRequest& request) {
  GeneratePlan plan;
  std::uint64_t most = 0, all = 0;
  std::string name;
  for (const Material& material : request.materials) {
    const std::uint64_t bytes = work_bytes(material);
    if (bytes > most) name = material.name();
    most = std::max(most, bytes);
    plan.positions += cells_of(material);
    all += cells_of(material);
  }
  if (most > request.memory_bytes) {
    throw EnvironmentError("--memory " + std::to_string(request.memory_bytes), "solve " + name,
                           "it takes " + std::to_string(most) + " bytes", "Give it more memory, or ask for fewer men");
  }
  const unsigned threads = request.threads != 0 ? request.threads : default_threads();
  plan.threads =
      static_cast<unsigned>(std::clamp<std::uint64_t>(request.memory_bytes / std::max<u64>(most, 1), 1, threads));
  plan.room_bytes = std::min(all, request.memory_bytes - plan.threads * most);
  plan.memory_bytes = plan.room_bytes + plan.threads * most;
  return plan;
}

bool generate_tables(const GenerateRequest& request, const GeneratePlan& plan,
                     const std::function<void(const GeneratedClass&)>& on_class) {
  std::error_code error;
  std::filesystem::create_directories(request.directory, error);
  if (error) {
    throw EnvironmentError(request.directory, "make the directory", error.message(),
                           "Name a directory you may write to");
  }
  const FileLock only_one(request.directory + "/" + kLockName);
  TableStore store(request.directory, request.rules, plan.room_bytes);
  WorkPool pool(plan.threads);
  std::mutex reporting;
  u64 finished = 0;
  for (std::size_t begin = 0, end = 0; begin < request.materials.size(); begin = end) {
    while (end < request.materials.size() && same_wave(request.materials[begin], request.materials[end])) end++;
    const RunSummary summary = pool.run(end - begin, [&](std::uint64_t index, unsigned) {
      GeneratedClass done{.material = request.materials[begin + index]};
      try {
        if (!generate_class(request, store, done)) return false;
      } catch (const StoppedError&) {
        return false;
      }
      const std::scoped_lock lock(reporting);
      on_class(done);
      fault_point("after-unit", ++finished);
      return true;
    });
    if (!summary.complete()) return false;
  }
  return true;
}

}  // namespace hecatomb
