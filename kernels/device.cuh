// Memory of the device in use; devices themselves are in engine.h.
#pragma once
#include "kernels/runtime.cuh"

namespace hecatomb::cuda {

/// How many bytes an engine on the current device may take when the user allows so many (0: does not say): never more
/// than kMemoryShare of what is free.
u64 memory_budget(u64 allowed_bytes);

}  // namespace hecatomb::cuda
