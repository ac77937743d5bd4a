// What collectives take at least on any network of as many nodes with as many links each.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/size_factors.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

/// How the latency of ways counts: not at all where a throughput is taken, beside the data, or
/// before it as by the formula.
enum class Latency : std::uint8_t { left_out, beside, before };

/// Gives prices, which are alike but for their sizes, their time on any network; nothing where the
/// group is not all of a network without switches. By Moore: a node reaches at most d^k others in k
/// links, so that some way and all ways on average have a length (one-way links, which no two-way
/// ones beat); and by the ports, with what each rank sends or receives at least. `best` are the
/// factors by message size at best.
void bound_for_any_network(std::vector<GroupPrice>& prices, const Collective& collective,
                           const Network& group, Latency latency,
                           const simulation::SizeFactor& best = {});

}  // namespace weft::training
