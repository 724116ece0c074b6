// Every text that is read as a move is a legal move, and its canonical SAN and UCI mean the same move.
// The first byte chooses the variant; then a FEN, a line end, the text. Without a good FEN: the variant's start.
#include <algorithm>
#include <cstdlib>

#include "host/notation/fen.h"
#include "host/notation/legal.h"
#include "host/notation/san.h"
#include "host/notation/uci.h"
#include "host/notation/variant_name.h"

using namespace hecatomb;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto variant = static_cast<VariantId>(data[0] % kVariants);
  const std::string input(data + 1, data + size), fen = input.substr(0, input.find('\n'));
  const std::string text = fen.size() < input.size() ? input.substr(fen.size() + 1) : input;
  const Expected<FenReading> reading = read_fen(fen, variant);
  const Position p = reading ? reading->position : start_position(variant);
  const Expected<Move> move = read_move(p, text, variant);
  if (!move) {
    if (move.error().message.empty()) std::abort();
    return 0;
  }
  MoveList legal;
  list_legal(p, variant, legal);
  if (std::find(legal.begin(), legal.end(), *move) == legal.end()) std::abort();
  const Expected<Move> by_san = read_san(p, san_of(p, *move, variant), variant);
  const Expected<Move> by_uci = read_uci(p, uci_of(*move), variant);
  if (!by_san || !by_uci || *by_san != *move || *by_uci != *move) std::abort();
  return 0;
}
