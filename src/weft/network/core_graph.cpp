#include "weft/network/core_graph.hpp"

#include <bit>

#include "weft/base/error.hpp"

namespace weft::network {

CoreGraph::CoreGraph(const Fabric& fabric, const Access& access,
                     const topology::GroupsOfSwitches* groups)
    : core_of_(fabric.topology().node_count(), -1) {
  const Topology& topology = fabric.topology();
  const Passing passing(fabric);
  for (NodeId node : topology.nodes()) {
    if (access[node].leaf) continue;
    core_of_[node] = node_count();
    places_.push_back(passing[node]);
    nodes_.push_back(node);
  }
  std::vector<Core> tails;
  for (NodeId node : topology.nodes()) {
    if (access[node].leaf) continue;
    for (LinkId link : topology.out_links(node)) {
      const Core head = core_of(topology.head(link));
      if (head < 0) continue;
      heads_.add(head);
      links_.push_back(link);
      if (groups != nullptr)
        crosses_.push_back(groups->are_apart(node, topology.head(link)) ? 1 : 0);
      tails.push_back(core_of(node));
    }
    heads_.end_row();
    max_out_degree_ = std::max(max_out_degree_, heads_.length(heads_.size() - 1));
  }
  in_edges_ = graph::rows_by<InEdge>(
      node_count(), static_cast<std::int32_t>(links_.size()),
      [&](std::int32_t edge) { return head(edge); },
      [&](std::int32_t edge) {
        return InEdge{tails[edge], edge};
      });
}

void CoreGraph::sort_level(std::vector<Core>& level, std::vector<std::uint64_t>& bits) {
  if (level.size() < bits.size() / 8) {
    std::sort(level.begin(), level.end());
    return;
  }
  for (Core u : level) bits[static_cast<std::size_t>(u) / 64] |= std::uint64_t{1} << (u % 64);
  std::size_t count = 0;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
      level[count++] = static_cast<Core>(word * 64) + std::countr_zero(rest);
    bits[word] = 0;
  }
  WEFT_ASSERT(count == level.size());  // a level has each node once
}

}  // namespace weft::network
