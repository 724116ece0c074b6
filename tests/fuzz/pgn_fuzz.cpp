// Any bytes are a book: what of it is usable is written as PGN and as EPD that read back the same, and as valid JSON.
// The first byte chooses the variant (or leaves it to the file) and in which pieces the bytes come.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/books/book.h"
#include "host/books/book_writer.h"

using namespace hecatomb;

namespace {

std::vector<BookEntry> read_all(const std::string& text, const BookRules& rules, std::size_t piece) {
  Book book(ByteSource("text",
                       [&text, piece, at = std::size_t{0}](std::span<char> room) mutable {
                         const std::size_t n = std::min({room.size(), piece, text.size() - at});
                         std::copy_n(text.data() + at, n, room.data());
                         at += n;
                         return n;
                       }),
            rules);
  std::vector<BookEntry> entries;
  BookItem item;
  while (book.next(item)) entries.push_back(read_item(std::move(item)));
  return entries;
}

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  BookRules rules;
  if (data[0] % 6 < kVariants) rules.variant = static_cast<VariantId>(data[0] % 6);
  const std::size_t piece = data[0] >= 128 ? 3 : size;
  const std::string text(data + 1, data + size);

  std::string pgn, epd;
  std::vector<const BookEntry*> usable;
  const std::vector<BookEntry> entries = read_all(text, rules, piece);
  for (const BookEntry& entry : entries) {
    std::string json;
    append_entry(json, entry, BookFormat::jsonl, "file");
    require(json.back() == '\n' && nlohmann::json::accept(json));
    require(entry.is_usable || !entry.errors.empty());
    for (const Report& report : entry.errors) require(!report.error.message.empty() && report.line > 0);
    if (!entry.is_usable) continue;
    usable.push_back(&entry);
    append_entry(pgn, entry, BookFormat::pgn, "file");
    append_entry(epd, entry, BookFormat::epd, "file");
  }
  if (usable.empty()) return 0;
  for (const std::string& written : {pgn, epd}) {
    const std::vector<BookEntry> again = read_all(written, rules, written.size());
    require(again.size() == usable.size());
    for (std::size_t i = 0; i < again.size(); i++) {
      require(again[i].is_usable && again[i].variant == usable[i]->variant);
      require(fen_of(again[i].final) == fen_of(usable[i]->final));
      if (written == pgn) require(again[i].moves == usable[i]->moves && again[i].errors.empty());
    }
  }
  return 0;
}
