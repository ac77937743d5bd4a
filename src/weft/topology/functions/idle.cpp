#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

BuiltTopology with_idle_ports(int ports, const BuiltTopology& inner) {
  require(ports >= 1, "{} idle ports are too few (needs 1 or more)", ports);
  const Topology& whole = inner.topology;
  TopologyBuilder builder(whole.node_count());
  CopiedSpeeds speeds;
  IdVector<ClassId, ClassId> classes;
  for (const std::string& each : whole.class_names()) classes.push_back(builder.link_class(each));
  for (const NodeId node : whole.nodes()) builder.set_kind(node, whole.kind(node));
  for (const LinkId link : whole.links()) {  // handles are X's link ids
    builder.add_link(whole.tail(link), whole.head(link), classes[whole.link_class(link)]);
    speeds.copy(inner.speeds, link);
    if (const auto reverse = whole.reverse(link); reverse && *reverse < link)
      builder.pair(reverse->value(), link.value());
  }
  builder.set_nominal_degree(
      static_cast<int>(checked_add(std::int64_t{ports}, std::int64_t{whole.nominal_degree()})));
  builder.keep_facets(whole);
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(
      apply("idle", std::to_string(ports), whole.expression()), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function idle_function() {
  return {"idle", "k, X", "X with k unused ports on every node", "idle(1, torus:4x4)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters("idle(k, X)", "idle(1, ring:9)", node.parameters);
            return with_idle_ports(parameters.integers(1)[0], operands[0]);
          }};
}

}  // namespace weft::topology
