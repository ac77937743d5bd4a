#include "weft/analysis/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "weft/base/units.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

using Kind = Deviation::Kind;

struct End {
  std::string node, port;

  std::string text() const { return port.empty() ? node : fmt::format("{}[{}]", node, port); }
  friend auto operator<=>(const End&, const End&) = default;
};

// The lower end first, by names.
struct Cable {
  End a, b;
  std::optional<std::int64_t> bandwidth_Bps = {};

  std::string text() const { return a.text() + " - " + b.text(); }
  bool same_ends(const Cable& other) const { return a == other.a && b == other.b; }
  bool shares_end(const Cable& other) const {
    return a == other.a || a == other.b || b == other.a || b == other.b;
  }
};

bool has_ports(const Topology& topology) {
  const auto& names = topology.facets().names;
  return names && std::ssize(names->ports) == topology.link_count() &&
         std::ranges::none_of(names->ports, &std::string::empty);
}

std::vector<Cable> cables_of(const BuiltTopology& built, bool with_ports) {
  const Topology& topology = built.topology;
  std::vector<Cable> cables;
  for (const LinkId link : topology.links()) {
    const LinkId back = topology.reverse(link).value_or(link);
    if (back < link) continue;
    const auto end = [&](NodeId node, LinkId out) {
      return End{exported_name(topology, node),
                 with_ports ? topology::port_of(topology, out) : std::string()};
    };
    Cable cable{end(topology.tail(link), link), end(topology.head(link), back)};
    if (cable.b < cable.a) std::swap(cable.a, cable.b);
    if (!built.speeds.bandwidth_Bps.empty())
      cable.bandwidth_Bps = built.speeds.bandwidth_Bps[link.index()];
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
  const bool ports = has_ports(network.topology) && has_ports(plan.topology);
  std::multimap<std::pair<End, End>, Cable> left;  // there, and not matched yet
  for (Cable& cable : cables_of(network, ports))
    left.emplace(std::pair(cable.a, cable.b), std::move(cable));
  std::vector<Cable> missing;
  for (Cable& planned : cables_of(plan, ports)) {
    const auto there = left.find({planned.a, planned.b});
    if (there == left.end()) {
      missing.push_back(std::move(planned));
      continue;
    }
    compare_speed(planned, there->second, found);
    left.erase(there);
  }
  for (const Cable& planned : missing) {
    const auto moved = !ports ? left.end() : std::ranges::find_if(left, [&](const auto& entry) {
      return entry.second.shares_end(planned);
    });
    if (moved == left.end()) {
      found.push_back({Kind::cable_missing, planned.text(), ""});
      continue;
    }
    found.push_back({Kind::cable_moved, planned.text(), moved->second.text()});
    left.erase(moved);
  }
  for (const auto& [ends, cable] : left) found.push_back({Kind::cable_extra, "", cable.text()});
  return found;
}

}  // namespace weft::analysis
