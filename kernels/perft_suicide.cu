#include "kernels/perft_kernels.cuh"

namespace hecatomb::cuda {
template PerftLaunchers perft_launchers<Suicide>();
}  // namespace hecatomb::cuda
