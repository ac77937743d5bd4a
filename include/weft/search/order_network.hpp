// What a rank order is judged on: hosts on switches, and how far the switches are apart.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/search/order.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/passing.hpp"

namespace weft::search {

/// Distances and send times between the switches that hosts hang on. Where there are no switches,
/// each host is a switch of its own; where hosts hang on several (rails, several adapters), those
/// that hang on the same ones with equal links stand on one "switch" of theirs.
class OrderNetwork {
 public:
  /// Throws InvalidInput when there are no hosts, or when switches are too many (more than 2^13)
  /// for a table. O(switches * links) time, 18 bytes a pair of switches.
  explicit OrderNetwork(const Fabric& fabric);

  std::int32_t hosts() const { return static_cast<std::int32_t>(switch_of_.size()); }
  std::int32_t switches() const { return switches_; }
  /// The switch, in [0, switches()), of a host, in [0, hosts()).
  std::int32_t switch_of(std::int32_t host) const { return switch_of_[index(host)]; }
  /// Links between two switches, those of hosts to switches apart; 0 also between hosts that share
  /// one of several switches.
  /// Of those that do not reach each other, 65535.
  std::int32_t hops(std::int32_t from, std::int32_t to) const {
    return hops_[index(from) * index(switches_) + index(to)];
  }
  /// Seconds from the first byte's start to the last byte's arrival between two distinct hosts, no
  /// other message on the way: latencies of the route, terminal links included, and size over its
  /// least bandwidth.
  double send_s(std::int32_t from_host, std::int32_t to_host, std::int64_t size_B) const;
  /// Throws InvalidInput unless each of these hosts reaches the others; the name is the network's.
  /// O(hosts + switches^2).
  void require_connected(std::span<const std::int32_t> hosts, const std::string& name) const;
  /// Seconds per byte of all links that leave a host.
  double sending_seconds_per_byte(std::int32_t host) const {
    return sending_seconds_per_byte_[index(host)];
  }
  /// Switches that are one link away; none or one where hosts hang on several.
  const std::vector<std::int32_t>& neighbors(std::int32_t switch_index) const {
    return neighbors_[index(switch_index)];
  }

 private:
  struct Way {
    double latency_s = 0, seconds_per_byte = 0;
  };
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  static Way way_of(const Fabric& fabric, LinkId link);
  void make_tables(std::size_t switches, const Topology& topology);
  void add_single_attachments(const Fabric& fabric, IdSpan<NodeId, const NodeId> switch_of);
  void add_direct_hosts(const Fabric& fabric);
  void add_several_attachments(const Fabric& fabric);
  void add_ways_of_switches(const Fabric& fabric, std::span<const NodeId> switches);
  void add_ways_to_hosts(const Fabric& fabric, const topology::Passing& passing, std::int32_t place,
                         std::span<const std::vector<NodeId>> hosts_at);

  std::int32_t switches_ = 0;
  std::vector<std::int32_t> switch_of_;           // by host
  std::vector<Way> up_, down_;                    // terminal links, by host
  std::vector<double> sending_seconds_per_byte_;  // by host
  std::vector<std::uint16_t> hops_;               // switches x switches
  std::vector<Way> ways_;                         // switches x switches
  std::vector<std::vector<std::int32_t>> neighbors_;
};

/// The fabric with `delay_ps` added to every link that leaves a switch: what a message pays for
/// each switch on its way.
Fabric with_switch_delay(const Fabric& fabric, std::int64_t delay_ps);

/// Where a search starts: all hosts, or those of an allocation, each `cores` times.
struct OrderStart {
  std::string policy = "linear";         // linear | random | bfs | blocks | metis
  std::int32_t cores = 1;                // ranks that a host may hold
  std::uint64_t seed = 1;                // of random and metis
  std::vector<std::int32_t> hosts = {};  // allowed ones, each once, in the linear order; none: all
};

/// linear: host by host. random: a uniform shuffle. bfs: hosts by the distance of their switch from
/// the first. blocks: the hosts halved again and again breadth first, one half for each half of the
/// ranks, as the subtrees of a binomial tree want it. metis: the same halves with few links between
/// them, by METIS. Throws InvalidInput for another policy or cores out of range.
/// O(hosts * log^2 hosts), metis O(links * log hosts).
Order start_order(const OrderNetwork& network, const OrderStart& start);

/// These hosts first, then those left over of the allowed ones (none: of all), each `cores` times
/// in all. Throws InvalidInput when one stands more often or is not allowed: that is no
/// permutation.
Order order_from_hosts(const OrderNetwork& network, std::span<const std::int32_t> hosts,
                       std::int32_t cores, std::span<const std::int32_t> allowed = {});

}  // namespace weft::search
