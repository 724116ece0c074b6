// Any text is refused with a column inside it, or gives a position whose FEN reads back to the same position.
// The first byte chooses the variant and its options.
#include <cstdlib>

#include "host/notation/fen.h"

using namespace hecatomb;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto variant = static_cast<VariantId>(data[0] % kVariants);
  const bool has_option = variant == VariantId::suicide || variant == VariantId::losers;
  const RuleOptions options{.restricted_ep = has_option && data[0] >= 0x80};
  const std::string text(data + 1, data + size);
  const Expected<FenReading> reading = read_fen(text, variant, options);
  if (!reading) {
    const Error& error = reading.error();
    if (error.column < 1 || error.column > static_cast<int>(text.size()) + 1 || error.message.empty()) std::abort();
    return 0;
  }
  const std::string fen = fen_of(reading->position);
  const Expected<FenReading> again = read_fen(fen, variant, options);
  if (!again || !again->warnings.empty() || fen_of(again->position) != fen) std::abort();
  if (!same_position(again->position, reading->position)) std::abort();
  return 0;
}
