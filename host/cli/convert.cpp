// hecatomb convert: games and positions of any format in, one format out, in order and in constant memory.
//
// The one idea: items are cut from a file one after another (cheap) and judged and written in chunks by all cores. What
// is wrong goes to stderr with file, line and ply; the rest is written. Only --unique holds more than a chunk: the
// distinct positions.
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "host/books/book.h"
#include "host/books/book_writer.h"
#include "host/books/merged_book.h"
#include "host/cli/book_reports.h"
#include "host/cli/command.h"
#include "host/cli/output.h"
#include "host/error.h"
#include "host/report/progress.h"
#include "host/storage/atomic_file.h"
#include "host/work.h"

namespace hecatomb {

namespace {

constexpr std::size_t kChunkItems = 256;
constexpr std::size_t kChunkMoves = std::size_t{1} << 16;
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;     // of lines and tags
constexpr std::size_t kSlotBytesKept = std::size_t{1} << 16;  // a slot that held more gives its memory back

struct ConvertOptions {
  std::vector<std::string> files;
  std::string to, output;
  std::optional<std::size_t> plies;
  bool unique = false, strict = false;
};

struct Totals {
  std::uint64_t read = 0;     ///< games and positions
  std::uint64_t written = 0;  ///< of them, merged ones once
  std::uint64_t merged = 0;   ///< equal to one before
  std::uint64_t refused = 0;  ///< nothing of them could be used
  std::uint64_t in_part = 0;  ///< used up to an error
};

/// Where the text goes: a file that appears when it is complete, or stdout.
class Output {
 public:
  explicit Output(const std::string& path) {
    if (!path.empty() && path != "-") file_.emplace(path);
  }
  bool is_stdout() const { return !file_.has_value(); }
  void write(std::string_view text) {
    if (file_) {
      file_->write(text);
    } else {
      std::cout << text;
    }
  }
  void flush() const {
    if (!file_) flush_output();
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

/// Bytes of an item's text, moves apart.
std::size_t size_of(const BookItem& item) {
  std::size_t bytes = item.text.size() + item.name.size();
  for (const PgnTag& tag : item.game.tags) bytes += tag.name.size() + tag.value.size();
  return bytes;
}

class Converter {
 public:
  Converter(const ConvertOptions& options, BookFormat format, const CommandContext& context)
      : options_(options),
        context_(context),
        format_(format),
        pool_(context.threads),
        output_(options.output),
        progress_({"convert", "bytes", 0, 0}, ProgressOutput::standard_error(context.quiet)) {}

  void read(std::size_t file);
  int finish();
  bool has_ended() const { return stop_requested() || stopped_by_error_; }

 private:
  struct Slot {
    std::size_t bytes = 0;
    BookItem item;
    BookEntry entry;
    std::string text;
    bool is_done = false;
  };

  void run_chunk(std::size_t file);
  void convert(Slot& slot, std::size_t file) const;
  void put(Slot& slot, std::size_t file);
  void write_merged();
  void print_summary() const;
  Json summary() const;

  const ConvertOptions& options_;
  const CommandContext& context_;
  BookFormat format_;
  WorkPool pool_;
  Output output_;
  Progress progress_;
  std::array<Slot, kChunkItems> slots_;
  std::size_t slots_used_ = 0, moves_in_slots_ = 0, bytes_in_slots_ = 0;
  MergedBook merged_;
  Totals totals_;
  std::uint64_t bytes_in_all_ = 0;
  BookReports reports_{[this](std::string_view line) { progress_.message(line); }};
  bool stopped_by_error_ = false;  // --strict
  int unreadable_files_ = 0;
};

void Converter::read(std::size_t file) {
  std::optional<Book> book;
  try {
    // What has come is judged and written before more is waited for.
    book.emplace(
        Book::open(options_.files[file], {context_.variant, context_.rules}, [this, file] { run_chunk(file); }));
  } catch (const EnvironmentError& error) {  // one missing file does not keep the others from being read
    progress_.message(std::string("hecatomb: error: ") + error.what());
    unreadable_files_++;
    stopped_by_error_ = options_.strict;
    return;
  }
  progress_.set_total(bytes_in_all_ += book->bytes_in_all());
  std::uint64_t bytes_told = 0;
  BookItem item;  // not yet in a slot: while it is waited for, the slots are emptied
  while (!has_ended() && book->next(item)) {
    if (stop_requested()) break;  // the item may be cut
    Slot& slot = slots_[slots_used_++];
    std::swap(slot.item, item);
    slot.bytes = size_of(slot.item);
    moves_in_slots_ += slot.item.game.moves();
    bytes_in_slots_ += slot.bytes;
    if (slots_used_ < kChunkItems && moves_in_slots_ < kChunkMoves && bytes_in_slots_ < kChunkBytes) continue;
    progress_.advance(book->bytes_taken() - std::exchange(bytes_told, book->bytes_taken()));
    run_chunk(file);
  }
  run_chunk(file);
  progress_.advance(book->bytes_taken() - bytes_told);
  reports_.end_file(options_.files[file]);
}

/// Judges and writes what has been cut out. After a Ctrl-C: what is finished, up to the first that is not.
void Converter::run_chunk(std::size_t file) {
  for (std::size_t i = 0; i < slots_used_; i++) slots_[i].is_done = false;
  pool_.run(slots_used_, [this, file](std::uint64_t i, unsigned) { convert(slots_[i], file); });
  for (std::size_t i = 0; i < slots_used_ && slots_[i].is_done && !stopped_by_error_; i++) {
    put(slots_[i], file);
    if (stop_requested()) break;
  }
  for (std::size_t i = 0; i < slots_used_; i++) {
    if (slots_[i].bytes > kSlotBytesKept) slots_[i] = Slot{};
  }
  slots_used_ = moves_in_slots_ = bytes_in_slots_ = 0;
  output_.flush();
}

void Converter::convert(Slot& slot, std::size_t file) const {
  slot.entry = read_item(std::move(slot.item), options_.plies);
  slot.text.clear();
  if (!options_.unique) append_entry(slot.text, slot.entry, format_, options_.files[file]);
  slot.is_done = true;
}

void Converter::put(Slot& slot, std::size_t file) {
  const BookEntry& entry = slot.entry;
  totals_.read++;
  reports_.add(entry, options_.files[file]);
  if (!entry.is_usable) {
    totals_.refused++;
  } else if (!entry.errors.empty()) {
    totals_.in_part++;
  }
  if (options_.strict && !entry.errors.empty()) {
    stopped_by_error_ = true;
    return;
  }
  if (!options_.unique) {
    output_.write(slot.text);
    totals_.written += entry.is_usable ? 1 : 0;
  } else if (entry.is_usable) {
    if (format_ == BookFormat::epd || format_ == BookFormat::fen) slot.entry.moves = {};
    if (format_ != BookFormat::pgn) slot.entry.tags = {};
    const bool is_new = merged_.add(std::move(slot.entry), file);
    (is_new ? totals_.written : totals_.merged)++;
  }
  fault_point("after-unit", totals_.read);
}

void Converter::write_merged() {
  std::string text;
  for (const MergedBook::Opening& opening : merged_.openings()) {
    text.clear();
    append_entry(text, opening.entry, format_, options_.files[opening.file], opening.count);
    output_.write(text);
  }
}

Json Converter::summary() const {
  return {{"summary",
           {{"read", totals_.read},
            {"written", totals_.written},
            {"merged", totals_.merged},
            {"refused", totals_.refused},
            {"in_part", totals_.in_part},
            {"warnings", reports_.warnings()},
            {"stopped", has_ended()}}}};
}

void Converter::print_summary() const {
  if (context_.quiet) return;
  std::cerr << "hecatomb: " << totals_.read << " read, " << totals_.written << " written";
  if (options_.unique) std::cerr << ", " << totals_.merged << " merged";
  std::cerr << ", " << totals_.refused << " refused, " << totals_.in_part << " used in part" << std::endl;
}

int Converter::finish() {
  if (options_.unique && !stopped_by_error_) write_merged();
  progress_.finish();
  if (stopped_by_error_) {
    print_error("stopped at the first error (--strict)" +
                (output_.is_stdout() ? std::string() : "; " + options_.output + " is not written"));
  } else {
    if (context_.json) (output_.is_stdout() ? output_.write(json_text(summary()) + "\n") : print_json(summary()));
    output_.flush();
    output_.commit();
    if (stop_requested()) print_warning("stopped: what is finished is written, the rest was not read");
  }
  print_summary();
  if (unreadable_files_ != 0) return kExitEnvironment;
  return stopped_by_error_ || totals_.refused + totals_.in_part != 0 ? kExitRefused : kExitDone;
}

BookFormat format_of(const ConvertOptions& options, const CommandContext& context) {
  if (options.to.empty() && !context.json) throw UsageError("no format is given; add --to epd, fen, pgn or jsonl");
  if (options.to.empty() || options.to == "jsonl") return BookFormat::jsonl;
  if (context.json && (options.output.empty() || options.output == "-")) {
    throw UsageError("--json and --to " + options.to + " both want stdout; add -o FILE, or leave --json out");
  }
  return options.to == "epd" ? BookFormat::epd : options.to == "fen" ? BookFormat::fen : BookFormat::pgn;
}

/// The output would take the place of what is still to be read, or was read and not used.
void refuse_output_over_input(const ConvertOptions& options) {
  for (const std::string& file : options.files) {
    if (!options.output.empty()) refuse_output_over("-o", options.output, file);
  }
}

int run_convert(const ConvertOptions& options, const CommandContext& context) {
  refuse_output_over_input(options);
  const auto converter = std::make_unique<Converter>(options, format_of(options, context), context);
  for (std::size_t file = 0; file < options.files.size() && !converter->has_ended(); file++) converter->read(file);
  return converter->finish();
}

}  // namespace

void add_convert(CLI::App& app, CommandContext& context) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App& command =
      add_command(app, context, "convert", "games and books: PGN, EPD, FEN, TSV to EPD, FEN, PGN, JSON lines",
                  [options](const CommandContext& checked) { return run_convert(*options, checked); });
  command.add_option("FILE", options->files, "PGN (also .zst, .gz), EPD, FENs, TSV (eco name pgn); '-' is stdin")
      ->required();
  add_choice(command, "--to", options->to, {"epd", "fen", "pgn", "jsonl"}, "epd, fen, pgn or jsonl");
  command.add_option("-o,--output", options->output, "the file to write (default: stdout)")->type_name("FILE");
  add_number(command, "--plies", options->plies, 0, PgnReader::kMostMoves, "plies of each game that are used");
  command.add_flag("--unique", options->unique, "merge entries that end with equal positions, with counts");
  command.add_flag("--strict", options->strict, "stop at the first error");
}

}  // namespace hecatomb
