// Which levels this machine runs, and the choice among them.
#include <cstdlib>
#include <string>
#include <string_view>

#include "host/cpu/expand.h"
#include "host/cpu/level.h"
#include "host/cpu/playout_level.h"
#include "host/error.h"

namespace hecatomb {

// HECATOMB_HAS_…: which levels this build has (CMakeLists.txt).
namespace scalar {
extern const LevelKernel kLevel;
extern const PlayoutKernel kPlayouts;
std::size_t expand(const ExpandedChild& parent, const ExpandRules& rules, ExpandedChild* children);
}  // namespace scalar
#if defined(HECATOMB_HAS_sse2)
namespace sse2 {
extern const LevelKernel kLevel;
extern const PlayoutKernel kPlayouts;
std::size_t expand(const ExpandedChild& parent, const ExpandRules& rules, ExpandedChild* children);
}  // namespace sse2
#endif
#if defined(HECATOMB_HAS_avx2)
namespace avx2 {
extern const LevelKernel kLevel;
extern const PlayoutKernel kPlayouts;
std::size_t expand(const ExpandedChild& parent, const ExpandRules& rules, ExpandedChild* children);
}  // namespace avx2
#endif
#if defined(HECATOMB_HAS_avx512)
namespace avx512 {
extern const LevelKernel kLevel;
extern const PlayoutKernel kPlayouts;
}  // namespace avx512
namespace avx512vl {
std::size_t expand(const ExpandedChild& parent, const ExpandRules& rules, ExpandedChild* children);
}  // namespace avx512vl
#endif

std::size_t usable_levels(const LevelKernel** levels, std::size_t room) {
  std::size_t n = 0;
  const auto add = [&](const LevelKernel& kernel) {
    if (n < room) levels[n++] = &kernel;
  };
  // What is asked of the machine is exactly the -m flags that CMakeLists.txt gives the objects; libgcc asks for the
  // operating system's part too.
#if defined(HECATOMB_HAS_avx2)
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#if defined(HECATOMB_HAS_avx512)
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq") &&
      __builtin_cpu_supports("avx512vl"))
    add(avx512::kLevel);
#endif
  if (has_avx2) add(avx2::kLevel);
#endif
#if defined(HECATOMB_HAS_sse2)
  add(sse2::kLevel);
#endif
  add(scalar::kLevel);
  return n;
}

const LevelKernel& level_named(const char* name, const char* asked_by) {
  const LevelKernel* levels[8];
  const std::size_t n = usable_levels(levels, 8);
  std::string known;
  for (std::size_t i = 0; i < n; i++) {
    if (std::string_view(levels[i]->name) == name) return *levels[i];
    known += (known.empty() ? "" : ", ") + std::string(levels[i]->name);
  }
  throw EnvironmentError(asked_by, "use the level '" + std::string(name) + "'", "this machine and build run " + known,
                         "Name one of these, or none for the best.");
}

const PlayoutKernel& playouts_of(const LevelKernel& level) {
#if defined(HECATOMB_HAS_avx512)
  if (&level == &avx512::kLevel) return avx512::kPlayouts;
#endif
#if defined(HECATOMB_HAS_avx2)
  if (&level == &avx2::kLevel) return avx2::kPlayouts;
#endif
#if defined(HECATOMB_HAS_sse2)
  if (&level == &sse2::kLevel) return sse2::kPlayouts;
#endif
  return scalar::kPlayouts;
}

const LevelKernel& level_in_use() {
  const char* wanted = std::getenv("HECATOMB_ISA");
  if (wanted != nullptr && *wanted != '\0') return level_named(wanted, "HECATOMB_ISA");
  const LevelKernel* best;
  usable_levels(&best, 1);
  return *best;
}

ExpandFunction expand_of_level(const char* name) {
  const std::string_view level(name);
#if defined(HECATOMB_HAS_avx512)
  if (level == "avx512") return avx512vl::expand;
#endif
#if defined(HECATOMB_HAS_avx2)
  if (level == "avx2") return avx2::expand;
#endif
#if defined(HECATOMB_HAS_sse2)
  if (level == "sse2") return sse2::expand;
#endif
  return scalar::expand;
}

ExpandFunction expand_in_use() { return expand_of_level(level_in_use().name); }

}  // namespace hecatomb
