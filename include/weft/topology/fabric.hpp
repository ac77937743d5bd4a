// Fabric: a topology with the speed of each link.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/id_vector.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Bandwidth and latency of one kind of link, or of each link of a topology.
struct LinkSpeed {
  std::int64_t bandwidth_Bps = 12'500'000'000;  // bytes per second of each direction, > 0
  std::int64_t latency_ps = 1'000'000;          // picoseconds per hop, >= 0

  friend bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// Speeds that a topology's file gives; an entry is empty where the file says nothing.
struct FileSpeeds {
  IdVector<LinkId, std::optional<std::int64_t>> bandwidth_Bps;  // or empty
  IdVector<LinkId, std::optional<std::int64_t>> latency_ps;     // or empty

  bool empty() const { return bandwidth_Bps.empty() && latency_ps.empty(); }
};

/// What an expression evaluates to: a topology, and the speeds that files in it gave.
struct BuiltTopology {
  Topology topology;
  FileSpeeds speeds;
};

/// What the user says of link speeds: `--link 100Gbps,1us --link global=4.7GBps,100ns`.
struct LinkOptions {
  std::optional<LinkSpeed> all;  // given by the user: overrides a file's speeds
  std::map<std::string, LinkSpeed, std::less<>> by_class;  // overrides `all`
};

/// Reads "BW,LAT" or "CLASS=BW,LAT" into the options. Throws InvalidInput.
void parse_link_option(std::string_view text, LinkOptions& options);

class Fabric {
 public:
  /// Gives every link its speed: the class's, else the user's, else the file's, else the default of
  /// LinkSpeed. Throws InvalidInput for a class that the topology lacks (naming those it has).
  Fabric(const BuiltTopology& built, const LinkOptions& options = {});
  /// Every link alike.
  Fabric(Topology topology, LinkSpeed speed);

  const Topology& topology() const { return topology_; }
  std::int64_t bandwidth_Bps(LinkId link) const { return speeds_[link].bandwidth_Bps; }
  std::int64_t latency_ps(LinkId link) const { return speeds_[link].latency_ps; }
  LinkSpeed speed(LinkId link) const { return speeds_[link]; }

  /// B of the bandwidth factor: nominal degree times link bandwidth on a network of equal links
  /// without switches; on irregular or switched networks the largest egress of a host. Bytes per
  /// second.
  std::int64_t node_egress_Bps() const { return node_egress_Bps_; }

 private:
  Topology topology_;
  IdVector<LinkId, LinkSpeed> speeds_;
  std::int64_t node_egress_Bps_ = 0;
};

}  // namespace weft::topology

namespace weft {
using topology::BuiltTopology;
using topology::Fabric;
using topology::LinkOptions;
using topology::LinkSpeed;
}  // namespace weft
