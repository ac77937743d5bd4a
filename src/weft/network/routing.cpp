#include "weft/network/routing.hpp"

#include "weft/base/error.hpp"
#include "weft/network/ways_to.hpp"

namespace weft::network {

void RouteTable::clear() {
  first_.assign(1, 0);
  links_.clear();
  shares_.clear();
  latencies_ps_.clear();
}

void Routing::ways_to(NodeId /*target*/, WaysTo& ways) const {
  WEFT_ASSERT(!knows_ways());
  ways.clear();
}

}  // namespace weft::network
