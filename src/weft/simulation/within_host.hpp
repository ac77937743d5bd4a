// How long a message takes that does not leave its host.
#pragma once

#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

/// A copy at copy_Bps (0: free); or over the loopback, if there is one, between two ranks of the
/// host. Factors by size scale the loopback as they do links of classes that are not named, unless
/// it has its own.
inline double within_host_s(const program::Transfer& transfer, std::int64_t copy_Bps,
                            const SimulationOptions& options) {
  if (!options.call.loopback || transfer.from == transfer.to)
    return work_s(transfer.bytes, copy_Bps);
  static const FactorsBySize kUnscaled;
  const SizeFactor& factor = factor_of(
      options.factors == nullptr ? kUnscaled : options.factors->of_loopback(), transfer.bytes);
  return factor.latency * seconds(options.call.loopback->latency_ps) +
         static_cast<double>(transfer.bytes) /
             (factor.bandwidth * static_cast<double>(options.call.loopback->bandwidth_Bps));
}

}  // namespace weft::simulation
