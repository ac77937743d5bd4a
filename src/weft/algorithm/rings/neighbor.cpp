// Neighbour exchange.
//
// The ranks 2i and 2i + 1 swap their blocks; from then on each rank swaps with its two neighbours
// in turn, giving the pair of blocks that it received last. A pair's blocks spread two ranks
// further in each step on both sides, so that N / 2 steps do, half of a ring's, each with one
// partner only. On a two-way ring every second cable is busy in a step: T_B is 2(N-1)/N. Needs an
// even number of ranks. Source: Chen, Zhang, Wu, Guo, "Performance Evaluation of Allgather
// Algorithms on Terascale Linux Cluster with Fast Ethernet", HPC Asia 2005.
#include <vector>

#include "weft/algorithm/entries.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

/// N / 2 steps; precondition: N is even.
Schedule neighbor_allgather(std::int32_t ranks) {
  WEFT_ASSERT(ranks % 2 == 0);
  const auto partner_at = [&](std::int64_t rank, std::int64_t step) {
    return mod((rank + step) % 2 == 0 ? rank + 1 : rank - 1, ranks);
  };
  ScheduleBuilder builder(schedule::allgather(ranks), {.algorithm = "neighbor"});
  std::vector<std::int64_t> received_last(ranks);  // first of a pair
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    builder.at(0).send(Agent(rank), Agent(partner_at(rank, 0)), builder.block(rank));
    received_last[rank] = rank / 2 * 2;
  }
  for (std::int64_t step = 1; step < ranks / 2; ++step) {
    const std::vector<std::int64_t> pairs = received_last;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const std::int64_t partner = partner_at(rank, step);
      const std::int64_t pair = pairs[rank];
      builder.at(step).send(Agent(rank), Agent(partner), builder.blocks(pair, 2));
      received_last[partner] = pair;
    }
  }
  return std::move(builder).build();
}

}  // namespace

Algorithm neighbor_entry() {
  return {
      .name = "neighbor",
      .aliases = {"neighbour"},
      .summary = "Ranks swap pairs of blocks with the left and the right neighbour alternately",
      .source =
          "Chen, Zhang, Wu, Guo, Performance Evaluation of Allgather Algorithms on Terascale "
          "Linux Cluster with Fast Ethernet, 2005",
      .collectives = {CollectiveKind::allgather},
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (context.collective.ranks % 2 == 0) return std::nullopt;
        return "it needs an even number of ranks, because it pairs them";
      },
      .build = [](const Context& context) { return neighbor_allgather(context.collective.ranks); },
  };
}

}  // namespace weft::algorithm
