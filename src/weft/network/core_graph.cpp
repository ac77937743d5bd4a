#include "weft/network/core_graph.hpp"

#include <bit>

namespace weft::network {

CoreGraph::CoreGraph(const Topology& topology, const Access& access)
    : core_of_(static_cast<std::size_t>(topology.node_count()), -1) {
  for (NodeId node : topology.nodes()) {
    if (access[node].leaf) continue;
    core_of_[node.index()] = node_count();
    transit_.push_back(!topology.has_switches() || !topology.is_host(node));
  }
  const auto n = transit_.size();
  first_out_.reserve(n + 1);
  first_in_.assign(n + 1, 0);
  for (NodeId node : topology.nodes()) {
    if (access[node].leaf) continue;
    first_out_.push_back(static_cast<std::int32_t>(heads_.size()));
    for (LinkId link : topology.out_links(node)) {
      const Core head = core_of(topology.head(link));
      if (head < 0) continue;
      heads_.push_back(head);
      links_.push_back(link);
      ++first_in_[static_cast<std::size_t>(head) + 1];
    }
    max_out_degree_ =
        std::max(max_out_degree_, static_cast<std::int32_t>(heads_.size()) - first_out_.back());
  }
  first_out_.push_back(static_cast<std::int32_t>(heads_.size()));

  for (std::size_t u = 0; u < n; ++u) first_in_[u + 1] += first_in_[u];
  std::vector<std::int32_t> fill(first_in_.begin(), first_in_.end() - 1);
  in_tails_.resize(heads_.size());
  in_edges_.resize(heads_.size());
  for (Core u = 0; u < node_count(); ++u) {
    for (std::int32_t edge = first_out(u); edge < first_out(u + 1); ++edge) {
      const auto at = static_cast<std::size_t>(fill[head(edge)]++);
      in_tails_[at] = u;
      in_edges_[at] = edge;
    }
  }
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
}

}  // namespace weft::network
