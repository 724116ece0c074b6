// The CPU backend: the units of a batch on all cores, each by the inner loops of the level in use.
#pragma once
#include <memory>

#include "host/backend.h"

namespace hecatomb {

/// Table memory is taken at once (lazily by the kernel), so a size that cannot be had throws EnvironmentError here.
std::unique_ptr<Backend> make_cpu_backend(WorkPool& pool, const BackendOptions& options);

}  // namespace hecatomb
