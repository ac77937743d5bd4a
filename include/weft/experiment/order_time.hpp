// The simulated time of a binomial broadcast as an objective of rank orders.
#pragma once

#include <cstdint>
#include <span>

#include "weft/network/network.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::experiment {

/// Times a broadcast of one size from rank 0 under any order of its ranks. The schedule is built,
/// proved and lowered once; each order costs one simulation.
class OrderTimer {
 public:
  /// `network` gives fabric, host parameters and routing; its placement does not count. Throws
  /// InvalidInput for fewer than 1 ranks or a size that does not fit.
  OrderTimer(const Network& network, std::int32_t ranks, std::int64_t size_B,
             const SimulationOptions& options);

  /// Seconds, rank r on host order[r] (an index into the hosts); entries behind the ranks are
  /// spare.
  double time_s(std::span<const std::int32_t> order) const;

 private:
  Network network_;
  std::int32_t ranks_;
  Program program_;
  SimulationOptions options_;
};

}  // namespace weft::experiment
