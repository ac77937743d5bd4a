// What tests of network design ask for, at the shipped prices.
#pragma once

#include "weft/question/network_design.hpp"

namespace weft::question {

inline analysis::PriceList prices() {
  return analysis::load_price_list(WEFT_SOURCE_DIR "/share/prices/infiniband-2025.toml");
}

inline DesignAsked asking(int nodes, int ports, const char* calls) {
  return {.nodes = nodes, .ports = ports, .calls = parse_mix(calls), .prices = prices()};
}

}  // namespace weft::question
