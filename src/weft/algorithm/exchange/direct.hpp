// Direct algorithms: one step, everyone to everyone, for complete graphs.
#pragma once

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Every block goes straight to where it is wanted: one step, for allreduce two (reduce-scatter,
/// then allgather). Throws InvalidInput for a collective that check() refuses.
schedule::Schedule direct(const schedule::Collective& collective);

}  // namespace weft::algorithm
