#include "kernels/playout_kernels.cuh"

namespace hecatomb::cuda {
template PlayoutLauncher playout_launcher<Antichess>();
}  // namespace hecatomb::cuda
