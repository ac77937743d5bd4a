// Chain, or pipeline: the buffer goes from rank to rank, in segments.
//
// Whole, it needs N - 1 steps of M. Cut into s segments that follow one another at a distance of
// one step it needs N - 2 + s steps of M / s: for large buffers M and a little, the least possible
// for one port. The reduction is the transpose and, with root 0, keeps the order of operands.
// Source: Sanders, Speck, Traff, "Two-tree Algorithms for Full Bandwidth Broadcast, Reduction and
// Scan", Parallel Computing 35(12), 2009, section 2 (linear pipeline).
#include "weft/algorithm/entries.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

/// Along root, root + 1, ...: N - 1 steps and one more per further segment.
Schedule chain_broadcast(std::int32_t ranks, Rank root, std::int64_t segments) {
  ScheduleBuilder builder(schedule::broadcast(ranks, root),
                          {.algorithm = "chain", .segments = {.count = segments, .stride = 1}});
  const std::int64_t n = ranks, first = root.value();
  for (std::int64_t v = 0; v + 1 < n; ++v)
    builder.at(v).send(Agent((first + v) % n), Agent((first + v + 1) % n), builder.everything());
  return std::move(builder).build();
}

}  // namespace

Algorithm chain_entry() {
  return {
      .name = "chain",
      .aliases = {"pipeline"},
      .summary = "Data goes from rank to rank in a row, pipelined in segments",
      .source =
          "Sanders, Speck, Traff, Two-tree Algorithms for Full Bandwidth Broadcast, Reduction "
          "and Scan, 2009",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = {kSegments},
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            Schedule down = chain_broadcast(ranks, root, segments_in(context.options));
            return kind == CollectiveKind::broadcast ? down : schedule::transpose(down);
          },
      .outline = {.messages = Outline::Messages::pipelined},
  };
}

}  // namespace weft::algorithm
