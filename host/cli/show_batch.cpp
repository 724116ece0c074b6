// hecatomb show --batch: JSON lines in, JSON lines out, in order and in constant memory.
//
// The one idea: lines are gathered into a chunk that all cores answer. A chunk is answered when it is full, at the end
// of the input, and before waiting for a slow writer: so a program that asks one line at a time gets its answers.
#include <iostream>

#include "host/cli/show.h"
#include "host/notation/lines.h"
#include "host/notation/text.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::size_t kChunkLines = 1024;
constexpr std::size_t kChunkBytes = std::size_t{1} << 22;

class Batch {
 public:
  explicit Batch(const CommandContext& context) : context_(context), pool_(context.threads) {}

  void add(const Line& line) {
    if (line.error) {
      Error error = *line.error;
      error.kind = ErrorKind::json;
      lines_.push_back({line.number, "", answer_error("null", line.number, error), false});
    } else if (!trimmed(line.text).empty()) {
      lines_.push_back({line.number, std::string(line.text), "", false});
    }
    bytes_ += line.text.size();
    if (lines_.size() >= kChunkLines || bytes_ >= kChunkBytes) answer();
  }

  /// Answers what has been gathered. After a Ctrl-C: what is finished, up to the first line that is not.
  void answer() {
    if (lines_.empty()) return;
    pool_.run(lines_.size(), [this](std::uint64_t i, unsigned) {
      Entry& entry = lines_[static_cast<std::size_t>(i)];
      if (entry.answer.empty()) entry.answer = answer_line(entry.line, entry.number, context_, entry.ok);
    });
    for (const Entry& entry : lines_) {
      if (entry.answer.empty()) break;
      std::cout << entry.answer << '\n';
      all_ok_ = all_ok_ && entry.ok;
    }
    lines_.clear();
    bytes_ = 0;
    flush_output();
  }

  bool all_ok() const { return all_ok_; }

 private:
  struct Entry {
    std::uint64_t number;
    std::string line, answer;
    bool ok;
  };
  const CommandContext& context_;
  WorkPool pool_;
  std::vector<Entry> lines_;
  std::size_t bytes_ = 0;
  bool all_ok_ = true;
};

}  // namespace

int show_batch(const std::string& path, const CommandContext& context) {
  Batch batch(context);
  LineSource source = LineSource::open(path, LineSource::kDefaultLimit, {stop_descriptor(), [&] { batch.answer(); }});
  while (!stop_requested()) {
    const std::optional<Line> line = source.next();
    if (!line) break;
    if (line->error && line->error->kind == ErrorKind::empty) {
      print_error(line->error->message);
      return kExitRefused;
    }
    batch.add(*line);
  }
  batch.answer();
  return batch.all_ok() ? kExitDone : kExitRefused;
}

}  // namespace hecatomb
