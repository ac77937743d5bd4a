// Options of what else happens on the network while a job runs: background traffic, a second job.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "cli/options/options.hpp"
#include "weft/simulation/background.hpp"

namespace weft::cli {

struct TrafficChoice {
  std::string background = {};  // a traffic pattern; empty: none
  question::Texts said = {};    // of its messages
  std::string payload = {};
  std::string beside = {};  // algorithm of a second job; empty: none
};
/// --background, --background-size, --background-interval, --background-payload, --beside.
void add_traffic_options(CLI::App& app, TrafficChoice& choice);

simulation::BackgroundOptions make_background(const TrafficChoice& choice);

/// The network for a second job: as many ranks, on hosts drawn at random from those that the first
/// leaves free. Throws InvalidInput when there are too few.
Network beside(const Network& first, std::uint64_t seed);

Json json_of(const TrafficChoice& choice, const simulation::TrafficStatistics& background);

}  // namespace weft::cli
