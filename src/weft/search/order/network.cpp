#include "weft/search/order_network.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/units.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/topology/fabric_speeds.hpp"
#include "weft/topology/views.hpp"

namespace weft::search {

namespace {

constexpr std::size_t kMostSwitches = 1 << 13;
constexpr std::uint16_t kFar = std::numeric_limits<std::uint16_t>::max();

// A host's links, without the host: hosts with equal ones are alike.
using Attachment = std::vector<std::array<std::int64_t, 4>>;

Attachment attachment_of(const Fabric& fabric, NodeId host) {
  const Topology& topology = fabric.topology();
  Attachment links;
  const auto add = [&](LinkId link, NodeId other, std::int64_t direction) {
    links.push_back(
        {direction, other.value(), fabric.bandwidth_Bps(link), fabric.latency_ps(link)});
    if (topology.is_host(other)) links.push_back({2, host.value(), 0, 0});  // like no other
  };
  for (const LinkId link : topology.out_links(host)) add(link, topology.head(link), 0);
  for (const LinkId link : topology.in_links(host)) add(link, topology.tail(link), 1);
  std::sort(links.begin(), links.end());
  return links;
}

double egress_Bps(const Fabric& fabric, NodeId host) {
  double sum = 0;
  for (const LinkId link : fabric.topology().out_links(host))
    sum += static_cast<double>(fabric.bandwidth_Bps(link));
  return sum;
}

// To a node over as few hosts, then links, as can be; of these ways the one with the least latency,
// then the widest.
template <class Way>
class ShortestWays {
 public:
  using WayOf = std::function<Way(LinkId)>;
  ShortestWays(const topology::Passing& passing, WayOf way_of)
      : topology_(passing.topology()),
        passing_(passing),
        way_of_(std::move(way_of)),
        distances_(topology_.node_count()),
        ways_(distances_.size()) {}

  void run(NodeId target) {
    std::fill(distances_.begin(), distances_.end(), kNoWay);
    distances_[target] = {};
    ways_[target] = {};
    network::search_by_relays(
        distances_.size(), target.value(),
        [&](std::int32_t u, auto&& visit) {
          for (const LinkId link : topology_.in_links(NodeId(u)))
            visit(topology_.tail(link).value(), link);
        },
        [&](std::int32_t v) { return passing_[NodeId(v)]; }, [](const auto&) {},
        [&](std::int32_t v, LinkId, const network::RelayDistance& distance) {
          distances_[NodeId(v)] = distance;
          start(NodeId(v), target);
        });
  }
  std::uint16_t links(NodeId node) const {
    const auto& distance = distances_[node];
    return distance == kNoWay ? kFar
                              : static_cast<std::uint16_t>(
                                    std::min<std::int32_t>(distance.links, std::int32_t{kFar} - 1));
  }
  const Way& way(NodeId node) const { return ways_[node]; }

 private:
  static constexpr network::RelayDistance kNoWay{-1, -1};

  // The best way from a node: what is after it on any was found before.
  void start(NodeId node, NodeId target) {
    std::optional<Way> best;
    for (const LinkId link : topology_.out_links(node)) {
      const NodeId next = topology_.head(link);
      network::RelayDistance rest = distances_[next];
      const topology::Step step = passing_.step(node, next, target);
      if (rest == kNoWay || step == topology::Step::none) continue;
      rest.relays += topology::Passing::relays(step, rest.links);
      ++rest.links;
      if (rest != distances_[node]) continue;
      const Way first = way_of_(link), there = ways_[next];
      const Way whole{first.latency_s + there.latency_s,
                      std::max(first.seconds_per_byte, there.seconds_per_byte)};
      if (!best || std::pair(whole.latency_s, whole.seconds_per_byte) <
                       std::pair(best->latency_s, best->seconds_per_byte))
        best = whole;
    }
    ways_[node] = *best;
  }

  const Topology& topology_;
  const topology::Passing& passing_;
  WayOf way_of_;
  IdVector<NodeId, network::RelayDistance> distances_;
  IdVector<NodeId, Way> ways_;
};

}  // namespace

OrderNetwork::Way OrderNetwork::way_of(const Fabric& fabric, LinkId link) {
  return {static_cast<double>(fabric.latency_ps(link)) * kSecondsPerPicosecond,
          1 / static_cast<double>(fabric.bandwidth_Bps(link))};
}

OrderNetwork::OrderNetwork(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  require(!topology.hosts().empty(), "{} has no hosts; attach hosts to it: hosts(1, {})",
          topology.name(), topology.name());
  for (const NodeId host : topology.hosts())
    sending_seconds_per_byte_.push_back(1 / std::max(egress_Bps(fabric, host), 1.0));
  if (!topology.has_switches())
    add_direct_hosts(fabric);
  else if (const auto attached = topology::as_attached_hosts(topology))
    add_single_attachments(fabric, attached->switch_of);
  else
    add_several_attachments(fabric);
}

void OrderNetwork::require_connected(std::span<const std::int32_t> hosts,
                                     const std::string& name) const {
  std::vector<std::int32_t> first_at(index(switches_), -1);  // a host of each switch that has any
  std::vector<std::int32_t> used;
  for (const std::int32_t host : hosts)
    if (std::exchange(first_at[index(switch_of(host))], host) < 0) used.push_back(switch_of(host));
  for (const std::int32_t from : used)
    for (const std::int32_t to : used)
      require(hops(from, to) != kFar,
              "no path leads from host {} to host {} of {}; limit --hosts to one connected part, "
              "or use a connected network",
              first_at[index(from)], first_at[index(to)], name);
}

void OrderNetwork::make_tables(std::size_t switches, const Topology& topology) {
  WEFT_ASSERT(switches >= 1);
  require(switches <= kMostSwitches, "{} switches of {} are too many for a table (at most {})",
          switches, topology.name(), kMostSwitches);
  switches_ = static_cast<std::int32_t>(switches);
  hops_.assign(switches * switches, kFar);
  ways_.resize(hops_.size());
  neighbors_.resize(switches);
}

void OrderNetwork::add_direct_hosts(const Fabric& fabric) {
  const auto hosts = fabric.topology().hosts();
  up_.resize(hosts.size());
  down_.resize(hosts.size());
  switch_of_.resize(hosts.size());
  std::iota(switch_of_.begin(), switch_of_.end(), 0);
  add_ways_of_switches(fabric, hosts);
}

void OrderNetwork::add_single_attachments(const Fabric& fabric,
                                          IdSpan<NodeId, const NodeId> switch_of) {
  const Topology& topology = fabric.topology();
  const auto switches = topology.switches();
  for (const NodeId host : topology.hosts()) {
    const auto place = std::lower_bound(switches.begin(), switches.end(), switch_of[host]);
    switch_of_.push_back(static_cast<std::int32_t>(place - switches.begin()));
    up_.push_back(way_of(fabric, topology.out_links(host)[0]));
    down_.push_back(way_of(fabric, topology.in_links(host)[0]));
  }
  add_ways_of_switches(fabric, switches);
}

void OrderNetwork::add_ways_of_switches(const Fabric& fabric, std::span<const NodeId> switches) {
  const Topology& topology = fabric.topology();
  make_tables(switches.size(), topology);
  const topology::Passing passing(fabric);
  ShortestWays<Way> ways(passing, [&](LinkId link) { return way_of(fabric, link); });
  for (std::int32_t t = 0; t < switches_; ++t) {
    ways.run(switches[index(t)]);
    for (std::int32_t s = 0; s < switches_; ++s) {
      hops_[index(s) * index(switches_) + index(t)] = ways.links(switches[index(s)]);
      ways_[index(s) * index(switches_) + index(t)] = ways.way(switches[index(s)]);
    }
  }
  for (std::int32_t s = 0; s < switches_; ++s) {
    for (const LinkId link : topology.out_links(switches[index(s)])) {
      const auto other = std::lower_bound(switches.begin(), switches.end(), topology.head(link));
      if (other == switches.end() || *other != topology.head(link)) continue;
      const auto t = static_cast<std::int32_t>(other - switches.begin());
      if (t != s) neighbors_[index(s)].push_back(t);
    }
  }
}

// Hosts that are alike stand on one "switch": from one of them all others are as far as from each.
void OrderNetwork::add_several_attachments(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  up_.resize(topology.hosts().size());
  down_.resize(topology.hosts().size());
  std::map<Attachment, std::int32_t> known;
  std::vector<std::vector<NodeId>> hosts_at;
  for (const NodeId host : topology.hosts()) {
    const auto [place, is_new] =
        known.try_emplace(attachment_of(fabric, host), static_cast<std::int32_t>(hosts_at.size()));
    if (is_new) hosts_at.emplace_back();
    hosts_at[index(place->second)].push_back(host);
    switch_of_.push_back(place->second);
  }
  make_tables(hosts_at.size(), topology);
  const topology::Passing passing(fabric);
  for (std::int32_t t = 0; t < switches_; ++t) add_ways_to_hosts(fabric, passing, t, hosts_at);
}

void OrderNetwork::add_ways_to_hosts(const Fabric& fabric, const topology::Passing& passing,
                                     std::int32_t place,
                                     std::span<const std::vector<NodeId>> hosts_at) {
  ShortestWays<Way> ways(passing, [&](LinkId link) { return way_of(fabric, link); });
  ways.run(hosts_at[index(place)].front());
  for (std::int32_t s = 0; s < switches_; ++s) {
    const auto& there = hosts_at[index(s)];
    const NodeId source = s == place ? there.back() : there.front();
    const std::uint16_t links = ways.links(source);
    if (links == kFar) continue;
    const std::size_t at = index(s) * index(switches_) + index(place);
    hops_[at] = static_cast<std::uint16_t>(links > 2 ? links - 2 : 0);
    ways_[at] = ways.way(source);
    if (s != place && links == 3) neighbors_[index(s)].push_back(place);
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
  WEFT_ASSERT(delay_ps >= 0);
  const Topology& topology = fabric.topology();
  BuiltTopology built{topology, topology::speeds_of(fabric)};
  for (const LinkId link : topology.links())
    if (!topology.is_host(topology.tail(link))) *built.speeds.latency_ps[link] += delay_ps;
  return Fabric(built);
}

}  // namespace weft::search
