// How much of the data each of several trees should have.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/algorithm/trees/in_network/switch_graph.hpp"
#include "weft/algorithm/trees/in_network/switch_trees.hpp"

namespace weft::algorithm::trees {

/// Trees of which each has an equal share of the data; those that come more than once have more.
struct LaidTrees {
  std::vector<SwitchTree> trees;
  Rational busiest;  // seconds for a byte of data that the busiest cable takes
};

/// `most` trees at most, of the known ones and of others that are found, whose busiest cable is
/// busy as little as may be: a linear program says which shares are best, and prices of cables for
/// which further trees are looked for. Precondition: its cables join all ends.
/// O(rounds * (switches^2 * cables + a linear program of cables and trees)).
LaidTrees shared_trees(const SwitchGraph& graph, const Cables& cables,
                       std::vector<SwitchTree> known, std::int64_t most);

}  // namespace weft::algorithm::trees
