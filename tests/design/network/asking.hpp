// What tests of network design ask for, at the shipped prices.
#pragma once

#include "support/process/source_dir.hpp"
#include "weft/design/network_design.hpp"

namespace weft::design {

inline analysis::PriceList prices() {
  return analysis::load_price_list(test::source_dir() + "/share/prices/infiniband-2025.toml");
}

inline DesignQuestion asking(int nodes, int ports, const char* calls) {
  return {.nodes = nodes, .ports = ports, .calls = order::parse_mix(calls), .prices = prices()};
}

}  // namespace weft::design
