// Links that carry something.
#pragma once

#include <cstdint>

#include "weft/topology/topology.hpp"

namespace weft::design {

/// Returns how many links join two different nodes.
inline std::int64_t useful_links(const Topology& topology) {
  std::int64_t count = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link)) ++count;
  return count;
}

}  // namespace weft::design
