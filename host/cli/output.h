// What goes out: JSON documents and lines, errors for people, and the check that stdout took it all.
//
// The one idea: data goes to stdout through std::cout, everything for people to stderr; a write that failed is an
// EnvironmentError (exit 3), never a crash and never silence.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "common/variant.h"
#include "host/notation/result.h"

namespace hecatomb {

/// Keys keep the order in which they are set.
using Json = nlohmann::ordered_json;

/// The document as text on one line; bytes that are no UTF-8 are replaced.
std::string json_text(const Json& document);

/// Writes one JSON document or line to stdout.
void print_json(const Json& document);

/// A number that every reader keeps exactly, or beyond 2^53 a decimal string.
Json json_number(std::uint64_t number);

/// {"kind","field","column","ply","message"}: the value of "error".
Json json_of(const Error& error);
/// {"kind","field","column","message"}: one of "warnings".
Json json_of_warning(const Warning& warning);

/// {"ep","stalemate"}: the rule options that the variant has, by their names on the command line.
Json json_of(const RuleOptions& options, VariantId variant);

/// "hecatomb: error: …" or "hecatomb: warning: …" on stderr.
void print_error(std::string_view message);
void print_warning(std::string_view message);

/// The message without its "column N", for where the place is said anyway.
std::string without_column(const Error& error);

/// Prints a fault of a text as an error, with the text below and a caret under the column.
void print_error_in(std::string_view text, const Error& error);

/// A path as it is from the root, without links and dots, whether or not something is there.
std::filesystem::path whole_path(const std::string& path);

/// UsageError if the file `output` that the option `option` names is `input`, by whatever path: it would take its
/// place, unread or no longer readable. "-" is nobody's.
void refuse_output_over(std::string_view option, const std::string& output, const std::string& input);

/// Flushes stdout; throws EnvironmentError if anything could not be written. main() calls it at the end; long streams
/// call it now and then.
void flush_output();

}  // namespace hecatomb
