// Options of what else happens on the network while a job runs: background traffic, a second job.
#pragma once

#include <string>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/simulation/background.hpp"

namespace weft::cli {

/// Background traffic; and --beside, the algorithm of a second job.
void add_traffic_options(Command command, GivenFields& said, std::string& beside);

/// The network for a second job: as many ranks, on hosts drawn at random from those that the first
/// leaves free. Throws InvalidInput when there are too few.
Network beside(const Network& first, std::uint64_t seed);

/// What the background traffic saw, of an answer.
struct UsedBackground {
  const GivenFields& said;
  const simulation::TrafficStatistics& statistics;
};
answer::Parts<UsedBackground> background_parts();

}  // namespace weft::cli
