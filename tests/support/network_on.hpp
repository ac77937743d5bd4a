// A network of default links from an expression.
#pragma once

#include <string_view>

#include "weft/network/network.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::test {

inline Network on(std::string_view expression, const topology::PlacementOptions& placement = {},
                  std::string_view routing = "shortest") {
  const Fabric fabric(build_topology(expression));
  return {fabric, topology::place(fabric.topology(), placement), {}, make_routing(routing, fabric)};
}

}  // namespace weft::test
