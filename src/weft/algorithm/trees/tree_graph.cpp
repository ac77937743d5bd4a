#include "tree_graph.hpp"

#include "weft/algorithm/grids/linear_placement.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/branchings.hpp"

namespace weft::algorithm::trees {

Growth growth_of(CollectiveKind kind) {
  const bool collects = kind == CollectiveKind::reduce || kind == CollectiveKind::gather ||
                        kind == CollectiveKind::reduce_scatter;
  return collects ? Growth::incoming : Growth::outgoing;
}

TreeGraph::TreeGraph(const Topology& topology, Growth growth)
    : growth_(growth), links_(topology.link_count()) {
  const bool switched = topology.has_switches();
  require(!switched || topology.switches().back().index() + 1 == topology.switches().size(),
          "the switches of {} are not its first nodes, which trees over switches need",
          topology.name());
  const auto counts = [&](NodeId node) { return !switched || !topology.is_host(node); };
  const auto add = [&](NodeId from, NodeId to, LinkId link) {
    if (from != to && counts(to)) arcs_.add({to.value(), link});
  };
  std::vector<NodeId> joined_by(topology.node_count(), NodeId(topology.node_count()));
  for (const NodeId node : topology.nodes()) {
    if (!counts(node)) continue;
    if (growth == Growth::outgoing)
      for (const LinkId link : topology.out_links(node)) add(node, topology.head(link), link);
    else
      for (const LinkId link : topology.in_links(node)) add(node, topology.tail(link), link);
    arcs_.end_row();
    for (const Arc& arc : arcs_[arcs_.size() - 1]) {
      NodeId& last = joined_by[arc.node];
      has_parallel_ = has_parallel_ || last == node;
      last = node;
    }
  }
}

std::optional<std::string> tree_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const Topology& topology = context.network->topology();
  const std::int64_t nodes =
      topology.has_switches() ? std::ssize(topology.switches()) : topology.node_count();
  if (!rank_is_node(*context.network, nodes))
    return "it needs rank r on node r, or on the only host of its switch";
  for (const Growth growth : {Growth::outgoing, Growth::incoming}) {
    const TreeGraph graph(topology, growth);
    if (!shortest_tree(graph, 0)) return "it needs a path from every node to every other";
    if (graph.has_parallel() && topology.has_switches())
      return "it needs one link between two switches, not parallel ones";
  }
  return std::nullopt;
}

std::optional<Tree> shortest_tree(const TreeGraph& graph, std::int32_t root) {
  WEFT_ASSERT(root >= 0 && root < graph.nodes());
  const auto nodes = static_cast<std::size_t>(graph.nodes());
  Tree tree{root, std::vector<Branch>(nodes)};
  std::vector<bool> joined(nodes, false);
  std::vector<std::int32_t> order{root};
  joined[root] = true;
  tree.branches[root] = {root, LinkId(0), -1};
  for (std::size_t i = 0; i < order.size() && order.size() < nodes; ++i) {
    const std::int32_t step = tree.branches[order[i]].step + 1;
    for (const Arc& arc : graph.from(order[i])) {
      const auto node = static_cast<std::size_t>(arc.node);
      if (joined[node]) continue;
      joined[node] = true;
      tree.branches[node] = {order[i], arc.link, step};
      order.push_back(arc.node);
    }
  }
  if (order.size() < nodes) return std::nullopt;
  return tree;
}

std::vector<Tree> pack_trees(const TreeGraph& graph, std::int32_t root) {
  WEFT_ASSERT(root >= 0 && root < graph.nodes());
  graph::Rows<std::int32_t> heads;
  for (std::int32_t node = 0; node < graph.nodes(); ++node) {
    for (const Arc& arc : graph.from(node)) heads.add(arc.node);
    heads.end_row();
  }
  std::vector<Tree> packed;
  for (const graph::Branching& branching : graph::disjoint_branchings(heads, root)) {
    Tree& tree = packed.emplace_back(Tree{root, {}});
    for (const graph::Branch& branch : branching)
      tree.branches.push_back(
          {branch.parent, branch.depth < 0 ? LinkId(0) : graph.arcs().values()[branch.arc].link,
           branch.depth});
  }
  return packed;
}

namespace {

bool reaches_all(const TreeGraph& graph) {
  return shortest_tree(graph, 0).has_value();
}

/// Whether node 0 is reached by all: then, where it reaches all, everybody reaches everybody.
bool is_reached_by_all(const TreeGraph& graph) {
  std::vector<std::vector<std::int32_t>> tails(graph.nodes());
  for (std::int32_t node = 0; node < graph.nodes(); ++node)
    for (const Arc& arc : graph.from(node)) tails[arc.node].push_back(node);
  std::vector<bool> found(tails.size(), false);
  std::vector<std::int32_t> order{0};
  found[0] = true;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::int32_t tail : tails[order[i]]) {
      if (found[tail]) continue;
      found[tail] = true;
      order.push_back(tail);
    }
  return order.size() == tails.size();
}

}  // namespace

void require_spanned(const TreeGraph& graph, const Collective& collective,
                     const Topology& topology) {
  require(graph.nodes() == collective.ranks, "{} ranks do not match the {} nodes of {}",
          collective.ranks, graph.nodes(), topology.name());
  if (reaches_all(graph) && is_reached_by_all(graph)) return;
  for (std::int32_t root = 0; root < graph.nodes(); ++root)
    require((collective.rooted() && root != collective.root.value()) || shortest_tree(graph, root),
            "some nodes of {} and node {} cannot reach each other", topology.name(), root);
}

}  // namespace weft::algorithm::trees
