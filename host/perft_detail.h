// What perft's last ply consists of, and how many positions are distinct: the slow questions about perft, answered by
// the rules core position by position on all cores.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "common/variant.h"
#include "host/count128.h"
#include "host/work.h"

namespace hecatomb {

/// Counts of the moves of the last ply and of the positions after them. `ends` are games over by the rules (by men or
/// for want of moves: rules 1 and 2), `mates` those of them that are mates.
struct PerftDetail {
  u128 nodes = 0, captures = 0, en_passant = 0, castles = 0, promotions = 0, checks = 0, mates = 0, ends = 0;
};

/// What could be found out before a stop.
template <class T>
struct Partial {
  T value{};
  bool complete = true;  ///< false if it was stopped
};

/// Called now and then with how much more is done, and how much there is in all as far as is known. Any thread.
using OnPartDone = std::function<void(std::uint64_t more, std::uint64_t all)>;

/// depth_plies >= 1; the parts are subtrees. Of a stopped one: the moves of the last ply below the subtrees that were
/// finished (`nodes`).
Partial<PerftDetail> perft_detail(const Position& p, int depth_plies, VariantId variant, const RuleOptions& options,
                                  WorkPool& pool, const OnPartDone& on_part_done = {});

/// The number of distinct positions (men, side, castling, en passant) after 1, 2, … `depth_plies` plies. Positions are
/// compared whole, but for the last ply, where 128-bit keys are; the parts are positions whose children are entered. Of
/// a stopped one: the plies that were finished. EnvironmentError where memory would not do.
Partial<std::vector<u128>> count_unique(const Position& p, int depth_plies, VariantId variant,
                                        const RuleOptions& options, const OnPartDone& on_part_done = {});

}  // namespace hecatomb
