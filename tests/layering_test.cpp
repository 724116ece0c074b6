// Holds that dependencies run one way (README, "Layout"): what each folder may include, where CUDA macros and CLI11 may
// stand, that no file names a path of somebody's machine, and that every folder with sources has a README.md.
//
// The rules are the table below. The same checker runs over the real tree and over small trees with one violation
// planted in each, so it is known to find them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::_;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Layer {
  std::string_view folder;  ///< its rule holds for the files below it; of several the longest counts
  std::string_view ours;    ///< what "…" includes may match
  std::string_view system;  ///< what <…> includes may match
};

// The standard C++ headers have neither a dot nor a slash; POSIX's and other libraries' have one.
constexpr std::string_view kStandard = "[a-z_0-9]+", kAny = "(?!CLI/).*";

constexpr Layer kLayers[] = {
    {"common", "common/.*", "cstdint|immintrin\\.h"},
    {"kernels", "(common|kernels)/.*|[^/]*", kAny},
    {"host", "(common|host(?!/cli/))/.*|kernels/.*\\.h", kAny},
    {"host/reference", "host/reference/.*", kStandard},
    {"host/cpu", "(common|host/cpu)/.*|host/[^/]*", kAny},
    {"host/notation", "(common|host/notation)/.*|host/error\\.h", kAny},
    {"host/books", "(common|host/(books|notation))/.*|host/(error|game|work)\\.h", kAny},
    {"host/tables", "(common|host/(tables|notation|storage|reference))/.*|host/(error|work)\\.h", kAny},
    {"host/storage", "(common|host/storage)/.*|host/(error|work)\\.h", kAny},
    {"host/solver", "(common|host/(cpu|notation|solver|storage))/.*|host/(count128|error|memory|work)\\.h", kAny},
    {"host/report", "(common|host/report|host/notation)/.*|host/(error|work)\\.h", kAny},
    {"host/cli", "(common|host)/.*|kernels/.*\\.h", ".*"},
    {"tests", ".*", ".*"},
};

bool is_source(const fs::path& file) {
  static const std::set<std::string> extensions = {".h", ".hpp", ".cuh", ".cpp", ".cu"};
  return extensions.contains(file.extension().string());
}

const Layer* layer_of(const std::string& file) {
  const Layer* found = nullptr;
  for (const Layer& layer : kLayers) {
    const bool inside = file.starts_with(std::string(layer.folder) + "/");
    if (inside && (found == nullptr || layer.folder.size() > found->folder.size())) found = &layer;
  }
  return found;
}

bool matches(const std::string& text, std::string_view pattern) {
  return std::regex_match(text, std::regex(pattern.begin(), pattern.end()));
}

/// "FILE:LINE: what is wrong" for each include and macro of a source that its layer does not allow.
void check_source(const std::string& file, const std::string& text, std::vector<std::string>& found) {
  static const std::regex include("\\s*#\\s*include\\s*([\"<])([^\">]*)[\">].*");
  static const std::regex cuda_macro("__CUDA(CC|_ARCH)__");
  const Layer* layer = layer_of(file);
  std::istringstream lines(text);
  std::string line;
  bool simd = false;  // the last #if opened was the one of HECATOMB_SIMD
  for (int number = 1; std::getline(lines, line); number++) {
    const auto report = [&](const std::string& what) {
      found.push_back(file + ":" + std::to_string(number) + ": " + what);
    };
    if (line.starts_with("#if") || line.starts_with("#endif")) simd = line.find("HECATOMB_SIMD") != line.npos;
    std::smatch match;
    if (layer != nullptr && std::regex_match(line, match, include)) {
      const bool ours = match[1] == "\"";
      if (!matches(match[2], ours ? layer->ours : layer->system)) {
        report(std::string(layer->folder) + " may not include " + match[2].str());
      } else if (layer->folder == "common" && match[2] == "immintrin.h" && !simd) {
        report("immintrin.h only under HECATOMB_SIMD");
      }
    }
    if (file != "common/hd.h" && std::regex_search(line, match, cuda_macro))
      report("only common/hd.h asks for " + match.str());
  }
}

/// The paths of a machine that no file may name: homes, where this tree lies, and what lies beside it.
std::vector<std::string> machine_paths(const fs::path& root) {
  std::vector<std::string> paths = {
      "/home"
      "/",
      "/root"
      "/",
      "/Users"
      "/",
      root.string()};
  const std::string beside = (root.parent_path() / "").string();
  const bool shared_by_all = matches(beside, "/|/(usr|opt|var|tmp|dev|etc)/.*");
  if (!shared_by_all) paths.push_back(beside);
  return paths;
}

/// True if `path` stands in `text` as the beginning of an absolute path, not inside a longer word or a URL.
bool names_path(const std::string& text, const std::string& path) {
  for (std::size_t at = text.find(path); at != text.npos; at = text.find(path, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 &&
        std::string_view("/._-}").find(before) == std::string_view::npos)
      return true;
  }
  return false;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Everything that is wrong with the tree at `root`, sorted.
std::vector<std::string> check_tree(const fs::path& root) {
  std::vector<std::string> found;
  std::set<std::string> folders;
  const std::vector<std::string> forbidden = machine_paths(root);
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    const std::string file = it->path().lexically_relative(root).generic_string();
    if (it->is_directory()) {
      if (file == ".git" || file == ".cache" || file.starts_with("build")) it.disable_recursion_pending();
      continue;
    }
    if (!it->is_regular_file()) continue;
    const std::string text = read(it->path());
    for (const std::string& path : forbidden) {
      if (names_path(text, path)) found.push_back(file + ": names the path " + path);
    }
    if (!is_source(it->path())) continue;
    folders.insert(it->path().parent_path().lexically_relative(root).generic_string());
    check_source(file, text, found);
  }
  for (const std::string& folder : folders) {
    if (!fs::exists(root / folder / "README.md")) found.push_back(folder + ": has sources but no README.md");
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Layering, TheTreeKeepsItsRules) { EXPECT_THAT(check_tree(fs::path(HECATOMB_SOURCE_DIR)), IsEmpty()); }

TEST(Layering, WhatLiesBesideTheTreeIsForbiddenUnlessSharedByAll) {
  EXPECT_THAT(machine_paths("/data/someone/tree"), Contains("/data/someone/"));
  EXPECT_THAT(machine_paths("/tree"), ElementsAre(_, _, _, "/tree"));
  EXPECT_THAT(machine_paths("/opt/tree"), ElementsAre(_, _, _, "/opt/tree"));
}

/// A tree that keeps every rule, to plant violations in.
class PlantedTree : public testing::Test {
 protected:
  PlantedTree() {
    std::string name = (fs::temp_directory_path() / "layering_XXXXXX").string();
    root_ = fs::canonical(mkdtemp(name.data()));
    for (const char* folder : {"common", "kernels", "host/books", "host/cli", "host/cpu", "host/notation",
                               "host/reference", "host/report", "host/solver", "host/storage", "tests"}) {
      plant(std::string(folder) + "/README.md", "What lives here.\n");
    }
    plant("common/hd.h",
          "#include <cstdint>\n#if defined(__CUDA"
          "CC__)\n#endif\n");
    plant("common/word.h", "#if defined(HECATOMB_SIMD)\n#include <immintrin.h>\n#endif\n#include \"common/hd.h\"\n");
    plant("kernels/perft.cu", "#include \"common/hd.h\"\n#include \"kernels/perft.h\"\n#include <thrust/scan.h>\n");
    plant("host/cli/main.cpp", "#include <CLI/CLI.hpp>\n#include \"host/cpu/perft.h\"\n#include \"kernels/perft.h\"\n");
    plant("host/reference/board.h", "#include <vector>\n#include \"host/reference/variant.h\"\n");
    plant("host/solver/proof.cpp", "#include \"host/storage/file.h\"\n#include <sys/stat.h>\n");
    plant("tests/some_test.cpp", "#include \"host/reference/board.h\"\n");
  }
  ~PlantedTree() override { fs::remove_all(root_); }

  void plant(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  /// What is found in the tree with this one file planted in it.
  std::vector<std::string> with(const std::string& file, const std::string& text) const {
    plant(file, text);
    std::vector<std::string> found = check_tree(root_);
    fs::remove(root_ / file);
    return found;
  }

  fs::path root_;
};

TEST_F(PlantedTree, IsCleanAtFirst) { EXPECT_THAT(check_tree(root_), IsEmpty()); }

TEST_F(PlantedTree, AnIncludeAgainstTheDirectionIsFound) {
  const struct {
    const char *file, *include;
  } violations[] = {
      {"common/x.h", "\"host/error.h\""},
      {"common/x.h", "<vector>"},
      {"common/x.h", "<cuda_runtime.h>"},
      {"kernels/x.cu", "\"host/backend.h\""},
      {"host/reference/x.cpp", "\"common/hd.h\""},
      {"host/reference/x.cpp", "\"host/error.h\""},
      {"host/reference/x.cpp", "<unistd.h>"},
      {"host/reference/x.cpp", "<nlohmann/json.hpp>"},
      {"host/cpu/x.cpp", "\"host/notation/fen.h\""},
      {"host/cpu/x.cpp", "\"host/reference/reference.h\""},
      {"host/notation/x.cpp", "\"host/work.h\""},
      {"host/notation/x.cpp", "\"host/reference/reference.h\""},
      {"host/notation/x.cpp", "\"host/books/book.h\""},
      {"host/books/x.cpp", "\"host/perft_job.h\""},
      {"host/books/x.cpp", "\"host/storage/file.h\""},
      {"host/storage/x.cpp", "\"host/cli/args.h\""},
      {"host/report/x.cpp", "\"host/cli/args.h\""},
      {"host/solver/x.cpp", "\"host/cli/args.h\""},
      {"host/x.h", "\"host/cli/args.h\""},
      {"host/x.h", "\"tests/support/positions.h\""},
      {"host/solver/x.cpp", "<CLI/CLI.hpp>"},
      {"host/solver/x.cpp", "\"kernels/perft.cuh\""},
      {"host/cli/x.cpp", "\"kernels/perft.cuh\""},
      {"host/cpu/x.cpp", "\"../notation/fen.h\""},
  };
  plant("host/README.md", "What lives here.\n");
  for (const auto& [file, include] : violations) {
    const std::string line = std::string("  # include ") + include + "  // planted\n";
    EXPECT_THAT(with(file, "\n" + line), ElementsAre(HasSubstr(std::string(file) + ":2: "))) << include;
  }
}

TEST_F(PlantedTree, IntrinsicsOutsideTheirMacroAreFound) {
  EXPECT_THAT(with("common/x.h", "#include <immintrin.h>\n"),
              ElementsAre("common/x.h:1: immintrin.h only under HECATOMB_SIMD"));
}

TEST_F(PlantedTree, CudaMacrosOutsideHdAreFound) {
  EXPECT_THAT(with("common/x.h",
                   "\n#ifdef __CUDA"
                   "_ARCH__\n#endif\n"),
              ElementsAre(HasSubstr("common/x.h:2: only common/hd.h")));
  EXPECT_THAT(with("kernels/x.cu",
                   "#if defined(__CUDA"
                   "CC__)\n#endif\n"),
              ElementsAre(HasSubstr("kernels/x.cu:1: only common/hd.h")));
}

TEST_F(PlantedTree, PathsOfAMachineAreFound) {
  EXPECT_THAT(with("run.sh",
                   "cd /home"
                   "/somebody/x\n"),
              ElementsAre(HasSubstr("run.sh: names the path /home"
                                    "/")));
  EXPECT_THAT(with("datasets/a.md", "From `" + (root_ / "datasets").string() + "`.\n"),
              ElementsAre(HasSubstr("datasets/a.md: names the path")));
  EXPECT_THAT(with("notes.md",
                   "https://example.org/home"
                   "/x and ${HOME}/root"
                   "/x\n"),
              IsEmpty());
}

TEST_F(PlantedTree, AFolderWithoutAReadmeIsFound) {
  EXPECT_THAT(with("host/tables/probe.cpp", ""), ElementsAre("host/tables: has sources but no README.md"));
}

}  // namespace
