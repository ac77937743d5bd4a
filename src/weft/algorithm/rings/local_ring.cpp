// Local ring: a ring within each group of near ranks, and one across the groups for each place in a
// group.
//
// With G groups of g ranks a reduce-scatter first sums within the groups, (g-1)/g of the data over
// short links, then across them, only (G-1)/(G g) of it over long ones; allgather is the mirror
// image. It takes G + g - 2 steps instead of the G g - 1 of one ring, and sends the same amount. It
// is the hierarchical collective with rings at both levels.
// Source: Jia et al., "Highly Scalable Deep Learning Training System with Mixed-Precision", 2018
// (hierarchical allreduce); Ueno, Yokota, "Exhaustive Study of Hierarchical AllReduce Patterns for
// Large Messages between GPUs", CCGrid 2019.
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/groups/group_choice.hpp"
#include "weft/algorithm/groups/levels.hpp"

namespace weft::algorithm {

namespace {

Schedule local_ring(CollectiveKind kind, const LocalGroups& groups) {
  return schedule_in_levels({.kind = kind, .ranks = ranks_in(groups)}, {groups}, {"ring", "ring"})
      .with_algorithm("local-ring");
}

std::optional<std::string> misfit(const Context& context) {
  if (groups_in(context.options).size() > 1)
    return "it needs groups of one size; use hierarchical with inner=ring,ring and outer=ring";
  return group_misfit(context, Groups::unequal_too);
}

}  // namespace

Algorithm local_ring_entry() {
  return {
      .name = "local-ring",
      .aliases = {"hierarchical-ring"},
      .summary = "Rings inside local groups, then across the groups",
      .source =
          "Jia et al., Highly Scalable Deep Learning Training System with Mixed-Precision, "
          "2018",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {kGroup},
      .misfit = misfit,
      .build =
          [](const Context& context) {
            return local_ring(context.collective.kind, *lanes_for(context));
          },
  };
}

}  // namespace weft::algorithm
