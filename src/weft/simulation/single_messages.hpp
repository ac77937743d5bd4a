// Messages in the alpha-beta model, which knows of no other traffic, sent one by one by a driver.
#pragma once

#include "weft/simulation/driver.hpp"

namespace weft::simulation {

/// The job's program has its messages in one step, which the driver sends. A message takes the
/// latency of its route, then its bytes on its most loaded link, or through its sender's ports
/// where these take longer; start-ups are paid as in the other models.
SimulationResult simulate_single_messages(const Job& job, const SimulationOptions& options,
                                          Driver& driver);

}  // namespace weft::simulation
