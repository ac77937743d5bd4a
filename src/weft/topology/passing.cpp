// A mesh is a set of hosts that reach each other over links between hosts. It keeps its messages if
// in an all-to-all of its hosts these links carry as much as the hosts' links to switches:
//
//   sum of bandwidth(l), l in the mesh / mean distance  >=  sum of bandwidth(l), l to switches
//
// A long ring of hosts beside a switch carries little, and its far hosts are nearer by the switch.
#include "weft/topology/passing.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/graph/sense.hpp"
#include "weft/topology/joined.hpp"

namespace weft::topology {

namespace {

// From so many hosts of a mesh, evenly spread, its distances are taken.
constexpr std::size_t kMostSources = 64;

std::vector<LinkId> links_between_hosts(const Topology& topology) {
  std::vector<LinkId> between;
  for (const NodeId host : topology.hosts())
    for (const LinkId link : topology.out_links(host))
      if (topology.is_host(topology.head(link))) between.push_back(link);
  return between;
}

// Hosts that links between hosts join, whichever way these lead.
class Joined {
 public:
  Joined(const Fabric& fabric, std::vector<NodeId> hosts, IdVector<NodeId, std::int32_t>& number)
      : fabric_(fabric), hosts_(std::move(hosts)), number_(number) {
    for (std::size_t i = 0; i < hosts_.size(); ++i)
      number_[hosts_[i]] = static_cast<std::int32_t>(i);
  }

  /// Calls visit(hosts) for those that reach each other, two or more. O(links * sets).
  template <class Visit>
  void each_strong_set(Visit&& visit) {
    std::vector<char> done(hosts_.size(), 0);
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      if (done[i] != 0) continue;
      const auto there = search(i, graph::Sense::along), back = search(i, graph::Sense::against);
      std::vector<NodeId> set;
      for (std::size_t j = 0; j < hosts_.size(); ++j) {
        const auto other = static_cast<std::int32_t>(j);
        if (!there.reached(other) || !back.reached(other)) continue;
        done[j] = 1;
        set.push_back(hosts_[j]);
      }
      if (set.size() > 1) visit(set);
    }
  }

  /// Of hosts that reach each other: whether they are better off among themselves. O(sources *
  /// links).
  bool carries_its_own(const std::vector<NodeId>& set) const {
    const Topology& topology = fabric_.topology();
    double mesh_Bps = 0, cards_Bps = 0, distances = 0, pairs = 0;
    for (const NodeId host : set)
      for (const LinkId link : topology.out_links(host)) {
        const auto bandwidth_Bps = static_cast<double>(fabric_.bandwidth_Bps(link));
        if (!topology.is_host(topology.head(link)))
          cards_Bps += bandwidth_Bps;
        else if (std::ranges::binary_search(set, topology.head(link)))
          mesh_Bps += bandwidth_Bps;
      }
    const std::size_t sources = std::min(set.size(), kMostSources);
    for (std::size_t i = 0; i < sources; ++i) {
      const NodeId source = set[i * set.size() / sources];
      const auto found = search(static_cast<std::size_t>(number_[source]), graph::Sense::along);
      for (const NodeId host : set) distances += found.distances()[number_[host]];
      pairs += static_cast<double>(set.size() - 1);
    }
    return mesh_Bps * pairs >= cards_Bps * distances;
  }

 private:
  graph::BreadthFirst search(std::size_t from, graph::Sense sense) const {
    const Topology& topology = fabric_.topology();
    return {static_cast<std::int32_t>(hosts_.size()), static_cast<std::int32_t>(from),
            [&](std::int32_t at, auto&& reach) {
              const auto visit = [&](NodeId other) {
                if (topology.is_host(other)) reach(number_[other]);
              };
              if (sense == graph::Sense::along)
                for (const LinkId link : topology.out_links(hosts_[at])) visit(topology.head(link));
              else
                for (const LinkId link : topology.in_links(hosts_[at])) visit(topology.tail(link));
            }};
  }

  const Fabric& fabric_;
  std::vector<NodeId> hosts_;               // ascending
  IdVector<NodeId, std::int32_t>& number_;  // its place in hosts_
};

}  // namespace

Passing::Passing(const Fabric& fabric)
    : topology_(fabric.topology()), places_(topology_.node_count(), kSwitch) {
  if (!topology_.has_switches()) return;
  for (const NodeId host : topology_.hosts()) places_[host] = kAlone;
  const std::vector<LinkId> between = links_between_hosts(topology_);
  if (between.empty()) return;
  const IdVector<NodeId, NodeId> lowest = topology::lowest_joined(topology_);
  std::vector<NodeId> hosts;
  for (const LinkId link : between)
    for (const NodeId host : {topology_.tail(link), topology_.head(link)})
      if (std::exchange(places_[host], kSwitch) == kAlone) hosts.push_back(host);
  for (const NodeId host : hosts) places_[host] = kAlone;
  std::ranges::sort(hosts, {}, [&](NodeId host) { return std::pair(lowest[host], host); });
  IdVector<NodeId, std::int32_t> number(places_.size(), 0);
  for (auto first = hosts.begin(); first != hosts.end();) {
    const auto end = std::find_if(first, hosts.end(),
                                  [&](NodeId host) { return lowest[host] != lowest[*first]; });
    Joined joined(fabric, {first, end}, number);
    joined.each_strong_set([&](const std::vector<NodeId>& set) {
      if (!joined.carries_its_own(set)) return;
      for (const NodeId host : set) places_[host] = set.front().value();
    });
    first = end;
  }
}

}  // namespace weft::topology
