// Which minimal routing a network has.
#include "weft/network/routing/minimal.hpp"

#include "weft/base/error.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

std::shared_ptr<const Routing> make_fitting(const Fabric& fabric, std::uint64_t /*seed*/) {
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

// The routing of packets that takes the same ways there.
std::string_view chosen_on(const Topology& topology) {
  if (as_dragonfly(topology)) return "minimal";
  return as_hyperx(topology) ? "dimension-order" : "";
}

}  // namespace

RoutingEntry minimal_entry() {
  return {
      .info = {.name = "minimal",
               .summary = "At most one local, one global and one local link; or one common "
                          "neighbour; or by dimension",
               .fits = "dragonfly, dragonfly-plus; slimfly, polarfly; hyperx, hamming; xpander",
               .hops = HopFace{.channels = "on a Dragonfly 2: global links crossed; on Hamming and "
                                           "HyperX those of dimension-order",
                               .deadlock = "a way has a local, a global and a local link, and its "
                                           "channel rises with the global one",
                               .chosen_on = chosen_on,
                               .counts_phases = true}},
      .paths = make_fitting,
      .hops = make_dragonfly_minimal_hops};
}

}  // namespace weft::network
