// Ring: each rank passes on to its neighbour what it received last.
//
// Allgather: in step t = 0 .. N-2 rank r sends block r - t to rank r + 1. Every link of the ring
// carries every block but one, so that nothing is sent twice and T_B is (N-1)/N of a one-way ring's
// bandwidth, the least possible; the price is N - 1 steps. The reduce-scatter is the allgather the
// other way round with time reversed: block b sets out from rank b + 1 and collects contributions
// on its way to rank b. Allreduce is one after the other.
// The pattern is a shift: rank 0's messages stand for all.
// Source: Patarasuk, Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations",
// JPDC 69(2), 2009.
#include "weft/algorithm/rings/ring.hpp"

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/shift_pattern.hpp"
#include "weft/base/checked.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

Schedule ring_allgather(std::int32_t ranks, RingDirection direction) {
  const int way = static_cast<int>(direction);
  ScheduleBuilder builder(schedule::allgather(ranks),
                          {.algorithm = "ring", .symmetry = cyclic(ranks)});
  for (std::int64_t t = 0; t + 1 < ranks; ++t)
    builder.at(t).send(Agent(0), Agent(mod(way, ranks)), builder.block(mod(-way * t, ranks)));
  return std::move(builder).build();
}

Schedule ring_reduce_scatter(std::int32_t ranks, RingDirection direction) {
  return schedule::transpose(ring_allgather(ranks, direction == RingDirection::forward
                                                       ? RingDirection::backward
                                                       : RingDirection::forward));
}

Schedule ring_allreduce(std::int32_t ranks, RingDirection direction) {
  return schedule::concatenate(ring_reduce_scatter(ranks, direction),
                               ring_allgather(ranks, direction));
}

Algorithm ring_entry() {
  return {
      .name = "ring",
      .aliases = {},
      .summary = "Each rank passes the block that it received last to the next rank",
      .source =
          "Patarasuk, Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of "
          "Workstations, 2009",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) {
            const std::int32_t ranks = context.collective.ranks;
            switch (context.collective.kind) {
              case CollectiveKind::allgather:
                return ring_allgather(ranks);
              case CollectiveKind::reduce_scatter:
                return ring_reduce_scatter(ranks);
              default:
                return ring_allreduce(ranks);
            }
          },
      .tried_early = TriedEarly::few_messages,
      .run_by_mpi = {CollectiveKind::allreduce, CollectiveKind::allgather,
                     CollectiveKind::reduce_scatter},
  };
}

}  // namespace weft::algorithm
