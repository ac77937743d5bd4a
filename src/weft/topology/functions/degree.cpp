// Degree expansion: copies of a network, linked among each other as within.
#include "weft/base/error.hpp"
#include "weft/topology/expansions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

void require_no_loops(const Topology& base) {
  for (LinkId link : base.links())
    require(base.tail(link) != base.head(link),
            "{} has a self-loop at node {}, so degree(n, X) is not defined; use line(X) or X * Y",
            base.name(), base.tail(link).value());
}

}  // namespace

BuiltTopology degree_expansion(int copies, const BuiltTopology& inner) {
  const Topology& base = inner.topology;
  require(
      copies >= 1,
      "n = {} is too small for degree(n, X), which is n copies of the network X; give 1 or more",
      copies);
  Expression name = apply("degree", std::to_string(copies), base.expression());
  require_equal_nodes(base, "degree(n, X)");
  require_size(name.to_string(), 1.0 * copies * base.node_count(),
               1.0 * copies * copies * base.link_count());
  require_no_loops(base);

  TopologyBuilder builder(std::int64_t{copies} * base.node_count());
  CopiedSpeeds speeds;
  for (const std::string& each : base.class_names()) builder.link_class(each);
  for (int from = 0; from < copies; ++from) {  // handles are the link ids of copy_of_link
    for (LinkId link : base.links()) {
      for (int to = 0; to < copies; ++to) {
        const auto handle =
            builder.add_link(copy_of_node(base, base.tail(link), from),
                             copy_of_node(base, base.head(link), to), base.link_class(link));
        speeds.copy(inner.speeds, link);
        if (const auto reverse = base.reverse(link)) {
          const auto back = copy_of_link(base, copies, *reverse, to, from).value();
          if (back < handle) builder.pair(back, handle);
        }
      }
    }
  }
  builder.set_nominal_degree(copies * base.nominal_degree());
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(std::move(name), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function degree_function() {
  return {"degree", "n, X",
          "n copies of X, in which every copy of a node has links to all copies of its neighbours: "
          "n times the degree",
          "degree(2, complete:3)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters("degree(n, X)", "degree(2, complete:3)", node.parameters);
            return degree_expansion(parameters.integers(1)[0], operands[0]);
          }};
}

}  // namespace weft::topology
