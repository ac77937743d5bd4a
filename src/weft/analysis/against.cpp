#include "weft/analysis/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "weft/base/units.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

using Kind = Deviation::Kind;

// What a node's end of a cable is known by.
struct End {
  std::string node, port;  // empty: it is not known by its port
  bool one = false;        // it is the only one that is so
  std::string label = {};  // the port for people, known or not

  std::string text() const { return label.empty() ? node : fmt::format("{}[{}]", node, label); }
  friend auto operator<=>(const End& x, const End& y) {
    return std::tie(x.node, x.port) <=> std::tie(y.node, y.port);
  }
  friend bool operator==(const End& x, const End& y) { return (x <=> y) == 0; }
};

// The lower end first, by names.
struct Cable {
  End a, b;
  std::optional<std::int64_t> bandwidth_Bps = {};

  std::string text() const { return a.text() + " - " + b.text(); }
  bool shares_end(const Cable& other) const {
    for (const End* end : {&a, &b})
      if (end->one && (*end == other.a || *end == other.b)) return true;
    return false;
  }
};

using Ports = std::map<std::string, std::multiset<std::string>>;  // by node

Ports ports_of(const Topology& topology) {
  Ports ports;
  for (const LinkId link : topology.links())
    ports[exported_name(topology, topology.tail(link))].insert(topology::port_of(topology, link));
  return ports;
}

// By which of their ends the cables of both networks are compared.
class Ends {
 public:
  Ends(const Topology& network, const Topology& plan)
      : here_(ports_of(network)), planned_(ports_of(plan)) {
    for (const NodeId host : network.hosts()) hosts_.insert(exported_name(network, host));
  }

  End end(const std::string& node, const std::string& label) const {
    const auto here = here_.find(node), planned = planned_.find(node);
    if (here == here_.end() || planned == planned_.end()) return {node, label, false, label};
    const bool single = here->second.size() == 1 && planned->second.size() == 1;
    const bool by_port = !single && are_told(here->second) && are_told(planned->second) &&
                         (!hosts_.contains(node) || have_one_alike(here->second, planned->second));
    return {node, by_port ? label : std::string(), single || by_port, label};
  }

 private:
  static bool are_told(const std::multiset<std::string>& ports) { return !ports.contains(""); }
  // One says eth0 and the other mlx5_0, where a card is meant.
  static bool have_one_alike(const std::multiset<std::string>& x,
                             const std::multiset<std::string>& y) {
    return std::ranges::any_of(x, [&](const std::string& port) { return y.contains(port); });
  }

  Ports here_, planned_;
  std::set<std::string> hosts_;
};

std::vector<Cable> cables_of(const BuiltTopology& built, const Ends& ends) {
  const Topology& topology = built.topology;
  std::vector<Cable> cables;
  for (const LinkId link : topology.links()) {
    const LinkId back = topology.reverse(link).value_or(link);
    if (back < link) continue;
    const auto end = [&](NodeId node, LinkId out) {
      return ends.end(exported_name(topology, node), topology::port_of(topology, out));
    };
    Cable cable{end(topology.tail(link), link), end(topology.head(link), back)};
    if (cable.b < cable.a) std::swap(cable.a, cable.b);
    if (!built.speeds.bandwidth_Bps.empty()) cable.bandwidth_Bps = built.speeds.bandwidth_Bps[link];
    cables.push_back(std::move(cable));
  }
  return cables;
}

std::set<std::string> nodes_of(const Topology& topology) {
  std::set<std::string> names;
  for (const NodeId node : topology.nodes()) names.insert(exported_name(topology, node));
  return names;
}

void compare_nodes(const Topology& network, const Topology& plan, std::vector<Deviation>& found) {
  const std::set<std::string> here = nodes_of(network), planned = nodes_of(plan);
  for (const std::string& node : planned)
    if (!here.contains(node)) found.push_back({Kind::node_missing, node, ""});
  for (const std::string& node : here)
    if (!planned.contains(node)) found.push_back({Kind::node_extra, "", node});
}

void compare_speed(const Cable& planned, const Cable& there, std::vector<Deviation>& found) {
  if (!planned.bandwidth_Bps || !there.bandwidth_Bps) return;
  if (*there.bandwidth_Bps >= *planned.bandwidth_Bps) return;
  found.push_back({Kind::cable_slower,
                   fmt::format("{} {}", planned.text(), format_bandwidth(*planned.bandwidth_Bps)),
                   fmt::format("{} {}", there.text(), format_bandwidth(*there.bandwidth_Bps))});
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::node_missing:
      return "node missing";
    case Kind::node_extra:
      return "node extra";
    case Kind::cable_missing:
      return "cable missing";
    case Kind::cable_extra:
      return "cable extra";
    case Kind::cable_moved:
      return "cable moved";
    case Kind::cable_slower:
      break;
  }
  return "cable slower";
}

std::vector<Deviation> deviations(const BuiltTopology& network, const BuiltTopology& plan) {
  std::vector<Deviation> found;
  compare_nodes(network.topology, plan.topology, found);
  const Ends ends(network.topology, plan.topology);
  std::multimap<std::pair<End, End>, Cable> left;  // there, and not matched yet
  for (Cable& cable : cables_of(network, ends))
    left.emplace(std::pair(cable.a, cable.b), std::move(cable));
  std::vector<Cable> missing;
  for (Cable& planned : cables_of(plan, ends)) {
    const auto there = left.find({planned.a, planned.b});
    if (there == left.end()) {
      missing.push_back(std::move(planned));
      continue;
    }
    compare_speed(planned, there->second, found);
    left.erase(there);
  }
  for (const Cable& planned : missing) {
    const auto moved = std::ranges::find_if(
        left, [&](const auto& entry) { return planned.shares_end(entry.second); });
    if (moved == left.end()) {
      found.push_back({Kind::cable_missing, planned.text(), ""});
      continue;
    }
    found.push_back({Kind::cable_moved, planned.text(), moved->second.text()});
    left.erase(moved);
  }
  for (const auto& [key, cable] : left) found.push_back({Kind::cable_extra, "", cable.text()});
  return found;
}

}  // namespace weft::analysis
