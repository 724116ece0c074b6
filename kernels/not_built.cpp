// The CUDA backend of a build without nvcc: it says so.
#include "kernels/engine.h"

namespace hecatomb::cuda {
namespace {

[[noreturn]] void refuse() { throw Error(Problem::not_built, "this build of hecatomb has no CUDA backend"); }

}  // namespace

const char* build_name() { return "none"; }
std::vector<DeviceInfo> query_devices() { refuse(); }
DeviceInfo find_device(int /*number*/) { refuse(); }
std::unique_ptr<Engine> make_engine(const EngineOptions& /*options*/) { refuse(); }

}  // namespace hecatomb::cuda
