// The line digraph: every link becomes a node.
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/expansions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

// Walks of `length` links: they are the links of line^(length - 1)(X).
double count_walks(const Topology& topology, int length) {
  IdVector<NodeId, double> ending(topology.node_count(), 1.0);
  for (int i = 0; i < length; ++i) {
    IdVector<NodeId, double> longer(ending.size(), 0.0);
    for (LinkId link : topology.links()) longer[topology.head(link)] += ending[topology.tail(link)];
    ending = std::move(longer);
  }
  return std::accumulate(ending.begin(), ending.end(), 0.0);
}

void require_walks(const Expression& name, const Topology& base, int power) {
  require_size(name.to_string(), count_walks(base, power), count_walks(base, power + 1));
}

}  // namespace

BuiltTopology line_graph(const BuiltTopology& inner) {
  const Topology& base = inner.topology;
  Expression name = apply("line", {}, base.expression());
  require_equal_nodes(base, "line(X)");
  require(base.link_count() >= 1, "{} has no links, so its line graph would have no nodes",
          base.name());
  require_walks(name, base, 1);
  TopologyBuilder builder(base.link_count());
  for (LinkId first : base.links())
    for (LinkId second : base.out_links(base.head(first)))
      builder.add_link(NodeId(first.value()), NodeId(second.value()));
  builder.set_nominal_degree(base.nominal_degree());
  return {std::move(builder).build(std::move(name)), {}};
}

Function line_function() {
  return {"line",
          "X",
          "Line digraph: a node for every link of X, with the same degree",
          "line(complete:5)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            if (!node.parameters.empty())
              Parameters("line(X)", "line^2(complete:5)", node.parameters)
                  .fail("line has no parameters of its own");
            return line_graph(operands[0]);
          },
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            require_walks(node, operands[0].topology, node.power);
          }};
}

}  // namespace weft::topology
