// The front door of the library: a network from the words that commands take.
//
//   const weft::Network network = weft::make_network("torus:4x4", {.link = "25Gbps,10us"});
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "weft/network/network.hpp"

namespace weft {

/// Texts as the options of weft simulate have them (docs/reference/model-options.md); an empty one
/// says nothing, but for machine and routing.
struct NetworkOptions {
  std::string link = {};         // --link: "25Gbps,10us", or "CLASS=25Gbps,10us;CLASS=..."
  std::string latency = {};      // --latency, of links without one of their own
  std::string startup = {};      // --alpha, of each message
  std::string routing = "auto";  // --routing
  std::string placement = {};    // --placement; empty: linear
  std::string hosts = {};        // --hosts: "0-7,12"; empty: all
  std::int64_t ranks = 0;        // 0: one for each host
  /// A profile of weft list machines, or a file. "ideal": only links cost time, 100 Gb/s and 1 us.
  std::string machine = "ideal";
  std::uint64_t seed = 1;  // of random routings and placements
  /// Other options of networks, ranks and hosts by their names without dashes:
  /// {{"per-host", "4"}, {"copy-bandwidth", "10GBps"}}.
  std::map<std::string, std::string, std::less<>> others = {};
};

/// Builds the topology and places ranks on it. Throws InvalidInput. Costs what build_topology()
/// costs, and the tables of the routing.
Network make_network(const std::string& topology, const NetworkOptions& options = {});

}  // namespace weft
