#include "weft/question/library/card_rings.hpp"

#include "weft/base/checked.hpp"

namespace weft::question {

namespace {

/// What position i of a ring hands on in step t is the chunk (i + first - t) of the ring.
struct RingPass {
  std::int64_t first = 0;
  Arrival arrival = Arrival::copy;
};

std::vector<RingPass> passes_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::allgather:
      return {{0, Arrival::copy}};
    case CollectiveKind::reduce_scatter:
      return {{-1, Arrival::reduce}};
    default:
      return {{-1, Arrival::reduce}, {0, Arrival::copy}};
  }
}

}  // namespace

std::vector<std::vector<Rank>> card_rings(const NodeRanks& boxes, std::int32_t channels) {
  const auto gpus = static_cast<std::int64_t>(boxes.front().size());
  std::vector<std::vector<Rank>> rings(static_cast<std::size_t>(channels));
  for (std::int64_t channel = 0; channel < channels; ++channel) {
    const std::int64_t pair = 2 * (channel / 2) * gpus / channels;
    for (std::size_t box = 0; box < boxes.size(); ++box) {
      const bool down = (channel + static_cast<std::int64_t>(box)) % 2 == 0;
      for (std::int64_t i = 0; i < gpus; ++i)
        rings[channel].push_back(boxes[box][mod(down ? pair - i : pair + 1 + i, gpus)]);
    }
  }
  return rings;
}

schedule::Schedule on_rings(const Collective& collective,
                            const std::vector<std::vector<Rank>>& rings) {
  const auto shares = std::ssize(rings);
  const std::int64_t ranks = collective.ranks;
  ScheduleBuilder builder(collective, {.algorithm = "ring", .units_per_block = shares});
  std::int64_t step = 0;
  for (const RingPass& pass : passes_of(collective.kind))
    for (std::int64_t t = 0; t < ranks - 1; ++t, ++step)
      for (std::int64_t share = 0; share < shares; ++share)
        for (std::int64_t i = 0; i < ranks; ++i) {
          const std::vector<Rank>& ring = rings[share];
          const Rank chunk = ring[mod(i + pass.first - t, ranks)];
          builder.at(step).send(ring[i], ring[mod(i + 1, ranks)],
                                Piece{chunk.value() * shares + share, 1}, pass.arrival);
        }
  return std::move(builder).build();
}

}  // namespace weft::question
