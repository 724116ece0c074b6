// The random numbers of the games, written down from the published description of Philox.
#include "host/reference/reference.h"

namespace hecatomb::reference {

namespace {

constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x & 0xFFFFFFFFu); }

}  // namespace

std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53u;
  constexpr std::uint64_t multiplier_1 = 0xCD9E8D57u;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9u;  // from the golden ratio
  constexpr std::uint32_t weyl_1 = 0xBB67AE85u;  // from the square root of 3
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = multiplier_0 * counter[0];
    const std::uint64_t product1 = multiplier_1 * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

std::size_t draw_move(std::uint64_t seed, std::uint32_t game, std::uint32_t opening, std::uint32_t ply,
                      std::uint32_t move_count) {
  // 2^32 values cannot be dealt out evenly over move_count moves; the surplus is rejected at the low end.
  const std::uint64_t surplus = (std::uint64_t{1} << 32) % move_count;
  for (std::uint32_t attempt = 0;; ++attempt) {
    const auto words = philox4x32_10({ply / 4, game, opening, attempt}, {low(seed), high(seed)});
    const std::uint64_t product = std::uint64_t{words[ply % 4]} * move_count;
    if (low(product) >= surplus) return high(product);
  }
}

}  // namespace hecatomb::reference
