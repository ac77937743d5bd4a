#include "weft/simulation/pipelined/torus_order.hpp"

#include "weft/base/error.hpp"
#include "weft/simulation/pipelined/channel_classes.hpp"

namespace weft::simulation::pipelined {

TorusOrder::TorusOrder(const Topology& topology, const topology::TorusView& torus,
                       const Wiring& wiring, int channels)
    : extents_(torus.extents), host_outputs_(wiring.host_outputs), all_(channel_mask(0, channels)) {
  require(channels >= kClasses,
          "dimension order on {} needs {} virtual channels to be free of deadlock (there are {}); "
          "give --vcs {}",
          topology.name(), kClasses, channels, kClasses);
  masks_ = class_masks(channels, kClasses);
  for (std::int32_t r = 0; r < wiring.routers(); ++r) {
    std::vector<int> at = torus.coordinates(r);
    coordinates_.insert(coordinates_.end(), at.begin(), at.end());
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const int here = at[d];
      for (const int step : {1, extents_[d] - 1}) {
        at[d] = (here + step) % extents_[d];
        const auto next = static_cast<std::size_t>(torus.node(at));
        const auto link = topology.find_link(wiring.router_nodes[static_cast<std::size_t>(r)],
                                             wiring.router_nodes[next]);
        WEFT_ASSERT(extents_[d] == 1 || link.has_value());
        ports_.push_back(link ? wiring.port(*link) : -1);
      }
      at[d] = here;
    }
  }
}

}  // namespace weft::simulation::pipelined
