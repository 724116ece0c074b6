// Operations on the 64 cells of a row: greatest of two, masks, where a code stands, images under symmetries.
//
// The one idea: 64 codes of a byte are eight words, a set of cells is eight bytes of a word, and both are the same
// squares; so a byte of a set becomes a mask of a word by one look-up, and a symmetry moves words and bytes as it moves
// ranks and files. With the vectors that every x86-64 has (SSE2) the compiler turns the loops into some ten
// instructions; codes of two bytes, which are rare, go the plain way.
#pragma once
#include <array>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/endgame_index.h"

namespace hecatomb::cells {

namespace detail {

/// By byte of a set: 0xff in every byte of the word whose bit is in the set.
inline constexpr auto kByteMasks = [] {
  std::array<u64, 256> masks{};
  for (std::size_t set = 0; set < 256; set++) {
    for (int i = 0; i < 8; i++) masks[set] |= (set >> i & 1) != 0 ? u64{0xff} << (8 * i) : 0;
  }
  return masks;
}();

inline u64 byte_mask(u64 set, int rank) { return kByteMasks[set >> (8 * rank) & 255]; }

/// The bytes of eight words as a matrix, turned over.
inline void transpose(std::array<u64, 8>& words) {
#if defined(__SSE2__)
  __m128i rows[4];
  for (std::size_t i = 0; i < 4; i++) {
    rows[i] = _mm_unpacklo_epi8(_mm_cvtsi64_si128(static_cast<long long>(words[2 * i])),
                                _mm_cvtsi64_si128(static_cast<long long>(words[2 * i + 1])));
  }
  const __m128i a = _mm_unpacklo_epi16(rows[0], rows[1]), b = _mm_unpackhi_epi16(rows[0], rows[1]);
  const __m128i c = _mm_unpacklo_epi16(rows[2], rows[3]), d = _mm_unpackhi_epi16(rows[2], rows[3]);
  const __m128i columns[4] = {_mm_unpacklo_epi32(a, c), _mm_unpackhi_epi32(a, c), _mm_unpacklo_epi32(b, d),
                              _mm_unpackhi_epi32(b, d)};
  std::memcpy(words.data(), columns, sizeof columns);
#else
  std::array<u64, 8> out{};
  for (std::size_t r = 0; r < 8; r++) {
    for (std::size_t f = 0; f < 8; f++) out[f] |= (words[r] >> (8 * f) & 255) << (8 * r);
  }
  words = out;
#endif
}

}  // namespace detail

inline constexpr std::size_t kCells = 64;

/// to[x] = the greater of to[x] and from[x].
template <class Code>
void take_greater(Code* __restrict to, const Code* __restrict from) {
  for (std::size_t x = 0; x < kCells; x++) to[x] = to[x] > from[x] ? to[x] : from[x];
}

/// Cells outside `set` become 0.
template <class Code>
void keep(Code* cells, u64 set) {
  if constexpr (sizeof(Code) == 1) {
    for (int r = 0; r < 8; r++) {
      u64 word = 0;
      std::memcpy(&word, cells + 8 * r, 8);
      word &= detail::byte_mask(set, r);
      std::memcpy(cells + 8 * r, &word, 8);
    }
  } else {
    for (std::size_t x = 0; x < kCells; x++) cells[x] = (set >> x & 1) != 0 ? cells[x] : Code{0};
  }
}

/// The same as take_greater() for the cells of `set`.
template <class Code>
void take_greater(Code* to, const Code* from, u64 set) {
  Code kept[kCells];
  std::memcpy(kept, from, sizeof kept);
  keep(kept, set);
  take_greater(to, kept);
}

/// to[x] = the greater of to[x] and `code`, for the cells of `set`.
template <class Code>
void take_greater(Code* to, Code code, u64 set) {
  Code kept[kCells];
  for (Code& cell : kept) cell = code;
  keep(kept, set);
  take_greater(to, kept);
}

/// cells[x] = code for the cells of `set`.
template <class Code>
void put(Code* cells, Code code, u64 set) {
  if constexpr (sizeof(Code) == 1) {
    for (int r = 0; r < 8; r++) {
      u64 word = 0;
      std::memcpy(&word, cells + 8 * r, 8);
      const u64 mask = detail::byte_mask(set, r);
      word = (word & ~mask) | (u64{0x0101010101010101} * code & mask);
      std::memcpy(cells + 8 * r, &word, 8);
    }
  } else {
    for (std::size_t x = 0; x < kCells; x++) cells[x] = (set >> x & 1) != 0 ? code : cells[x];
  }
}

/// The cells with this code.
template <class Code>
u64 equal(const Code* cells, Code code) {
#if defined(__SSE2__)
  if constexpr (sizeof(Code) == 1) {
    const __m128i all = _mm_set1_epi8(static_cast<char>(code));
    u64 set = 0;
    for (int i = 0; i < 4; i++) {
      __m128i part;
      std::memcpy(&part, cells + 16 * i, sizeof part);
      set |= u64{static_cast<u32>(_mm_movemask_epi8(_mm_cmpeq_epi8(part, all)))} << (16 * i);
    }
    return set;
  }
#endif
  u64 set = 0;
  for (std::size_t x = 0; x < kCells; x++) set |= u64{cells[x] == code} << x;
  return set;
}

/// The cells where a is at least b.
template <class Code>
u64 at_least(const Code* a, const Code* b) {
  Code greater[kCells];
  std::memcpy(greater, b, sizeof greater);
  take_greater(greater, a);
  u64 set = 0;
#if defined(__SSE2__)
  if constexpr (sizeof(Code) == 1) {
    for (int i = 0; i < 4; i++) {
      __m128i x, y;
      std::memcpy(&x, greater + 16 * i, sizeof x);
      std::memcpy(&y, a + 16 * i, sizeof y);
      set |= u64{static_cast<u32>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)))} << (16 * i);
    }
    return set;
  }
#endif
  for (std::size_t x = 0; x < kCells; x++) set |= u64{greater[x] == a[x]} << x;
  return set;
}

/// The cells whose highest bit is set: drawn or won.
template <class Code>
u64 high_bits(const Code* cells) {
  u64 set = 0;
#if defined(__SSE2__)
  if constexpr (sizeof(Code) == 1) {
    for (int i = 0; i < 4; i++) {
      __m128i part;
      std::memcpy(&part, cells + 16 * i, sizeof part);
      set |= u64{static_cast<u32>(_mm_movemask_epi8(part))} << (16 * i);
    }
    return set;
  }
#endif
  for (std::size_t x = 0; x < kCells; x++) set |= static_cast<u64>(cells[x] >> (8 * sizeof(Code) - 1)) << x;
  return set;
}

/// out[symmetric(t, x)] = in[x].
template <class Code>
void image(Symmetry t, const Code* in, Code* out) {
  if constexpr (sizeof(Code) == 1) {
    std::array<u64, 8> words;
    std::memcpy(words.data(), in, 64);
    if ((t & 4) != 0) detail::transpose(words);
    for (std::size_t r = 0; r < 8; r++) {
      const u64 word = (t & 1) != 0 ? byte_swap(words[r]) : words[r];
      std::memcpy(out + 8 * ((t & 2) != 0 ? 7 - r : r), &word, 8);
    }
  } else {
    for (int x = 0; x < 64; x++) out[symmetric(t, x)] = in[x];
  }
}

}  // namespace hecatomb::cells
