#include "host/solver/profile.h"

namespace hecatomb {

std::span<const SearchProfile> search_profiles() {
  static constexpr SearchProfile profiles[] = {
      {"balanced", 12, 16, 4}, {"nimble", 12, 16, 1}, {"deep", 12, 64, 4}, {"patient", 24, 16, 4}, {"plain", 8, 0, 1},
  };
  return profiles;
}

const SearchProfile* find_search_profile(std::string_view name) {
  for (const SearchProfile& profile : search_profiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

const SearchProfile& profile_of_thread(unsigned thread) {
  const std::span<const SearchProfile> profiles = search_profiles();
  return profiles[thread % (profiles.size() - 1)];
}

}  // namespace hecatomb
