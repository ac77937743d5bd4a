// What the rows of a grid need to know of a topology without keeping it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "weft/fields/value.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/placement.hpp"

namespace weft::fields {

struct TopologyFacts {
  std::string name;        // the canonical expression; that of the file where it gives speeds
  std::uint64_t hash = 0;  // of the graph
  std::string classes;     // names of the link classes, joined: the hash has their ids only
  std::int64_t nodes = 0, hosts = 0;
  std::string routing = {};  // that `auto` stands for
  /// By routing of which packets choose their links somewhere: that by which they do here (see
  /// hop_routing), empty where they follow its paths.
  std::map<std::string, std::string, std::less<>> hops = {};
  std::optional<std::uint32_t> speeds;  // checksum of the speeds that files in it give
  std::optional<std::uint32_t> tables;  // likewise of forwarding tables
  std::optional<std::uint32_t> names;   // and of the nodes' names
};

struct PlacementFacts {
  std::int64_t ranks = 0;
  std::optional<std::uint32_t> content;  // checksum of its file
  std::string hosts = {};                // numbers of those that ranks may take; empty: all
};

/// Whether a topology or placement is read from a file, wholly or in part.
bool names_file(std::string_view text);

/// The checksum of the policy's file; nothing where it has none. Throws InvalidInput.
std::optional<std::uint32_t> content_of_placement(std::string_view policy);

/// Builds each topology once, while rows of one follow each other, and reads each placement file
/// once.
class FactsOfNetworks {
 public:
  /// Throws InvalidInput.
  const TopologyFacts& topology(const std::string& expression);
  /// The ranks that the row's fields place on the row's topology; a file of hosts is read once.
  /// Throws InvalidInput.
  const PlacementFacts& placement(const Values& parameters);
  /// The rank on the host that the row names in this field, "root"; its placement is resolved.
  /// Throws InvalidInput.
  std::int64_t rank_called(const Values& parameters, const std::string& field);
  /// Links of a shortest path between two hosts, about: the mean over the ways from some hosts to
  /// all. Throws InvalidInput.
  double mean_links(const std::string& expression);
  /// Keeps the last one: the reference holds until another expression is named here or above.
  /// Throws InvalidInput.
  const BuiltTopology& built(const std::string& expression);

 private:
  std::map<std::string, TopologyFacts, std::less<>> topologies_;
  std::map<std::string, PlacementFacts, std::less<>> placements_;
  std::map<std::string, double, std::less<>> mean_links_;
  struct Placed {
    std::string key;
    Topology topology;
    Placement placement;
  };
  std::optional<Placed> placed_;  // the last one whose hosts were named
  struct LastBuilt {
    std::set<std::string, std::less<>> names;  // expressions of it
    BuiltTopology topology;
  };
  std::optional<LastBuilt> built_;
};

}  // namespace weft::fields

namespace weft {
using fields::FactsOfNetworks;
using fields::TopologyFacts;
}  // namespace weft
