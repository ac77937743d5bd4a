// Nodes, links and cables as people call them, on command lines and in what without() removes.
//
//   const NodesByText nodes(topology);
//   nodes.find("leaf1");                              // as nodes.find("128") where it is node 128
//   cable_text(topology, LinkId(7));                  // "leaf1[19] - spine0[1]"
//   find_cable(nodes, "leaf1[19] - spine0[1]");       // the cable of link 7
#pragma once

#include <string>
#include <string_view>

#include "weft/topology/names.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A cable by its ends: "4~5", or by names and ports, where there are some, "leaf1[19] -
/// spine0[1]". Of several that read alike the second has "#2" behind it, and so on. find_cable()
/// finds it. O(links of its ends).
std::string cable_text(const Topology& topology, LinkId link);

/// Nodes by number or name. The topology must outlive it.
class NodesByText {
 public:
  explicit NodesByText(const Topology& topology) : topology_(&topology), names_(topology) {}

  const Topology& topology() const { return *topology_; }
  /// Throws InvalidInput, with the nearest names, for what is no node.
  NodeId find(std::string_view text) const;
  /// Whether a node has this name.
  bool has_name(std::string_view text) const { return names_.find(text).has_value(); }

 private:
  const Topology* topology_;
  NodeNames names_;
};

/// Whether a text names ends, as the functions below take it, in place of a number.
bool names_ends(std::string_view text);

/// The cable with these ends, "4~5", "leaf1 - spine0" or "leaf1[19] - spine0[1]"; "#2" behind it is
/// the second by number of those that fit, else it is the first. Throws InvalidInput where none
/// fits, saying to what nodes or in what ports the first end has cables.
CableId find_cable(const NodesByText& nodes, std::string_view text);
/// The same of links from the first end to the second.
LinkId find_link(const NodesByText& nodes, std::string_view text);

}  // namespace weft::topology
