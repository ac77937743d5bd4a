#include "weft/base/id_vector.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

BuiltTopology transpose(const BuiltTopology& inner) {
  const Topology& whole = inner.topology;
  TopologyBuilder builder(whole.node_count());
  CopiedSpeeds speeds;
  for (const std::string& each : whole.class_names()) builder.link_class(each);
  IdVector<LinkId, TopologyBuilder::Handle> handles(whole.link_count());
  for (NodeId node : whole.nodes()) {
    builder.set_kind(node, whole.kind(node));
    for (LinkId link : whole.in_links(node)) {
      handles[link] = builder.add_link(node, whole.tail(link), whole.link_class(link));
      speeds.copy(inner.speeds, link);
    }
  }
  for (LinkId link : whole.links())
    if (const auto reverse = whole.reverse(link); reverse && *reverse < link)
      builder.pair(handles[*reverse], handles[link]);
  builder.set_nominal_degree(whole.nominal_degree());
  keep_group(builder, whole);
  std::vector<LinkId> ids_of_handles;
  Topology topology =
      std::move(builder).build(apply("transpose", {}, whole.expression()), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function transpose_function() {
  return {"transpose", "X", "X with every link reversed", "transpose(genkautz:3,10)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            if (!node.parameters.empty())
              Parameters("transpose(X)", "transpose(kautz:2,3)", node.parameters)
                  .fail("transpose has no parameters of its own");
            return transpose(operands[0]);
          }};
}

}  // namespace weft::topology
