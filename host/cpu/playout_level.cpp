// The random games of one level of the CPU backend; compiled beside level.cpp, once per instruction set, and like it
// shares nothing with other objects.
#include "host/cpu/lockstep.h"

namespace hecatomb::inline HECATOMB_TARGET {

namespace {

template <class V>
bool play_unit(const PlayoutUnit& unit) {
  Playouts<V> playouts(unit);
  return playouts.play();
}

bool play(const PlayoutUnit& unit) {
  switch (static_cast<VariantId>(unit.variant)) {
    case VariantId::antichess:  // the same moves; what their lack means is asked for by unit.variant
    case VariantId::suicide:
      return play_unit<Suicide>(unit);
    case VariantId::losers:
      return play_unit<Losers>(unit);
    case VariantId::horde:
      return play_unit<Horde>(unit);
    case VariantId::chess:
      break;
  }
  return play_unit<Chess>(unit);
}

std::size_t memory_bytes(const PlayoutUnit& unit) {
  if (unit.repetitions == 0) return 0;
  return Playouts<Chess>::memory_bytes(rules_of(unit));
}

}  // namespace

extern constinit const PlayoutKernel kPlayouts{play, memory_bytes};

}  // namespace hecatomb::inline HECATOMB_TARGET
