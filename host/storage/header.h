// The header of every file of ours: what the file is, for which job, variant and rules.
//
// The one idea: a file says in plain text what it holds (`head -5 FILE`), and is refused under anything else. A journal
// of antichess resumed as losers would be a wrong answer that looks right.
//
// Layout: lines of text, in this order, the sum of their lengths a multiple of 64 bytes:
//
//   hecatomb-file 1 00000192        magic, version of this layout, size of the whole header in bytes
//   kind=journal 1                  what follows the header, and the version of its format
//   job=perft
//   variant=antichess
//   option.NAME=VALUE               rule options, sorted by name
//   param.NAME=VALUE                parameters of the job, sorted by name
//   (a line of blanks)              padding
//   xxh3=0123456789abcdef           XXH3-64 of all bytes of the header before this line
//
// Invariants: equal headers have equal bytes; in values '%' and control characters are written %XX; names are of
// [a-z0-9_.-]; a reader accepts exactly the bytes that a writer makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "host/error.h"
#include "host/storage/file.h"

namespace hecatomb {

struct FileHeader {
  std::string kind;                            ///< "journal", "table", "proof": what follows, a name
  std::uint32_t version = 1;                   ///< of that format; a reader knows exactly one
  std::string job;                             ///< "perft": whose file it is, a name
  std::string variant;                         ///< a name, or empty where the file is for all
  std::map<std::string, std::string> options;  ///< rule options, in canonical spelling
  std::map<std::string, std::string> params;   ///< everything else that the content depends on: FEN, depth, seed

  bool operator==(const FileHeader&) const = default;
};

/// Why a file is not used.
enum class Refusal { kNotOurs, kDamaged, kKind, kVersion, kJob, kVariant, kOptions, kParams };

/// A file that is there and readable, but not the one that is needed.
class FileRefusedError : public EnvironmentError {
 public:
  FileRefusedError(Refusal refusal, std::string path, std::string attempted, std::string reason, std::string remedy)
      : EnvironmentError(std::move(path), std::move(attempted), std::move(reason), std::move(remedy)),
        refusal_(refusal) {}
  Refusal refusal() const noexcept { return refusal_; }

 private:
  Refusal refusal_;
};

/// The bytes of a header. A name that is none, or a header of more than kMaxHeaderBytes, is a bug
/// (std::invalid_argument).
std::string encode_header(const FileHeader& header);

inline constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;

/// A header as found in a file.
struct StoredHeader {
  FileHeader header;
  std::uint64_t size_bytes;  ///< the content starts here; a multiple of 64
  std::uint64_t checksum;    ///< of the header: ties the content to it
};

/// Reads the header at the start of a file. Throws FileRefusedError (kNotOurs, kDamaged, or kVersion if the layout of
/// the header itself is of another version).
StoredHeader read_header(const File& file);

enum class ParamsMustMatch : bool { kNo = false, kYes = true };

/// Throws FileRefusedError if `found` is not what is needed; the text says what the file holds, what was expected and
/// what to do. Compared in the order of the fields.
void require_header(const FileHeader& found, const FileHeader& expected, const std::string& path,
                    ParamsMustMatch params = ParamsMustMatch::kYes);

}  // namespace hecatomb
