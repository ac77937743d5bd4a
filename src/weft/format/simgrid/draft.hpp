// The network of a platform while it is drawn: nodes, and arcs each of which is a resource of
// SimGrid or takes no time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform.hpp"
#include "route_finder.hpp"

namespace weft::format::simgrid {

struct Draft {
  struct Node {
    std::string name;
    NodeKind kind = NodeKind::switch_node;
    std::int64_t line = 0;
  };
  struct Arc {
    std::size_t from = 0, to = 0;             // nodes
    std::optional<ResourceId> resource = {};  // nothing: it takes no time, and limits nothing
    std::optional<std::size_t> back = {};     // the other direction of the cable
    std::string link_class = {}, port = {};
  };

  std::vector<Node> nodes;  // first the points of the platform, as far as they are drawn
  std::vector<Arc> arcs;
  std::vector<std::size_t> nodes_of_hosts;  // by number of a host

  std::size_t add_switch(std::string name, std::int64_t line = 0) {
    nodes.push_back({std::move(name), NodeKind::switch_node, line});
    return nodes.size() - 1;
  }
  std::size_t add_arc(Arc arc) {
    arcs.push_back(std::move(arc));
    return arcs.size() - 1;
  }
  void add_cable(Arc there, std::optional<ResourceId> back, std::string port_back) {
    const std::size_t first = arcs.size();
    arcs.push_back(there);
    arcs.back().back = first + 1;
    arcs.push_back({there.to, there.from, back, first, there.link_class, std::move(port_back)});
  }
};

/// The hosts of a platform: points, in the order of the file.
std::vector<std::size_t> hosts_of(const Platform& platform);
/// The <cluster> with a topology that holds all hosts, if there is one.
const Zone* single_cluster(const Platform& platform);

/// Points and cables as the routes suggest them: switches where links meet, a bus where more than
/// two places share a link. Nothing where no cables could be the links of all routes.
std::optional<Draft> draw_cables(const XmlFile& file, const Platform& platform);

/// Every link is an arc between two switches of its own; hosts alone. Where the hosts have gates,
/// each sends through a switch that no other uses, so that tables may choose ways by their source.
Draft draw_links(const XmlFile& file, const Platform& platform, bool gates);

/// Tables by which each pair of hosts takes the links of its route.
struct SavedRoutes {
  std::vector<std::size_t> hosts;               // by address: number of the host
  std::vector<std::vector<std::int32_t>> next;  // by address, then by node: the arc, or -1
  std::int64_t failed = 0;                      // pairs whose route is none by tables
  std::int64_t unserved = 0;       // pairs without a route in SimGrid that have no way here either
  std::vector<std::size_t> twice;  // arcs of routes that come to a switch twice
  bool needs_gates = false;        // some hosts have several first arcs or ways
  bool too_large = false;          // more than kMostEntries or kMostArcs; the rest is not there
};
inline constexpr std::size_t kMostEntries = 40'000'000;  // of all tables: 160 MB
inline constexpr std::size_t kMostArcs = 300'000;        // of a draft with tables
/// Adds arcs to the draft where links follow each other that it does not join. Hosts that need many
/// addresses make tables large: what passes the bounds is not kept. O(pairs * links).
SavedRoutes keep_routes(Draft& draft, const Platform& platform, RouteFinder& finder);

/// Gives hosts with several cables a switch of their own, which passes on what is not for them.
void add_ports(Draft& draft);
/// Ends these arcs at a switch of their own, so that a route may go on from there.
void detach(Draft& draft, std::vector<std::size_t> arcs);

/// A platform's network, as topology.
struct Realized {
  ImportedFabric fabric;
  std::vector<NodeId> hosts;                         // by number of a host
  std::vector<std::optional<ResourceId>> resources;  // by link
};
/// `wide`: by resource that messages do not share, whether another link always limits them more.
Realized realize(const FabricSource& source, const Draft& draft, const Platform& platform,
                 const std::vector<char>& wide, const SavedRoutes* routes);

/// What a comparison of the network's ways with SimGrid's found.
struct Comparison {
  std::int64_t pairs = 0, differing = 0;
  std::string first;  // the first that differs, in words
};

/// The pairs that are compared: all of these hosts (by number), among each other.
struct Sample {
  std::vector<std::size_t> hosts;
  bool all = true;
};
Sample sample_of(const Platform& platform, std::size_t most);

/// Which links of a platform are wide (see realize), by the routes of the sample.
std::vector<char> wide_links(const Platform& platform, RouteFinder& finder, const Sample& sample);

/// Compares the ways of weft's default routing with SimGrid's, where that has some: latency and
/// bandwidth, and unless `times_only` also which links they are.
Comparison compare_routes(const Realized& realized, const Platform& platform, RouteFinder& finder,
                          const Sample& sample, bool times_only);

}  // namespace weft::format::simgrid
