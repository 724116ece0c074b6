// The finished units of a playout job in a journal: what --checkpoint names.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "host/playout_job.h"
#include "host/storage/journal.h"

namespace hecatomb {

class PlayoutCheckpoint {
 public:
  /// Opens or begins the journal at `path`. Throws EnvironmentError; FileRefusedError for one of another job.
  PlayoutCheckpoint(const std::string& path, const PlayoutJob& job);

  /// A unit that is there, or null.
  const PlayoutTally* known(const PlayoutRange& range) const;
  /// Games in the units that were there when it was opened.
  std::uint64_t games_known() const { return games_known_; }
  /// Bytes of a record that was written in part and is dropped.
  std::uint64_t dropped_bytes() const { return journal_.report().dropped_bytes; }

  /// Adds a unit.
  void add(const PlayoutRange& range, const PlayoutTally& tally);

 private:
  void take(std::span<const std::byte> record);

  std::map<PlayoutRange, PlayoutTally> known_;
  std::uint64_t games_known_ = 0;
  std::vector<std::byte> record_;
  Journal journal_;
};

}  // namespace hecatomb
