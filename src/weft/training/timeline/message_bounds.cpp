#include "weft/training/timeline/message_bounds.hpp"

#include <algorithm>
#include <iterator>

#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/training/least.hpp"

namespace weft::training {

double MessageBounds::port_Bps(NodeId from, NodeId to) const {
  const auto sum_Bps = [&](auto links) {
    double sum = 0;
    for (const LinkId link : links)
      sum += static_cast<double>(network_.fabric().bandwidth_Bps(link));
    return sum;
  };
  const Topology& topology = network_.topology();
  return std::min(sum_Bps(topology.out_links(from)), sum_Bps(topology.in_links(to)));
}

double MessageBounds::of(const simulation::DrivenMessage& message) {
  const auto& nodes = network_.placement().nodes;
  WEFT_ASSERT(message.from >= 0 && message.from < std::ssize(nodes));
  WEFT_ASSERT(message.to >= 0 && message.to < std::ssize(nodes));
  const NodeId from = nodes[static_cast<std::size_t>(message.from)];
  const NodeId to = nodes[static_cast<std::size_t>(message.to)];
  if (from == to) return 0;
  auto found = distances_.find(from);
  if (found == distances_.end())
    found = distances_.emplace(from, analysis::distances_from(network_.topology(), from)).first;
  return with_startup_s(static_cast<double>(message.bytes) / port_Bps(from, to),
                        found->second[to.index()], network_, simulation_);
}

}  // namespace weft::training
