#include "weft/network/routing.hpp"

namespace weft::network {

void RouteTable::clear() {
  first_.assign(1, 0);
  links_.clear();
  shares_.clear();
  latencies_ps_.clear();
}

}  // namespace weft::network
