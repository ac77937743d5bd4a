// Levels as rows: hosts below, what they hang on above; boxes' own switches below their hosts.
#include <algorithm>

#include "layout.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"

namespace weft::report {

namespace {

constexpr int kBelow = -1;

// Links from the nearest host; hosts are level 0.
IdVector<NodeId, int> levels_of(const Topology& topology) {
  std::vector<std::int32_t> hosts;
  for (const NodeId host : topology.hosts()) hosts.push_back(host.value());
  IdVector<NodeId, int> level =
      graph::BreadthFirst(topology.node_count(), hosts, [&](std::int32_t at, auto&& reach) {
        for (const LinkId link : topology.out_links(NodeId(at))) reach(topology.head(link).value());
        for (const LinkId link : topology.in_links(NodeId(at))) reach(topology.tail(link).value());
      }).distances();
  std::ranges::replace(level, graph::kUnreached, kBelow);
  return level;
}

// A switch that joins a few hosts and nothing else, while its hosts hang on others too: that of a
// box.
bool is_of_a_box(const Topology& topology, NodeId node) {
  for (const LinkId link : topology.out_links(node)) {
    const NodeId host = topology.head(link);
    if (!topology.is_host(host)) return false;
    bool elsewhere = false;
    for (const LinkId other : topology.out_links(host))
      elsewhere =
          elsewhere || topology.out_degree(topology.head(other)) > topology.out_degree(node);
    if (!elsewhere) return false;
  }
  return topology.out_degree(node) > 0;
}

// The mean place of a node's neighbours in a row that is placed.
double mean_place(const Topology& topology, NodeId node, const IdVector<NodeId, int>& level,
                  int row, const IdVector<NodeId, Point>& at) {
  double sum = 0;
  int count = 0;
  for (const LinkId link : topology.out_links(node))
    if (const NodeId other = topology.head(link); level[other] == row) {
      sum += at[other].x;
      ++count;
    }
  return count == 0 ? 0 : sum / count;
}

void spread(const std::vector<NodeId>& row, double width, double y, IdVector<NodeId, Point>& at) {
  const double step = width / static_cast<double>(row.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    at[row[i]] = {(static_cast<double>(i) + 0.5) * step, y};
}

// Hosts beside those that share a switch with the fewest hosts.
void order_hosts(const Topology& topology, std::vector<NodeId>& hosts) {
  IdVector<NodeId, std::int32_t> key(topology.node_count(), 0);
  for (const NodeId host : hosts) {
    std::int32_t best = -1;
    for (const LinkId link : topology.out_links(host)) {
      const NodeId other = topology.head(link);
      if (topology.is_host(other)) continue;
      if (best < 0 || topology.out_degree(other) < topology.out_degree(NodeId(best)))
        best = other.value();
    }
    key[host] = best;
  }
  std::stable_sort(hosts.begin(), hosts.end(), [&](NodeId a, NodeId b) { return key[a] < key[b]; });
}

}  // namespace

std::optional<PlacedNodes> place_in_rows(const Topology& topology) {
  if (!topology.has_switches()) return std::nullopt;
  IdVector<NodeId, int> level = levels_of(topology);
  for (const NodeId node : topology.switches())
    if (is_of_a_box(topology, node)) level[node] = kBelow;
  const int highest = *std::max_element(level.begin(), level.end());
  for (const LinkId link : topology.links()) {
    const int from = level[topology.tail(link)], to = level[topology.head(link)];
    if (from == to) return std::nullopt;  // a level would hide the links within it
  }
  std::vector<std::vector<NodeId>> rows(highest + 2);
  for (const NodeId node : topology.nodes()) rows[level[node] + 1].push_back(node);
  std::size_t widest = 1;
  for (const auto& row : rows) widest = std::max(widest, row.size());
  const double width = static_cast<double>(std::max<std::size_t>(widest, 4));
  const double height = 0.5 * width / std::max(1, highest);

  PlacedNodes placed{.at = IdVector<NodeId, Point>(topology.node_count()), .bow = {}};
  order_hosts(topology, rows[1]);
  spread(rows[1], width, 0, placed.at);
  const auto place_row = [&](int row, int beside) {
    auto& nodes = rows[row + 1];
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
      return mean_place(topology, a, level, beside, placed.at) + 1e-9 <
             mean_place(topology, b, level, beside, placed.at);
    });
    spread(nodes, width, -row * height, placed.at);
  };
  for (int row = 1; row <= highest; ++row) place_row(row, row - 1);
  place_row(kBelow, 0);
  return placed;
}

}  // namespace weft::report
