// Programs whose messages are alike.
//
// The idea. In an all-to-all in one step on a fat tree every host does what every other does, and
// of a quarter of a million messages there are but three kinds: those within a leaf, within a pod,
// and across. Part the messages, links and agents into classes such that
//
//   - messages of a class have one step, length and latency, cross as many links of each class,
//     with the same shares, and go from agents of one class to agents of one class;
//   - links of a class have one capacity, and carry as much of each class of messages;
//   - agents of a class send and receive as many messages of each class.
//
// What an agent sums keeps its processor busy, one message after the other. It receives as many of
// each class as others of its own class do, so that they are done with them together.
//
// Let agents of a class be at the same place of their programs. Then what they send begins
// together, and rates that are equal within classes and max-min fair among them are so among all: a
// message's bottleneck is full, and no message on it has more, exactly where that holds for its
// class. The max-min fair rates being unique, they are these, so that messages of a class also end
// together, and agents of a class stay together. It is thus enough to follow one agent and one
// message a class over one link a class, on which class v takes what all of v put on such a link.
//
// As long as all agents begin each step together, as they do behind a barrier, one class of agents
// is enough and steps are parted one by one; where they do not, all steps are parted at once.
//
// In a pipelined program segment i does in step t + i * stride what the first does in step t, by
// the same ways. Its messages are thus of the same classes, by pairs of class and segment, each
// with lengths of its own: links and agents of a class see as many of each pair. So the first
// segment is parted, and the others are checked for lengths alone; not under routings that see
// whole steps.
//
// The classes are found by refining: each message's colour takes in those of its links and agents,
// each link's and agent's those of its messages, until no class splits (the coarsest equitable
// partition). Colours are 64-bit sums; the conditions are checked on what they give.
//
// Cost: O(rounds * sum of route lengths), with two or three rounds on regular networks, where the
// full simulation has events and rates for each message.
#pragma once

#include <optional>

#include "weft/simulation/shortcuts/uncontended.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// The result of simulate_fluid, to rounding, where messages are of few classes; nothing otherwise,
/// or with features that Shortcut::alike does not cover.
std::optional<SimulationResult> simulate_alike(const Program& program, const Network& network,
                                               const SimulationOptions& options, SunkWork& sunk);

}  // namespace weft::simulation
