#include "fabric_builder.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <unordered_map>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The run of digits at the front, without leading zeros, and all of it.
std::string_view digits(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

}  // namespace

bool counts_before(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (!is_digit(a.front()) || !is_digit(b.front())) {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    const std::string_view run_a = digits(a), run_b = digits(b);
    const std::string_view x = without_zeros(run_a), y = without_zeros(run_b);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
    a.remove_prefix(run_a.size());
    b.remove_prefix(run_b.size());
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // 01 and 1
}

FabricBuilder::Node FabricBuilder::node(std::string name, std::string fallback, NodeKind kind) {
  nodes_.push_back({std::move(name), std::move(fallback), kind});
  return nodes_.size() - 1;
}

void FabricBuilder::cable(Node a, std::string port_a, Node b, std::string port_b,
                          std::optional<std::int64_t> bandwidth_Bps) {
  cables_.push_back({{a, std::move(port_a)}, {b, std::move(port_b)}, bandwidth_Bps});
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

BuiltTopology FabricBuilder::build(const std::string& file, std::vector<NodeId>& numbers) && {
  const std::vector<std::string> names = final_names();
  topology::check_names(names, file);
  std::vector<Node> order(nodes_.size());
  std::iota(order.begin(), order.end(), Node{0});
  std::ranges::stable_sort(order, [&](Node a, Node b) {
    if (nodes_[a].kind != nodes_[b].kind) return nodes_[a].kind == NodeKind::host;
    return nodes_[a].kind == NodeKind::host && counts_before(names[a], names[b]);
  });
  require(!order.empty() && nodes_[order.front()].kind == NodeKind::host, "{} has no hosts", file);
  numbers.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    numbers[order[i]] = NodeId(static_cast<std::int64_t>(i));

  // By the ports of the node that is numbered first, then those of the other.
  for (Cable& cable : cables_)
    if (numbers[cable.b.node] < numbers[cable.a.node]) std::swap(cable.a, cable.b);
  std::ranges::stable_sort(cables_, [&](const Cable& x, const Cable& y) {
    if (x.a.node != y.a.node) return numbers[x.a.node] < numbers[y.a.node];
    return counts_before(x.a.port, y.a.port);
  });

  topology::Names all;
  TopologyBuilder builder(static_cast<std::int64_t>(nodes_.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    builder.set_kind(NodeId(static_cast<std::int64_t>(i)), nodes_[order[i]].kind);
    all.nodes.push_back(names[order[i]]);
  }
  std::vector<std::optional<std::int64_t>> bandwidths;  // by handle
  for (const Cable& cable : cables_) {
    const bool terminal = nodes_[cable.a.node].kind != nodes_[cable.b.node].kind;
    builder.add_cable(numbers[cable.a.node], numbers[cable.b.node],
                      builder.link_class(terminal ? "terminal" : "link"));
    all.ports.push_back(cable.a.port);
    all.ports.push_back(cable.b.port);
    bandwidths.push_back(cable.bandwidth_Bps);
    bandwidths.push_back(cable.bandwidth_Bps);
  }
  topology::Facets facets;
  facets.names = std::make_shared<const topology::Names>(std::move(all));
  builder.set_facets(std::move(facets));
  std::vector<LinkId> ids;
  Topology built = std::move(builder).build(topology::file_expression(file), &ids);
  topology::FileSpeeds speeds;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!bandwidths[i]) continue;
    speeds.bandwidth_Bps.resize(ids.size());
    speeds.bandwidth_Bps[ids[i].index()] = bandwidths[i];
  }
  return {std::move(built), std::move(speeds)};
}

}  // namespace weft::format
