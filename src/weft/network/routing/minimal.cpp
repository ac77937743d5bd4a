// Which minimal routing a network has.
#include "weft/network/routing/minimal.hpp"

#include "weft/base/error.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

std::shared_ptr<const Routing> make_minimal(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  if (const auto view = as_dragonfly(topology)) return make_minimal(fabric, *view);
  if (const auto view = as_dragonfly_plus(topology)) return make_minimal(fabric, *view);
  if (as_slimfly(topology) || as_polarfly(topology)) return make_minimal_of_diameter_two(fabric);
  if (as_hyperx(topology))
    return make_dimension_order(fabric, Ties::split);  // parallel links included
  if (as_xpander(topology)) return make_shortest(fabric);
  reject(
      "minimal does not fit {} (needs a dragonfly, dragonfly-plus, slimfly, polarfly, hyperx, "
      "hamming or "
      "xpander network); use shortest",
      topology.name());
}

}  // namespace weft::network
