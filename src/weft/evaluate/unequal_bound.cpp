#include "weft/evaluate/unequal_bound.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "weft/analysis/byte_cuts.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/flow/exchange.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::evaluate {

namespace {

analysis::CrossingRule rule_of(CollectiveKind kind) {
  const schedule::CollectiveTraits& traits = schedule::traits_of(kind);
  WEFT_ASSERT(traits.splits());
  return traits.by_pair()           ? analysis::CrossingRule::pairs
         : traits.begins_with_own() ? analysis::CrossingRule::to_all
                                    : analysis::CrossingRule::from_all;
}

// Bytes times links of their shortest ways, over what all links carry per second.
double hops_s(const Collective& collective, const Network& network,
              const program::BlockSizes& blocks) {
  constexpr double kMostWork = 2e9;  // links looked at
  const Topology& topology = network.topology();
  const auto& places = network.placement().nodes;
  WEFT_ASSERT(collective.ranks <= network.ranks());
  WEFT_ASSERT(blocks.count() == std::int64_t{collective.ranks} * collective.ranks);
  if (static_cast<double>(topology.link_count()) * collective.ranks > kMostWork) return 0;
  double bytes = 0, bandwidth_Bps = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link))
      bandwidth_Bps += static_cast<double>(network.fabric().bandwidth_Bps(link));
  for (std::int64_t source = 0; source < collective.ranks; ++source) {
    TimeLimit::check();
    const auto distances = analysis::distances_from(topology, places[source]);
    for (std::int64_t to = 0; to < collective.ranks; ++to)
      bytes += static_cast<double>(blocks.size(source * collective.ranks + to)) *
               std::max(0, distances[places[to].index()]);
  }
  return bandwidth_Bps > 0 ? bytes / bandwidth_Bps : 0;
}

}  // namespace

UnequalBound unequal_bound(const Collective& collective, const Network& network,
                           const program::BlockSizes& blocks) {
  const Topology& topology = network.topology();
  WEFT_ASSERT(collective.ranks <= network.ranks());
  const std::span places = std::span(network.placement().nodes).first(collective.ranks);
  std::vector<std::int64_t> bandwidth_Bps, bytes;
  for (const LinkId link : topology.links())
    bandwidth_Bps.push_back(network.fabric().bandwidth_Bps(link));
  for (std::int64_t block = 0; block < blocks.count(); ++block) bytes.push_back(blocks.size(block));
  UnequalBound bound;
  if (const auto cut = analysis::byte_cut_bound(topology, places, bandwidth_Bps,
                                                {bytes, rule_of(collective.kind)}))
    bound = {cut->time_s, cut->text};
  if (!schedule::traits_of(collective.kind).by_pair()) return bound;
  if (const double time_s = hops_s(collective, network, blocks); time_s > bound.time_s)
    bound = {time_s, "hops of all bytes over all links"};
  // Where a cut says as much, to rounding, it says more.
  if (const auto flows = flow::exchange_time(topology, places, bandwidth_Bps, bytes);
      flows && flows->least_s > bound.time_s * (1 + 1e-9))
    bound = {flows->least_s, "optimum by flows"};
  return bound;
}

}  // namespace weft::evaluate
