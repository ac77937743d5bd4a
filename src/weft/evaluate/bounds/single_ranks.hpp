// What a program takes at least, where each rank's messages meet no other rank's.
//
// A rank enters a step when its own sends and receives of the step before are done. Nothing makes
// these sooner done than having all links for themselves: a message takes its latency and its bytes
// at its narrowest link; all that a rank sends over one cable of its own in a step, or receives
// over one, takes the least latency among them and all their bytes. And no link is through before
// its first message came and all that it carries passed. A rank's processor does its work one thing
// after the other (processor_work.hpp): it packs and starts messages in their order, and sums those
// that came, the first one first.
//
// O(links of all messages), where a simulation solves for the rates at each event; of a symmetric
// program O(links of what its representatives send).
#pragma once

#include <cstdint>

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::evaluate {

/// How messages are taken to go.
enum class SingleRankWays : std::uint8_t {
  routed,    // as the network routes them
  one_link,  // over one link of the least latency, as wide as all of a node: O(messages + links)
};

struct SingleRanksTime {
  double time_s = 0;      // not more than simulate() says; 0 where messages are too many
  std::int64_t work = 0;  // that it took, see simulation::SimulationOptions::most_work
};
/// Precondition: simulation::Shortcut::single_ranks covers what the simulation is asked for.
SingleRanksTime single_ranks_time(const program::Program& program, const Network& network,
                                  SingleRankWays ways = SingleRankWays::routed);

}  // namespace weft::evaluate
