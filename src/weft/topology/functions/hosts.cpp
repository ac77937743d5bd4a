#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

BuiltTopology attach_hosts(int hosts_per_switch, const BuiltTopology& inner) {
  Expression name = apply("hosts", std::to_string(hosts_per_switch), inner.topology.expression());
  return attach_hosts_as(std::move(name), hosts_per_switch, inner);
}

BuiltTopology attach_hosts_as(Expression name, int hosts_per_switch, const BuiltTopology& inner) {
  const Topology& fabric = inner.topology;
  require(hosts_per_switch >= 1, "{} hosts a switch are too few (needs 1 or more)",
          hosts_per_switch);
  require(!fabric.has_switches() || fabric.hosts().empty(),
          "{} has hosts already; hosts(k, X) needs a network of equal nodes", fabric.name());
  const std::int64_t switches = fabric.node_count();
  const double hosts = static_cast<double>(switches) * hosts_per_switch;
  require_size(name.to_string(), hosts + static_cast<double>(switches),
               2 * hosts + fabric.link_count());

  TopologyBuilder builder(switches + switches * hosts_per_switch);
  CopiedSpeeds speeds;
  IdVector<ClassId, ClassId> classes;
  for (const std::string& each : fabric.class_names()) classes.push_back(builder.link_class(each));
  for (NodeId node : fabric.nodes()) builder.set_kind(node, NodeKind::switch_node);
  for (LinkId link : fabric.links()) {  // handles are X's link ids
    builder.add_link(fabric.tail(link), fabric.head(link), classes[fabric.link_class(link)]);
    speeds.copy(inner.speeds, link);
    if (const auto reverse = fabric.reverse(link); reverse && *reverse < link)
      builder.pair(reverse->value(), link.value());
  }
  const ClassId terminal = builder.link_class("terminal");
  for (std::int64_t s = 0; s < switches; ++s) {
    for (std::int64_t i = 0; i < hosts_per_switch; ++i) {
      builder.add_cable(NodeId(switches + s * hosts_per_switch + i), NodeId(s), terminal);
      speeds.none();
      speeds.none();
    }
  }
  builder.set_nominal_degree(fabric.nominal_degree());
  builder.keep_facets(fabric);
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(std::move(name), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function hosts_function() {
  return {"hosts", "k, X", "Every node of X becomes a switch with k hosts",
          "hosts(4, random-regular:64,8,seed=7)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters("hosts(k, X)", "hosts(4, ring:8)", node.parameters);
            return attach_hosts(parameters.integers(1)[0], operands[0]);
          }};
}

}  // namespace weft::topology
