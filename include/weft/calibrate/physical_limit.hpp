// Measurements that are faster than their network can be.
//
// A time below the bandwidth bound of the network is not of this network: a speed is stated wrong,
// the ranks ran elsewhere, the file is of other ranks, or switches summed. A fit to such a time
// gives links that are faster than their cables.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "weft/calibrate/calibration.hpp"
#include "weft/network/network.hpp"

namespace weft::calibrate {

/// Returns the same network with 10 TB/s on links whose speed neither the user nor a file states,
/// so that only stated speeds bound measurements.
BuiltTopology with_open_speeds(BuiltTopology built);

/// Returns what is wrong with the first row that takes less than 99 % of the time that the
/// bandwidth bound allows: file and line, the measured bandwidth and the bound. Nothing if all rows
/// are possible. Collectives have the bound of weft compare, in which hosts alone sum
/// (evaluate::lower_bounds()); messages that of the tightest cut between sender and receiver, and
/// of all that a node sends and receives at once. Throws InvalidInput where ranks do not reach each
/// other. Costs one cut bound a collective, and one a pair of nodes.
std::optional<std::string> faster_than_network(std::span<const PlacedTable> tables,
                                               const Network& network);

/// Returns what is wrong where collectives were taken for rings and a class of links was fitted
/// more than 101 % of its stated bandwidth: more links than a ring's carried the data. Nothing
/// otherwise. O(links).
std::optional<std::string> faster_than_links(const Calibration& calibration,
                                             std::span<const PlacedTable> tables,
                                             const Network& network);

}  // namespace weft::calibrate
