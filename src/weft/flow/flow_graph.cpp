#include "weft/flow/flow_graph.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/graph/sense.hpp"

namespace weft::flow {

namespace {

struct Arc {
  Int tail, head;
  std::int64_t capacity;
  Int link;
};

// One arc for each pair of neighbours; the capacities of parallel links add up.
void add_arcs(FlowGraph& graph, std::vector<Arc> links) {
  std::stable_sort(links.begin(), links.end(), [](const Arc& a, const Arc& b) {
    return std::tie(a.tail, a.head) < std::tie(b.tail, b.head);
  });
  auto link = links.begin();
  for (Int node = 0; node < graph.nodes; ++node) {
    for (; link != links.end() && link->tail == node; ++link) {
      const bool parallel = link != links.begin() && std::prev(link)->tail == node &&
                            std::prev(link)->head == link->head;
      if (!parallel) {
        graph.tail.push_back(node);
        graph.heads.add(link->head);
        graph.capacity.push_back(0);
      }
      graph.capacity.back() += link->capacity;
      graph.arc_of_link[link->link] = graph.arcs() - 1;
    }
    graph.heads.end_row();
  }
  graph.in_arcs = graph::rows_by<Int>(
      graph.nodes, graph.arcs(), [&](Int e) { return graph.head(e); }, [](Int e) { return e; });
}

// The first host that the first host does not reach (or is not reached from), -1 when there is
// none.
Int first_unreached(const FlowGraph& graph, graph::Sense sense) {
  const graph::BreadthFirst search(graph.nodes, graph.hosts[0], [&](Int node, auto&& reach) {
    if (sense == graph::Sense::along)
      std::ranges::for_each(graph.heads[node], reach);
    else
      for (const Int e : graph.in_arcs[node]) reach(graph.tail[e]);
  });
  for (const Int host : graph.hosts)
    if (!search.reached(host)) return host;
  return -1;
}

void require_connected(const FlowGraph& graph, const Topology& topology) {
  const bool idle = topology.has_switches() && graph.hosts.size() < topology.hosts().size();
  const auto refuse = [&](Int from, Int to) {
    reject(
        "host {} does not reach host {}{}, so nothing can be sent between every pair; {}", from, to,
        idle ? ", and hosts without a rank do not forward" : "",
        idle ? "place ranks on the hosts between them, too" : "use a strongly connected network");
  };
  const Int to = first_unreached(graph, graph::Sense::along);
  if (to >= 0) refuse(graph.hosts[0], to);
  const Int from = first_unreached(graph, graph::Sense::against);
  if (from >= 0) refuse(from, graph.hosts[0]);
}

std::vector<Arc> arcs_of(const Topology& topology, std::span<const std::int64_t> capacity) {
  std::vector<Arc> arcs;
  std::int64_t divisor = 0;
  for (const LinkId link : topology.links()) {
    const std::int64_t of_link = capacity.empty() ? 1 : capacity[link.index()];
    require(of_link > 0, "link {} has capacity {} (capacities must be positive)", link.value(),
            of_link);
    divisor = std::gcd(divisor, of_link);
    if (topology.tail(link) != topology.head(link))
      arcs.push_back(
          {topology.tail(link).value(), topology.head(link).value(), of_link, link.value()});
  }
  for (Arc& arc : arcs) arc.capacity /= divisor;
  return arcs;
}

// From ranks by node.
void find_hosts(FlowGraph& graph) {
  for (Int node = 0; node < graph.nodes; ++node)
    if (graph.is_host(node)) graph.hosts.push_back(node);
}

}  // namespace

FlowGraph flow_graph(const Topology& topology, std::span<const std::int64_t> capacity,
                     std::span<const NodeId> places) {
  WEFT_ASSERT(capacity.empty() ||
              capacity.size() == static_cast<std::size_t>(topology.link_count()));
  FlowGraph graph;
  graph.nodes = topology.node_count();
  graph.ranks.assign(graph.nodes, 0);
  for (const NodeId place : places.empty() ? topology.hosts() : places)
    ++graph.ranks[place.value()];
  find_hosts(graph);
  require(!graph.hosts.empty(),
          "{} has only switches, and no host that sends; attach hosts: \"hosts(1, {})\"",
          topology.name(), topology.name());
  require(graph.hosts.size() >= 2 || !places.empty(),
          "{} has one host, but all-to-all needs at least two", topology.name());
  require(graph.hosts.size() >= 2,
          "all ranks are on host {}, so no message crosses a link; place the ranks on at least "
          "two hosts",
          graph.hosts[0]);
  std::vector<Arc> arcs = arcs_of(topology, capacity);
  for (const Arc& arc : arcs) graph.unit = std::max(graph.unit, arc.capacity);
  if (topology.has_switches())
    std::erase_if(arcs, [&](const Arc& arc) {
      return std::ranges::any_of(std::array{arc.tail, arc.head}, [&](Int node) {
        return topology.is_host(NodeId(node)) && !graph.is_host(node);
      });
    });
  graph.arc_of_link.assign(topology.link_count(), -1);
  add_arcs(graph, std::move(arcs));
  require_connected(graph, topology);
  return graph;
}

FlowGraph contracted(const FlowGraph& graph, std::span<const Int> part, Int parts) {
  WEFT_ASSERT(std::ssize(part) == graph.nodes && parts >= 1);
  FlowGraph result;
  result.nodes = parts;
  result.unit = graph.unit;
  result.ranks.assign(parts, 0);
  for (Int node = 0; node < graph.nodes; ++node) result.ranks[part[node]] += graph.ranks[node];
  find_hosts(result);
  std::vector<Arc> between;
  for (Int e = 0; e < graph.arcs(); ++e)
    if (const Int tail = part[graph.tail[e]], head = part[graph.head(e)]; tail != head)
      between.push_back({tail, head, graph.capacity[e], e});
  result.arc_of_link.assign(graph.arcs(), -1);
  add_arcs(result, std::move(between));
  return result;
}

}  // namespace weft::flow
