#include "support/path_channels.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "weft/network/routing.hpp"
#include "weft/simulation/packet/engine/path_order.hpp"

namespace weft::simulation {

namespace {

using Channel = std::pair<std::int32_t, int>;  // link, virtual channel
using Waits = std::map<Channel, std::set<Channel>>;

// By taking away, again and again, those that wait for none left.
bool has_circle(Waits left) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = left.begin(); at != left.end();) {
      const bool free = std::ranges::none_of(
          at->second, [&](const Channel& next) { return left.contains(next); });
      changed = changed || free;
      at = free ? left.erase(at) : std::next(at);
    }
  }
  return !left.empty();
}

// The channel of the last link.
int walk(std::span<const LinkId> path, const packet::PathOrder& order, Waits& waits) {
  int vc = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const int next = vc + (order.falls(path[i].value(), path[i + 1].value()) ? 1 : 0);
    waits[{path[i].value(), vc}].insert({path[i + 1].value(), next});
    vc = next;
  }
  return vc;
}

}  // namespace

PathChannels find_path_channels(const Fabric& fabric, std::string_view name) {
  const Topology& topology = fabric.topology();
  const auto routing = network::make_routing(name, fabric, 1);
  const packet::PathOrder order(topology);
  PathChannels found;
  Waits waits;
  network::RouteTable table;
  for (const NodeId from : topology.hosts())
    for (const NodeId to : topology.hosts()) {
      if (from == to) continue;
      table.clear();
      const network::Flow flow{from, to};
      routing->route(std::span(&flow, 1), table);
      found.longest = std::max(found.longest, static_cast<int>(table.links(0).size()));
      found.channels = std::max(found.channels, walk(table.links(0), order, waits) + 1);
    }
  found.circle = has_circle(std::move(waits));
  return found;
}

}  // namespace weft::simulation
