// The collective of a row. Rows of some kinds have alltoallv, allgatherv or reduce-scatterv with
// the field `counts`; schedules of alltoall, allgather and reduce-scatter serve them.
#pragma once

#include <cstdint>

#include "weft/fields/value.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::rows {

/// The kind whose schedules serve the row: alltoall for alltoallv.
CollectiveKind kind_in(const Values& parameters);
/// A collective of that kind, with the ranks that the row names. Throws InvalidInput.
Collective collective_in(const Values& parameters, std::int32_t ranks);

}  // namespace weft::rows
