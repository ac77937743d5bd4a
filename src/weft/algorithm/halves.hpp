// An allgather makes the two collectives that it is half of.
#pragma once

#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

/// The allgather, its transpose for a reduce-scatter, or one after the other for an allreduce.
inline Schedule from_allgather(const Schedule& allgather, schedule::CollectiveKind kind) {
  if (kind == schedule::CollectiveKind::allgather) return allgather;
  Schedule reduce_scatter = schedule::transpose(allgather);
  if (kind == schedule::CollectiveKind::reduce_scatter) return reduce_scatter;
  return schedule::concatenate(reduce_scatter, allgather);
}

}  // namespace weft::algorithm
