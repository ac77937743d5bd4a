#include "fabric_builder.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

// By link; empty where nothing is known of any.
std::vector<std::optional<std::int64_t>> column(
    const std::vector<const FabricBuilder::Facts*>& facts, const std::vector<LinkId>& ids,
    std::optional<std::int64_t> FabricBuilder::Facts::*member) {
  std::vector<std::optional<std::int64_t>> values;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!(facts[i]->*member)) continue;
    values.resize(ids.size());
    values[ids[i].index()] = facts[i]->*member;
  }
  return values;
}

}  // namespace

FabricBuilder::Node FabricBuilder::node(std::string name, std::string fallback, NodeKind kind,
                                        std::string where) {
  nodes_.push_back({std::move(name), std::move(fallback), kind, std::move(where)});
  return nodes_.size() - 1;
}

void FabricBuilder::cable(Node a, std::string port_a, Node b, std::string port_b, Facts facts) {
  cables_.push_back({{a, std::move(port_a)}, {b, std::move(port_b)}, std::move(facts)});
}

std::vector<std::string> FabricBuilder::final_names() const {
  std::unordered_map<std::string_view, int> times;
  for (const NamedNode& node : nodes_) ++times[node.name];
  std::vector<std::string> names;
  for (const NamedNode& node : nodes_)
    names.push_back(topology::is_name(node.name) && times[node.name] == 1 ? node.name
                                                                          : node.fallback);
  return names;
}

const std::string& FabricBuilder::where(Node node, const std::string& file) const {
  return nodes_[node].where.empty() ? file : nodes_[node].where;
}

void FabricBuilder::require_one_network(const std::vector<std::string>& names,
                                        const std::string& file) const {
  UnionFind parts(nodes_.size());
  for (const Cable& cable : cables_)
    parts.join(static_cast<std::int32_t>(cable.a.node), static_cast<std::int32_t>(cable.b.node));
  for (std::size_t node = 1; node < nodes_.size(); ++node)
    require(parts.find(static_cast<std::int32_t>(node)) == parts.find(0),
            "{}: no cables lead from {} to {}; leave one of the two parts out, or add what joins "
            "them",
            where(node, file), names[0], names[node]);
}

BuiltTopology FabricBuilder::build(const std::string& file, std::vector<NodeId>& numbers) && {
  const std::vector<std::string> names = final_names();
  for (std::size_t node = 0; node < names.size(); ++node)
    topology::require_name(names[node], where(node, file));
  topology::check_names(names, file);
  std::vector<Node> order(nodes_.size());
  std::iota(order.begin(), order.end(), Node{0});
  std::ranges::stable_sort(order, [&](Node a, Node b) {
    if (nodes_[a].kind != nodes_[b].kind) return nodes_[a].kind == NodeKind::host;
    return nodes_[a].kind == NodeKind::host && topology::counts_before(names[a], names[b]);
  });
  require(!order.empty() && nodes_[order.front()].kind == NodeKind::host, "{} has no hosts", file);
  require_one_network(names, file);
  numbers.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    numbers[order[i]] = NodeId(static_cast<std::int64_t>(i));

  // By the ports of the node that is numbered first, then those of the other.
  for (Cable& cable : cables_)
    if (!cable.facts.one_way && numbers[cable.b.node] < numbers[cable.a.node])
      std::swap(cable.a, cable.b);
  std::ranges::stable_sort(cables_, [&](const Cable& x, const Cable& y) {
    if (x.a.node != y.a.node) return numbers[x.a.node] < numbers[y.a.node];
    return topology::counts_before(x.a.port, y.a.port);
  });

  topology::Names all;
  TopologyBuilder builder(static_cast<std::int64_t>(nodes_.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    builder.set_kind(NodeId(static_cast<std::int64_t>(i)), nodes_[order[i]].kind);
    all.nodes.push_back(names[order[i]]);
  }
  std::vector<const Facts*> facts;  // by handle
  for (const Cable& cable : cables_) {
    const bool terminal = nodes_[cable.a.node].kind != nodes_[cable.b.node].kind;
    const std::string_view usual = terminal ? "terminal" : "link";
    const ClassId link_class =
        builder.link_class(cable.facts.link_class.empty() ? usual : cable.facts.link_class);
    const NodeId from = numbers[cable.a.node], to = numbers[cable.b.node];
    if (cable.facts.one_way)
      builder.add_link(from, to, link_class);
    else
      builder.add_cable(from, to, link_class);
    for (const End* end : {&cable.a, &cable.b}) {
      if (cable.facts.one_way && end == &cable.b) continue;
      all.ports.push_back(end->port);
      facts.push_back(&cable.facts);
    }
  }
  topology::Facets facets;
  facets.names = std::make_shared<const topology::Names>(std::move(all));
  builder.set_facets(std::move(facets));
  std::vector<LinkId> ids;
  Topology built = std::move(builder).build(topology::file_expression(file), &ids);
  return {std::move(built),
          {column(facts, ids, &Facts::bandwidth_Bps), column(facts, ids, &Facts::latency_ps)}};
}

}  // namespace weft::format
