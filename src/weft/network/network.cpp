#include "weft/network/network.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"

namespace weft::network {

namespace {

constexpr Names<BlockLayout, 4> kLayouts{"layout", {"best", "rank-order", "combined", "kept"}};
constexpr Names<StartupPer, 2> kStartupPer{"value of --alpha-per", {"message", "step"}};

void check_host(const HostParameters& host) {
  for (const std::int64_t startup_ps : {host.startup_ps, host.startup_receive_ps})
    require(startup_ps >= 0, "a start-up of {} ps is negative; use 0 or more", startup_ps);
  for (const std::int64_t time_ps :
       {host.latency_ps, host.rendezvous.time_ps, host.launch_ps, host.skew_ps})
    require(time_ps >= 0,
            "a latency, rendezvous, launch or skew of {} ps is negative; use 0 or more", time_ps);
  require(host.ports >= 0, "{} ports are too few; use 1 or more, or 0 for any number", host.ports);
  require(host.copy_bandwidth_Bps >= 0 && host.reduce_bandwidth_Bps >= 0 &&
              host.large_copies.bandwidth_Bps >= 0 && host.large_reductions.bandwidth_Bps >= 0 &&
              host.first_touch.bandwidth_Bps >= 0 && host.eager_copies.bandwidth_Bps >= 0 &&
              host.exchanges.bandwidth_Bps >= 0,
          "the bandwidth of copies ({} B/s) or reductions ({} B/s) is negative; use 0 if it "
          "costs nothing",
          host.copy_bandwidth_Bps, host.reduce_bandwidth_Bps);
}

void check_placement(const Placement& placement, const Topology& topology) {
  require(placement.ranks() >= 1, "no ranks are placed (a network needs at least 1)");
  for (std::int32_t rank = 0; rank < placement.ranks(); ++rank) {
    const NodeId node = placement.nodes[rank];
    // Not require(), which would spell the topology's name for each rank.
    if (node.value() < 0 || node.value() >= topology.node_count())
      reject("rank {} is placed on node {}, but {} has {} nodes; use a placement for this network",
             rank, node.value(), topology.name(), topology.node_count());
    if (!topology.is_host(node))
      reject("rank {} is placed on node {}, a switch of {}; place ranks on hosts", rank,
             node.value(), topology.name());
  }
}

}  // namespace

std::int64_t EagerCopies::of(std::int64_t bytes) const {
  WEFT_ASSERT(bytes >= 0);
  if (bandwidth_Bps == 0 || bytes >= below_B) return 0;
  constexpr double kSecond_ps = 1e12, kMost_ps = 1e18;  // 12 days, so that sums do not overflow
  return std::llround(std::min(
      static_cast<double>(bytes) * kSecond_ps / static_cast<double>(bandwidth_Bps), kMost_ps));
}

std::string_view name_of(BlockLayout layout) {
  return kLayouts[layout];
}

BlockLayout parse_layout(std::string_view name) {
  return kLayouts.value(name);
}

std::string_view name_of(StartupPer per) {
  return kStartupPer[per];
}

StartupPer parse_startup_per(std::string_view name) {
  return kStartupPer.value(name);
}

double HostParameters::call_s(std::int32_t ranks) const {
  return static_cast<double>(launch_ps) * 1e-12 +
         static_cast<double>(skew_ps) * 1e-12 * std::log2(std::max(ranks, 1));
}

Network::Network(Fabric fabric, Placement placement, HostParameters host,
                 std::shared_ptr<const Routing> routing)
    : fabric_(std::move(fabric)),
      placement_(std::move(placement)),
      host_(host),
      routing_(std::move(routing)) {
  WEFT_ASSERT(routing_ != nullptr);
  check_host(host_);
  check_placement(placement_, topology());
  if (routing_->topology_hash() != topology().hash())
    reject("routing {} was made for a topology other than {}; make it for this one",
           routing_->name(), topology().name());
}

}  // namespace weft::network
