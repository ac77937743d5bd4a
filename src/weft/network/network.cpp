#include "weft/network/network.hpp"

#include <utility>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"

namespace weft::network {

namespace {

constexpr Names<BlockLayout, 4> kLayouts{"unknown layout '{}'; {}",
                                         {"best", "rank-order", "combined", "kept"}};
constexpr Names<StartupPer, 2> kStartupPer{
    "a start-up per '{}' is unknown (each message pays it, or each step); {}", {"message", "step"}};

void check_host(const HostParameters& host) {
  for (const std::int64_t startup_ps : {host.startup_ps, host.startup_receive_ps})
    require(startup_ps >= 0, "a start-up of {} ps is negative; use 0 or more", startup_ps);
  require(host.ports >= 0, "{} ports are too few; use 1 or more, or 0 for any number", host.ports);
  require(host.copy_bandwidth_Bps >= 0 && host.reduce_bandwidth_Bps >= 0,
          "the bandwidth of copies ({} B/s) or reductions ({} B/s) is negative; use 0 where it is "
          "free",
          host.copy_bandwidth_Bps, host.reduce_bandwidth_Bps);
}

void check_placement(const Placement& placement, const Topology& topology) {
  require(placement.ranks() >= 1, "no ranks are placed (a network needs 1 or more)");
  for (std::int32_t rank = 0; rank < placement.ranks(); ++rank) {
    const NodeId node = placement.nodes[rank];
    // Not require(), which would spell the topology's name for each rank.
    if (node.value() < 0 || node.value() >= topology.node_count())
      reject("rank {} is placed on node {}, but {} has {} nodes; use a placement made for it", rank,
             node.value(), topology.name(), topology.node_count());
    if (!topology.is_host(node))
      reject("rank {} is placed on node {}, a switch of {}; place ranks on hosts", rank,
             node.value(), topology.name());
  }
}

}  // namespace

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
    reject("routing {} was made for another topology than {}; make it for this one",
           routing_->name(), topology().name());
}

}  // namespace weft::network
