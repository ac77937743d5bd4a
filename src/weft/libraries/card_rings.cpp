#include "weft/libraries/card_rings.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::libraries {

namespace {

/// What position i of a ring hands on in step t is the chunk (i + first - t) of the ring.
struct RingPass {
  std::int64_t first = 0;
  Arrival arrival = Arrival::copy;
};

std::vector<RingPass> passes_of(CollectiveKind kind) {
  const schedule::CollectiveTraits& traits = schedule::traits_of(kind);
  std::vector<RingPass> passes;
  if (traits.reduces()) passes.push_back({-1, Arrival::reduce});
  if (traits.at_end == schedule::Holding::all) passes.push_back({0, Arrival::copy});
  return passes;
}

/// An order of the GPUs of a box.
using Order = std::vector<std::int64_t>;

// All links of a full mesh twice, once each way round: a hub, and a zigzag through the others.
std::vector<Order> mesh_cycles(std::int64_t gpus) {
  std::vector<Order> cycles;
  const std::int64_t others = gpus - 1;
  for (std::int64_t turn = 0; turn < others; ++turn) {
    Order order{others};
    for (std::int64_t i = 0; i < others; ++i) order.push_back(mod(turn + zigzag(i), others));
    cycles.push_back(order);
    std::ranges::reverse(order);
    cycles.push_back(std::move(order));
  }
  return cycles;
}

// Each link as often: for an odd number of GPUs also the other way round.
std::vector<Order> mesh_paths(std::int64_t gpus) {
  std::vector<Order> paths;
  for (std::int64_t turn = 0; turn < gpus; ++turn) {
    Order order;
    for (std::int64_t i = 0; i < gpus; ++i) order.push_back(mod(turn + zigzag(i), gpus));
    paths.push_back(order);
    if (gpus % 2 == 0) continue;
    std::ranges::reverse(order);
    paths.push_back(std::move(order));
  }
  return paths;
}

}  // namespace

std::int64_t zigzag(std::int64_t place) {
  return place % 2 == 0 ? -place / 2 : (place + 1) / 2;
}

std::vector<std::vector<Rank>> mesh_rings(const NodeRanks& boxes) {
  const auto gpus = std::ssize(boxes.front());
  std::vector<std::vector<Rank>> rings;
  for (Order order : boxes.size() == 1 ? mesh_cycles(gpus) : mesh_paths(gpus)) {
    std::vector<Rank>& ring = rings.emplace_back();
    for (const std::vector<Rank>& box : boxes) {
      for (const std::int64_t gpu : order) ring.push_back(box[gpu]);
      std::ranges::reverse(order);
    }
  }
  return rings;
}

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

}  // namespace weft::libraries
