// Steps whose messages are alike.
//
// The idea. In an all-to-all in one step on a fat tree every host does what every other does, and
// of a quarter of a million messages there are but three kinds: those within a leaf, within a pod,
// and across. Part the messages and the links into classes such that
//
//   - messages of a class have one length and one latency, and cross as many links of each class,
//     with the same shares;
//   - links of a class have one capacity, and carry as much of each class of messages.
//
// Messages that are of one class begin together, and rates that are equal within classes and
// max-min fair among them are so among all: a message's bottleneck is full, and no message on it
// has more, exactly where that holds for its class. The max-min fair rates being unique, they are
// these, so that messages of a class also end together. It is thus enough to follow one message a
// class over one link a class, on which class v takes what all of v put on such a link.
//
// The classes are found by refining: each message's colour takes in those of its links, each
// link's those of its messages, until no class splits (the coarsest equitable partition). Colours
// are 64-bit sums; the conditions are checked on what they give.
//
// Cost: O(rounds * sum of route lengths) a step, with two or three rounds on regular networks,
// where the full simulation has events and rates for each message.
#pragma once

#include <optional>

#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// The result of simulate_fluid, to rounding, where all agents begin each step together and the
/// messages of each step are of few classes; nothing otherwise, or where hosts do more than send
/// (start-ups, ports, copies, reductions), or for other readings than lockstep and per-rank.
std::optional<SimulationResult> simulate_alike(const Program& program, const Network& network,
                                               const SimulationOptions& options);

}  // namespace weft::simulation
