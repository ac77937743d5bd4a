// Background traffic: messages of hosts that take no part in the job, for the packet model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/packet_engine.hpp"
#include "weft/simulation/traffic.hpp"

namespace weft::simulation {

/// Each host sends messages of one size, at intervals drawn from an exponential distribution, to
/// hosts by a traffic pattern among the idle hosts, numbered in order; what a pattern gives back to
/// its sender is left out.
struct BackgroundOptions {
  std::string traffic = {};            // a TrafficPattern; empty: none
  std::int64_t message_B = 1024;       // > 0
  std::int64_t interval_ps = 750'000;  // mean time between messages of a host, > 0
  std::int64_t payload_B = 0;          // that each host sends in all; 0: until the jobs are over
};

/// The hosts of the fabric that hold no rank of the placements, in order.
std::vector<NodeId> idle_hosts(const Topology& topology,
                               const std::vector<const std::vector<NodeId>*>& placements);

/// Sends until `over()` says that the jobs are done, or the payload is sent. Messages of a host
/// leave in the order in which they were made.
class BackgroundTraffic final : public PacketSource {
 public:
  /// Throws InvalidInput for a size, interval or pattern that makes no sense, for fewer than two
  /// idle hosts, and for a load above what links carry whatever the routing: a host's in or out, or
  /// all those of a class that must be crossed between parts of the network.
  BackgroundTraffic(PacketEngine& engine, const Fabric& fabric, std::vector<NodeId> hosts,
                    const BackgroundOptions& options, std::uint64_t seed,
                    std::function<bool()> over);

  SourceId id() const { return id_; }

  void begin() override;
  void wake(std::uint32_t host) override;

 private:
  double rate_Bps() const;  // of a host
  void check_hosts(const Fabric& fabric) const;
  void check_classes(const Fabric& fabric) const;
  Time gap(Rng& stream) const;

  PacketEngine& engine_;
  std::vector<NodeId> hosts_;
  BackgroundOptions options_;
  TrafficPattern pattern_;
  std::function<bool()> over_;
  std::vector<Rng> streams_;          // by host
  std::vector<std::int64_t> left_B_;  // by host, of the payload
  SourceId id_;
};

}  // namespace weft::simulation
