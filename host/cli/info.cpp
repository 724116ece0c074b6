// hecatomb info: what this build is and what this machine gives it.
#include <xxhash.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "host/books/byte_source.h"
#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/cpu/level.h"
#include "host/cuda_backend.h"
#include "host/notation/variant_name.h"
#include "host/report/si.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::size_t kMostLevels = 8;

std::string version_text(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string compiler() {
#if defined(__clang__)
  return "clang " + version_text(__clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return "g++ " + version_text(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string sanitizers() { return HECATOMB_SANITIZERS; }

/// Instruction-set levels: in use, and all that this machine runs, best first.
Json cpu() {
  const LevelKernel* levels[kMostLevels];
  const std::size_t n = std::min(usable_levels(levels, kMostLevels), kMostLevels);
  Json names = Json::array();
  for (std::size_t i = 0; i < n; i++) names.push_back(levels[i]->name);
  const LevelKernel& level = level_in_use();
  return {{"level", level.name}, {"lanes", level.lanes}, {"levels", std::move(names)}};
}

/// The CUDA devices, usable or not, or why there are none.
Json cuda_devices() {
  const bool built = std::string_view(cuda::build_name()) != "none";
  Json info = {{"built", built}, {"devices", Json::array()}};
  if (!built) return info;
  try {
    for (const cuda::DeviceInfo& d : cuda::query_devices()) {
      info["devices"].push_back({{"number", d.number},
                                 {"name", d.name},
                                 {"capability", std::to_string(d.major) + "." + std::to_string(d.minor)},
                                 {"multiprocessors", d.multiprocessors},
                                 {"memory_bytes", d.memory_bytes},
                                 {"usable", d.usable()}});
    }
  } catch (const cuda::Error& error) {
    info["problem"] = error.what();
  }
  return info;
}

Json backends(const Json& cuda) {
  Json names = Json::array({"cpu", "reference"});
  const Json& devices = cuda["devices"];
  if (std::any_of(devices.begin(), devices.end(), [](const Json& d) { return d["usable"].get<bool>(); }))
    names.push_back("cuda");
  return names;
}

Json libraries() {
  Json versions = {{"CLI11", CLI11_VERSION},
                   {"nlohmann-json", version_text(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                                  NLOHMANN_JSON_VERSION_PATCH)},
                   {"xxHash", version_text(XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE)}};
  for (const auto& [name, version] : unpacking_libraries()) versions[name] = version;
  return versions;
}

Json gathered(const CommandContext& context) {
  Json variants = Json::array();
  Json cuda = cuda_devices();
  for (const VariantId id : kAllVariants) variants.push_back(variant_name(id));
  return {{"version", HECATOMB_VERSION},
          {"build", HECATOMB_BUILD_TYPE},
          {"compiler", compiler()},
          {"sanitizers", sanitizers()},
          {"cpu", cpu()},
          {"cores", default_threads()},
          {"threads", context.threads == 0 ? default_threads() : context.threads},
          {"backends", backends(cuda)},
          {"cuda", std::move(cuda)},
          {"variants", std::move(variants)},
          {"libraries", libraries()}};
}

std::string joined(const Json& words) {
  std::string text;
  for (const Json& word : words) text.append(text.empty() ? "" : ", ").append(word.get<std::string>());
  return text;
}

std::string text_of_device(const Json& d) {
  return d["number"].dump() + ": " + d["name"].get<std::string>() + ", compute capability " +
         d["capability"].get<std::string>() + ", " + format_size(d["memory_bytes"].get<std::uint64_t>()) +
         (d["usable"].get<bool>() ? "" : ", too old");
}

void print_cuda(const Json& cuda, const std::function<void(std::string, const std::string&)>& line) {
  if (!cuda["built"].get<bool>()) return line("cuda", "not built in");
  if (cuda.contains("problem")) return line("cuda", "built in; " + cuda["problem"].get<std::string>());
  for (const Json& device : cuda["devices"]) {
    line(&device == &cuda["devices"].front() ? "cuda" : "", text_of_device(device));
  }
}

void print_text(const Json& info) {
  const auto line = [](std::string label, const std::string& value) {
    label.resize(12, ' ');
    std::cout << label << value << '\n';
  };
  const Json& level = info["cpu"];
  line("hecatomb", info["version"].get<std::string>());
  line("build", info["build"].get<std::string>() + ", " + info["compiler"].get<std::string>());
  if (!sanitizers().empty()) line("sanitizers", sanitizers());
  line("cpu", level["level"].get<std::string>() + ", " + level["lanes"].dump() +
                  " positions at a time (this machine runs " + joined(level["levels"]) + ")");
  line("threads", info["threads"].dump() + " of " + info["cores"].dump() + " cores");
  line("backends", joined(info["backends"]));
  print_cuda(info["cuda"], line);
  line("variants", joined(info["variants"]));
  for (const auto& [name, version] : info["libraries"].items()) {
    line(name == info["libraries"].begin().key() ? "libraries" : "", name + " " + version.get<std::string>());
  }
}

int info(const CommandContext& context) {
  const Json all = gathered(context);
  if (context.json) {
    print_json(all);
  } else {
    print_text(all);
  }
  return kExitDone;
}

}  // namespace

void add_info(CLI::App& app, CommandContext& context) {
  add_command(app, context, "info", "version, build, CPU features, devices, libraries", info);
}

}  // namespace hecatomb
