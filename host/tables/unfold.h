// A table file unfolded: every value in memory, what the file leaves out worked out again.
//
// The one idea: captures and sacrifices are told by smaller tables (table_file.h says what is left out), so the first
// steps of the solver give them back; nothing is solved again.
#pragma once
#include <memory>

#include "host/tables/table_file.h"

namespace hecatomb {

/// `tables` gives the smaller tables that captures lead to, of the same metric. Nothing if stop_requested() came first.
/// Throws FileRefusedError.
std::shared_ptr<const Table> unfold(const TableFile& file, const TableRules& rules, Metric metric,
                                    const TableSource& tables);

}  // namespace hecatomb
