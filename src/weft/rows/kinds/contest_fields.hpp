// What kinds share that run several algorithms of one collective: their fields, what a row keeps of
// them, and the estimate.
#pragma once

#include <string>
#include <vector>

#include "weft/fields/fields.hpp"
#include "weft/rows/kind.hpp"

namespace weft::rows {

/// Those of a simulated schedule, with `algorithms` in place of `algorithm`, and the kind's own.
std::vector<const Field*> contest_fields(const std::vector<const Field*>& own,
                                         fields::Ends ends = fields::Ends::all);

/// By name; empty: all that apply.
std::vector<std::string> contest_algorithms(const Values& parameters);

/// Network, the ranks that the collective names, and readings; drops the options that none of these
/// algorithms takes.
void resolve_contest(Row& row, FactsOfNetworks& facts);
/// Drops what is left to the algorithms, and what none of these takes. No names: all algorithms.
void resolve_options(Values& parameters, const std::vector<std::string>& algorithms);

/// Schedules of each algorithm, simulated with the work that a contest may take.
Estimate estimate_contest(const Row& row);

}  // namespace weft::rows
