// Binomial trees: k-nomial with radix 2 (knomial.cpp has the idea), and four collectives made of
// them.
//
// The scatter-allgather broadcast gives each rank one block by a binomial scatter, then lets a ring
// collect: a large buffer leaves the root hardly more than once, instead of log2 N times. Where the
// ring's N - 1 steps cost too much, recursive doubling collects in log2 N; MPICH takes it for
// buffers of middle size (12 to 512 KiB) on powers of two.
// Source: binomial, scatter-doubling: Thakur, Rabenseifner, Gropp, "Optimization of Collective
// Communication Operations in MPICH", IJHPCA 19(1), 2005; scatter-allgather: Barnett, Gupta, Payne,
// Shuler, van de Geijn, Watts, "Interprocessor Collective Communication Library (InterCom)", SHPCC
// 1994.
#include <algorithm>
#include <bit>
#include <vector>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/recursive.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/algorithm/trees/tree.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

Schedule binomial_broadcast(std::int32_t ranks, Rank root) {
  return knomial_broadcast(ranks, root, 2).with_algorithm("binomial");
}

Schedule binomial_reduce(std::int32_t ranks, Rank root) {
  return knomial_reduce(ranks, root, 2).with_algorithm("binomial");
}

Schedule binomial_scatter(std::int32_t ranks, Rank root) {
  return knomial_scatter(ranks, root, 2).with_algorithm("binomial");
}

Schedule binomial_gather(std::int32_t ranks, Rank root) {
  return knomial_gather(ranks, root, 2).with_algorithm("binomial");
}

Schedule binomial_nearest_broadcast(std::int32_t ranks, Rank root, TreeChildren children) {
  ScheduleBuilder builder(schedule::broadcast(ranks, root), {.algorithm = "binomial-nearest"});
  const std::int64_t n = ranks, first = root.value();
  int step = 0;
  for (std::int64_t reached = 1; reached < n; reached *= 2, ++step)
    for (std::int64_t v = 0; v < std::min(reached, n - reached); ++v) {
      const int sent =
          children == TreeChildren::together ? std::popcount(static_cast<std::uint64_t>(v)) : step;
      builder.at(sent).send(Agent((first + v) % n), Agent((first + v + reached) % n),
                            builder.everything());
    }
  return std::move(builder).build();
}

Schedule binomial_nearest_reduce(std::int32_t ranks, Rank root, TreeChildren children) {
  return schedule::transpose(binomial_nearest_broadcast(ranks, root, children));
}

Schedule binomial_allreduce(std::int32_t ranks) {
  return schedule::concatenate(binomial_reduce(ranks), binomial_broadcast(ranks));
}

Schedule scatter_allgather_broadcast(std::int32_t ranks, Rank root) {
  return schedule::concatenate(binomial_scatter(ranks, root), ring_allgather(ranks))
      .with_algorithm("scatter-allgather");
}

// Ranks are counted from the root on, as MPICH pairs them.
Schedule scatter_doubling_broadcast(std::int32_t ranks, Rank root) {
  std::vector<Agent> from_root;
  for (std::int32_t r = 0; r < ranks; ++r) from_root.emplace_back((root.value() + r) % ranks);
  const Schedule doubling = recursive_doubling_allgather(ranks);
  return schedule::concatenate(binomial_scatter(ranks, root),
                               root == Rank(0) ? doubling : schedule::relabel(doubling, from_root))
      .with_algorithm("scatter-doubling");
}

Schedule gather_broadcast(std::int32_t ranks, CollectiveKind kind) {
  const Rank root(0);
  const int at_once = std::max(2, ranks);  // children of the root
  const Schedule inwards = kind == CollectiveKind::allgather ? knomial_gather(ranks, root, at_once)
                                                             : knomial_reduce(ranks, root, at_once);
  return schedule::concatenate(inwards, binomial_broadcast(ranks, root))
      .with_algorithm("gather-broadcast");
}

Algorithm binomial_entry() {
  return {
      .name = "binomial",
      .aliases = {"tree"},
      .summary = "Binomial tree: every rank with the data sends it to one more rank in each step",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather, CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            switch (kind) {
              case CollectiveKind::broadcast:
                return binomial_broadcast(ranks, root);
              case CollectiveKind::reduce:
                return binomial_reduce(ranks, root);
              case CollectiveKind::scatter:
                return binomial_scatter(ranks, root);
              case CollectiveKind::gather:
                return binomial_gather(ranks, root);
              default:
                return binomial_allreduce(ranks);
            }
          },
      .outline = {.messages = Outline::Messages::logarithmic,
                  .spread = Outline::Spread::tree,
                  .forwards = true},
      .tried_early = TriedEarly::few_messages,
      .run_by_mpi = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                     CollectiveKind::gather},
  };
}

Algorithm binomial_nearest_entry() {
  return {
      .name = "binomial-nearest",
      .aliases = {},
      .summary = "Binomial tree whose ranks send to the nearest rank first, as in Open MPI",
      .source = "Open MPI 4.1, ompi/mca/coll/base/coll_base_topo.c and coll_base_bcast.c",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = {kChildren},
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            const TreeChildren children = children_in(context.options);
            return kind == CollectiveKind::broadcast
                       ? binomial_nearest_broadcast(ranks, root, children)
                       : binomial_nearest_reduce(ranks, root, children);
          },
      .outline = {.messages = Outline::Messages::logarithmic,
                  .spread = Outline::Spread::tree,
                  .forwards = true},
  };
}

Algorithm gather_broadcast_entry() {
  return {
      .name = "gather-broadcast",
      .aliases = {},
      .summary =
          "All ranks send to rank 0 at once, which gathers or reduces; then a binomial broadcast",
      .source = "SimGrid 3.32, its MPI's allreduce redbcast and allgather GB",
      .collectives = {CollectiveKind::allgather, CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) {
            return gather_broadcast(context.collective.ranks, context.collective.kind);
          },
      .outline = {.messages = Outline::Messages::logarithmic, .spread = Outline::Spread::tree},
  };
}

Algorithm scatter_allgather_entry() {
  return {
      .name = "scatter-allgather",
      .aliases = {},
      .summary = "Binomial scatter, then ring allgather",
      .source =
          "Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, Interprocessor Collective "
          "Communication Library, 1994",
      .collectives = {CollectiveKind::broadcast},
      .options = {},
      .build =
          [](const Context& context) {
            return scatter_allgather_broadcast(context.collective.ranks, context.collective.root);
          },
      .outline = {.spread = Outline::Spread::scattered},
      .tried_early = TriedEarly::few_messages,
      .run_by_mpi = {CollectiveKind::broadcast},
  };
}

Algorithm scatter_doubling_entry() {
  return {
      .name = "scatter-doubling",
      .aliases = {},
      .summary = "Binomial scatter, then allgather by recursive doubling",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::broadcast},
      .options = {},
      .build =
          [](const Context& context) {
            return scatter_doubling_broadcast(context.collective.ranks, context.collective.root);
          },
      .outline = {.spread = Outline::Spread::scattered},
  };
}

}  // namespace weft::algorithm
