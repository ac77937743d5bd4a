// Makers that routings of other files use. Those that need a structure throw InvalidInput where the
// topology lacks it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "weft/network/hop_routing.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

class Grid;

enum class Ties : std::uint8_t { split, up };  // half-way round a ring
/// Of shortest paths all or those by the widest class of links; of minimal ones, which cross the
/// fewest links between groups, all.
enum class Ways : std::uint8_t { all, widest, minimal };
enum class ModKey : std::uint8_t { destination, source };

std::string_view name_of(Ties ties);
std::string_view name_of(Ways ways);
std::string_view name_of(ModKey key);

std::shared_ptr<const Routing> make_shortest(const Fabric& fabric);
/// Shortest paths of which destinations share the equal ones; for what is left of a network.
std::shared_ptr<const Routing> make_shortest_dealt(const Fabric& fabric);
std::shared_ptr<const Routing> make_dimension_order(const Fabric& fabric, Ties ties);
/// On a grid of which something failed.
std::shared_ptr<const Routing> make_damaged_dimension_order(const Fabric& fabric,
                                                            std::shared_ptr<const Grid> grid,
                                                            Ties ties);
/// On a tree of which something failed.
std::shared_ptr<const Routing> make_mod_k(const Fabric& fabric, const topology::DamagedXgft& tree,
                                          ModKey key);

std::unique_ptr<HopRouting> make_split_hops(const HopContext& context, Ways ways);
std::unique_ptr<HopRouting> make_dimension_order_hops(const HopContext& context);
std::unique_ptr<HopRouting> make_dragonfly_minimal_hops(const HopContext& context);
std::unique_ptr<HopRouting> make_dragonfly_valiant_hops(const HopContext& context);

}  // namespace weft::network
