#include "weft/topology/families/double_binary_tree.hpp"

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// The parent among 1..last is the node with its lowest one moved up a place, or cleared where that
// is no node.
std::int64_t in_order_parent(std::int64_t node, std::int64_t last) {
  const std::int64_t lowest = node & -node;
  const std::int64_t above = (node ^ lowest) | (lowest << 1);
  return above <= last ? above : node ^ lowest;
}

// The node that tree 1 has at a place of tree 0.
std::int64_t node_at_second(std::int64_t place, std::int64_t last) {
  if (place == 0) return 0;
  if (last % 2 == 0) return last + 1 - place;
  return place == 1 ? last : place - 1;
}

}  // namespace

std::array<std::vector<std::int64_t>, 2> double_binary_tree_parents(std::int64_t nodes) {
  const std::int64_t last = nodes - 1;
  std::array<std::vector<std::int64_t>, 2> parents;
  for (auto& tree : parents) tree.resize(nodes);
  for (std::int64_t place = 1; place <= last; ++place) {
    const std::int64_t above = in_order_parent(place, last);
    parents[0][place] = above;
    parents[1][node_at_second(place, last)] = node_at_second(above, last);
  }
  return parents;
}

Topology double_binary_tree(int nodes) {
  require(nodes >= 2, "a double-binary-tree of {} is too small (needs 2 or more)",
          counted(nodes, "node"));
  Expression name{"double-binary-tree", std::to_string(nodes), {}};
  require_size(name.to_string(), nodes, 4.0 * (nodes - 1));
  TopologyBuilder builder(nodes);
  for (const auto& parent : double_binary_tree_parents(nodes))
    for (std::int64_t node = 1; node < nodes; ++node)
      builder.add_cable(NodeId(parent[node]), NodeId(node));
  return std::move(builder).build(std::move(name));
}

Family double_binary_tree_family() {
  return make_family(
      "double-binary-tree", "n",
      "The edges of two binary trees; leaves of one tree are inner nodes of the other",
      "double-binary-tree:12",
      [](const Parameters& parameters) { return double_binary_tree(parameters.integers(1)[0]); });
}

}  // namespace weft::topology
