// Makers of minimal routings, one for each structure.
#pragma once

#include <memory>

#include "weft/network/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

std::shared_ptr<const Routing> make_minimal(const Fabric& fabric,
                                            const topology::DragonflyView& view);
std::shared_ptr<const Routing> make_minimal(const Fabric& fabric,
                                            const topology::DragonflyPlusView& view);
/// Between switches (or nodes, where there are no switches) at distance 2 at most.
std::shared_ptr<const Routing> make_minimal_of_diameter_two(const Fabric& fabric);

}  // namespace weft::network
