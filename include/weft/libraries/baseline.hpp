// LibraryBaseline: how long a library's own choices take on a network, by the simulator that times
// weft's algorithms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/libraries/library.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::libraries {

struct LibraryRow {
  std::int64_t size_B = 0;
  std::string algorithm;  // of weft, with those of all parts; empty where weft has none
  std::string native;     // in the library's words
  /// Nothing where weft has no such schedule, or simulating it takes more than the usual work.
  std::optional<double> time_s = {};
  bool stand_in =
      false;  // the algorithm sends about as the library's own, which weft does not have
  bool modelled = false;  // the time is that of the library's own cost model, not simulated
};

struct LibraryBaseline {
  std::string name, release;
  std::vector<LibraryRow> rows;  // in the order of the sizes that were asked for
  /// Whether its times and those of weft's algorithms count the same costs. A library of GPUs
  /// counts kernel launches and no sums; hosts without a launch are no GPUs.
  bool same_costs = true;
};

/// What the library knows of a call on the network, its size apart.
LibraryCall library_call(const Collective& collective, const Network& network,
                         const LibraryRules& rules);

/// What the rules choose at each size, timed. Throws InvalidInput where they have none for the
/// collective, and OutOfTime of a caller's TimeLimit. Cost: a simulation a row, fewer where sizes
/// share a schedule.
LibraryBaseline library_baseline(const LibraryRules& rules, const Collective& collective,
                                 const Network& network, std::span<const std::int64_t> sizes_B,
                                 const simulation::SimulationOptions& options);

}  // namespace weft::libraries
