// What the tests of endgame tables share: a directory of one's own, and sets of tables made in it.
//
// (tests/support/storage_fixture.h cannot be used beside common/outcome.h: both name an Outcome.)
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/tables/generate.h"
#include "tests/support/child.h"
#include "tests/support/directory.h"

namespace hecatomb {

/// The classes named and everything below them.
inline std::vector<Material> named(const std::vector<std::string>& names) {
  std::vector<Material> materials;
  for (const std::string& name : names) materials.push_back(*read_material(name));
  return with_all_below(materials);
}

class TableTest : public testing::Test {
 protected:
  void SetUp() override { directory_ = new_directory(); }
  void TearDown() override {
    fs::remove_all(directory_);
    arm_faults("");
    reset_stop();
  }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::string file_of(const std::string& name) const { return path("tables/" + name + ".dtw"); }

  GenerateRequest request(const TableRules& rules, std::vector<Material> materials, unsigned threads = 2) const {
    return {.directory = path("tables"),
            .rules = rules,
            .materials = std::move(materials),
            .memory_bytes = u64{1} << 30,
            .threads = threads};
  }
  static bool generate(const GenerateRequest& request) {
    return generate_tables(request, plan_generation(request), [](const GeneratedClass&) {});
  }

  std::string directory_;
};

/// What a file was refused for, and the text; nothing if it was accepted.
struct TableRefusal {
  std::optional<Refusal> refusal;
  std::string text;
};
inline TableRefusal refusal_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const FileRefusedError& error) {
    return {error.refusal(), error.what()};
  }
  return {};
}

}  // namespace hecatomb
