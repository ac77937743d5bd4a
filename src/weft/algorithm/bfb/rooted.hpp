// Breadth-first trees of one root: broadcast, reduce, scatter, gather.
#pragma once

#include <optional>
#include <span>

#include "weft/algorithm/algorithm.hpp"

namespace weft::algorithm::bfb {

/// Precondition: a rooted collective, one rank on each node. Throws InvalidInput as bfb_schedule
/// does.
Schedule rooted_schedule(const Fabric& fabric, const Collective& collective,
                         std::span<const NodeId> node_of_rank,
                         const std::optional<Chunks>& chunks = {});

}  // namespace weft::algorithm::bfb
