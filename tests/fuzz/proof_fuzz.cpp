// Any bytes with a right checksum behind them are a sound proof or are refused with a reason. The checksum is made
// here, so that what lies behind it is reached.
#include <cstdlib>
#include <string>

#include "host/reference/proof_check.h"

using namespace hecatomb;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string bytes(data, data + size);
  const std::uint64_t sum = reference::crc64(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  const reference::ProofCheck check = reference::check_proof_bytes(bytes);
  if (check.ok != check.message.empty()) std::abort();
  return 0;
}
