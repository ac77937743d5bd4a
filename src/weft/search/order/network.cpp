#include "weft/search/order_network.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/views.hpp"

namespace weft::search {

namespace {

constexpr std::size_t kMostSwitches = 1 << 13;
constexpr std::uint16_t kFar = std::numeric_limits<std::uint16_t>::max();

}  // namespace

OrderNetwork::OrderNetwork(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  require(topology.has_switches(), "{} has no switches; attach hosts to it, as hosts(1, {})",
          topology.name(), topology.name());
  const auto switches = topology.switches();
  require(switches.size() <= kMostSwitches, "{} switches are too many for a table (at most {})",
          switches.size(), kMostSwitches);
  switches_ = static_cast<std::int32_t>(switches.size());
  number_of_.assign(index(topology.node_count()), -1);
  for (std::int32_t s = 0; s < switches_; ++s) number_of_[switches[index(s)].index()] = s;
  add_hosts(fabric);
  hops_.assign(switches.size() * switches.size(), kFar);
  ways_.resize(hops_.size());
  neighbors_.resize(switches.size());
  for (std::int32_t s = 0; s < switches_; ++s) add_ways(fabric, s);
  require(std::find(hops_.begin(), hops_.end(), kFar) == hops_.end(),
          "the switches of {} do not all reach each other; use a connected network",
          topology.name());
}

void OrderNetwork::add_hosts(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const auto attached = topology::as_attached_hosts(topology);
  require(attached.has_value() && !topology.hosts().empty(),
          "the hosts of {} do not hang on one switch each; wrap switches as hosts(k, X)",
          topology.name());
  const auto way = [&](LinkId link) {
    return Way{static_cast<double>(fabric.latency_ps(link)) * kSecondsPerPicosecond,
               1 / static_cast<double>(fabric.bandwidth_Bps(link))};
  };
  for (const NodeId host : topology.hosts()) {
    switch_of_.push_back(number_of_[attached->switch_of[host.index()].index()]);
    up_.push_back(way(topology.out_links(host)[0]));
    down_.push_back(way(topology.in_links(host)[0]));
  }
}

// Breadth first from one switch; of the shortest ways, the one with the least latency, then the
// widest.
void OrderNetwork::add_ways(const Fabric& fabric, std::int32_t source) {
  const Topology& topology = fabric.topology();
  const std::size_t row = index(source) * index(switches_);
  std::vector<std::int32_t> queue{source};
  hops_[row + index(source)] = 0;
  for (std::size_t done = 0; done < queue.size(); ++done) {
    const std::int32_t u = queue[done];
    const Way here = ways_[row + index(u)];
    const auto next_hops = static_cast<std::uint16_t>(hops_[row + index(u)] + 1);
    for (const LinkId link : topology.out_links(topology.switches()[index(u)])) {
      const std::int32_t v = number_of_[topology.head(link).index()];
      if (v < 0 || v == u) continue;
      if (u == source) neighbors_[index(u)].push_back(v);
      const double latency_s = static_cast<double>(fabric.latency_ps(link)) * kSecondsPerPicosecond;
      const Way there{
          here.latency_s + latency_s,
          std::max(here.seconds_per_byte, 1 / static_cast<double>(fabric.bandwidth_Bps(link)))};
      std::uint16_t& hops = hops_[row + index(v)];
      Way& best = ways_[row + index(v)];
      if (hops == kFar) {
        hops = next_hops;
        best = there;
        queue.push_back(v);
      } else if (hops == next_hops && std::pair(there.latency_s, there.seconds_per_byte) <
                                          std::pair(best.latency_s, best.seconds_per_byte)) {
        best = there;
      }
    }
  }
}

double OrderNetwork::send_s(std::int32_t from_host, std::int32_t to_host,
                            std::int64_t size_B) const {
  const Way& up = up_[index(from_host)];
  const Way& down = down_[index(to_host)];
  const Way& way =
      ways_[index(switch_of(from_host)) * index(switches_) + index(switch_of(to_host))];
  return up.latency_s + way.latency_s + down.latency_s +
         static_cast<double>(size_B) *
             std::max({up.seconds_per_byte, way.seconds_per_byte, down.seconds_per_byte});
}

Fabric with_switch_delay(const Fabric& fabric, std::int64_t delay_ps) {
  const Topology& topology = fabric.topology();
  BuiltTopology built{topology, {}};
  for (const LinkId link : topology.links()) {
    const bool leaves_switch = !topology.is_host(topology.tail(link));
    built.speeds.bandwidth_Bps.emplace_back(fabric.bandwidth_Bps(link));
    built.speeds.latency_ps.emplace_back(fabric.latency_ps(link) + (leaves_switch ? delay_ps : 0));
  }
  return Fabric(built);
}

}  // namespace weft::search
