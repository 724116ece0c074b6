#include "host/playout_checkpoint.h"

#include <cstring>
#include <stdexcept>

#include "host/notation/fen.h"
#include "host/notation/variant_name.h"
#include "host/storage/checksum.h"
#include "host/storage/file.h"

namespace hecatomb {

namespace {

/// Everything the records depend on.
FileHeader header_of(const PlayoutJob& job) {
  FileHeader header{.kind = "journal",
                    .job = "playout",
                    .variant = std::string(variant_name(job.variant)),
                    .options = {},
                    .params = {}};
  header.options["ep"] = job.rules.options.restricted_ep ? "restricted" : "normal";
  header.options["stalemate"] = job.rules.options.stalemated_wins ? "stalemated-wins" : "fewer-men";
  std::string openings, games;
  for (const Position& opening : job.openings) openings += fen_of(opening) + "\n";
  for (const std::uint64_t n : job.games) games += std::to_string(n) + "\n";
  header.params = {{"openings", std::to_string(job.openings.size())},
                   {"openings-xxh3", std::to_string(xxh3(bytes_of(openings)))},
                   {"games", std::to_string(most_games(job))},
                   {"games-xxh3", std::to_string(xxh3(bytes_of(games)))},
                   {"first-opening", std::to_string(job.first_opening)},
                   {"first-game", std::to_string(job.first_game)},
                   {"seed", std::to_string(job.seed)},
                   {"clock-plies", std::to_string(job.rules.draws.clock_plies)},
                   {"repetitions", std::to_string(job.rules.draws.repetitions)},
                   {"dead", job.rules.draws.dead ? "on" : "off"},
                   {"max-plies", std::to_string(job.rules.max_plies)},
                   {"by-ply", job.by_ply ? "yes" : "no"},
                   {"until-ci", job.half_width ? "yes" : "no"}};  // not its value: a narrower one goes on from here
  return header;
}

}  // namespace

PlayoutCheckpoint::PlayoutCheckpoint(const std::string& path, const PlayoutJob& job)
    : journal_(path, header_of(job), [this](std::span<const std::byte> record) { take(record); }) {}

const PlayoutTally* PlayoutCheckpoint::known(const PlayoutRange& range) const {
  const auto found = known_.find(range);
  return found == known_.end() ? nullptr : &found->second;
}

void PlayoutCheckpoint::add(const PlayoutRange& range, const PlayoutTally& tally) {
  record_.resize(sizeof range);
  std::memcpy(record_.data(), &range, sizeof range);
  append_tally(record_, tally);
  fault_point("after-unit", journal_.append(record_));
}

void PlayoutCheckpoint::take(std::span<const std::byte> record) {
  PlayoutRange range;
  PlayoutTally tally;
  const bool whole = record.size() >= sizeof range && read_tally(record.subspan(sizeof range), tally);
  if (whole) std::memcpy(&range, record.data(), sizeof range);
  if (!whole || tally.games() != range.games) throw std::runtime_error("a playout record that is none");
  games_known_ += range.games;
  known_[range] = std::move(tally);
}

}  // namespace hecatomb
