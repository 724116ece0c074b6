// Tables as host/reference solves them: up to three men, slowly, sharing nothing with the solver of sets.
#pragma once
#include <functional>
#include <string>

#include "host/reference/reference.h"
#include "host/tables/generate.h"

namespace hecatomb {

inline constexpr int kMostReferenceMen = 3;

reference::Rules reference_rules_of(const TableRules& rules);

/// A position of a table as the reference sees it.
reference::Position reference_position(const Layout& layout, Color side, u64 cell);

/// Solves classes of up to kMostReferenceMen men; more are std::invalid_argument.
TableSolver reference_solver(const TableRules& rules);

/// Solves by `first` and by `second` and gives what the first found; the first difference of each class goes to
/// `on_difference` as a FEN and what is wrong, one at a time.
TableSolver checking_solver(TableSolver first, TableSolver second,
                            std::function<void(const std::string& fen, const std::string& what)> on_difference);

}  // namespace hecatomb
