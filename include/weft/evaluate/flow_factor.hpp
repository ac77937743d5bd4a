// What the paths of an optimal flow may bring an all-to-all to, without making them.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/evaluate/evaluation.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/network/network.hpp"

namespace weft::evaluate {

/// The throughput between all ranks: exact on a Cayley network, which takes no time there, and
/// within 1 % on others. Throws InvalidInput as flow::all_to_all_throughput().
flow::Throughput quick_throughput(const Network& network);

/// T_B that an all-to-all has at least, over any paths and in any shares. Nothing for other
/// collectives, where `flow` does not fit, and above kMostRanksOfThroughput ranks.
std::optional<double> least_flow_factor(const Collective& collective, const Network& network);

/// Lower bound on the seconds of an all-to-all of --size that sends each pair a message of its
/// own and has at least this T_B: the first byte
/// leaves after a start-up, and the last message of a rank after as many as there are ranks on
/// other hosts, where each message has a start-up.
double least_flow_s(double bandwidth_factor, const Collective& collective, const Network& network,
                    std::int64_t size_B);

}  // namespace weft::evaluate
