#include "host/playout_tally.h"

#include <algorithm>
#include <numeric>

namespace hecatomb {

namespace {

constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 20;  // of a vector of a tally that is read

void add_to(std::uint64_t& sum, std::uint64_t more) { sum += more; }
void add_to(ResultCounts& sum, const ResultCounts& more) {
  for (std::size_t i = 0; i < sum.size(); i++) sum[i] += more[i];
}

template <class T>
void add_vector(std::vector<T>& sum, const std::vector<T>& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); i++) add_to(sum[i], more[i]);
}

template <class T>
void trim_vector(std::vector<T>& values) {
  while (!values.empty() && values.back() == T{}) values.pop_back();
}

/// "what: a and b" where two numbers differ.
std::string difference(const std::string& what, std::uint64_t a, std::uint64_t b) {
  return a == b ? std::string() : what + ": " + std::to_string(a) + " and " + std::to_string(b);
}

template <class T>
T value_at(const std::vector<T>& values, std::size_t i) {
  return i < values.size() ? values[i] : T{};
}

void append_number(std::vector<std::byte>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::byte>(number | 0x80));
  bytes.push_back(static_cast<std::byte>(number));
}

bool take_number(std::span<const std::byte>& bytes, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool take_size(std::span<const std::byte>& bytes, std::uint64_t& size) {
  return take_number(bytes, size) && size <= kMostEntries;
}

/// The four sums of a tally, in the order of the bytes.
template <class Tally>
auto sums_of(Tally& tally) {
  return std::array{&tally.legal_moves, &tally.forced, &tally.forced_captures, &tally.promotions};
}

}  // namespace

std::uint64_t PlayoutTally::games() const { return std::accumulate(results.begin(), results.end(), std::uint64_t{0}); }

std::uint64_t PlayoutTally::plies() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < lengths.size(); i++) sum += i * lengths[i];
  return sum;
}

void PlayoutTally::add(const PlayoutTally& other) {
  add_to(results, other.results);
  for (std::size_t i = 0; i < ends.size(); i++) ends[i] += other.ends[i];
  const auto sums = sums_of(*this);
  const auto more = sums_of(other);
  for (std::size_t i = 0; i < sums.size(); i++) *sums[i] += *more[i];
  add_vector(lengths, other.lengths);
  add_vector(first_moves, other.first_moves);
  add_vector(moves_by_ply, other.moves_by_ply);
}

void PlayoutTally::trim() {
  trim_vector(lengths);
  trim_vector(first_moves);
  trim_vector(moves_by_ply);
}

std::string first_difference(const PlayoutTally& a, const PlayoutTally& b) {
  static constexpr const char* result_names[] = {"unfinished games", "games won by White", "games won by Black",
                                                 "draws"};
  for (std::size_t i = 0; i < a.results.size(); i++) {
    if (auto found = difference(result_names[i], a.results[i], b.results[i]); !found.empty()) return found;
  }
  for (std::size_t i = 0; i < a.ends.size(); i++) {
    if (auto found = difference("ends of kind " + std::to_string(i), a.ends[i], b.ends[i]); !found.empty())
      return found;
  }
  for (std::size_t i = 0; i < std::max(a.first_moves.size(), b.first_moves.size()); i++) {
    const ResultCounts x = value_at(a.first_moves, i), y = value_at(b.first_moves, i);
    for (std::size_t k = 0; k < x.size(); k++) {
      const std::string what = std::string(result_names[k]) + " that begin with move number " + std::to_string(i);
      if (auto found = difference(what, x[k], y[k]); !found.empty()) return found;
    }
  }
  for (std::size_t i = 0; i < std::max(a.lengths.size(), b.lengths.size()); i++) {
    const std::string what = "games of " + std::to_string(i) + " plies";
    if (auto found = difference(what, value_at(a.lengths, i), value_at(b.lengths, i)); !found.empty()) return found;
  }
  static constexpr const char* sum_names[] = {"legal moves", "plies with one move", "plies with compulsory captures",
                                              "promotions"};
  const auto x = sums_of(a), y = sums_of(b);
  for (std::size_t i = 0; i < x.size(); i++) {
    if (auto found = difference(sum_names[i], *x[i], *y[i]); !found.empty()) return found;
  }
  for (std::size_t i = 0; i < std::max(a.moves_by_ply.size(), b.moves_by_ply.size()); i++) {
    const std::string what = "legal moves at ply " + std::to_string(i);
    if (auto found = difference(what, value_at(a.moves_by_ply, i), value_at(b.moves_by_ply, i)); !found.empty())
      return found;
  }
  return {};
}

void append_tally(std::vector<std::byte>& bytes, const PlayoutTally& tally) {
  for (const std::uint64_t n : tally.results) append_number(bytes, n);
  for (const std::uint64_t n : tally.ends) append_number(bytes, n);
  for (const std::uint64_t* n : sums_of(tally)) append_number(bytes, *n);
  append_number(bytes, tally.lengths.size());
  for (const std::uint64_t n : tally.lengths) append_number(bytes, n);
  append_number(bytes, tally.first_moves.size());
  for (const ResultCounts& counts : tally.first_moves) {
    for (const std::uint64_t n : counts) append_number(bytes, n);
  }
  append_number(bytes, tally.moves_by_ply.size());
  for (const std::uint64_t n : tally.moves_by_ply) append_number(bytes, n);
}

bool read_tally(std::span<const std::byte> bytes, PlayoutTally& tally) {
  tally = {};
  bool good = true;
  const auto take = [&](std::uint64_t& n) { good = good && take_number(bytes, n); };
  const auto take_vector = [&](auto& values) {
    std::uint64_t size = 0;
    good = good && take_size(bytes, size);
    if (good) values.resize(size);
  };
  for (std::uint64_t& n : tally.results) take(n);
  for (std::uint64_t& n : tally.ends) take(n);
  for (std::uint64_t* n : sums_of(tally)) take(*n);
  take_vector(tally.lengths);
  for (std::uint64_t& n : tally.lengths) take(n);
  take_vector(tally.first_moves);
  for (ResultCounts& counts : tally.first_moves) {
    for (std::uint64_t& n : counts) take(n);
  }
  take_vector(tally.moves_by_ply);
  for (std::uint64_t& n : tally.moves_by_ply) take(n);
  return good && bytes.empty();
}

}  // namespace hecatomb
