#include "weft/simulation/fluid/flow_path.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/topology/cables.hpp"

namespace weft::simulation {

namespace {

constexpr double kWeightB = 8775;       // network/weight-S of the model SMPI
constexpr double kShareBack = 1. / 20;  // of a flow, on the way back

IdVector<LinkId, LinkId> carriers_of_cables(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  IdVector<LinkId, LinkId> carriers;
  for (const LinkId link : topology.links()) {
    const LinkId back = topology.reverse(link).value_or(link);
    require(fabric.bandwidth_Bps(link) == fabric.bandwidth_Bps(back),
            "the cable of {} cannot be shared, because its directions differ in bandwidth; use "
            "duplex cables, or give both directions the same bandwidth",
            topology::cable_text(topology, link));
    carriers.push_back(std::min(link, back));
  }
  return carriers;
}

}  // namespace

FlowPaths::FlowPaths(const Network& network, const SimulationOptions& options)
    : network_(network),
      fabric_(network.fabric()),
      sharing_(options.sharing),
      own_links_alone_(own_links_alone(options)) {
  if (options.cables == Cables::shared) carriers_ = carriers_of_cables(fabric_);
  for (const LinkId link : fabric_.topology().links())
    reference_s_ = std::max(reference_s_, penalty_s(link));
}

FlowPath FlowPaths::of(const LoadedStep& step, std::int32_t transfer) {
  WEFT_ASSERT(step.on_network(transfer));
  const auto links = step.links(transfer);
  const MessageLoads loads = step.loads(transfer);
  if (own_links_alone_ && loads.whole()) return {links, {}, weight(step, transfer)};
  links_.clear();
  shares_.clear();
  for (std::size_t j = 0; j < links.size(); ++j) add(links[j], loads[j]);
  if (sharing_ == Sharing::smpi) add_way_back(step, transfer);
  WEFT_ASSERT(links_.size() == shares_.size());
  return {links_, shares_, weight(step, transfer)};
}

void FlowPaths::add_way_back(const LoadedStep& step, std::int32_t transfer) {
  const auto links = step.links(transfer);
  const auto shares = step.shares(transfer);
  const MessageLoads loads = step.loads(transfer);
  const auto other_way = [&](LinkId link) { return fabric_.topology().reverse(link); };
  if (std::ranges::all_of(links, [&](LinkId link) { return other_way(link).has_value(); })) {
    for (std::size_t j = 0; j < links.size(); ++j) add(*other_way(links[j]), kShareBack * loads[j]);
    return;
  }
  const auto [from, to] = step.ends(transfer);
  const network::Flow flow{to, from};
  back_.clear();
  network_.routing().route(std::span(&flow, 1), back_);
  // Factors by size are of the message, whatever the link.
  const double factor = loads[0] / (shares.empty() ? 1 : shares[0].to_double());
  const auto back_shares = back_.shares(0);
  for (std::size_t j = 0; j < back_.links(0).size(); ++j)
    add(back_.links(0)[j],
        kShareBack * factor * (back_shares.empty() ? 1 : back_shares[j].to_double()));
}

void FlowPaths::add(LinkId link, double share) {
  links_.push_back(carriers_.empty() ? link : carriers_[link]);
  shares_.push_back(share);
}

/// What a link adds to the inverse of a flow's weight.
double FlowPaths::penalty_s(LinkId link) const {
  const double latency_s = seconds(fabric_.latency_ps(link));
  if (sharing_ != Sharing::smpi) return latency_s;
  return latency_s + kWeightB / static_cast<double>(fabric_.bandwidth_Bps(link));
}

/// In units of that of the longest link, where it is not 1.
double FlowPaths::weight(const LoadedStep& step, std::int32_t transfer) const {
  if (sharing_ == Sharing::max_min || reference_s_ == 0) return 1;
  if (sharing_ == Sharing::rtt) {
    const std::int64_t latency_ps = step.latency_ps(transfer);
    require(latency_ps > 0,
            "sharing rtt cannot weigh a route without latency next to others with latency; give "
            "every link a latency, or none, or use sharing max-min");
    return reference_s_ / seconds(latency_ps);
  }
  const auto links = step.links(transfer);
  const auto shares = step.shares(transfer);
  double sum_s = 0;
  for (std::size_t j = 0; j < links.size(); ++j)
    sum_s += penalty_s(links[j]) * (shares.empty() ? 1 : shares[j].to_double());
  return reference_s_ / sum_s;
}

}  // namespace weft::simulation
