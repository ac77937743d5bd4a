// Dragonflies.
#pragma once

#include <optional>

#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

/// A Dragonfly's parameters, as in DragonflyView.
struct DragonflyOptions {
  int a = 0;             // routers a group, >= 1
  int p = 0;             // hosts a router, >= 1
  int h = 0;             // global links a router, >= 1
  std::optional<int> g;  // groups, 2 to a * h + 1; left out: a * h + 1
  GlobalArrangement arrangement = GlobalArrangement::absolute;
};

/// The names of GlobalArrangement, in its order.
const std::vector<std::string>& arrangement_names();

/// g groups of a routers, all linked within a group (class "local"); every router has p hosts
/// ("terminal") and up to h links to other groups ("global"). Router r of group q is node q * a +
/// r; host i of router s is node g * a + s * p + i. The nominal degree is a - 1 + h.
///
/// Group q has the global ports k = 0..a*h-1, of which router r owns r*h..r*h+h-1. With g = a*h + 1
/// port k of group q leads
///   absolute:  to group k, or k + 1 from k = q on;
///   relative:  to group q + k + 1 (mod g);
///   circulant: to group q + k/2 + 1 for even k, q - (k+1)/2 for odd k (mod g);
///   codes:     to group k, or g - 1 for k = q; here router r owns the ports r, r + a, r + 2a, ...,
///              as in the simulator CODES.
/// With fewer groups the same order is run through again and again, so that any two groups have
/// floor(a*h / (g-1)) links or one more; the ports over go to the groups at distance 1, 2, ...
/// either way around, in the arrangement's order, and one port stays free where their number and g
/// are both odd. The i-th port of one group towards another is cabled to the i-th port back.
/// Throws InvalidInput.
///
/// Source: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA
/// 2008; arrangements: Hastings et al., "Comparing Global Link Arrangements for Dragonfly
/// Networks", CLUSTER 2015.
Topology dragonfly(const DragonflyOptions& options);

}  // namespace weft::topology
