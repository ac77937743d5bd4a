#include "arcs.hpp"

#include <algorithm>
#include <numeric>

namespace weft::algorithm::bfb {

namespace {

bool has_repeats(std::span<const std::int32_t> sources) {
  std::vector<std::int32_t> sorted(sources.begin(), sources.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

}  // namespace

Arcs::Arcs(const Fabric& fabric, Flow flow) : flow_(flow) {
  const Topology& topology = fabric.topology();
  first_.push_back(0);
  for (const NodeId node : topology.nodes()) {
    const auto add = [&](LinkId link, NodeId from) {
      if (from == node) return;
      arcs_.push_back({from.value(), link, fabric.bandwidth_Bps(link)});
      sources_.push_back(from.value());
      unit_Bps_ = std::gcd(unit_Bps_, fabric.bandwidth_Bps(link));
    };
    if (flow == Flow::along)
      for (const LinkId link : topology.in_links(node)) add(link, topology.tail(link));
    else
      for (const LinkId link : topology.out_links(node)) add(link, topology.head(link));
    const std::int32_t degree = static_cast<std::int32_t>(arcs_.size()) - first_.back();
    largest_degree_ = std::max(largest_degree_, degree);
    first_.push_back(static_cast<std::int32_t>(arcs_.size()));
    has_parallel_ = has_parallel_ || has_repeats(sources(node.value()));
  }
  unit_Bps_ = std::max<std::int64_t>(unit_Bps_, 1);
  for (Arc& arc : arcs_) {
    arc.capacity /= unit_Bps_;
    uniform_ = uniform_ && arc.capacity == 1;
  }
}

}  // namespace weft::algorithm::bfb
