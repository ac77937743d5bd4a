#include "weft/simulation/pipelined/torus_order.hpp"

#include "weft/base/error.hpp"
#include "weft/simulation/pipelined/channel_classes.hpp"

namespace weft::simulation::pipelined {

TorusOrder::TorusOrder(const Topology& topology, const topology::Extents& grid, GridEnds ends,
                       Detour detour, const Wiring& wiring, int channels)
    : extents_(grid.extents),
      ends_(ends),
      detour_(detour),
      ring_classes_(ends == GridEnds::joined ? 2 : 1),
      routers_(wiring.routers()),
      host_outputs_(wiring.host_outputs),
      all_(channel_mask(0, channels)) {
  const int classes = ring_classes_ * (detour == Detour::valiant ? 2 : 1);
  require(channels >= classes,
          "{} on {} needs {} virtual channels to be free of deadlock (there are {}); give --vcs {}",
          detour == Detour::valiant ? "valiant" : "dimension order", topology.name(), classes,
          channels, classes);
  masks_ = class_masks(channels, classes);
  for (std::int32_t r = 0; r < wiring.routers(); ++r) {
    std::vector<int> at = grid.coordinates(r);
    coordinates_.insert(coordinates_.end(), at.begin(), at.end());
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const int here = at[d];
      for (const int step : {1, extents_[d] - 1}) {
        at[d] = (here + step) % extents_[d];
        const auto next = static_cast<std::size_t>(grid.node(at));
        const auto link = topology.find_link(wiring.router_nodes[static_cast<std::size_t>(r)],
                                             wiring.router_nodes[next]);
        WEFT_ASSERT(extents_[d] == 1 || ends == GridEnds::open || link.has_value());
        ports_.push_back(link ? wiring.port(*link) : -1);
      }
      at[d] = here;
    }
  }
}

}  // namespace weft::simulation::pipelined
