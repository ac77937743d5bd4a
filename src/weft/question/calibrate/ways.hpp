// Ways: which links the messages of a table cross, and how many share them.
#pragma once

#include <span>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/question/calibrate/measured_table.hpp"

namespace weft::question {

/// Of the messages that are under way at once, by class of links.
struct Ways {
  std::vector<double> hops;  // of a message, on average
  std::vector<double> load;  // messages on the busiest link
  double starts = 1;         // messages that the busiest sender starts

  friend bool operator==(const Ways&, const Ways&) = default;
};

/// Of a table of pairs or of a ring whose rank r is on nodes[r]. Throws InvalidInput where two
/// ranks that exchange messages are on one node.
Ways ways_of(const MeasuredTable& table, std::span<const NodeId> nodes, const Network& network);

}  // namespace weft::question
