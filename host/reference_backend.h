// The reference as a backend: positions cross over as FEN text, so that nothing but text is shared with it.
#pragma once
#include <memory>

#include "host/backend.h"
#include "host/reference/reference.h"

namespace hecatomb {

std::unique_ptr<Backend> make_reference_backend(WorkPool& pool);

/// The reference's rules for a variant and options.
reference::Rules reference_rules(VariantId variant, const RuleOptions& options);

/// The same position for the reference. Throws std::logic_error if the reference refuses what we accepted: a
/// difference between two readers of the rules.
reference::Position reference_position(const Position& p, const reference::Rules& rules);

}  // namespace hecatomb
