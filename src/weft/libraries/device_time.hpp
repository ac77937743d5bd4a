// The time of a GPU library's choices: their terms put into a simulated network.
#pragma once

#include <map>
#include <string>

#include "weft/libraries/library.hpp"
#include "weft/libraries/part_schedules.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::libraries {

struct DeviceTime {
  double time_s = 0;
  bool modelled = false;  // by the library's own formula, where weft has no such schedule
};

/// Times choices on one network. All arguments outlive it.
class DeviceTimer {
 public:
  DeviceTimer(const Collective& collective, const Network& network, const NodeRanks& boxes,
              const simulation::SimulationOptions& options)
      : collective_(collective), network_(network), boxes_(boxes), options_(options) {}

  /// Runs the choice's schedule with the rates and latencies of its terms in place of the network's
  /// own. Precondition: choice.device.
  DeviceTime time(const LibraryChoice& choice, const LibraryCall& call);

 private:
  double simulated_s(const schedule::Schedule& schedule, const Network& network,
                     std::int64_t size_B) const;
  std::vector<std::vector<Rank>> rings(const GpuBoxes& gpus) const;
  double slowdown(const LibraryChoice& choice, const LibraryCall& call);
  double slowdown_of_trees(const DeviceTerms& terms, const LibraryCall& call) const;
  double slowdown_of_rings(const DeviceTerms& terms, LibraryCall call) const;

  const Collective& collective_;
  const Network& network_;
  const NodeRanks& boxes_;
  const simulation::SimulationOptions& options_;
  // By the choice's name, and its rate where cards limit that.
  std::map<std::pair<std::string, double>, double> slowdowns_;
};

}  // namespace weft::libraries
