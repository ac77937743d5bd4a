// Ways: which links the messages of a table cross, and how many share them.
#pragma once

#include <span>
#include <vector>

#include "weft/calibrate/measured_table.hpp"
#include "weft/network/network.hpp"

namespace weft::calibrate {

/// Of the messages that are under way at once, by class of links.
struct Ways {
  std::vector<double> hops;  // of a message, on average
  std::vector<double> load;  // messages on the busiest link
  double starts = 1;         // messages that the busiest sender starts

  friend bool operator==(const Ways&, const Ways&) = default;
};

/// The messages that are under way at once; those of a collective are a ring's.
std::vector<network::Flow> messages_of(const MeasuredTable& table, std::span<const NodeId> nodes);

/// The nodes of each group that runs the table's collective; of others one group of all.
std::vector<std::vector<NodeId>> groups_of(const MeasuredTable& table,
                                           std::span<const NodeId> nodes);

/// Rings that a collective of the table is taken for: of NCCL as many as each host has ranks where
/// the table names several hosts, one after the other, with equally many ranks; else one.
std::int32_t rings_of(const MeasuredTable& table, std::span<const NodeId> nodes);

/// Of a table of pairs or of a ring whose rank r is on nodes[r]. Messages between ranks of one node
/// count as nothing. Throws InvalidInput where all are such.
Ways ways_of(const MeasuredTable& table, std::span<const NodeId> nodes, const Network& network);

}  // namespace weft::calibrate
