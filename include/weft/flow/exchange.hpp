// What flows take at least to bring to each rank what each other rank has for it, where pairs have
// different amounts (throughput.hpp has the case of equal ones).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "weft/topology/topology.hpp"

namespace weft::flow {

struct ExchangeTime {
  double least_s = 0;  // proved by prices on links: no flows are faster
  double flows_s = 0;  // of the best flows, over any ways through all nodes
};

/// `bytes`: by source * N + destination, N the number of places. Nothing where the linear program
/// has more than `most_variables` flows (distinct places times links; 2,000 take some 0.05 s), or a
/// rank does not reach another that it has bytes for.
std::optional<ExchangeTime> exchange_time(const Topology& topology, std::span<const NodeId> places,
                                          std::span<const std::int64_t> bandwidth_Bps,
                                          std::span<const std::int64_t> bytes,
                                          std::int64_t most_variables = 2000);

}  // namespace weft::flow
