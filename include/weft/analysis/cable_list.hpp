// The cables of a network as a list to wire it by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/analysis/economics.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::analysis {

/// CSV with a heading, a cable a line in the order of their numbers:
///
///   node_a,port_a,node_b,port_b,class,cable,link_ab,link_ba[,bandwidth_Bps,latency_ps]
///   [,length_m,rack_a,rack_b,medium][,kind_a,kind_b]
///
/// Port k of a node is its k-th link out, from 0; the far ends of one-way links have the ports
/// after those, in the order of the links, and no link_ba. Speeds stand where the topology's file
/// or the user gave any (empty for links without), those of link_ab; lengths, racks (from 0, row by
/// row of their grid) and the medium, "electrical" within a rack and "optical" between two, where
/// these are given; what the ends are, "host" or "switch", where the network has switches.
/// Throws InvalidInput for a layout of racks out of range. O(links).
std::string cable_list(const topology::BuiltTopology& built,
                       const std::optional<RackLayout>& layout = std::nullopt);

/// The same where panels of `panel_ports` ports each stand in the middle of the racks and join the
/// two ends of each cable: what is laid, two lines a cable, each from a node to a panel.
///
///   node,port,panel,panel_port,class,cable,length_m,rack,panel_rack
///
/// A panel joins the ends of panel_ports/2 cables, in the order of their numbers; panels and their
/// ports count from 0. Precondition: panel_ports >= 2. Throws as cable_list() does. O(links).
std::string panel_cable_list(const topology::Topology& topology, const RackLayout& layout,
                             std::int64_t panel_ports);

/// And what the panels join, a line a cable:
///
///   panel,panel_port_a,panel_port_b,node_a,port_a,node_b,port_b,cable
std::string circuit_list(const topology::Topology& topology, std::int64_t panel_ports);

}  // namespace weft::analysis
