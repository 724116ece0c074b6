// Any line is refused, or gives a position whose FEN, with the same operations behind it, reads back the same.
// The first byte chooses the variant, or leaves it to the line.
#include <cstdlib>

#include "host/notation/epd.h"

using namespace hecatomb;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  std::optional<VariantId> variant;
  if (data[0] % 6 < kVariants) variant = static_cast<VariantId>(data[0] % 6);
  const std::string line(data + 1, data + size);
  const Expected<EpdPosition> epd = read_epd(line, variant);
  if (!epd) {
    if (epd.error().message.empty() || epd.error().column > static_cast<int>(line.size()) + 1) std::abort();
    return 0;
  }
  std::string again = fen_of(epd->position);
  for (const EpdOp& op : epd->ops) {
    again += ';' + op.opcode;
    for (const EpdOperand& o : op.operands) again += o.quoted ? " \"" + o.text + '"' : ' ' + o.text;
    if (const auto moves = read_op_moves(op, epd->position, epd->variant); !moves && moves.error().column == 0)
      std::abort();
  }
  const Expected<EpdPosition> copy = read_epd(again, epd->variant);
  if (!copy || fen_of(copy->position) != fen_of(epd->position) || copy->ops.size() != epd->ops.size()) std::abort();
  for (std::size_t i = 0; i < copy->ops.size(); i++) {
    if (copy->ops[i].opcode != epd->ops[i].opcode || copy->ops[i].text() != epd->ops[i].text()) std::abort();
  }
  return 0;
}
