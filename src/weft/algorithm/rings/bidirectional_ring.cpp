// Bidirectional ring: blocks spread from their owner both ways round.
//
// In step t rank r passes block r - t on to r + 1 and block r + t to r - 1. After floor((N-1)/2)
// steps everyone has all blocks, except, for even N, the one of the opposite rank: its two halves
// arrive from the two sides in a last step. So the steps are half those of the one-way ring, and
// with both directions busy each link carries (N-1)/(2N) of M: T_B is (N-1)/N with B = 2 links.
// (Halves of all blocks travelling the whole way round cost the same bandwidth, and N - 1 steps.)
// The reduce-scatter is the transpose; the pattern shifts, so rank 0's messages stand for all.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", 2022
// (BiRing).
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/shift_pattern.hpp"
#include "weft/algorithm/halves.hpp"

namespace weft::algorithm {

namespace {

/// floor(N / 2) steps of one block to either neighbour; T_B = (N-1)/N on a two-way ring.
Schedule bidirectional_ring_allgather(std::int32_t ranks) {
  const std::int64_t n = ranks;
  const bool halves = n % 2 == 0 && n > 2;  // two ranks: both ways are the same way
  ScheduleBuilder builder(schedule::allgather(ranks), {.algorithm = "bidirectional-ring",
                                                       .units_per_block = halves ? 2 : 1,
                                                       .symmetry = cyclic(ranks)});
  const Agent next(mod(1, n)), previous(mod(-1, n));
  for (std::int64_t t = 0; t < (n - 1) / 2; ++t) {
    builder.at(t).send(Agent(0), next, builder.block(mod(-t, n)));
    builder.at(t).send(Agent(0), previous, builder.block(t));
  }
  if (n == 2) builder.at(0).send(Agent(0), next, builder.block(0));
  if (halves) {
    const std::int64_t last = n / 2 - 1;
    builder.at(last).send(Agent(0), next, Piece{2 * (n - last), 1});
    builder.at(last).send(Agent(0), previous, Piece{2 * last + 1, 1});
  }
  return std::move(builder).build();
}

}  // namespace

Algorithm bidirectional_ring_entry() {
  return {
      .name = "bidirectional-ring",
      .aliases = {},
      .summary = "A ring in both directions at once, in half of the steps",
      .source =
          "Zhao et al., Efficient Direct-Connect Topologies for Collective Communications, "
          "2022",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) {
            return from_allgather(bidirectional_ring_allgather(context.collective.ranks),
                                  context.collective.kind);
          },
      .tried_early = TriedEarly::few_messages,
  };
}

}  // namespace weft::algorithm
