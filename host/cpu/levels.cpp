// Which levels this machine runs, and the choice among them.
#include <cstdlib>
#include <string>
#include <string_view>

#include "host/cpu/level.h"
#include "host/error.h"

namespace hecatomb {

namespace scalar {
extern const LevelKernel kLevel;
}
#if defined(HECATOMB_X86)
namespace sse2 {
extern const LevelKernel kLevel;
}
namespace avx2 {
extern const LevelKernel kLevel;
}
namespace avx512 {
extern const LevelKernel kLevel;
}
#endif

std::size_t usable_levels(const LevelKernel** levels, std::size_t room) {
  std::size_t n = 0;
  const auto add = [&](const LevelKernel& kernel) {
    if (n < room) levels[n++] = &kernel;
  };
#if defined(HECATOMB_X86)
  __builtin_cpu_init();
  // Exactly the -m flags that CMakeLists.txt gives the objects; libgcc asks for the operating system's part too.
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq")) add(avx512::kLevel);
  if (has_avx2) add(avx2::kLevel);
  add(sse2::kLevel);
#endif
  add(scalar::kLevel);
  return n;
}

const LevelKernel& level_in_use() {
  const LevelKernel* levels[8];
  const std::size_t n = usable_levels(levels, 8);
  const char* wanted = std::getenv("HECATOMB_ISA");
  if (wanted == nullptr || *wanted == '\0') return *levels[0];
  std::string known;
  for (std::size_t i = 0; i < n; i++) {
    if (std::string_view(levels[i]->name) == wanted) return *levels[i];
    known += (known.empty() ? "" : ", ") + std::string(levels[i]->name);
  }
  throw EnvironmentError("HECATOMB_ISA", "use the level '" + std::string(wanted) + "'",
                         "this machine and build run " + known, "Set one of these, or unset it for the best.");
}

}  // namespace hecatomb
