#include "weft/simulation/packet/input_queued/torus_order.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/input_queued/channel_classes.hpp"

namespace weft::simulation::input_queued {

TorusOrder::TorusOrder(const Topology& topology, const topology::Extents& grid, GridEnds ends,
                       Detour detour, const PortWiring& wiring, const LoadCurveOptions& options)
    : extents_(grid.extents),
      ends_(ends),
      detour_(detour),
      ring_classes_(ends == GridEnds::joined ? 2 : 1),
      routers_(wiring.routers()),
      host_outputs_(wiring.adapter_outputs),
      all_(channel_mask(0, options.router.channels)),
      room_(std::min(options.packet_flits, options.router.buffer_flits)) {
  const int channels = options.router.channels;
  const int classes = ring_classes_ * (detour == Detour::valiant ? 2 : 1);
  require(channels >= classes,
          "{} on {} needs {} virtual channels to be free of deadlock, but has {}; give --vcs {}",
          detour == Detour::valiant ? "valiant" : "dimension order", topology.name(), classes,
          channels, classes);
  share_channels(channels);
  for (std::int32_t r = 0; r < wiring.routers(); ++r) {
    std::vector<int> at = grid.coordinates(r);
    coordinates_.insert(coordinates_.end(), at.begin(), at.end());
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const int here = at[d];
      for (const int step : {1, extents_[d] - 1}) {
        at[d] = (here + step) % extents_[d];
        const auto next = static_cast<std::size_t>(grid.node(at));
        const auto link = topology.find_link(wiring.router_nodes[r], wiring.router_nodes[next]);
        WEFT_ASSERT(extents_[d] == 1 || ends == GridEnds::open || link.has_value());
        ports_.push_back(link ? wiring.port(*link) : -1);
      }
      at[d] = here;
    }
  }
}

// Each way of a detour has a part of the channels, and each class of a ring half of that; the
// middle one of an odd number is in both halves.
void TorusOrder::share_channels(int channels) {
  const int ways = detour_ == Detour::valiant ? 2 : 1;
  for (int way = 0; way < ways; ++way) {
    const int first = way * channels / ways, last = (way + 1) * channels / ways;
    if (ring_classes_ == 1) {
      masks_.push_back(channel_mask(first, last));
      continue;
    }
    const int own = (last - first) / 2;
    masks_.push_back(channel_mask(first, last - own));
    masks_.push_back(channel_mask(first + own, last));
    shared_ |= masks_[masks_.size() - 2] & masks_.back();
  }
}

}  // namespace weft::simulation::input_queued
