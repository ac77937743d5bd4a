#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr const char* kUsage = "exchange(a, b, c, d, ..., X)";
constexpr const char* kExample = "exchange(3, 17, genkautz:2,9)";

}  // namespace

BuiltTopology exchange_heads(std::span<const int> links, const BuiltTopology& inner) {
  const Topology& whole = inner.topology;
  require(!links.empty() && links.size() % 2 == 0,
          "exchange() takes pairs of links (it was given {}); for example {}", links.size(),
          kExample);
  IdVector<LinkId, NodeId> heads;
  for (const LinkId link : whole.links()) heads.push_back(whole.head(link));
  std::string text;
  for (std::size_t i = 0; i < links.size(); ++i) {
    require(links[i] >= 0 && links[i] < whole.link_count(),
            "link {} does not exist in {} (it has 0 to {})", links[i], whole.name(),
            whole.link_count() - 1);
    const LinkId link(links[i]);
    require(!whole.reverse(link),
            "link {} of {} is half of a cable, which an exchange would break; exchange one-way "
            "links",
            links[i], whole.name());
    text += fmt::format("{}{}", i == 0 ? "" : ", ", links[i]);
    if (i % 2 == 1) std::swap(heads[LinkId(links[i - 1])], heads[link]);
  }
  TopologyBuilder builder(whole.node_count());
  CopiedSpeeds speeds;
  for (const std::string& each : whole.class_names()) builder.link_class(each);
  for (const NodeId node : whole.nodes()) builder.set_kind(node, whole.kind(node));
  for (const LinkId link : whole.links()) {
    builder.add_link(whole.tail(link), heads[link], whole.link_class(link));
    speeds.copy(inner.speeds, link);
    if (const auto reverse = whole.reverse(link); reverse && *reverse < link)
      builder.pair(reverse->value(), link.value());
  }
  builder.set_nominal_degree(whole.nominal_degree());
  builder.set_facets({.facets = {}, .names = names_of_nodes(whole)});
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(
      apply("exchange", std::move(text), whole.expression()), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function exchange_function() {
  return {"exchange", "a, b, c, d, ..., X",
          "X with the heads of one-way links a and b exchanged, then those of c and d, ...",
          kExample, [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters(kUsage, kExample, node.parameters);
            if (node.parameters.empty()) parameters.fail("no links are named");
            return exchange_heads(parameters.integers_from(2), operands[0]);
          }};
}

}  // namespace weft::topology
