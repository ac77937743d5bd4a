// weft simulate --together: several collectives at once on one network.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/answers/simulation_answer.hpp"
#include "cli/simulate/seed_spread.hpp"
#include "weft/advise/together/together.hpp"

namespace weft::cli {

/// What weft simulate --together answers.
struct TogetherAnswer {
  const SimulationQuestion& options;
  const Network& network;
  const std::vector<advise::TogetherCall>& calls;
  const std::vector<advise::PreparedCall>& prepared;
  const advise::Together& together;
  const std::vector<LinkId>& links;         // to show
  const std::optional<SeedSpread>& spread;  // of the makespan over several seeds

  /// The link that sends longest; none where nothing is sent.
  std::optional<LinkId> busiest() const;
};
answer::Parts<TogetherAnswer> together_parts();

/// Refuses options that the file of calls replaces, or that take one call. Throws InvalidInput.
void check_together(const Given& given);

/// Runs the calls of the file `asked.together` and prints their times; `choose` takes the links to
/// show of a result.
int simulate_calls(
    const SimulationQuestion& asked, const simulation::SimulationOptions& simulation,
    Streams& streams,
    const std::function<std::vector<LinkId>(const simulation::SimulationResult& result)>& choose);

}  // namespace weft::cli
