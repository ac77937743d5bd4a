// Step times: how long each step of a breadth-first allgather takes, the slowest node deciding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/graph/in_arcs.hpp"

namespace weft::graph {

/// U_t of steps t = 1, 2, ..., in blocks per unit of capacity: the maximum over the receivers of
/// the least time of their layer t. On all threads. O(receivers * arcs) for degrees to 8, and small
/// flows for each new set of classes above; O(nodes) memory a thread. Throws InvalidInput when some
/// node does not reach a receiver.
std::vector<Rational> step_times(const InArcs& arcs, std::span<const std::int32_t> receivers);

/// The same when blocks are cut into whole chunks, in chunks per unit of capacity.
std::vector<Rational> discrete_step_times(const InArcs& arcs,
                                          std::span<const std::int32_t> receivers,
                                          std::int64_t chunks);

/// The same with the arcs' delays, for blocks of `size` (delayed_balance.hpp): in the unit of the
/// delays. With `chunks` in whole ones, else cut at will.
std::vector<Rational> delayed_step_times(const InArcs& arcs,
                                         std::span<const std::int32_t> receivers,
                                         const Rational& size,
                                         std::optional<std::int64_t> chunks = {});

}  // namespace weft::graph
