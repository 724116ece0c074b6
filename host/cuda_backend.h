// A CUDA device as a backend, and the backend that chooses between it and the CPU.
//
// The one idea: what a device cannot do is done by another backend or said to have failed, never left out. An item is
// taken from the device only when the engine has reported it (kernels/engine.h); the rest goes to `fallback`.
#pragma once
#include <memory>

#include "host/backend.h"
#include "kernels/engine.h"

namespace hecatomb {

/// The device that `options` names. Throws EnvironmentError where there is none that can be used. When it fails later,
/// `fallback` counts what is missing and on_warning is told; without a fallback that is an EnvironmentError, too.
std::unique_ptr<Backend> make_cuda_backend(const BackendOptions& options, std::shared_ptr<Backend> fallback);

/// A device for batches so large that it pays, where there is a usable one; `cpu` for the others. Its name is that of
/// whoever did the last batch. A device is looked for when the first large batch comes.
std::unique_ptr<Backend> make_auto_backend(const BackendOptions& options, std::shared_ptr<Backend> cpu);

/// Throws EnvironmentError, with a remedy, if `options` names no device that can be used.
void require_cuda_device(const BackendOptions& options);

}  // namespace hecatomb
