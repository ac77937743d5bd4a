// Even capacities: so much of each link that nodes which copy nothing let out all that comes in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {

struct EvenCapacities {
  std::vector<graph::CapacityArc> arcs;  // those of the carrier, none with more
  std::int64_t finer = 1;                // units of them in one of the carrier's
};

/// Whether with these arcs as much leaves each node that copies nothing as enters it.
bool is_even(const Carrier& carrier, const std::vector<graph::CapacityArc>& arcs);

/// Capacities lowered until the carrier is even, such that trees have the greatest rate: no trees
/// are faster whose ways pass such nodes, since what enters a node over ways leaves it. Nothing
/// where the fractions are not found, and of more than 20,000 arcs. A linear program grows by the
/// cuts that its vertices leave short, some ten times; each takes as many small flows as goals.
std::optional<EvenCapacities> even_capacities(const Carrier& carrier);

}  // namespace weft::flow
