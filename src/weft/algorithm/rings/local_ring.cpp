// Local ring: a ring within each group of near ranks, and one across the groups for each place in a
// group.
//
// With G groups of g ranks, the data is G g blocks, one for each (group q, place i); shard i is the
// G blocks of place i. A reduce-scatter first sums shards within the groups, (g-1)/g of the data
// over short links, then blocks across the groups, only (G-1)/(G g) of it over long ones; allgather
// is the mirror image. It takes G + g - 2 steps instead of the G g - 1 of one ring, and sends the
// same amount. In an allreduce block (q, i) is number i G + q, so that a shard is one contiguous
// piece; in the others it is the block of the rank.
// Source: Jia et al., "Highly Scalable Deep Learning Training System with Mixed-Precision", 2018
// (hierarchical allreduce); Ueno, Yokota, "Exhaustive Study of Hierarchical AllReduce Patterns for
// Large Messages between GPUs", CCGrid 2019.
#include "weft/algorithm/rings/local_ring.hpp"

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/groups/group_choice.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

/// Ranks by (group, place), and the block that belongs to each.
struct Grid {
  const LocalGroups& groups;
  std::int64_t G, g;
  bool contiguous_shards;

  Agent agent(std::int64_t group, std::int64_t place) const {
    return groups[mod(group, G)][mod(place, g)];
  }
  std::int64_t block(std::int64_t group, std::int64_t place) const {
    return contiguous_shards ? mod(place, g) * G + mod(group, G) : agent(group, place).value();
  }
};

Grid grid_of(const LocalGroups& groups, bool contiguous_shards) {
  ranks_in(groups);  // throws where they are no groups
  return {groups, static_cast<std::int64_t>(groups.size()),
          static_cast<std::int64_t>(groups[0].size()), contiguous_shards};
}

/// Rings within the groups, each message one shard: in step t place i passes on shard i - t, or,
/// when it reduces, i - t - 1. Returns the next step.
std::int64_t local_rings(ScheduleBuilder& builder, const Grid& grid, std::int64_t step,
                         Arrival arrival) {
  const int ahead = arrival == Arrival::reduce ? 1 : 0;
  std::vector<Piece> shard;
  for (std::int64_t t = 0; t + 1 < grid.g; ++t, ++step)
    for (std::int64_t place = 0; place < grid.g; ++place) {
      shard.clear();
      for (std::int64_t q = 0; q < grid.G; ++q)
        shard.push_back(builder.block(grid.block(q, place - t - ahead)));
      for (std::int64_t q = 0; q < grid.G; ++q)
        builder.at(step).send(grid.agent(q, place), grid.agent(q, place + 1), shard, arrival);
    }
  return step;
}

/// Rings across the groups, each message one block.
std::int64_t global_rings(ScheduleBuilder& builder, const Grid& grid, std::int64_t step,
                          Arrival arrival) {
  const int ahead = arrival == Arrival::reduce ? 1 : 0;
  for (std::int64_t t = 0; t + 1 < grid.G; ++t, ++step)
    for (std::int64_t q = 0; q < grid.G; ++q)
      for (std::int64_t place = 0; place < grid.g; ++place)
        builder.at(step).send(grid.agent(q, place), grid.agent(q + 1, place),
                              builder.block(grid.block(q - t - ahead, place)), arrival);
  return step;
}

Schedule local_ring(CollectiveKind kind, const LocalGroups& groups) {
  const Grid grid = grid_of(groups, kind == CollectiveKind::allreduce);
  ScheduleBuilder builder({.kind = kind, .ranks = static_cast<std::int32_t>(grid.G * grid.g)},
                          {.algorithm = "local-ring"});
  std::int64_t step = 0;
  if (kind != CollectiveKind::allgather) {
    step = local_rings(builder, grid, step, Arrival::reduce);
    step = global_rings(builder, grid, step, Arrival::reduce);
  }
  if (kind != CollectiveKind::reduce_scatter) {
    step = global_rings(builder, grid, step, Arrival::copy);
    local_rings(builder, grid, step, Arrival::copy);
  }
  return std::move(builder).build();
}

}  // namespace

Schedule local_ring_allgather(const LocalGroups& groups) {
  return local_ring(CollectiveKind::allgather, groups);
}

Schedule local_ring_reduce_scatter(const LocalGroups& groups) {
  return local_ring(CollectiveKind::reduce_scatter, groups);
}

Schedule local_ring_allreduce(const LocalGroups& groups) {
  return local_ring(CollectiveKind::allreduce, groups);
}

Algorithm local_ring_entry() {
  return {
      .name = "local-ring",
      .aliases = {"hierarchical-ring"},
      .summary = "rings within local groups, then across them",
      .source =
          "Jia et al., Highly Scalable Deep Learning Training System with Mixed-Precision, "
          "2018",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {kGroup},
      .misfit = group_misfit,
      .build =
          [](const Context& context) {
            return local_ring(context.collective.kind, *groups_for(context));
          },
  };
}

}  // namespace weft::algorithm
