// The network as trees see it: arcs away from their roots, capacities without a common factor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/flow/rank_trees.hpp"

namespace weft::flow {

struct Carrier {
  std::int32_t nodes = 0;
  std::int64_t unit_Bps = 0;  // of capacities
  std::vector<graph::CapacityArc> arcs;
  std::vector<LinkId> links;  // of the arcs
  std::vector<graph::TreeRoot> roots;
  std::vector<std::int32_t> places;  // the ranks' nodes, ascending
  std::vector<std::int32_t> goals;   // of these, those to reach
  std::vector<char> kept;            // by node: whether it has a rank
  std::vector<char> passes;          // and whether it sends or passes on anything
};

Carrier carrier_of(const Fabric& fabric, const RankTreesQuestion& question);

/// Why it has no trees: ranks that do not reach each other (two are named), or all on one node;
/// nothing where it has. O(arcs).
std::optional<std::string> carrier_misfit(const Topology& topology, const Carrier& carrier,
                                          const RankTreesQuestion& question);

}  // namespace weft::flow
