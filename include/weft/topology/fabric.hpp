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

/// Speed of the links that neither the user nor the topology's file gives one.
struct LinkDefault {
  LinkSpeed line = {};                 // what is printed on the cable, and the time that it takes
  std::int64_t switch_latency_ps = 0;  // time through the switch that the link leads to
  double payload =
      1;  // share of the line rate that carries data, in (0, 1]; of a file's rates, too

  friend bool operator==(const LinkDefault&, const LinkDefault&) = default;
};

/// Defaults by class of links, as a machine's profile has them.
struct LinkDefaults {
  LinkDefault all = {};
  std::map<std::string, LinkDefault, std::less<>> by_class = {};  // classes may be absent here

  const LinkDefault& of(std::string_view link_class) const {
    const auto own = by_class.find(link_class);
    return own == by_class.end() ? all : own->second;
  }
  friend bool operator==(const LinkDefaults&, const LinkDefaults&) = default;
};

/// What the user says of link speeds: `--link 100Gbps,1us --link global=4.7GBps,100ns`.
struct LinkOptions {
  std::optional<LinkSpeed> all;  // given by the user: overrides a file's speeds
  std::map<std::string, LinkSpeed, std::less<>> by_class;  // overrides `all`
  LinkDefaults defaults = {};                              // of what is left open
  std::optional<std::int64_t> latency_ps = {};  // by the user: of a file's links and the defaults
};

/// Reads "BW,LAT" or "CLASS=BW,LAT" into the options. Throws InvalidInput.
void parse_link_option(std::string_view text, LinkOptions& options);
/// Reads "BW,LAT,SWITCH,PAYLOAD" or "CLASS=BW,LAT,SWITCH,PAYLOAD", as 100Gbps,30ns,130ns,0.97, into
/// the defaults. Throws InvalidInput.
void parse_link_default(std::string_view text, LinkDefaults& defaults);
/// Writes them as parse_link_default() reads each part, separated by ';'.
std::string to_text(const LinkDefaults& defaults);

/// Where the bandwidths of a class of links are from; several where its links differ.
struct SpeedOrigins {
  bool option = false, file = false, by_default = false;
};

class Fabric {
 public:
  /// Gives every link its speed: the class's, else the user's, else the file's (of which the
  /// default's payload is left), else the default. A cable of class "nvlink-x4" bundles four links
  /// of class "nvlink", whose default serves it too. Where the file leaves its bandwidth open, it
  /// has four times that of one link: of a cable of one link in the file, else of the default. A
  /// default of class "nvlink" is that of all NVLinks of a GPU together. Throws InvalidInput for a
  /// class that the topology lacks (naming those it has).
  Fabric(const BuiltTopology& built, const LinkOptions& options = {});
  /// Every link alike.
  Fabric(Topology topology, LinkSpeed speed);

  const Topology& topology() const { return topology_; }
  std::int64_t bandwidth_Bps(LinkId link) const { return speeds_[link].bandwidth_Bps; }
  std::int64_t latency_ps(LinkId link) const { return speeds_[link].latency_ps; }
  LinkSpeed speed(LinkId link) const { return speeds_[link]; }
  SpeedOrigins origins(ClassId link_class) const { return origins_[link_class]; }

  /// B of the bandwidth factor: nominal degree times link bandwidth on a network of equal links
  /// without switches; on irregular or switched networks the largest egress of a host. Bytes per
  /// second.
  std::int64_t node_egress_Bps() const { return node_egress_Bps_; }

 private:
  Topology topology_;
  IdVector<LinkId, LinkSpeed> speeds_;
  IdVector<ClassId, SpeedOrigins> origins_;
  std::int64_t node_egress_Bps_ = 0;
};

}  // namespace weft::topology

namespace weft {
using topology::BuiltTopology;
using topology::Fabric;
using topology::LinkOptions;
using topology::LinkSpeed;
}  // namespace weft
