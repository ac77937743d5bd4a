// The registry's entries, one or more from each routing's file.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/network/hop_routing.hpp"
#include "weft/network/routings.hpp"

namespace weft::network {

/// What a routing says of itself, and how its faces are made: paths, the choice at each router, or
/// both. Makers throw InvalidInput where it does not fit.
struct RoutingEntry {
  RoutingInfo info;
  std::shared_ptr<const Routing> (*paths)(const Fabric&, std::uint64_t seed) = nullptr;
  std::unique_ptr<HopRouting> (*hops)(const HopContext&) = nullptr;
  /// Paths of a number of connections of each pair; null where a pair has one path or all.
  std::shared_ptr<const Routing> (*of_connections)(const Fabric&, std::uint64_t seed,
                                                   std::int32_t connections) = nullptr;
};

RoutingEntry auto_entry();
RoutingEntry shortest_entry();
RoutingEntry shortest_random_entry();
RoutingEntry ecmp_entry();
RoutingEntry shortest_split_entry();
RoutingEntry widest_split_entry();
RoutingEntry dimension_order_entry();
RoutingEntry dimension_order_up_entry();
RoutingEntry d_mod_k_entry();
RoutingEntry s_mod_k_entry();
RoutingEntry pattern_aware_entry();
RoutingEntry minimal_entry();
RoutingEntry minimal_split_entry();
RoutingEntry table_entry();
RoutingEntry shortest_table_entry();
RoutingEntry valiant_entry();
RoutingEntry ugal_l_entry();
RoutingEntry ugal_g_entry();
RoutingEntry par_entry();
RoutingEntry codes_adaptive_entry();
RoutingEntry minimal_adaptive_entry();
RoutingEntry up_down_random_entry();
RoutingEntry up_down_adaptive_entry();

/// In the order of `weft list routings`: those with paths first, and of these the default.
inline constexpr RoutingEntry (*kEntries[])() = {
    auto_entry,
    shortest_entry,
    shortest_random_entry,
    ecmp_entry,
    shortest_split_entry,
    widest_split_entry,
    dimension_order_entry,
    dimension_order_up_entry,
    d_mod_k_entry,
    s_mod_k_entry,
    pattern_aware_entry,
    minimal_entry,
    minimal_split_entry,
    table_entry,
    shortest_table_entry,
    valiant_entry,
    ugal_l_entry,
    ugal_g_entry,
    par_entry,
    codes_adaptive_entry,
    minimal_adaptive_entry,
    up_down_random_entry,
    up_down_adaptive_entry,
};

}  // namespace weft::network
