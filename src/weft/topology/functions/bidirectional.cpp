// A network together with its transpose, cable by cable.
#include "weft/topology/expansions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

BuiltTopology bidirectional(const BuiltTopology& inner) {
  const Topology& base = inner.topology;
  Expression name = apply("bidirectional", {}, base.expression());
  require_equal_nodes(base, "bidirectional(X)");
  require_size(name.to_string(), base.node_count(), 2.0 * base.link_count());

  TopologyBuilder builder(base.node_count());
  CopiedSpeeds speeds;
  for (const std::string& each : base.class_names()) builder.link_class(each);
  for (LinkId link : base.links()) {  // handles are X's link ids
    builder.add_link(base.tail(link), base.head(link), base.link_class(link));
    speeds.copy(inner.speeds, link);
  }
  for (NodeId node : base.nodes()) {
    for (LinkId link : base.in_links(node)) {
      const auto back = builder.add_link(node, base.tail(link), base.link_class(link));
      speeds.copy(inner.speeds, link);
      builder.pair(link.value(), back);
    }
  }
  builder.set_nominal_degree(2 * base.nominal_degree());
  keep_group(builder, base);
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(std::move(name), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function bidirectional_function() {
  return {"bidirectional", "X",
          "X with its transpose: every link becomes a cable, with twice the degree",
          "bidirectional(kautz:2,2)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            if (!node.parameters.empty())
              Parameters("bidirectional(X)", "bidirectional(kautz:2,2)", node.parameters)
                  .fail("bidirectional has no parameters of its own");
            return bidirectional(operands[0]);
          }};
}

}  // namespace weft::topology
